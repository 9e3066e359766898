// A library that mends what a stream has left of a call of a tool.

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The call, with `{}` where its arguments are no JSON object. */
export function mend(call) {
  if (call.type === 'function_call') {
    return { ...call, arguments: mended(call.arguments) };
  }
  const isCall = call.type === 'function' || (!('type' in call) && isObject(call.function));
  if (!isCall) {
    return call;
  }
  const own = isObject(call.function) ? call.function : {};
  return { ...call, function: { ...own, arguments: mended(own.arguments) } };
}

function mended(given) {
  if (isObject(given)) {
    return JSON.stringify(given);
  }
  try {
    return isObject(JSON.parse(given)) ? given : '{}';
  } catch {
    return '{}';
  }
}
