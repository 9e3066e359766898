// The bridge around a tool registry: one JSON object a line on stdin, one on stdout.

import { accessSync } from 'node:fs';
import { reduceBy, STEPS, toolOf } from './data-tools.mjs';
import { sanitizeUntrusted, ToolRegistry, visibleOn, wrapUntrusted } from './registry.mjs';

let registry, available, reducers;
const reset = () => {
  [registry, available, reducers] = [new ToolRegistry(), new Map(), []];
  return null;
};
reset();

function isAvailable(name) {
  const said = available.get(name);
  if (Array.isArray(said)) return said.length > 1 ? said.shift() : said[0];
  if (said?.throw !== undefined) throw new Error(said.throw);
  if (said?.file === undefined) return said ?? true;
  try {
    return accessSync(said.file) === undefined;
  } catch {
    return false;
  }
}

const OPS = {
  describe: () => ({
    name: 'Node registry of wireproof', version: '1', language: `JavaScript (Node ${process.versions.node})`,
    ops: Object.keys(OPS).filter((op) => op !== 'describe'), steps: [...Object.keys(STEPS), 'return'], lengthUnit: 'utf16',
  }),
  register: ({ tools }) => {
    for (const data of tools) registry.register(toolOf(data, () => isAvailable(data.name))), available.set(data.name, data.available);
    return { registered: tools.map((data) => data.name) };
  },
  definitions: ({ allowedTools, filterOpts }) =>
    registry.definitions(allowedTools, filterOpts).map(({ name, description, schema }) => ({ name, description, parameters: schema })),
  execute_parallel: async ({ calls, context: { abortAfterMs, ...given } = {}, allowedTools, filterOpts }) => {
    const [log, controller, began] = [[], new AbortController(), performance.now()];
    if (abortAfterMs === 0) controller.abort();
    const timer = abortAfterMs && setTimeout(() => controller.abort(), abortAfterMs);
    const context = { ...given, abortSignal: controller.signal };
    const onEvent = ({ toolCallId }, event) => log.push({ toolCallId, event, t_ms: performance.now() - began });
    const onResult = ({ toolCallId }) => log.push({ toolCallId, result: true });
    const results = await registry.executeParallel(calls, context, { allowedTools, filterOpts, onEvent, onResult });
    clearTimeout(timer);
    return { results: results.map(({ args, ...result }) => result), log, readMtimes: given.readMtimes };
  },
  register_reducer: ({ toolName, reduce }) => {
    const reducer = { toolName, reduce: reduceBy(reduce) };
    return { handle: reducers.push({ reducer, remove: registry.registerReducer(reducer) }) };
  },
  unregister_reducer: ({ handle }) => ({ removed: reducers[handle - 1]?.remove() ?? false }),
  get_reducer: ({ toolName }) => {
    const found = registry.getReducer(toolName);
    return { handle: found ? reducers.findIndex(({ reducer }) => reducer === found) + 1 : null };
  },
  wrap_untrusted: ({ content, toolName, source }) => wrapUntrusted(content, toolName, source),
  sanitize_untrusted: ({ content }) => sanitizeUntrusted(content),
  visible_progress: ({ events, channel }) => visibleOn(channel, events),
  set_available: ({ name, available: said }) => available.set(name, said) && null,
  reset,
};

async function answer({ id, op, ...told }) {
  try {
    if (!Object.hasOwn(OPS, op)) throw new TypeError(`there is no op ${op}`);
    return { id, ok: true, value: await OPS[op](told) };
  } catch (error) {
    return { id, ok: false, error: { type: error.name, detail: error.message } };
  }
}

// Not node:readline: from Node 24 on it also ends a line at U+2028, which JSON
// may hold.
let rest = '';
for await (const chunk of process.stdin.setEncoding('utf8')) {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
