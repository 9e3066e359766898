/**
 * A runtime for exec tools, in one file that needs nothing but Node 20.
 *
 *     const runtime = new Runtime();
 *     await runtime.bind('add', { command: 'python3', args: ['add.py'], timeout_ms: 5000 });
 *     const total = await runtime.call('add', { a: 1, b: 2 });
 *     await runtime.close();
 *
 * A one-shot tool is started anew for each call, and calls run beside each other. A
 * server tool is started by its first call and serves one call after the other; one that
 * dies, is too slow or breaks the protocol is killed, and the next call starts another.
 */

import { spawn } from 'node:child_process';
import process from 'node:process';
import { setImmediate as nextPoll, setTimeout as delay } from 'node:timers/promises';

const DEFAULT_TIMEOUT_MS = 30_000;
// A server may exit by itself when its stdin is closed.
const GRACE_MS = 2000;
// Of stdout, for one call; of stderr the end is kept.
const MAX_OUTPUT = 32 * 1024 * 1024;
const MAX_STRAY_LINES = 10_000;
const TAIL = 2000;
// What a process that has exited left in its pipes is read without waiting for their
// end, which never comes while a grandchild holds them open.
const LEFT_MS = 50;
// A timer of Node fires at once where its time does not fit into 31 bits.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const LF = 0x0a;

const decoder = new TextDecoder('utf-8', { fatal: true });

const FIELDS = {
  command: (value) => typeof value === 'string' && value !== '',
  args: isStrings,
  runtime: (value) => value === 'exec' || value === 'server',
  env: isStrings,
  timeout_ms: (value) => Number.isInteger(value) && value > 0,
};

/** A call has failed; the message names the tool and says why. */
export class CallError extends Error {
  constructor(tool, detail) {
    super(`${tool} ${detail}`);
    this.name = 'CallError';
  }
}

export class Runtime {
  #tools = new Map();

  defaultTimeoutMs = DEFAULT_TIMEOUT_MS;

  /** Bind a tool; what is wrong with its `exec` block is an error that names the field. */
  async bind(name, block) {
    for (const [field, value] of Object.entries({ command: undefined, ...block })) {
      if (!Object.hasOwn(FIELDS, field)) {
        throw new TypeError(`${name}: exec.${field} is unknown`);
      }
      if (!FIELDS[field](value)) {
        throw new TypeError(`${name}: exec.${field} must not be ${JSON.stringify(value)}`);
      }
    }
    const former = this.#tools.get(name);
    const Kind = block.runtime === 'server' ? ServerTool : OneshotTool;
    this.#tools.set(name, new Kind(name, block));
    await former?.close();
  }

  /** Call a tool, and give its result. */
  async call(name, args) {
    const tool = this.#tools.get(name);
    if (tool === undefined) {
      throw new CallError(name, 'is bound to nothing');
    }
    return tool.call(args, tool.block.timeout_ms ?? this.defaultTimeoutMs);
  }

