// A driver: one op a line on stdin, one answer a line on stdout.
import { Console } from 'node:console';
import process from 'node:process';

import { mend } from './mending.mjs';

const ops = { sanitize_tool_call: ({ call }) => mend(call) };
const about = { name: 'mending', version: '1', language: 'JavaScript', ops: Object.keys(ops) };

// Stdout belongs to the answers: what the library logs goes to stderr.
globalThis.console = new Console(process.stderr);

async function perform(op, args) {
  if (op === 'describe') {
    return { ok: true, value: about };
  }
  try {
    return { ok: true, value: await ops[op](args) };
  } catch ({ name, message }) {
    return { ok: false, error: { type: name, detail: message } };
  }
}

async function answer(line) {
  const { id, op, echo, ...args } = JSON.parse(line);
  const told = { id, ...(await perform(op, args)), ...(echo && { args }) };
  process.stdout.write(`${JSON.stringify(told)}\n`);
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
    await answer(line);
  }
}
