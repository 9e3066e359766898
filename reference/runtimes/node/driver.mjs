/**
 * The driver of a runtime for the bridge: one operation a line on stdin, one answer a
 * line on stdout, in order. A template for authors: put your own runtime in the place of
 * the one that is imported. `../README.md` explains the ops.
 */

import { Console } from 'node:console';
import process from 'node:process';

import { parseExact, Runtime } from './runtime.mjs';

// Stdout belongs to the answers: whatever else is written there goes to stderr.
const answers = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
globalThis.console = new Console(process.stderr);

let runtime = new Runtime();

const ops = {
  describe: () => ({
    name: 'wireproof-node-runtime', version: '1', language: `Node ${process.versions.node}`,
    ops: Object.keys(ops).filter((op) => op !== 'describe'),
    default_timeout_ms: runtime.defaultTimeoutMs, halfPairs: true,
  }),
  bind: ({ name, exec }) => runtime.bind(name, exec),
  setenv({ name, value }) {
    delete process.env[name];
    if (value !== null) {
      process.env[name] = value;
    }
  },
  set_default_timeout({ timeout_ms }) {
    runtime.defaultTimeoutMs = timeout_ms;
  },
  async call({ tool, args }) {
    try {
      return { result: await runtime.call(tool, args) };
    } catch ({ name, message }) {
      return { error: { type: name, detail: message } };
    }
  },
  call_many: ({ calls }) => Promise.all(calls.map((one) => ops.call(one))),
  async close() {
    await runtime.close();
    runtime = new Runtime();
  },
};

async function answer({ id, op, ...args }) {
  try {
    return { id, ok: true, value: (await ops[op](args)) ?? null };
  } catch ({ name, message }) {
    return { id, ok: false, error: { type: name, detail: message } };
  }
}

if (process.argv.length > 2) {
  console.error('usage: node driver.mjs');
  process.exit(2);
}

// Not node:readline: from Node 24 on it also ends a line at U+2028, which JSON
// may hold.
let held = [];
for await (const chunk of process.stdin.setEncoding('utf8')) {
  const [first, ...lines] = chunk.split('\n');
  held.push(first);
  for (const next of lines) {
    answers(`${JSON.stringify(await answer(parseExact(held.join(''))))}\n`);
    held = [next];
  }
}
await runtime.close();
