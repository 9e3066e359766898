/**
 * The driver of a host client for the bridge: one operation a line on stdin, one answer
 * a line on stdout, in order. A template for authors: put your own client in the place
 * of the one that is imported. `../README.md` explains the ops.
 */

import { Console } from 'node:console';
import process from 'node:process';

import { HostClient } from './client.mjs';

// Stdout belongs to the answers: what the client logs goes to stderr.
globalThis.console = new Console(process.stderr);

let client;

const ops = {
  describe: () => ({
    name: 'wireproof-node-client', version: '1', language: `Node ${process.versions.node}`,
    ops: Object.keys(ops).filter((op) => op !== 'describe'),
  }),
  async start({ command, config }) {
    client = await HostClient.start(command, config);
    return { state: client.state };
  },
  request: ({ method, params }) => client.request(method, params),
  execute: ({ tool_name, arguments: args, timeout_ms }) => client.execute(tool_name, args, timeout_ms),
  request_many: ({ requests }) => Promise.all(requests.map((one) => outcome(ops.request, one))),
  execute_many: ({ calls }) => Promise.all(calls.map((one) => outcome(ops.execute, one))),
  async format_result({ result }) {
    const shown = await client.format(result);
    return typeof shown === 'string' ? { text: shown } : { envelope: shown };
  },
  state: () => ({ state: client.state }),
  async close() {
    await client?.close();
    return null;
  },
};

/** What a call comes to: one that fails is a value too. */
async function outcome(op, args) {
  try {
    return await op(args);
  } catch ({ name, message }) {
    return { error: { type: name, detail: message } };
  }
}

async function answer({ id, op, ...args }) {
  if (!Object.hasOwn(ops, op)) {
    return { id, ok: false, error: { type: 'TypeError', detail: `there is no op ${op}` } };
  }
  return { id, ok: true, value: await outcome(ops[op], args) };
}

if (process.argv.length > 2) {
  console.error('usage: node driver.mjs');
  process.exit(2);
}

// Not node:readline: from Node 24 on it also ends a line at U+2028, which JSON
// may hold.
let held = '';
for await (const chunk of process.stdin.setEncoding('utf8')) {
  // Only the chunk is searched: a long line comes in many.
  const [first, ...more] = chunk.split('\n');
  const lines = [held + first, ...more];
  held = lines.pop();
  for (const line of lines) {
    process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
  }
}
process.exit(0); // a host that is still there ends with its input
