/** Results of tools: how they are stored, what they say, and where they are sent. */

import { isObject, toText } from './json.mjs';

const CHAT = 'openai.chat_completions';
const RESPONSES = 'openai.responses';

/** The message or item of a target around a converted result. */
export const resultMessages = new Map([
  [CHAT, (content, { id }) => ({ role: 'tool', content, tool_call_id: id })],
  [
    RESPONSES,
    (output, { id, isCustom }) => ({
      type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
      call_id: id,
      output,
    }),
  ],
]);

/** In this order: what no other knows is a plain value, and becomes text. */
export const resultAccessors = [
  {
    format: 'tool_result',
    matches: (result) =>
      result?.type === 'tool_result' && typeof result.text === 'string',
    inspect: ({ text }) => asText(text),
  },
  envelopeOf(CHAT),
  envelopeOf(RESPONSES),
  { format: 'foreign', matches: isEnvelope, inspect: asNative },
  {
    format: 'value',
    matches: () => true,
    inspect: (value) => asText(plainText(value)),
  },
];

/** A result that no adapter leads to its target is sent as text. */
export const resultAdapters = [
  { source: CHAT, target: CHAT, convert: ({ content }) => content },
  { source: RESPONSES, target: RESPONSES, convert: ({ content }) => content },
];

/** What is stored of a result that a tool has just given. */
export function stored(result, { kind, text }) {
  if (kind === 'native') {
    return { content: text, toolResult: result };
  }
  const written = plainText(result);
  return { content: written, toolResult: { type: 'tool_result', text: written } };
}

function envelopeOf(format) {
  return {
    format,
    matches: (result) => isEnvelope(result) && result.format === format,
    inspect: asNative,
  };
}

function isEnvelope(result) {
  return (
    isObject(result) &&
    result.type === 'provider_native_tool_result' &&
    typeof result.format === 'string' &&
    Object.hasOwn(result, 'content')
  );
}

function asText(text) {
  return { kind: 'text', text, format: null, content: null };
}

function asNative({ format, content }) {
  const text = Array.isArray(content)
    ? content.map(partText).join('\n')
    : plainText(content);
  return { kind: 'native', text, format, content };
}

// A part that is no text leaves its type in its place: an image is not text.
function partText(part) {
  if (typeof part === 'string') {
    return part;
  }
  return typeof part?.text === 'string' ? part.text : `[${part?.type ?? 'part'}]`;
}

function plainText(value) {
  return typeof value === 'string' ? value : toText(value);
}
