/**
 * A tool host for Node (protocol host-v1): one JSON object a line, requests on
 * stdin, responses and events on stdout. Run it with `node host.mjs`; offer tools
 * of your own by adding them to those of `toolset.mjs`.
 */

import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

import { tools } from './toolset.mjs';

const LF = 0x0a;
// 16 MiB of text, escaped, takes six times as many bytes.
const MAX_LINE = 128 * 1024 * 1024;
// More than that is not queued for a client that reads slowly.
const MAX_BACKLOG = 16 * 1024 * 1024;
// Beyond so many calls at a time no other request is read until one has ended.
const MAX_CALLS = 256;
// A client expects the host to be gone 2 s after it has closed stdin.
const FINISH_MS = 1600;
const STDERR_MS = 200;

// Stdout belongs to the protocol. console.log and whatever else a tool writes to
// process.stdout goes to stderr instead.
const writeToClient = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// A tool that calls process.exit has failed; it is not the host that ends.
const exit = process.exit.bind(process);
process.exit = (status) => {
  throw new Error(`process.exit(${status ?? ''}) was called`);
};
syncBuiltinESMExports();

// Neither a client that does not listen to stderr nor an error in a callback that
// a tool left behind is a reason to die.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => console.error(error));
process.stdout.on('error', () => exit(1));

/** A refusal by the host itself, with the `type` of the failure response. */
class Refusal extends Error {
  constructor(type, detail) {
    super(detail);
    this.name = type;
    this.stack = undefined;
  }
}

const inFlight = new Set();

/** A request in flight: events while it is open, then one response. */
class Call {
  #id;
  #close;
  #open = true;

  constructor(id) {
    this.#id = id;
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    inFlight.add(this);
  }

  /** Send an event; the promise is kept once there is room for the next one. */
  emit({ type, payload = null }) {
    if (!this.#open) {
      throw new Error('an event was emitted after the response');
    }
    if (typeof type !== 'string') {
      throw new TypeError('the type of an event must be a string');
    }
    this.#send({ event: { type, payload } });
    return roomToWrite();
  }

  succeed(result) {
    this.#finish({ ok: true, result });
  }

  fail(error) {
    this.#finish({ ok: false, error: describe(error) });
  }

  #finish(body) {
    if (this.#open) {
      // A body that is no JSON throws here and leaves the call open to fail.
      this.#send(body);
      this.#open = false;
      inFlight.delete(this);
      this.#close();
    }
  }

  #send(body) {
    // One write a message. The pipe is asynchronous: what does not fit is queued.
    writeToClient(`${JSON.stringify({ v: 1, id: this.#id, ...body })}\n`);
  }
}

/** Wait while more is queued for the client than is good. */
async function roomToWrite() {
  if (process.stdout.writableLength > MAX_BACKLOG) {
    await once(process.stdout, 'drain');
  }
}

/** Wait while as many calls are in flight as may be. */
async function roomToCall() {
  while (inFlight.size >= MAX_CALLS) {
    await Promise.race([...inFlight].map((call) => call.closed));
  }
}

function describe(error) {
  if (!(error instanceof Error)) {
    const detail = typeof error === 'string' ? error : inspect(error);
    return { type: 'Error', detail };
  }
  const { name, message, stack } = error;
  const described = { type: String(name), detail: String(message) };
  return typeof stack === 'string' ? { ...described, stack } : described;
}

// A Map, because an object would also offer `constructor` and `toString`.
const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));

const methods = new Map(
  Object.entries({
    init(params, context) {
      objectIn(params, 'config', {});
      context.state = { conformance_counter: 0 };
      return context.state;
    },

    get_tool_schemas() {
      return tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      }));
    },

    async execute_tool(params, context) {
      const name = stringIn(params, 'tool_name');
      const args = objectIn(params, 'arguments');
      const tool = toolsByName.get(name);
      if (tool === undefined) {
        throw new Refusal('UnknownTool', `there is no tool ${name}`);
      }
      const result = await tool.run(args, context);
      if (typeof result?.success !== 'boolean') {
        throw new TypeError(`the tool ${name} did not return a result`);
      }
      return result.success
        ? { success: true, result: result.result ?? null }
        : { success: false, error: String(result.error) };
    },

    get_config_schema() {
      return { type: 'object', properties: {} };
    },

    get_ui_elements() {
      return [{ type: 'text', text: 'There is nothing to configure.' }];
    },

    get_tags(params) {
      objectIn(params, 'config', {});
      if (!Array.isArray(params.models ?? [])) {
        throw new Refusal('BadRequest', 'models must be an array');
      }
      return ['conformance'];
    },

    required_tags() {
      return [];
    },

    format_tool_result(params) {
      if (!Object.hasOwn(params, 'result')) {
        throw new Refusal('BadRequest', 'result is missing');
      }
      const { result } = params;
      switch (isObject(result) ? result.success : undefined) {
        case true:
          return asText(result.result ?? null);
        case false:
          return asText(result.error ?? null);
        default:
          return asText(result);
      }
    },

    format_tool_call_preview(params) {
      const name = stringIn(params, 'tool_name');
      return `${name}(${JSON.stringify(objectIn(params, 'arguments'))})`;
    },

    to_display_format(params) {
      return { type: 'text', text: stringIn(params, 'text') };
    },
  }),
);

