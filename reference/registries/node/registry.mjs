// A small tool registry, as one is written in TypeScript: tools, filters, budget, reducers,
// progress and the wrapper of untrusted output. Copy what you need.

const CODES = ['input_invalid', 'not_available', 'execution_failed', 'STALE_WRITE'];
const AUDIENCES = ['internal', 'user', 'dashboard'];
const DEFAULT_BUDGET = 80_000;
const ABORT_GRACE_MS = 500;

const failure = (error, code = 'execution_failed') => ({ ok: false, error, code });

/** What a tool returned, or why that is no result (TOOL-R3). */
function readResult(returned) {
  if (returned?.ok === true && typeof returned.value === 'string') return returned;
  if (returned?.ok === false && typeof returned.error === 'string' && CODES.includes(returned.code)) {
    return returned;
  }
  return failure(`the tool returned no result, but ${JSON.stringify(returned) ?? 'nothing'}`);
}

/** The text of whatever was thrown (TOOL-R2). */
function messageOf(thrown) {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown));
}

/** Cut a value to its cap, in UTF-16 code units, and mark it once (TOOL-B3 to B6). */
function truncated(result, cap) {
  if (!result.ok || result.value.length <= cap) return result;
  let end = cap;
  const last = result.value.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  const marker = `[truncated -- ${result.value.length} chars total]`;
  return { ...result, value: `${result.value.slice(0, end)}\n${marker}` };
}

const BRACKETED = 'INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT|BOS|EOS';
const TOKEN = new RegExp(
  String.raw`<(?=\s*[|｜]\s*[\w▁ -]{1,40}?\s*[|｜]\s*>` +
    String.raw`|\s*<\s*/?\s*(?:${BRACKETED})\s*>` +
    String.raw`|\s*/?\s*(?:start_of_turn|end_of_turn|\|turn|s|bos|eos|pad|unk)\s*>` +
    String.raw`|\s*/?\s*untrusted)` +
    String.raw`|\[(?=\s*/?\s*(?:${BRACKETED})\s*\])`,
  'giu',
);

/** Take tokens of chat templates and tags of the wrapper from a text (TOOL-U2, U3). */
export function sanitizeUntrusted(content) {
  return content.replace(TOKEN, (found) => (found === '<' ? '&lt;' : '&#91;'));
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '[': '&#91;' };

function attribute(value) {
  return value.replace(/[&<>"'[]/g, (it) => ENTITIES[it]).replace(/[\r\n\u0085\u2028\u2029]+/g, ' ');
}

export function wrapUntrusted(content, toolName, source = toolName) {
  const inner = sanitizeUntrusted(content);
  return `<untrusted source="${attribute(source)}" tool="${attribute(toolName)}">${inner}</untrusted>`;
}

/** An event as the tool told it; what is none of the known values counts as absent (TOOL-P4). */
export function progressEvent({ toolName, message, percent, audience }) {
  const event = { type: 'progress', toolName, message };
  if (typeof percent === 'number' && percent >= 0 && percent <= 100) event.percent = percent;
  return { ...event, audience: AUDIENCES.includes(audience) ? audience : 'internal' };
}

export function visibleOn(channel, events) {
  return events.map(progressEvent).filter((event) => channel === 'internal' || event.audience === channel);
}

export class ToolRegistry {
  #tools = new Map();
  #reducers = new Map();

  register(tool) {
    if (this.#tools.has(tool.name)) throw new Error(`there is a tool ${tool.name} already`);
    this.#tools.set(tool.name, tool);
  }

  /** Add a reducer; what this returns removes that one, and no other (TOOL-D4). */
  registerReducer(reducer) {
    if (this.#reducers.has(reducer.toolName)) throw new Error(`${reducer.toolName} has a reducer`);
    this.#reducers.set(reducer.toolName, reducer);
    return () => this.getReducer(reducer.toolName) === reducer && this.#reducers.delete(reducer.toolName);
  }

  getReducer(toolName) {
    return this.#reducers.get(toolName);
  }

  definitions(allowedTools, filterOpts) {
    return [...this.#tools.values()].filter((tool) => mayRun(tool, allowedTools, filterOpts));
  }

  /** Carry out the calls of a turn at once; events and results are told as they come. */
  executeParallel(calls, context, { allowedTools, filterOpts, onEvent = () => {}, onResult = () => {} } = {}) {
    const budget = Math.floor((context.resultBudgetChars ?? DEFAULT_BUDGET) / calls.length);
    return Promise.all(
      calls.map(async (call) => {
        const tool = this.#tools.get(call.name);
        const runs = tool && mayRun(tool, allowedTools, filterOpts);
        const cap = Math.min(budget, tool?.maxResultChars ?? budget);
        const result = runs
          ? await this.#result(tool, call, { ...context, emit: (event) => onEvent(call, event) }, cap)
          : failure(`the tool ${call.name} is not available`, 'not_available');
        onResult(call);
        const text = result.ok ? result.value : result.error;
        const wrapped = result.ok && tool.outputIsUntrusted;
        return { ...call, result, modelText: wrapped ? wrapUntrusted(text, tool.name) : text };
      }),
    );
  }

  async #result(tool, { name, args }, context, cap) {
    if (context.dryRun) return truncated({ ok: true, value: `dry run: ${name} was not run` }, cap);
    let ended = false;
    const emit = (event) => ended || context.emit(event);
    const returned = await run(tool, args, { ...context, emit, resultBudgetChars: cap });
    ended = true;
    const reducer = returned.ok ? this.getReducer(name) : undefined;
    return truncated(reducer ? reduced(reducer, returned, args, context.currentTurn) : returned, cap);
  }
}

function reduced(reducer, result, args, turnCount) {
  try {
    const found = reducer.reduce(result, { args, turnCount });
    return readResult(found) === found ? found : result;
  } catch {
    return result;
  }
}

/** Run a tool until it ends, or for so long after the abort as it may take (TOOL-X9). */
async function run(tool, args, context) {
  const { abortSignal } = context;
  if (abortSignal.aborted) return failure('the turn was called off before the tool began');
  let timer;
  const calledOff = new Promise((resolve) => {
    const end = () => resolve(failure('the turn was called off, and the tool did not end'));
    abortSignal.addEventListener('abort', () => (timer = setTimeout(end, ABORT_GRACE_MS)), { once: true });
  });
  const outcome = Promise.resolve()
    .then(() => tool.execute(args, context))
    .then(readResult, (thrown) => failure(messageOf(thrown)));
  return Promise.race([outcome, calledOff]).finally(() => clearTimeout(timer));
}

function mayRun(tool, allowedTools, { allowedMcpServers, allowedPlugins } = {}) {
  const server = /^mcp__(.+?)__./u.exec(tool.name)?.[1];
  const passes = (allowed, name) => !allowed || allowed.includes(name);
  if (server !== undefined && !passes(allowedMcpServers, server)) return false;
  if (tool.plugin && !passes(allowedPlugins, tool.plugin)) return false;
  const named = server !== undefined || tool.plugin || tool.alwaysInclude || passes(allowedTools, tool.name);
  try {
    return Boolean(named && (tool.isAvailable?.() ?? true));
  } catch {
    return false;
  }
}
