/**
 * The registry: it finds the accessor that knows an object, and the adapter that leads
 * to a target. What there is to know about a format stands in `schemas.mjs`,
 * `calls.mjs` and `results.mjs`.
 *
 * An accessor has `format`, `matches(object)` and `inspect(object)`; one of schemas
 * also `payloadKind`, one of calls perhaps `sanitize(call)`, which must not throw. An
 * adapter has `source`, `target` and `convert(object)`. What a conversion returns shares
 * nothing with what it was given; an inspection shows parts of it.
 */

import { inspect } from 'node:util';

import { callAccessors, callAdapters, callFormats } from './calls.mjs';
import { isObject } from './json.mjs';
import {
  resultAccessors,
  resultAdapters,
  resultMessages,
  stored,
} from './results.mjs';
import { acceptedSchemas, schemaAccessors, schemaAdapters } from './schemas.mjs';

/** The registry cannot do what it is asked; `name` says why. */
export class InteropError extends Error {
  constructor(name, message) {
    super(message);
    this.name = name;
  }
}

const builtIn = {
  schemaAccessors,
  schemaAdapters,
  callAccessors,
  callAdapters,
  resultAccessors,
  resultAdapters,
};

export class Registry {
  #schemas;
  #calls;
  #results;

  /** Contributions are objects with keys of `builtIn`; the first has precedence. */
  constructor(...contributions) {
    const all = (key) => [...contributions, builtIn].flatMap((it) => it[key] ?? []);
    const table = (kind) =>
      new Table(kind, all(`${kind}Accessors`), all(`${kind}Adapters`));
    this.#schemas = table('schema');
    this.#calls = table('call');
    this.#results = table('result');
  }

  /** Schemas for a target, in formats of `targetFormats`, the best first. */
  convertSchemas(schemas, target, targetFormats) {
    const accepted = targetFormats ?? entryOf(acceptedSchemas, target);
    entryOf(acceptedSchemas, target);
    return schemas.map((schema) => this.#schemas.convert(schema, accepted));
  }

  inspectSchema(schema) {
    const accessor = this.#schemas.accessorOf(schema);
    const { format, payloadKind } = accessor;
    return { ...accessor.inspect(schema), payload_kind: payloadKind, format };
  }

  convertToolCalls(calls, target) {
    const formats = entryOf(callFormats, target);
    return calls.map((call) => this.#calls.convert(call, formats));
  }

  inspectCall(call) {
    const accessor = this.#calls.accessorOf(call);
    return { ...accessor.inspect(call), payload_format: accessor.format };
  }

  /**
   * A function call with arguments that are the text of an object, and any other call
   * as it is. Never throws, and so copies no more than it has to: structuredClone
   * cannot follow deep nesting.
   */
  sanitizeToolCall(call) {
    return this.#calls.maybeAccessorOf(call)?.sanitize?.(call) ?? call;
  }

  inspectResult(result) {
    return this.#results.accessorOf(result).inspect(result);
  }

  /**
   * Core tool messages as messages or items of a target; for the target `core`, what
   * tools have given as core tool messages. `calls`, in any format, tell which of them
   * are custom.
   */
  convertResults(results, target, calls) {
    const custom = this.#customIds(calls ?? []);
    if (target === 'core') {
      return results.map((result) => this.#coreMessage(result, custom));
    }
    const messageOf = entryOf(resultMessages, target);
    return results.map(({ content, toolResult, metadata = {} }) => {
      const result = toolResult ?? content;
      const accessor = this.#results.accessorOf(result);
      const adapter = this.#results.adapter(accessor.format, target);
      const { tool_call_id: id, payload_kind: kind } = metadata;
      const isCustom = kind === 'text' || custom.has(id);
      const payload =
        adapter === undefined ? accessor.inspect(result).text : adapter.convert(result);
      return structuredClone(messageOf(payload, { id, isCustom }));
    });
  }

  #coreMessage({ result, tool_call_id: id, tool_name: name }, custom) {
    const kind = custom.has(id) ? { payload_kind: 'text' } : {};
    return structuredClone({
      role: 'tool',
      ...stored(result, this.inspectResult(result)),
      metadata: { tool_call_id: id, tool_name: name, ...kind },
    });
  }

  #customIds(calls) {
    const known = calls.filter((call) => this.#calls.maybeAccessorOf(call));
    return new Set(
      known
        .map((call) => this.inspectCall(call))
        .filter((call) => call.payload_kind === 'text')
        .map((call) => call.call_id),
    );
  }
}

/** The accessors and adapters for one kind of object; the first have precedence. */
class Table {
  #kind;
  #accessors;
  #adapters;

  constructor(kind, accessors, adapters) {
    this.#kind = kind;
    // An accessor takes the place of all later ones for its format.
    this.#accessors = accessors.filter(
      ({ format }, index) =>
        accessors.findIndex((other) => other.format === format) === index,
    );
    this.#adapters = adapters;
  }

  maybeAccessorOf(object) {
    const known = this.#kind === 'result' || isObject(object);
    return known ? this.#accessors.find((it) => it.matches(object)) : undefined;
  }

  accessorOf(object) {
    const accessor = this.maybeAccessorOf(object);
    if (accessor === undefined) {
      throw new InteropError(
        'UnknownFormat',
        `no accessor knows ${this.#described(object)}`,
      );
    }
    return accessor;
  }

  adapter(source, target) {
    return this.#adapters.find((it) => it.source === source && it.target === target);
  }

  /** The object in one of the formats: its own, or the first that is reached. */
  convert(object, formats) {
    const { format, payloadKind } = this.accessorOf(object);
    if (formats.includes(format)) {
      return structuredClone(object);
    }
    // A freeform tool stays freeform where it can, whatever stands first.
    const keeps = (target) =>
      this.#accessors.find((it) => it.format === target)?.payloadKind === payloadKind;
    const [best] = [...formats.filter(keeps), ...formats].flatMap(
      (target) => this.adapter(format, target) ?? [],
    );
    if (best === undefined) {
      throw new InteropError(
        'NoAdapter',
        `no adapter leads from ${this.#described(object)} in the format ${format} ` +
          `to ${formats.join(' or ') || 'anything: no format is accepted'}`,
      );
    }
    return structuredClone(best.convert(object));
  }

  #described(object) {
    const name = [object?.name, object?.function?.name, object?.custom?.name].find(
      (it) => typeof it === 'string',
    );
    const named = name === undefined ? '' : ` ${inspect(name)}`;
    return `the ${this.#kind}${named} of type ${inspect(object?.type)}`;
  }
}

function entryOf(targets, target) {
  const entry = targets.get(target);
  if (entry === undefined) {
    throw new InteropError(
      'UnknownTarget',
      `there is no target ${inspect(target)}, only ${[...targets.keys()].join(', ')}`,
    );
  }
  return entry;
}
