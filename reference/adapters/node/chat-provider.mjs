/**
 * A provider for OpenAI chat completions: where the registry is used between core and
 * the messages of a provider. Every function takes the request's own registry from
 * `context.tool_interop`, and the default one only where there is no context.
 */

import { isObject } from './json.mjs';
import { Registry } from './registry.mjs';

const TARGET = 'openai.chat_completions';
const defaults = { tool_interop: { registry: new Registry() } };

function interopOf(context) {
  return (context ?? defaults).tool_interop;
}

/** Inject the tools into the payload, unless an extension has done so. */
export function initializeRequest(nativeMessages, state, context) {
  const { registry, schema_target_formats: formats } = interopOf(context);
  const request = state.request ?? {};
  const tools = (state._tools ?? []).filter(isObject);
  let payload = request.payload ?? {};
  if (tools.length > 0 && !Object.hasOwn(payload, 'tools')) {
    // A choice that the payload has made wins.
    payload = {
      tool_choice: 'auto',
      ...payload,
      tools: registry.convertSchemas(tools, TARGET, formats),
    };
  }
  return {
    // `_metadata` is a key of our own history: a provider knows nothing of it.
    native_messages: nativeMessages.map(({ _metadata: _, ...message }) => message),
    state: { ...state, request: { ...request, payload } },
  };
}

/** Native messages as core messages, with the calls as the model made them. */
export function fromNativeMessages(nativeMessages, context) {
  const { registry } = interopOf(context);
  const calls = [];
  return nativeMessages.map((message) => {
    switch (message.role) {
      case 'assistant': {
        const made = registry.convertToolCalls(message.tool_calls ?? [], TARGET);
        calls.push(...made);
        return assistantMessage(message, made);
      }
      case 'tool':
        return toolMessage(registry, message, calls);
      default:
        return { ...message };
    }
  });
}

function assistantMessage({ content, ...message }, calls) {
  const metadata = {
    ...(calls.length > 0 && { tool_calls: calls }),
    // Core wants a string; this tells how to write it back.
    ...(content === null && { native_content: null }),
  };
  return {
    role: 'assistant',
    content: content ?? '',
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

function toolMessage(registry, message, calls) {
  const { content, tool_call_id: id, _metadata: extras } = message;
  const call = calls.findLast((it) => it.id === id);
  const name = call && registry.inspectCall(call).tool_name;
  const result =
    typeof content === 'string'
      ? content
      : { type: 'provider_native_tool_result', format: TARGET, content };
  const [core] = registry.convertResults(
    [{ result, tool_call_id: id, tool_name: name ?? extras?.tool_name ?? null }],
    'core',
    calls,
  );
  return core;
}

/** Sanitise the calls of a stream before they are kept in history. */
export function finalize(finalMessages, nativeMessages, state, context) {
  const { registry } = interopOf(context);
  const sanitized = (calls) =>
    calls.filter(isObject).map((call) => registry.sanitizeToolCall(call));
  const within = (holder) =>
    Array.isArray(holder?.tool_calls)
      ? { ...holder, tool_calls: sanitized(holder.tool_calls) }
      : holder;
  return {
    final_messages: finalMessages.map((message) =>
      isObject(message.metadata)
        ? { ...message, metadata: within(message.metadata) }
        : message,
    ),
    native_messages: nativeMessages.map(within),
    state: Object.hasOwn(state, 'partial')
      ? { ...state, partial: within(state.partial) }
      : state,
  };
}

/** Core messages as native ones, for a history that is built anew. */
export function toNativeMessages(messages, context) {
  const { registry } = interopOf(context);
  const calls = [];
  return messages.map((message) => {
    const { role, content, metadata = {} } = message;
    if (role === 'tool') {
      return registry.convertResults([message], TARGET, calls)[0];
    }
    if (role !== 'assistant') {
      const { metadata: _, ...native } = message;
      return native;
    }
    const made = registry.convertToolCalls(metadata.tool_calls ?? [], TARGET);
    calls.push(...made);
    return {
      role,
      content: metadata.native_content === null ? null : content,
      // A fragment is never replayed.
      ...(made.length > 0 && {
        tool_calls: made.map((call) => registry.sanitizeToolCall(call)),
      }),
    };
  });
}
