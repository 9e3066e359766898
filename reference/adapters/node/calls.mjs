/** Calls of tools: the four formats, what one says, and which becomes which. */

import { isObject, parseObject, toText } from './json.mjs';

const CHAT_FUNCTION = 'openai.chat_completions.function';
const CHAT_CUSTOM = 'openai.chat_completions.custom';
const FUNCTION = 'openai.responses.function';
const CUSTOM = 'openai.responses.custom';

/** The formats in which a target writes its calls. */
export const callFormats = new Map([
  ['openai.chat_completions', [CHAT_FUNCTION, CHAT_CUSTOM]],
  ['openai.responses', [FUNCTION, CUSTOM]],
]);

/** An accessor without `sanitize` leaves a call as it is. */
export const callAccessors = [
  {
    format: CHAT_FUNCTION,
    // Some streams leave the type out.
    matches: (call) =>
      call.type === 'function' ||
      (!Object.hasOwn(call, 'type') && isObject(call.function)),
    inspect: ({ id, type, function: it, ...extras }) =>
      functionMeaning(id, objectOr(it), extras),
    sanitize: (call) => ({ ...call, function: sanitized(objectOr(call.function)) }),
  },
  {
    format: CHAT_CUSTOM,
    matches: (call) => call.type === 'custom' && isObject(call.custom),
    inspect: ({ id, type, custom, ...extras }) => customMeaning(id, custom, extras),
  },
  {
    format: FUNCTION,
    matches: (call) => call.type === 'function_call',
    inspect: ({ call_id: id, type, name, arguments: args, ...extras }) =>
      functionMeaning(id, { name, arguments: args }, extras),
    sanitize: sanitized,
  },
  {
    format: CUSTOM,
    matches: (call) => call.type === 'custom_tool_call',
    inspect: ({ call_id: id, type, name, input, ...extras }) =>
      customMeaning(id, { name, input }, extras),
  },
];

export const callAdapters = [
  {
    source: CHAT_FUNCTION,
    target: FUNCTION,
    convert: ({ id, function: it }) => ({
      type: 'function_call',
      call_id: id,
      name: objectOr(it).name,
      arguments: argumentsText(objectOr(it).arguments),
    }),
  },
  {
    source: FUNCTION,
    target: CHAT_FUNCTION,
    convert: ({ call_id: id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: argumentsText(args) },
    }),
  },
  {
    source: CHAT_CUSTOM,
    target: CUSTOM,
    convert: ({ id, custom: { name, input } }) => ({
      type: 'custom_tool_call',
      call_id: id,
      name,
      input,
    }),
  },
  {
    source: CUSTOM,
    target: CHAT_CUSTOM,
    convert: ({ call_id: id, name, input }) => ({
      id,
      type: 'custom',
      custom: { name, input },
    }),
  },
];

function objectOr(value) {
  return isObject(value) ? value : {};
}

function functionMeaning(id = null, { name = null, arguments: args }, extras) {
  return {
    call_id: id,
    tool_name: name,
    payload: argumentsObject(args),
    payload_kind: 'object',
    payload_metadata: extras,
  };
}

function customMeaning(id = null, { name = null, input = '' }, extras) {
  return {
    call_id: id,
    tool_name: name,
    payload: input,
    payload_kind: 'text',
    payload_metadata: extras,
  };
}

// What holds no object is read as sanitising writes it.
function argumentsObject(args) {
  return typeof args === 'string' ? (parseObject(args) ?? {}) : objectOr(args);
}

// A text goes on as it came, whole or not.
function argumentsText(args) {
  return typeof args === 'string' ? args : toText(objectOr(args));
}

function sanitized(holder) {
  return { ...holder, arguments: sanitizedArguments(holder.arguments) };
}

function sanitizedArguments(args) {
  if (typeof args === 'string') {
    return parseObject(args) === undefined ? '{}' : args;
  }
  try {
    return argumentsText(args);
  } catch {
    return '{}';
  }
}
