/**
 * The part of JSON Schema that this server's own schemas use: `type`, `enum`,
 * `required`, `properties`, `items`, `minimum` and `maximum`. Others say nothing.
 */

const types = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite,
  object: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value) => typeof value === 'string',
};

/**
 * What is wrong with a value, as a text that does not quote the value; undefined
 * where nothing is. Depth is that of the schema, whatever the value may be.
 */
export function flaw(value, schema, at = '') {
  const name = at || 'the value';
  if (schema.type !== undefined && !types[schema.type](value)) {
    return `${name} must be of type ${schema.type}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return `${name} must be one of ${schema.enum.join(', ')}`;
  }
  if (schema.minimum !== undefined && value < schema.minimum) {
    return `${name} must be at least ${schema.minimum}`;
  }
  if (schema.maximum !== undefined && value > schema.maximum) {
    return `${name} must be at most ${schema.maximum}`;
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) {
      return `${join(at, key)} is missing`;
    }
  }
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    const found = Object.hasOwn(value, key)
      ? flaw(value[key], inner, join(at, key))
      : undefined;
    if (found !== undefined) {
      return found;
    }
  }
  if (schema.items !== undefined) {
    for (const [index, item] of value.entries()) {
      const found = flaw(item, schema.items, `${at}[${index}]`);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

function join(at, key) {
  return at === '' ? key : `${at}.${key}`;
}
