/**
 * What goes over the socket: how bytes become lines, how a line becomes a message
 * of the client, and what a result and an event of a tool must look like.
 */

import { flaw } from './schema.mjs';

const LF = 0x0a;
/** Bytes in a line without its line feed; the usual limit. */
export const MAX_LINE = 8 * 1024 * 1024;

const string = { type: 'string' };
const clientInfo = object({
  caller: { enum: ['cli', 'renderer', 'agent', 'plugin', 'internal'] },
  cwd: string,
  spaceId: string,
  tabId: string,
  // A sessionId is ignored, whatever it is.
});

// Maps, because an object would also offer `constructor` and `toString`.
const requests = new Map([
  ['list_tools', object({ clientInfo })],
  [
    'tool_call',
    object(
      {
        requestId: string,
        toolName: string,
        arguments: object({}),
        timeoutMs: { type: 'integer', minimum: 1 },
        clientInfo,
      },
      ['requestId', 'toolName'],
    ),
  ],
  ['cancel_tool_call', object({ requestId: string }, ['requestId'])],
]);

const events = new Map([
  [
    'progress',
    object({
      message: string,
      fraction: { type: 'number', minimum: 0, maximum: 1 },
    }),
  ],
  [
    'log',
    object(
      { level: { enum: ['debug', 'info', 'warn', 'error'] }, message: string },
      ['level', 'message'],
    ),
  ],
  ['partial_text', object({ text: string }, ['text'])],
  [
    'artifact',
    object({ mimeType: string, name: string, dataBase64: string, path: string }, [
      'mimeType',
    ]),
  ],
]);

/** The codes that a failed result may have. */
export const codes = [
  'UNKNOWN_TOOL',
  'VALIDATION_ERROR',
  'PERMISSION_DENIED',
  'TIMEOUT',
  'TOOL_FAILED',
  'RUNTIME_SHUTTING_DOWN',
  'CANCELLED',
  'PROTOCOL_ERROR',
];

const toolResult = object(
  {
    ok: { type: 'boolean' },
    meta: object({}),
    diagnostics: {
      type: 'array',
      items: object(
        { level: { enum: ['info', 'warn', 'error'] }, message: string },
        ['level', 'message'],
      ),
    },
    error: object({ code: { enum: codes }, message: string }, ['code', 'message']),
  },
  ['ok'],
);

function object(properties, required = []) {
  return { type: 'object', properties, required };
}

/** A line that is no message; `requestId` where it had a string one. */
export class ProtocolError extends Error {
  constructor(message, requestId) {
    super(message);
    this.name = 'ProtocolError';
    this.requestId = requestId;
  }
}

// ignoreBOM keeps a byte order mark in the text, where JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The message in a line, or undefined for a blank one; throws ProtocolError. */
export function readMessage(line) {
  const message = parse(line);
  if (message === undefined) {
    return undefined;
  }
  if (flaw(message, { type: 'object' })) {
    throw new ProtocolError('a message must be an object');
  }
  const id = typeof message.requestId === 'string' ? message.requestId : undefined;
  if (Object.hasOwn(message, 'protocol') && message.protocol !== 1) {
    throw new ProtocolError('protocol must be 1', id);
  }
  const schema = requests.get(message.type);
  if (schema === undefined) {
    throw new ProtocolError(
      `type must be one of ${[...requests.keys()].join(', ')}`,
      id,
    );
  }
  const found = flaw(message, schema);
  if (found !== undefined) {
    throw new ProtocolError(found, id);
  }
  return message;
}

function parse(line) {
  let text;
  try {
    text = utf8.decode(line);
  } catch {
    throw new ProtocolError('the line is not UTF-8');
  }
  if (/^[ \t\r]*$/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text, MAYBE_HUGE.test(text) ? refuseInfinity : undefined);
  } catch (error) {
    throw new ProtocolError(`the line is not JSON: ${error.message}`);
  }
}

// JSON.parse reads 1e400 as Infinity, which JSON.stringify would write as null. Only
// a text that may hold such a number is looked at, since a reviver is slow and cannot
// follow deep nesting.
const MAYBE_HUGE = /\d[eE]\+?\d{3}|\d{300}/;

function refuseInfinity(key, value) {
  if (value === Infinity || value === -Infinity) {
    throw new RangeError('a number is beyond the range of a double');
  }
  return value;
}

/** What is wrong with the event of a tool; undefined where nothing is. */
export function eventFlaw(event) {
  const schema = events.get(event?.kind);
  if (schema === undefined) {
    return `the kind of an event must be one of ${[...events.keys()].join(', ')}`;
  }
  return flaw(event, schema);
}

/** What is wrong with a ToolResult; undefined where nothing is. */
export function resultFlaw(result) {
  const found = flaw(result, toolResult);
  if (found !== undefined) {
    return found;
  }
  return result.ok === Object.hasOwn(result, 'error')
    ? 'error must be there if and only if ok is false'
    : undefined;
}

/** Cuts bytes into lines, and keeps no more of one than MAX_LINE bytes. */
export class LineReader {
  #held = Buffer.alloc(0);
  #size = 0;

  /** The lines that a chunk ends; undefined stands for one that is too long. */
  *push(chunk) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LF, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      start += piece.length + 1;
      const fitted = this.#size <= MAX_LINE;
      this.#append(piece);
      if (fitted && this.#size > MAX_LINE) {
        // Said at once, since the end of the line may never come.
        yield undefined;
      } else if (fitted && end >= 0) {
        yield this.#held.subarray(0, this.#size);
      }
      if (end >= 0) {
        this.#held = Buffer.alloc(0);
        this.#size = 0;
      }
    }
  }

  /** Whether a line is left that no line feed has ended. */
  get pending() {
    return this.#size > 0 && this.#size <= MAX_LINE;
  }

  // The buffer doubles, so that a long line costs the same however it is cut.
  #append(piece) {
    const size = this.#size + piece.length;
    if (size > MAX_LINE) {
      this.#held = Buffer.alloc(0);
    } else {
      if (size > this.#held.length) {
        const larger = Buffer.alloc(Math.max(size, 2 * this.#held.length));
        this.#held.copy(larger, 0, 0, this.#size);
        this.#held = larger;
      }
      piece.copy(this.#held, this.#size);
    }
    this.#size = size;
  }
}
