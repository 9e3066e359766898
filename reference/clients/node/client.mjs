/** A client of NDJSON tool hosts (host-v1): starts one, calls it, keeps the tool state. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

const FORMATS = ['openai.chat_completions', 'openai.responses'];
const DEADLINE_MS = 60_000;
const GRACE_MS = 2_000;
// A timer beyond 31 bits fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const STDERR_KEPT = 65_536;
// A line beyond this is none that is read: without a limit a host could fill the memory.
const LONGEST_LINE = 64 * 2 ** 20;
const LINE_FEED = 10;
// What a host wrote before its exit is in the pipes then.
const LAST_WORDS_MS = 250;

// Bytes that are not UTF-8 are an error: replaced, they would pass for text of the host's.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** A call that failed; its name and message are the host's own words where it has any. */
const failed = (name, message) => Object.assign(new Error(message), { name });

export class HostClient {
  #host;
  #calls = new Map();
  #held = [];
  #heldBytes = 0;
  #stderr = '';
  #death = null;
  state = {};

  /** Start a host and call `init`; fails as a call does. */
  static async start([program, ...args], config = {}) {
    const client = new HostClient();
    await client.#start(program, args);
    try {
      const { value, state } = await client.request('init', { config });
      if (!state && !isObject(value)) throw failed('ProtocolError', 'init gave no state');
      client.state = state ?? value;
      return client;
    } catch (error) {
      await client.close(); // nobody else can
      throw error;
    }
  }

  #start(program, args) {
    this.#host = spawn(program, args);
    this.#host.stdin.on('error', () => {}); // a host that is gone tells more in its exit
    this.#host.stdout.on('data', (bytes) => this.#read(bytes));
    const keep = (text) => { this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT); };
    this.#host.stderr.setEncoding('utf8').on('data', keep);
    // 'close' comes when all that the host wrote has been read, so no answer is lost.
    this.#host.on('close', (code, signal) => this.#lose(code ?? signal));
    // A child that the host left behind may hold its pipes: they are read no longer.
    const lose = (status) => setTimeout(() => setImmediate(() => this.#lose(status)), LAST_WORDS_MS);
    this.#host.on('exit', (code, signal) => lose(code ?? signal));
    return new Promise((resolve, reject) => {
      this.#host.on('spawn', resolve);
      this.#host.on('error', (error) => reject(failed('HostLost', error.message)));
    });
  }

  /** Call a method with params as they are; gives `{ value, state? }`. */
  async request(method, params, timeoutMs = DEADLINE_MS) {
    const { result } = await this.#send(method, params, timeoutMs);
    return result;
  }

  /** Run a tool with the client's state; gives `{ chunks, result, state }`. */
  async execute(toolName, args, timeoutMs = DEADLINE_MS) {
    const params = { tool_name: toolName, arguments: args, state: this.state };
    const { chunks, result, state } = await this.#send('execute_tool', params, timeoutMs);
    return { chunks, result: result.value, state };
  }

  /** What the model is shown: text, or an explicit envelope in a supported format. */
  async format(result) {
    const { value } = await this.request('format_tool_result', { result, state: this.state });
    const native = isObject(value) && value.type === 'provider_native_tool_result';
    if (native && FORMATS.includes(value.format) && 'content' in value) return value;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** End the host: close its input, and kill it where it does not heed that. */
  close() {
    const { exitCode, signalCode } = this.#host;
    if (this.#death || exitCode !== null || signalCode !== null) return undefined;
    this.#host.stdin.end();
    const timer = setTimeout(() => this.#host.kill('SIGKILL'), GRACE_MS);
    return new Promise((resolve) => this.#host.on('exit', resolve)).finally(() => clearTimeout(timer));
  }

  #send(method, params, timeoutMs) {
    if (this.#death) return Promise.reject(this.#death);
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const late = () => this.#finish(id, reject, failed('Timeout', `${method}: no answer in ${timeoutMs} ms`));
      const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_TIMER_MS));
      this.#calls.set(id, { method, chunks: [], timer, resolve, reject });
      this.#host.stdin.write(`${JSON.stringify({ v: 1, id, method, params })}\n`);
    });
  }

  #finish(id, settle, outcome) {
    clearTimeout(this.#calls.get(id).timer);
    this.#calls.delete(id); // what still comes under this id is nobody's
    settle(outcome);
  }

  /** Bytes are kept until a line is whole: a character may be cut, and a long line comes in many reads. */
  #read(bytes) {
    let start = 0;
    for (let end; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
      const size = this.#hold(bytes.subarray(start, end));
      const line = Buffer.concat(this.#held);
      this.#held = [];
      this.#heldBytes = 0;
      if (size <= LONGEST_LINE) this.#readLine(line);
    }
    this.#hold(bytes.subarray(start));
  }

  /** Keep a piece of a line, and of one that is too long only its size. */
  #hold(piece) {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > LONGEST_LINE) this.#held = [];
    else if (piece.length) this.#held.push(piece);
    return this.#heldBytes;
  }

  #readLine(line) {
    let message;
    try { message = JSON.parse(UTF8.decode(line)); } catch { return; } // a log line, a blank one, or no UTF-8
    if (isObject(message) && this.#calls.has(message.id)) this.#take(message);
  }

  #take({ id, ok, event, result, error }) {
    const { method, chunks, resolve, reject } = this.#calls.get(id);
    if (event?.type === 'part') chunks.push({ part: event.payload });
    if (ok === false) this.#finish(id, reject, failed(error?.type, error?.detail));
    if (ok !== true || !isObject(result)) return;
    const { value, state } = result;
    if (isObject(state) && ['init', 'execute_tool'].includes(method)) this.state = state;
    this.#finish(id, resolve, { chunks, state: this.state, result: isObject(state) ? { value, state } : { value } });
  }

  #lose(status) {
    if (this.#death) return;
    const line = this.#stderr.split('\n').map((one) => one.trim()).filter(Boolean).at(-1) ?? '';
    this.#death = failed('HostLost', `the host ended with ${status}: ${line}`);
    for (const [id, { reject }] of this.#calls) this.#finish(id, reject, this.#death);
    for (const pipe of this.#host.stdio) pipe.destroy();
  }
}
