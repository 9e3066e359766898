/** JSON texts: which hold an object, and how a value is written. */

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a JSON text holds, or undefined where it holds none. */
export function parseObject(text) {
  // Half of a surrogate pair cannot be sent as UTF-8, but JSON.parse takes it. It takes
  // nothing else that is no JSON, and its nesting is limited by memory alone.
  if (!text.isWellFormed()) {
    return undefined;
  }
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON text of a value; throws where it has none or is nested too deep. */
export function toText(value) {
  return JSON.stringify(value, finite);
}

// JSON.parse reads 1e400 as Infinity, which JSON.stringify would write as null.
function finite(key, value) {
  if (value === Infinity || value === -Infinity) {
    throw new RangeError('a number is beyond the range of a double');
  }
  return value;
}
