/**
 * The driver of a library for the bridge: one operation a line on stdin, one answer a
 * line on stdout, in order. A template for authors: it can stay as it is, and `ops.mjs`
 * says what the library offers. `../README.md` explains the bridge.
 */

import { Console } from 'node:console';
import process from 'node:process';

import { toText } from './json.mjs';
import { ops } from './ops.mjs';

// Stdout belongs to the answers: what the library logs goes to stderr.
globalThis.console = new Console(process.stderr);

/** The answer to a request, as a line. */
async function answer({ id, op, echo, ...args }) {
  const outcome = await perform(op, args);
  try {
    return toText({ id, ...outcome, ...(echo && { args }) });
  } catch (error) {
    // The value is no JSON, or is nested too deep to be written.
    return toText({ id, ...failure(error) });
  }
}

async function perform(op, args) {
  if (!ops.has(op)) {
    return failure(new TypeError(`there is no op ${op}`));
  }
  try {
    return { ok: true, value: (await ops.get(op)(args)) ?? null };
  } catch (error) {
    return failure(error);
  }
}

function failure({ name, message }) {
  return { ok: false, error: { type: name, detail: message } };
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch (error) {
    // It has no id that could be answered, so the rest would be out of step.
    console.error(`the driver stops at a line that is not JSON: ${error.message}`);
    return process.exit(2);
  }
}

if (process.argv.length > 2) {
  console.error('usage: node driver.mjs');
  process.exit(2);
}

// Not node:readline: from Node 24 on it also ends a line at U+2028, which JSON
// may hold.
let held = '';
for await (const chunk of process.stdin.setEncoding('utf8')) {
  const [first, ...more] = chunk.split('\n');
  const lines = [held + first, ...more];
  held = lines.pop();
  for (const line of lines) {
    process.stdout.write(`${await answer(parse(line))}\n`);
  }
}