function asText(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(params, key, fallback) {
  const value = Object.hasOwn(params, key) ? params[key] : fallback;
  if (!isObject(value)) {
    throw new Refusal('BadRequest', `${key} must be an object`);
  }
  return value;
}

function stringIn(params, key) {
  if (typeof params[key] !== 'string') {
    throw new Refusal('BadRequest', `${key} must be a string`);
  }
  return params[key];
}

// ignoreBOM keeps a byte order mark in the text, where JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function answer(line) {
  let request;
  try {
    const text = decode(line);
    if (/^[ \t\r]*$/.test(text)) {
      return;
    }
    request = parse(text);
  } catch (error) {
    new Call(null).fail(error);
    return;
  }
  const call = new Call(typeof request?.id === 'string' ? request.id : null);
  try {
    call.succeed(await perform(request, call));
  } catch (error) {
    call.fail(error);
  }
}

function decode(line) {
  try {
    return utf8.decode(line);
  } catch {
    throw new Refusal('BadLine', 'the line is not UTF-8');
  }
}

function parse(text) {
  try {
    return JSON.parse(text, MAYBE_HUGE.test(text) ? refuseInfinity : undefined);
  } catch (error) {
    throw new Refusal('BadLine', error.message);
  }
}

// JSON.parse reads 1e400 as Infinity, which JSON.stringify would write as null. Only
// a text that may hold such a number is looked at, since a reviver is slow and cannot
// follow deep nesting.
const MAYBE_HUGE = /\d[eE]\+?\d{3}|\d{300}/;

function refuseInfinity(key, value) {
  if (value === Infinity || value === -Infinity) {
    throw new RangeError('a number is beyond the range of a double');
  }
  return value;
}

async function perform(request, call) {
  if (!isObject(request)) {
    throw new Refusal('BadRequest', 'a request must be an object');
  }
  if (typeof request.id !== 'string') {
    throw new Refusal('BadRequest', 'id must be a string');
  }
  if (request.v !== 1) {
    throw new Refusal('BadRequest', 'v must be 1');
  }
  const method = stringIn(request, 'method');
  const params = objectIn(request, 'params');
  const run = methods.get(method);
  if (run === undefined) {
    throw new Refusal('UnknownMethod', `there is no method ${method}`);
  }
  // The client owns the state: nothing is kept here between two requests.
  const carried = Object.hasOwn(params, 'state') || method === 'init';
  const context = {
    state: objectIn(params, 'state', {}),
    emit: (event) => call.emit(event),
  };
  const value = await run(params, context);
  return carried ? { value, state: context.state } : { value };
}

/** The lines of stdin as they come, without their line feed. */
async function* readLines() {
  let held = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of process.stdin) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LF, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      start += piece.length + 1;
      held = append(held, size, piece);
      size += piece.length;
      if (end >= 0) {
        yield size <= MAX_LINE
          ? held.subarray(0, size)
          : new Refusal('BadLine', `the line is longer than ${MAX_LINE} bytes`);
        held = Buffer.alloc(0);
        size = 0;
      }
    }
  }
  if (size > 0) {
    yield new Refusal('BadLine', 'the last line has no line feed');
  }
}

// The buffer doubles, so that a long line costs the same however it is cut. A line
// that is too long is not kept.
function append(held, used, piece) {
  const size = used + piece.length;
  if (size > MAX_LINE) {
    return Buffer.alloc(0);
  }
  let target = held;
  if (size > held.length) {
    target = Buffer.alloc(Math.max(size, 2 * held.length));
    held.copy(target, 0, 0, used);
  }
  piece.copy(target, used);
  return target;
}

async function shutDown() {
  const all = Promise.all([...inFlight].map((call) => call.closed));
  await Promise.race([all, delay(FINISH_MS)]);
  for (const call of inFlight) {
    call.fail(new Refusal('Shutdown', 'stdin was closed before the call ended'));
  }
  // exit drops what is still queued. Every response is waited for; the
  // rest of the log only for a while, since perhaps nobody reads it.
  await new Promise((flushed) => writeToClient('', flushed));
  const logged = new Promise((flushed) => process.stderr.write('', flushed));
  await Promise.race([logged, delay(STDERR_MS)]);
  exit(0);
}

if (process.argv.length > 2) {
  console.error('usage: node host.mjs');
  exit(2);
}

for await (const line of readLines()) {
  if (line instanceof Refusal) {
    new Call(null).fail(line);
  } else {
    answer(line);
  }
  await roomToWrite();
  await roomToCall();
}
await shutDown();