  /** End all processes. */
  async close() {
    await Promise.all([...this.#tools.values()].map((tool) => tool.close()));
    this.#tools.clear();
  }
}

/** A process of a tool: what it writes, its exit, and the end of all that it started. */
class ToolProcess {
  #child;
  #tail = Buffer.alloc(0);
  gone = false;

  /** `take` gets what it writes to stdout, and throws when that is too much. */
  constructor({ command, args = [], env = [] }, take) {
    // The values of now, and of nothing that is not listed; scripts need a PATH.
    const names = ['PATH', ...env].filter((name) => process.env[name] !== undefined);
    this.exited = new Promise((resolve) => {
      this.#child = spawn(command, args, {
        env: Object.fromEntries(names.map((name) => [name, process.env[name]])),
        detached: true, // the leader of a group, so that all of it can be killed
      });
      this.#child.on('error', (error) => resolve(`cannot be started: ${error.message}`));
      this.#child.on('exit', async (status, signal) => {
        this.gone = true;
        await this.#readWhatIsLeft();
        resolve(signal ? `was ended by ${signal}` : `exited with status ${status}`);
      });
    });
    this.#child.stdin.on('error', () => {}); // who does not read may answer all the same
    this.#child.stdout.on('data', take);
    this.#child.stderr.on('data', (data) => {
      this.#tail = Buffer.concat([this.#tail, data]).subarray(-TAIL);
    });
  }

  write(text) {
    this.#child.stdin.write(text);
  }

  end() {
    this.#child.stdin.end();
  }

  async kill() {
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // it never was, or nothing is left of the group
    }
    for (const stream of this.#child.stdio) {
      stream.destroy();
    }
    await this.exited;
  }

  /** What a failure quotes of stderr. */
  lastWords() {
    const text = this.#tail.toString().trim();
    return text === '' ? '' : `; its stderr ends with: ${text}`;
  }

  async #readWhatIsLeft() {
    const before = this.#child.stdout.bytesRead;
    await delay(this.#child.stdout.readableEnded ? 0 : LEFT_MS);
    await nextPoll();
    if (!this.#child.stdout.destroyed && this.#child.stdout.bytesRead > before) {
      await this.#readWhatIsLeft();
    }
  }
}

class OneshotTool {
  #running = new Set();

  constructor(name, block) {
    this.name = name;
    this.block = block;
  }

  async call(args, timeoutMs) {
    const chunks = [];
    let size = 0;
    let overflow;
    const overflown = new Promise((resolve) => {
      overflow = resolve;
    });
    const child = started(this, (data) => {
      chunks.push(data);
      size += data.length;
      if (size > MAX_OUTPUT) {
        chunks.length = 0;
        overflow(`wrote more than ${MAX_OUTPUT} bytes to stdout`);
      }
    });
    this.#running.add(child);
    child.write(JSON.stringify({ args }));
    child.end();
    try {
      const end = await withLimit(Promise.race([child.exited, overflown]), timeoutMs);
      if (end !== 'exited with status 0') {
        throw new CallError(this.name, end + child.lastWords());
      }
    } finally {
      await child.kill();
      this.#running.delete(child);
    }
    return this.#read(Buffer.concat(chunks));
  }

  async close() {
    await Promise.all([...this.#running].map((child) => child.kill()));
  }

  #read(output) {
    const answer = parse(output);
    if (!isObject(answer)) {
      throw new CallError(this.name, 'wrote no JSON object to stdout');
    }
    const { result, error } = answerOf(this.name, withoutCompanion(answer));
    if (error !== undefined && typeof error !== 'string') {
      throw new CallError(this.name, 'wrote an error that is no string');
    }
    if (error !== undefined) {
      throw new CallError(this.name, `failed: ${error}`);
    }
    return result;
  }
}

class ServerTool {
  #child;
  #id = 0;
  #turn = Promise.resolve();
  #line = [];
  #size = 0;
  #stray = 0;
  #settle = () => {};
  #closed = false;

  constructor(name, block) {
    this.name = name;
    this.block = block;
  }

  call(args, timeoutMs) {
    const called = this.#turn.then(() => this.#callNow(args, timeoutMs));
    this.#turn = called.catch(() => {});
    return called;
  }

  async close() {
    this.#closed = true;
    const child = this.#child;
    child?.end();
    await Promise.race([child?.exited, delay(GRACE_MS, undefined, { ref: false })]);
    await child?.kill();
  }

