/** Schemas of tools: the four formats, what one says, and which becomes which. */

import { isObject } from './json.mjs';

const CHAT_FUNCTION = 'openai.chat_completions.function';
const CHAT_CUSTOM = 'openai.chat_completions.custom';
const FUNCTION = 'openai.responses.function';
const CUSTOM = 'openai.responses.custom';

/** What a target accepts where nothing else is said, the best first. */
export const acceptedSchemas = new Map([
  ['openai.chat_completions', [CHAT_FUNCTION]],
  ['openai.responses', [FUNCTION, CUSTOM]],
]);

export const schemaAccessors = [
  {
    format: CHAT_FUNCTION,
    payloadKind: 'object',
    matches: (schema) => schema.type === 'function' && isObject(schema.function),
    inspect: (schema) => meaning(schema.function),
  },
  {
    format: CHAT_CUSTOM,
    payloadKind: 'text',
    matches: (schema) => schema.type === 'custom' && isObject(schema.custom),
    inspect: (schema) => ({ ...meaning(schema.custom), parameters: null }),
  },
  {
    format: FUNCTION,
    payloadKind: 'object',
    matches: (schema) =>
      schema.type === 'function' && typeof schema.name === 'string',
    inspect: meaning,
  },
  {
    format: CUSTOM,
    payloadKind: 'text',
    matches: (schema) => schema.type === 'custom' && typeof schema.name === 'string',
    inspect: (schema) => ({ ...meaning(schema), parameters: null }),
  },
];

export const schemaAdapters = [
  { source: CHAT_FUNCTION, target: FUNCTION, convert: (it) => notStrict(it.function) },
  { source: FUNCTION, target: CHAT_FUNCTION, convert: nested },
  {
    source: CHAT_CUSTOM,
    target: CUSTOM,
    convert: ({ custom }) => ({
      type: 'custom',
      ...pick(custom, 'name', 'description'),
      ...formatOf(custom, flatFormat),
    }),
  },
  {
    source: CUSTOM,
    target: CHAT_CUSTOM,
    convert: (schema) => ({
      type: 'custom',
      custom: {
        ...pick(schema, 'name', 'description'),
        ...formatOf(schema, nestedFormat),
      },
    }),
  },
  {
    source: CHAT_CUSTOM,
    target: CHAT_FUNCTION,
    convert: ({ custom }) => nested(asFunction(custom)),
  },
  {
    source: CHAT_CUSTOM,
    target: FUNCTION,
    convert: ({ custom }) => notStrict(asFunction(custom)),
  },
  { source: CUSTOM, target: CHAT_FUNCTION, convert: (it) => nested(asFunction(it)) },
  {
    source: CUSTOM,
    target: FUNCTION,
    convert: (schema) => notStrict(asFunction(schema)),
  },
];

function meaning({ name = null, description = null, parameters = null }) {
  return { name, description, parameters };
}

function pick(object, ...keys) {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]),
  );
}

function table(schema) {
  return pick(schema, 'name', 'description', 'parameters', 'strict');
}

function flat(schema) {
  return { type: 'function', ...table(schema) };
}

/** A Responses function; Responses takes an absent `strict` for true. */
function notStrict(schema) {
  return { strict: false, ...flat(schema) };
}

function nested(schema) {
  return { type: 'function', function: table(schema) };
}

/** A freeform tool as a function of one text. */
function asFunction(custom) {
  const { type, syntax, definition } = flatFormat(custom.format ?? {});
  const description =
    type === 'grammar'
      ? `Text that this ${syntax} grammar accepts:\n${definition}`
      : 'The raw input of the tool.';
  return {
    ...pick(custom, 'name', 'description'),
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description } },
      required: ['input'],
      additionalProperties: false,
    },
  };
}

function formatOf(custom, convert) {
  return isObject(custom.format) ? { format: convert(custom.format) } : {};
}

// A grammar is an object of its own in chat, and part of the format in Responses.
function flatFormat({ grammar, ...format }) {
  return { ...format, ...grammar };
}

function nestedFormat(format) {
  return format.type === 'grammar'
    ? { type: 'grammar', grammar: pick(format, 'syntax', 'definition') }
    : format;
}
