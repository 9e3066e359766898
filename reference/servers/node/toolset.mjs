/**
 * The conformance toolset for a Node server: tools whose behaviour is known. What a
 * tool consists of is said in `registry.mjs`, which has checked the arguments by
 * `inputSchema` before it runs a tool.
 */

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { ToolError, ToolResult } from './registry.mjs';

// A mistaken size must not exhaust the memory of the server.
const MAX_SIZE = 64 * 1024 * 1024;
// setTimeout fires at once for anything longer.
const MAX_TIMER_MS = 2 ** 31 - 1;

const string = { type: 'string' };
const natural = { type: 'integer', minimum: 0 };

let counter = 0;
let aborted = 0;
let waits = 0;

export const tools = [
  {
    name: 'conformance_echo',
    description: 'Give back the value unchanged.',
    inputSchema: schema({ value: {} }, ['value']),
    run: ({ value }) => ({ value }),
  },
  {
    name: 'conformance_fail',
    description: 'Fail with the message, the code and the details.',
    inputSchema: schema(
      {
        message: string,
        code: { type: 'string', default: 'TOOL_FAILED' },
        details: {},
      },
      ['message'],
    ),
    run({ message, code = 'TOOL_FAILED', details }) {
      throw new ToolError(code, message, details);
    },
  },
  {
    name: 'conformance_throw',
    description: 'Throw an error with the message.',
    inputSchema: schema({ message: string }, ['message']),
    run({ message }) {
      throw new Error(message);
    },
  },
  {
    name: 'conformance_stream',
    description: 'Emit one event for each part, in order.',
    inputSchema: schema(
      {
        parts: { type: 'array', items: { type: 'object' } },
        delay_ms: { ...natural, default: 0 },
      },
      ['parts'],
    ),
    async run({ parts, delay_ms: ms = 0 }, { emit }) {
      for (const part of parts) {
        await emit({ kind: 'progress', message: JSON.stringify(part) });
        await sleep(ms);
      }
      return { count: parts.length };
    },
  },
  {
    name: 'conformance_counter',
    description: 'Add to the counter of this process.',
    inputSchema: schema({ by: { type: 'integer', default: 1 } }),
    run({ by = 1 }) {
      if (!Number.isSafeInteger(counter + by)) {
        throw new RangeError('the counter leaves the range of exact integers');
      }
      counter += by;
      return { counter };
    },
  },
  {
    name: 'conformance_sleep',
    description: 'Sleep for some milliseconds.',
    inputSchema: schema(
      { ms: natural, ignore_cancel: { type: 'boolean', default: false } },
      ['ms'],
    ),
    run: ({ ms, ignore_cancel: deaf = false }, { signal }) =>
      slept(ms, deaf ? undefined : signal),
  },
  {
    name: 'conformance_blob',
    description: 'Give a string of the size.',
    inputSchema: schema({ size: natural }, ['size']),
    run: ({ size }) => text(size),
  },
  {
    name: 'conformance_print',
    description: "Print the text with the language's ordinary print call.",
    inputSchema: schema({ text: string }, ['text']),
    run(args) {
      console.log(args.text);
      return { printed: true };
    },
  },
  {
    name: 'conformance_stderr',
    description: 'Write so many bytes to stderr.',
    inputSchema: schema({ size: natural }, ['size']),
    run({ size }) {
      process.stderr.write(text(size));
      return { written: size };
    },
  },
  {
    name: 'conformance_env',
    description: 'Give the values of environment variables, or null.',
    inputSchema: schema({ names: { type: 'array', items: string } }, ['names']),
    // hasOwn, because process.env.toString is a function; fromEntries, because
    // assigning to the key __proto__ would set the prototype.
    run: ({ names }) =>
      Object.fromEntries(
        names.map((name) => [
          name,
          Object.hasOwn(process.env, name) ? process.env[name] : null,
        ]),
      ),
  },
  {
    name: 'conformance_context',
    description: 'Give the context of the call.',
    inputSchema: schema({}),
    run: (args, { context }) => context,
  },
  {
    name: 'conformance_aborts',
    description: 'Count the sleeps that ended early because their signal fired.',
    inputSchema: schema({}),
    run: () => ({ aborted, waits }),
  },
  {
    name: 'conformance_limited',
    description: 'Sleep for some milliseconds, under a timeout of 500 ms.',
    inputSchema: schema({ ms: natural }, ['ms']),
    timeoutMs: 500,
    run: ({ ms }, { signal }) => slept(ms, signal),
  },
  {
    name: 'conformance_envelope',
    description: 'Return the envelope as an explicit ToolResult.',
    inputSchema: schema({ envelope: { type: 'object' } }, ['envelope']),
    run: ({ envelope }) => new ToolResult(envelope),
  },
  {
    name: 'conformance_privileged',
    description: 'Create an empty file.',
    inputSchema: schema({ path: string }, ['path']),
    capabilities: ['writes-files'],
    run({ path }) {
      writeFileSync(path, '');
      return { written: path };
    },
  },
  {
    name: 'conformance_wait',
    description: 'Wait until the call is aborted.',
    inputSchema: schema({}),
    run: (args, { signal }) =>
      new Promise((resolve, reject) => {
        const onAbort = () => {
          waits += 1;
          reject(signal.reason);
        };
        if (signal.aborted) {
          onAbort();
          return;
        }
        signal.addEventListener('abort', onAbort, { once: true });
      }),
  },
  {
    name: 'conformance_child',
    description: 'Start a child process that sleeps.',
    inputSchema: schema({ ms: natural }, ['ms']),
    run: ({ ms }) => ({ pid: spawn('sleep', [String(ms / 1000)]).pid }),
  },
].map((tool) => ({ capabilities: ['read-only'], ...tool }));

// Without `required` the key is left out: JSON drops undefined.
function schema(properties, required) {
  return { type: 'object', properties, required };
}

function text(size) {
  if (size > MAX_SIZE) {
    throw new RangeError(`size must be at most ${MAX_SIZE}`);
  }
  return 'x'.repeat(size);
}

/** Sleep; at its signal end with the ordinary result, from within the handler. */
function slept(ms, signal) {
  const result = { slept_ms: ms };
  return new Promise((resolve) => {
    const onAbort = () => {
      aborted += 1;
      resolve(result);
    };
    if (signal?.aborted) {
      onAbort();
      return;
    }
    signal?.addEventListener('abort', onAbort, { once: true });
    sleep(ms, signal).then(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(result);
      },
      () => {},
    );
  });
}

/** Sleep; throws when the signal fires. */
async function sleep(ms, signal) {
  signal?.throwIfAborted();
  for (let left = ms; left > 0; left -= MAX_TIMER_MS) {
    await delay(Math.min(left, MAX_TIMER_MS), undefined, { signal });
  }
}
