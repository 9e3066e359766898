/**
 * Makes an exec tool of a function; copy this file, it needs nothing but Node 20.
 *
 *     import { ToolError, serve } from './exec-tool.mjs';
 *
 *     await serve(async ({ a, b = 0 }) => {
 *       if (a === undefined) throw new ToolError('a is missing');
 *       return a + b;
 *     });
 *
 * Without an argument the program answers the one call on stdin; with `--server` it
 * answers calls, JSON-RPC 2.0 a line, until stdin is closed. Calls of a server that
 * wait for something run beside each other.
 */

import { Console } from 'node:console';
import { basename } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';

const LF = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A tool reports failure; the caller is told exactly this message. */
export class ToolError extends Error {}

/** An answer of JSON-RPC that is an error. */
class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Run the tool as this whole program. */
export async function serve(tool) {
  const [mode, ...more] = process.argv.slice(2);
  if (more.length > 0 || ![undefined, '--server'].includes(mode)) {
    console.error(`usage: node ${basename(process.argv[1])} [--server]`);
    process.exit(2);
  }
  const write = divertOutput();
  if (mode === undefined) {
    const chunks = [];
    for await (const chunk of process.stdin) {
      chunks.push(chunk);
    }
    write(await answerInput(tool, Buffer.concat(chunks)));
    return;
  }
  const inFlight = new Set();
  for await (const line of lines(process.stdin)) {
    const answering = answerLine(tool, line).then(write);
    inFlight.add(answering);
    answering.finally(() => inFlight.delete(answering));
  }
  await Promise.all(inFlight);
}

/** Keep stdout for answers: what a tool prints goes to stderr. */
function divertOutput() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  globalThis.console = new Console(process.stderr);
  // Nobody reads the answers any more.
  process.stdout.on('error', () => process.exit(1));
  process.stderr.on('error', () => {});
  // An error in a callback that a tool left behind is no reason to die.
  process.on('uncaughtException', (error) => console.error(error));
  return (text) => {
    if (text) {
      write(`${text}\n`);
    }
  };
}

async function* lines(stream) {
  const held = [];
  for await (let chunk of stream) {
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF)) {
      held.push(chunk.subarray(0, end));
      yield Buffer.concat(held);
      held.length = 0;
      chunk = chunk.subarray(end + 1);
    }
    held.push(chunk);
  }
  yield Buffer.concat(held);
}

/** The text that answers all of stdin. */
async function answerInput(tool, data) {
  try {
    const request = JSON.parse(decoder.decode(data));
    if (!isObject(request?.args)) {
      throw new ToolError('the input must be an object with args, an object');
    }
    return await callForText(tool, request.args, (result) => ({ result }));
  } catch (error) {
    return JSON.stringify({ error: messageOf(error) || 'the tool failed' });
  }
}

/** The text that answers a line of JSON-RPC, or nothing. */
async function answerLine(tool, line) {
  let message;
  try {
    const text = decoder.decode(line);
    if (/^[ \t\r]*$/.test(text)) {
      return '';
    }
    message = JSON.parse(text, /\d{16}/.test(text) ? keepIdSource : undefined);
  } catch (error) {
    return failure(null, new RpcError(-32700, `the line is not JSON: ${error.message}`));
  }
  if (!Array.isArray(message) || message.length === 0) {
    return answer(tool, message);
  }
  const answers = await Promise.all(message.map((each) => answer(tool, each)));
  const texts = answers.filter((text) => text !== '');
  return texts.length > 0 ? `[${texts.join()}]` : '';
}

async function answer(tool, request) {
  let id = null;
  try {
    if (!isObject(request) || request.jsonrpc !== '2.0') {
      throw new RpcError(-32600, 'a request must be an object of jsonrpc "2.0"');
    }
    if (!['string', 'number', 'undefined'].includes(typeof (request.id ?? undefined))) {
      throw new RpcError(-32600, 'id must be a string or a number');
    }
    id = exactId(request);
    if (typeof request.method !== 'string') {
      throw new RpcError(-32600, 'method must be a string');
    }
  } catch (error) {
    return failure(id, error);
  }
  const text = await execute(tool, id, request).catch((error) => failure(id, error));
  return Object.hasOwn(request, 'id') ? text : ''; // a notification has no answer
}

// Of requests, the ids that a double may not hold, as they were written.
const idSources = new WeakMap();

/** A reviver that changes nothing; Node tells the source from version 22 on. */
function keepIdSource(key, value, context) {
  if (key === 'id' && typeof value === 'number' && context?.source) {
    idSources.set(this, context.source);
  }
  return value;
}

function exactId(request) {
  const source = idSources.get(request);
  return source === undefined ? (request.id ?? null) : JSON.rawJSON(source);
}

async function execute(tool, id, { method, params }) {
  if (method !== 'execute') {
    throw new RpcError(-32601, `there is no method ${JSON.stringify(method)}`);
  }
  if (!isObject(params?.args)) {
    throw new RpcError(-32602, 'params must hold args, an object');
  }
  return callForText(tool, params.args, (result) => ({ jsonrpc: '2.0', id, result }));
}

/** Call the tool, and make the answer; what is no JSON fails this call, and no more. */
async function callForText(tool, args, wrap) {
  const result = await tool(args);
  if (JSON.stringify(result) === undefined) {
    throw new TypeError(`the result is no JSON: ${inspect(result)}`);
  }
  return JSON.stringify(wrap(result));
}

function failure(id, error) {
  const code = error instanceof ToolError ? -32000 : -32603;
  const message = messageOf(error);
  const shown = { code: error instanceof RpcError ? error.code : code, message };
  return JSON.stringify({ jsonrpc: '2.0', id, error: shown });
}

/** What the caller is told; where the tool did not say it, stderr has more. */
function messageOf(error) {
  if (error instanceof ToolError || error instanceof RpcError) {
    return error.message;
  }
  console.error(error);
  return error instanceof Error ? String(error) : inspect(error);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
