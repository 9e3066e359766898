// Tools and reducers that are described as data: what a test harness registers.

import { access, appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { progressEvent } from './registry.mjs';

const success = (value) => ({ ok: true, value: JSON.stringify(value) });

/** What each step does; what it returns, if anything, is what the tool returns. */
export const STEPS = {
  emit: (told, { context, name }) => void context.emit(progressEvent({ toolName: name, ...told })),
  sleep_ms: async (ms) => void (await sleep(ms)),
  wait_abort_ms: async (ms, { context: { abortSignal } }) => {
    await sleep(abortSignal.aborted ? 0 : ms, undefined, { signal: AbortSignal.any([abortSignal]) }).catch(() => {});
  },
  throw: (message) => {
    throw new Error(message);
  },
  throw_value: (value) => {
    throw value;
  },
  return_context: (keys, { context }) =>
    success(Object.fromEntries(keys.filter((key) => key in context).map((key) => [key, context[key]]))),
  return_args: (_, { args }) => success(args),
  append_file: ({ path, text }) => appendFile(path, text),
  read_file: async ({ path }, { context }) => {
    await readFile(path);
    await record(path, context);
  },
  write_file: async ({ path, text }, { context }) => {
    const read = context.readMtimes?.[path];
    const there = await access(path).then(() => true, () => false);
    if (read && there && (await stat(path)).mtimeMs !== read.mtimeMs) {
      return { ok: false, error: `${path} was changed since it was read`, code: 'STALE_WRITE' };
    }
    await writeFile(path, text);
    await record(path, context);
  },
};

async function record(path, { readMtimes, currentTurn }) {
  if (readMtimes) readMtimes[path] = { mtimeMs: (await stat(path)).mtimeMs, readAtTurn: currentTurn };
}

export function toolOf(data, isAvailable) {
  const execute = async (args, context) => {
    for (const [action, told] of data.steps.flatMap(Object.entries)) {
      if (action === 'return') return told;
      const returned = await STEPS[action](told, { args, context, name: data.name });
      if (returned !== undefined) return returned;
    }
  };
  return { ...data, execute, isAvailable };
}

export const reduceBy = (does) => (result, { args, turnCount }) => {
  if ('throw' in does) throw new Error(does.throw);
  if ('keep' in does) return { ...result, value: result.value.slice(0, does.keep) };
  if ('append' in does) return { ...result, value: result.value + does.append };
  return 'return_context' in does ? success({ args, turnCount }) : does.return;
};
