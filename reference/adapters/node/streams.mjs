/**
 * Streams: the calls that a provider's events hold, put together piece by piece. A
 * piece belongs to the call under its index; a second id there begins a second call.
 * Null and empty members add nothing.
 */

import { isObject } from './json.mjs';

/** The calls of a stream in the target's format, not yet sanitised. */
export function callsOf(target, events) {
  const gather = gatherers.get(target);
  if (!gather) throw new Error(`no provider streams ${target}`);
  return gather(events);
}

const gatherers = new Map([
  ['openai.chat_completions', chatCalls],
  ['openai.responses', responsesCalls],
]);

function chatCalls(events) {
  const calls = new Calls();
  for (const { choices } of events) {
    for (const piece of objects(objects(choices)[0]?.delta?.tool_calls)) {
      takeChatPiece(calls, piece);
    }
  }
  return calls.all.map(({ id, type = 'function', name, text }) => ({
    ...(id && { id }),
    type,
    [type]: { name, [type === 'custom' ? 'input' : 'arguments']: text },
  }));
}

function takeChatPiece(calls, { index, id, type, function: it, custom }) {
  // Without an index it belongs to the call that came last.
  const call = calls.under(index ?? calls.last?.index ?? 0, id);
  const part = it ?? custom ?? {};
  call.id ||= id;
  call.type ||= type ?? undefined;
  call.name ||= part.name ?? '';
  call.text += part.arguments ?? part.input ?? '';
}

const payloadKeys = { function_call: 'arguments', custom_tool_call: 'input' };
const payloadEvents =
  /^response\.(?:function_call_arguments|custom_tool_call_input)\.(delta|done)$/u;

function responsesCalls(events) {
  const calls = new Calls();
  for (const event of events) {
    const { type, item, output_index: index, response } = event;
    const step = payloadEvents.exec(type)?.[1];
    if (step) {
      const call = calls.under(index);
      const whole = event.arguments ?? event.input ?? '';
      call.text = step === 'delta' ? call.text + event.delta : whole || call.text;
    } else if (payloadKeys[item?.type]) {
      takeItem(calls.under(index, item.call_id), item);
    } else if (type === 'response.completed' || type === 'response.incomplete') {
      // An item that no event announced.
      for (const [at, one] of objects(response?.output).entries()) {
        if (payloadKeys[one.type]) takeItem(calls.under(at, one.call_id), one);
      }
    } else if (type === 'response.failed' || type === 'error') {
      break;
    }
  }
  const named = calls.all.filter(({ item }) => item?.name);
  return named.map(({ item, text }) => ({ ...item, [payloadKeys[item.type]]: text }));
}

function takeItem(call, item) {
  call.id = item.call_id;
  call.item = item;
  call.text = item[payloadKeys[item.type]] || call.text;
}

class Calls {
  /** In the order in which they began. */
  all = [];
  #current = new Map();

  get last() {
    return this.all.at(-1);
  }

  /** The call under an index: a new one if there is none, or if its id is another. */
  under(index, id) {
    const known = this.#current.get(index);
    if (known && !(id && known.id && id !== known.id)) return known;
    const call = { index, id: '', name: '', text: '' };
    this.all.push(call);
    this.#current.set(index, call);
    return call;
  }
}

const objects = (value) => (Array.isArray(value) ? value.filter(isObject) : []);
