/**
 * The tools and their calls: who may call what, how long, and what came of it.
 *
 * A tool has `name`, `description`, `inputSchema`, `capabilities`, perhaps `timeoutMs`
 * and `run(args, { context, signal, emit })`. `run` returns (or promises) a raw value
 * or a `ToolResult`, and throws a `ToolError` to choose the code of its failure.
 */

import { inspect } from 'node:util';

import { codes, eventFlaw, resultFlaw } from './messages.mjs';
import { flaw } from './schema.mjs';

const DEFAULT_TIMEOUT_MS = 120_000;
// setTimeout fires at once for anything longer than this, which is 24 days.
const MAX_TIMER_MS = 2 ** 31 - 1;
const RISKY = ['writes-files', 'controls-browser', 'starts-process', 'destructive'];

/** A failure whose code the tool chooses; `details` arrive where it gives any. */
export class ToolError extends Error {
  constructor(code, message, details) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.details = details;
  }
}

/** An explicit envelope: sent as it is, where a raw value would become `content`. */
export class ToolResult {
  constructor(envelope) {
    this.envelope = envelope;
  }
}

function failure(code, message, details) {
  // JSON leaves an undefined `details` out.
  return { ok: false, error: { code, message, details } };
}

function failureOf(error) {
  if (error instanceof ToolError) {
    const code = codes.includes(error.code) ? error.code : 'TOOL_FAILED';
    return failure(code, error.message, error.details);
  }
  const { message } = error instanceof Error ? error : { message: error };
  return failure(
    'TOOL_FAILED',
    typeof message === 'string' ? message : inspect(message),
  );
}

function resultOf(value) {
  if (!(value instanceof ToolResult)) {
    return { ok: true, content: value ?? null };
  }
  const found = resultFlaw(value.envelope);
  return found === undefined
    ? value.envelope
    : failure('TOOL_FAILED', `the tool returned no ToolResult: ${found}`);
}

/** One call, from its request to its one result. */
class Call {
  #sendResult;
  #onEnd;
  #timer;
  #controller = new AbortController();
  #open = true;

  constructor({ sendResult, onEnd }) {
    this.#sendResult = sendResult;
    this.#onEnd = onEnd;
  }

  get open() {
    return this.#open;
  }

  async run(tool, args, { context, emit, timeoutMs }) {
    const ms = timeoutMs ?? tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#timer = setTimeout(
      () => this.abort('TIMEOUT', `${tool.name} took longer than ${ms} ms`),
      Math.min(ms, MAX_TIMER_MS),
    );
    try {
      const value = await tool.run(args, {
        context,
        signal: this.#controller.signal,
        emit: (event) => {
          const found = eventFlaw(event);
          if (found !== undefined) {
            throw new TypeError(found);
          }
          // A tool that outlives its call may go on; nobody hears it.
          return this.#open ? emit(event) : undefined;
        },
      });
      this.finish(resultOf(value));
    } catch (error) {
      this.finish(failureOf(error));
    }
  }

  /** End the call now, whatever the tool does with its signal. */
  abort(code, message) {
    if (this.#open) {
      // First the result, so that a tool that returns from its abort handler is late.
      this.finish(failure(code, message));
      this.#controller.abort(new ToolError(code, message));
    }
  }

  finish(result) {
    if (!this.#open) {
      return;
    }
    clearTimeout(this.#timer);
    let sent = result;
    try {
      this.#sendResult(sent);
    } catch (error) {
      sent = failure('TOOL_FAILED', `the result is no JSON: ${error.message}`);
      this.#sendResult(sent);
    }
    this.#open = false;
    this.#onEnd(sent);
  }
}

export class Registry {
  #tools;
  #grants;
  #audit;
  #calls = new Set();
  #shuttingDown = false;

  /**
   * `grants` are the risky capabilities that every caller has; `audit` is told of
   * every call when it has ended.
   */
  constructor(tools, { grants = [], audit }) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#grants = grants;
    this.#audit = audit;
  }

  list() {
    return [...this.#tools.values()].map(
      ({ name, description, inputSchema, capabilities }) => ({
        name,
        description,
        inputSchema,
        capabilities,
      }),
    );
  }

  /**
   * Start a call. `emit(event)` and `sendResult(result)` take what goes to the
   * client; the call's `abort(code, message)` ends it while it is `open`.
   */
  start(request, { context, emit, sendResult }) {
    const { toolName, arguments: args = {}, timeoutMs } = request;
    const tool = this.#tools.get(toolName);
    const refusal = this.#refusal(toolName, tool, args);
    const startedAt = performance.now();
    const call = new Call({
      sendResult,
      onEnd: (result) => {
        this.#calls.delete(call);
        this.#audit({
          requestId: request.requestId,
          toolName,
          caller: context.caller,
          sessionId: context.sessionId,
          capabilities: tool?.capabilities ?? [],
          decision: refusal === undefined ? 'allow' : 'deny',
          durationMs: Math.round(performance.now() - startedAt),
          arguments: args,
          result,
        });
      },
    });
    this.#calls.add(call);
    if (refusal === undefined) {
      call.run(tool, args, { context, emit, timeoutMs });
    } else {
      call.finish(refusal);
    }
    return call;
  }

  /** End all calls and refuse those that come. */
  shutDown() {
    this.#shuttingDown = true;
    for (const call of [...this.#calls]) {
      call.abort('RUNTIME_SHUTTING_DOWN', 'the server is shutting down');
    }
  }

  #refusal(name, tool, args) {
    if (this.#shuttingDown) {
      return failure('RUNTIME_SHUTTING_DOWN', 'the server is shutting down');
    }
    if (tool === undefined) {
      return failure('UNKNOWN_TOOL', `there is no tool ${name}`);
    }
    const found = flaw(args, tool.inputSchema);
    if (found !== undefined) {
      return failure('VALIDATION_ERROR', found);
    }
    // What a peer says of itself plays no part: it could say anything.
    const missing = tool.capabilities.find(
      (capability) =>
        RISKY.includes(capability) && !this.#grants.includes(capability),
    );
    return missing === undefined
      ? undefined
      : failure('PERMISSION_DENIED', `${name} needs a grant of ${missing}`);
  }
}