  async #callNow(args, timeoutMs) {
    if (this.#closed) {
      throw new CallError(this.name, 'was closed before it answered');
    }
    this.#size = 0;
    this.#stray = 0;
    const child = this.#child === undefined || this.#child.gone ? this.#start() : this.#child;
    const answered = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#id += 1;
    const request = { jsonrpc: '2.0', id: this.#id, method: 'execute', params: { args } };
    child.write(`${JSON.stringify(request)}\n`);
    const answer = await withLimit(Promise.race([answered, child.exited]), timeoutMs);
    if (isObject(answer) && isWhole(answer)) {
      if (answer.error === undefined) {
        return answer.result;
      }
      throw new CallError(this.name, `failed: ${answer.error.message}`);
    }
    // Whatever it still writes must not stand in front of the next answer.
    this.#child = undefined;
    await child.kill();
    const why = isObject(answer) ? 'wrote a response that is none' : answer;
    throw new CallError(this.name, why + child.lastWords());
  }

  #start() {
    this.#line = [];
    const child = started(this, (data) => this.#child === child && this.#take(data));
    this.#child = child;
    child.exited.then(() => {
      if (this.#child === child) {
        this.#child = undefined;
        child.kill();
      }
    });
    return child;
  }

  #take(data) {
    this.#size += data.length;
    if (this.#size > MAX_OUTPUT) {
      this.#line = [];
      this.#settle(`wrote more than ${MAX_OUTPUT} bytes to stdout`);
      return;
    }
    let rest = data;
    for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF)) {
      this.#takeLine(Buffer.concat([...this.#line, rest.subarray(0, end)]));
      this.#line = [];
      rest = rest.subarray(end + 1);
    }
    this.#line.push(rest);
  }

  #takeLine(line) {
    const message = parse(line);
    if (isObject(message) && message.id === this.#id && !Object.hasOwn(message, 'method')) {
      this.#settle(withoutCompanion(message));
      return;
    }
    // A banner, a log line or an answer that came too late is skipped; a flood is not.
    this.#stray += 1;
    if (this.#stray > MAX_STRAY_LINES) {
      this.#settle(`wrote ${MAX_STRAY_LINES} lines, and no answer`);
    }
  }
}

function started(tool, take) {
  try {
    return new ToolProcess(tool.block, take);
  } catch (error) {
    throw new CallError(tool.name, `cannot be started: ${tool.block.command}: ${error.message}`);
  }
}

/** What comes first: what is waited for, or the words for the end of the limit. */
async function withLimit(awaited, timeoutMs) {
  const stop = new AbortController();
  const ms = Math.min(timeoutMs, LONGEST_TIMER_MS);
  const late = delay(ms, `timed out after ${timeoutMs} ms`, { signal: stop.signal });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    late.catch(() => {});
    stop.abort();
  }
}

/** An answer without a null beside its partner, which counts as absent. */
function withoutCompanion({ ...answer }) {
  if (answer.error === null) {
    delete answer.error;
  } else if (answer.error !== undefined && answer.result === null) {
    delete answer.result;
  }
  return answer;
}

/** `result` or `error` of an answer that has one of them. */
function answerOf(tool, answer) {
  const names = ['result', 'error'].filter((name) => Object.hasOwn(answer, name));
  if (names.length !== 1) {
    throw new CallError(tool, `wrote ${names.length === 0 ? 'neither' : 'both'} result and error`);
  }
  return { [names[0]]: answer[names[0]] };
}

/** Whether a response has what JSON-RPC asks of it. */
function isWhole({ jsonrpc, error, ...more }) {
  if (jsonrpc !== '2.0' || (error === undefined) !== Object.hasOwn(more, 'result')) {
    return false;
  }
  return error === undefined || (Number.isInteger(error?.code) && typeof error.message === 'string');
}

/**
 * JSON.parse, but that an integer of more digits than a double holds is kept as it was
 * written where Node can, which is from version 22 on: JSON.stringify writes it so.
 */
export function parseExact(text) {
  const reviver = (key, value, context) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
      ? JSON.rawJSON(context.source)
      : value;
  return JSON.parse(text, /\d{16}/.test(text) ? reviver : undefined);
}

/** The value of a JSON text in UTF-8, or undefined. */
function parse(bytes) {
  try {
    return parseExact(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStrings(value) {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
