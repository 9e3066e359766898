/**
 * What this registry offers to the bridge: its description, and a function of the
 * arguments for each op. An author puts a library of their own in its place.
 */

import process from 'node:process';

import {
  finalize,
  fromNativeMessages,
  initializeRequest,
  toNativeMessages,
} from './chat-provider.mjs';
import { Registry } from './registry.mjs';
import { schemaAccessors } from './schemas.mjs';
import { callsOf } from './streams.mjs';

const it = new Registry();
const context = (formats) => ({
  core: {},
  config: {},
  tool_interop: { registry: it, schema_target_formats: formats },
});

// A Map, because an object would also offer `constructor` and `toString`.
export const ops = new Map(
  Object.entries({
    convert_schemas: (a) => it.convertSchemas(a.schemas, a.target, a.target_formats),
    inspect_schema: (a) => it.inspectSchema(a.schema),
    convert_tool_calls: (a) => it.convertToolCalls(a.calls, a.target),
    inspect_call: (a) => it.inspectCall(a.call),
    sanitize_tool_call: (a) => it.sanitizeToolCall(a.call),
    inspect_result: (a) => it.inspectResult(a.result),
    convert_results: (a) => it.convertResults(a.results, a.target, a.calls),
    initialize_request: (a) =>
      initializeRequest(a.native_messages, a.state, context(a.target_formats)),
    from_native_messages: (a) => fromNativeMessages(a.native_messages, context()),
    finalize: (a) => finalize(a.final_messages, a.native_messages, a.state, context()),
    to_native_messages: (a) => toNativeMessages(a.messages, context()),
    accumulate: (a) => callsOf(a.target, a.events).map((call) => it.sanitizeToolCall(call)),
  }),
);

const description = {
  name: 'Node registry of wireproof',
  version: '1',
  language: `JavaScript (Node ${process.versions.node})`,
  ops: [...ops.keys()],
  formats: schemaAccessors.map(({ format }) => format),
  halfPairs: true,
};
ops.set('describe', () => description);
