/**
 * The audit log: one line of JSON for each call, in which arguments and results are
 * summaries. Secrets are taken out and nothing large is copied.
 */

import { appendFileSync } from 'node:fs';

const SECRET_KEYS = new Set([
  'token',
  'accesstoken',
  'refreshtoken',
  'password',
  'passwd',
  'secret',
  'clientsecret',
  'apikey',
  'authorization',
  'privatekey',
  'accesskey',
  'credential',
  'credentials',
]);
const BEARER = /bearer\s+\S+/gi;
// To the end of the text where the key has no end.
const PRIVATE_KEY =
  /-----BEGIN [^-]*PRIVATE KEY-----.*?(?:-----END [^-]*PRIVATE KEY-----|$)/gs;
const REDACTED = '[redacted]';

const MAX_TEXT = 256;
const MAX_ITEMS = 32;
const MAX_DEPTH = 16;
const MAX_SUMMARY = 2048;

/** A function that appends entries to the file; a call must not fail for its log. */
export function auditTo(path) {
  return (entry) => {
    const line = {
      time: new Date().toISOString(),
      ...entry,
      requestId: summarizeText(entry.requestId),
      toolName: summarizeText(entry.toolName),
      arguments: summarize(entry.arguments),
      result: summarize(entry.result),
    };
    try {
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      console.error(`the audit log cannot be written: ${error.message}`);
    }
  };
}

/** A value without its secrets, and without most of what is large. */
export function summarize(value) {
  const summary = redact(value, 0);
  const size = JSON.stringify(summary)?.length ?? 0;
  return size > MAX_SUMMARY ? `[${kindOf(value)}, too large]` : summary;
}

function redact(value, depth) {
  if (typeof value === 'string') {
    return summarizeText(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth === MAX_DEPTH) {
    return `[${kindOf(value)}, too deep]`;
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
    const more = value.length - items.length;
    return more > 0 ? [...items, `[${more} more]`] : items;
  }
  const keys = Object.keys(value);
  const shown = keys
    .slice(0, MAX_ITEMS)
    .map((key) => [
      summarizeText(key),
      isSecret(key) ? REDACTED : redact(value[key], depth + 1),
    ]);
  const more = keys.length - shown.length;
  // fromEntries, because assigning to the key __proto__ would set the prototype.
  return Object.fromEntries(more > 0 ? [...shown, ['…', `${more} more`]] : shown);
}

function isSecret(key) {
  return SECRET_KEYS.has(key.toLowerCase().replace(/[-_]/g, ''));
}

function summarizeText(text) {
  if (text.length > MAX_TEXT) {
    return `[string, ${text.length} characters]`;
  }
  return text.replace(PRIVATE_KEY, REDACTED).replace(BEARER, `Bearer ${REDACTED}`);
}

function kindOf(value) {
  return Array.isArray(value) ? 'array' : typeof value;
}
