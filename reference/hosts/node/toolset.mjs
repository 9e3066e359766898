/**
 * The conformance toolset for a Node host: tools whose behaviour is known.
 *
 * Each tool has `name`, `description`, `parameters` (a JSON Schema) and
 * `run(args, context)`. `context.state` is the tool state that the request
 * carried, to be changed in place; `context.emit(event)` sends an event at once, and
 * its promise is kept once there is room for the next.
 * `run` returns `{ success: true, result }` or `{ success: false, error }`.
 */

import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

// A mistaken size must not exhaust the memory of the host.
const MAX_SIZE = 64 * 1024 * 1024;
// setTimeout fires at once for anything longer.
const MAX_MS = 2 ** 31 - 1;

export const tools = [
  {
    name: 'conformance_echo',
    description: 'Give back the value unchanged.',
    parameters: schema({ value: {} }, ['value']),
    run(args) {
      if (!Object.hasOwn(args, 'value')) {
        throw new TypeError('value is missing');
      }
      return success({ value: args.value });
    },
  },
  {
    name: 'conformance_fail',
    description: 'Report failure with the message.',
    parameters: schema({ message: { type: 'string' } }, ['message']),
    run(args) {
      return { success: false, error: string(args, 'message') };
    },
  },
  {
    name: 'conformance_throw',
    description: 'Throw an error with the message.',
    parameters: schema({ message: { type: 'string' } }, ['message']),
    run(args) {
      throw new Error(string(args, 'message'));
    },
  },
  {
    name: 'conformance_stream',
    description: 'Emit one part for each element, in order.',
    parameters: schema(
      {
        parts: { type: 'array', items: { type: 'object' } },
        delay_ms: { type: 'integer', minimum: 0, default: 0 },
      },
      ['parts'],
    ),
    async run(args, { emit }) {
      const parts = array(args, 'parts');
      const ms = integer(args, 'delay_ms', { fallback: 0, max: MAX_MS });
      for (const payload of parts) {
        await emit({ type: 'part', payload });
        if (ms > 0) {
          await delay(ms);
        }
      }
      return success({ count: parts.length });
    },
  },
  {
    name: 'conformance_counter',
    description: 'Add to the counter in the tool state.',
    parameters: schema({ by: { type: 'integer', default: 1 } }),
    run(args, { state }) {
      const min = Number.MIN_SAFE_INTEGER;
      const by = integer(args, 'by', { fallback: 1, min });
      const before = integer(state, 'conformance_counter', { fallback: 0, min });
      const counter = before + by;
      if (!Number.isSafeInteger(counter)) {
        throw new RangeError('the counter leaves the range of exact integers');
      }
      state.conformance_counter = counter;
      return success({ counter });
    },
  },
  {
    name: 'conformance_sleep',
    description: 'Sleep for some milliseconds.',
    parameters: schema(
      {
        ms: { type: 'integer', minimum: 0 },
        // For protocols that can cancel a call; host-v1 cannot.
        ignore_cancel: { type: 'boolean', default: false },
      },
      ['ms'],
    ),
    async run(args) {
      const ms = integer(args, 'ms', { max: MAX_MS });
      await delay(ms);
      return success({ slept_ms: ms });
    },
  },
  {
    name: 'conformance_blob',
    description: 'Give a string of the size.',
    parameters: schema({ size: { type: 'integer', minimum: 0 } }, ['size']),
    run(args) {
      return success('x'.repeat(integer(args, 'size', { max: MAX_SIZE })));
    },
  },
  {
    name: 'conformance_print',
    description: "Print the text with the language's ordinary print call.",
    parameters: schema({ text: { type: 'string' } }, ['text']),
    run(args) {
      console.log(string(args, 'text'));
      return success({ printed: true });
    },
  },
  {
    name: 'conformance_stderr',
    description: 'Write so many bytes to stderr.',
    parameters: schema({ size: { type: 'integer', minimum: 0 } }, ['size']),
    run(args) {
      const size = integer(args, 'size', { max: MAX_SIZE });
      process.stderr.write('x'.repeat(size));
      return success({ written: size });
    },
  },
  {
    name: 'conformance_env',
    description: 'Give the values of environment variables, or null.',
    parameters: schema(
      { names: { type: 'array', items: { type: 'string' } } },
      ['names'],
    ),
    run(args) {
      const names = array(args, 'names');
      if (!names.every((name) => typeof name === 'string')) {
        throw new TypeError('names must be an array of strings');
      }
      // hasOwn, because process.env.toString is a function; fromEntries,
      // because assigning to the key __proto__ would set the prototype.
      return success(
        Object.fromEntries(
          names.map((name) => [
            name,
            Object.hasOwn(process.env, name) ? process.env[name] : null,
          ]),
        ),
      );
    },
  },
];

// Without `required` the key is left out: JSON drops undefined.
function schema(properties, required) {
  return { type: 'object', properties, required };
}

function success(result) {
  return { success: true, result };
}

function string(args, name) {
  if (typeof args[name] !== 'string') {
    throw new TypeError(`${name} must be a string`);
  }
  return args[name];
}

function array(args, name) {
  if (!Array.isArray(args[name])) {
    throw new TypeError(`${name} must be an array`);
  }
  return args[name];
}

function integer(
  args,
  name,
  { fallback, min = 0, max = Number.MAX_SAFE_INTEGER } = {},
) {
  const value = Object.hasOwn(args, name) ? args[name] : fallback;
  if (!Number.isSafeInteger(value) || value < min || value > max) {
    throw new TypeError(`${name} must be an integer from ${min} to ${max}`);
  }
  return value;
}
