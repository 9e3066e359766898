// Tries a reader of requests with the vectors of kind `message`, in Node alone:
//
//     node request-lines.mjs CLONE/vectors/wireproof_vectors/host_v1/request-lines.json
import { readFileSync } from 'node:fs';
import process from 'node:process';

// The reader under test: put your own in its place.
function readRequest(bytes) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const request = JSON.parse(text);
  if (typeof request?.id !== 'string' || typeof request.method !== 'string') {
    throw new TypeError('it is no request');
  }
  return request;
}

/** The bytes that a PIECE of a vector stands for. */
function bytesOf({ text, base64, times = 1 }) {
  const once = text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text);
  return Buffer.concat(Array(times).fill(once));
}

function accepts(bytes) {
  try {
    return Boolean(readRequest(bytes));
  } catch {
    return false;
  }
}

function vectorsOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).vectors;
  } catch (error) {
    console.error(`usage: node request-lines.mjs FILE, a file of vectors: ${error.message}`);
    process.exit(2);
  }
}

const vectors = vectorsOf(process.argv[2]);
let failed = 0;
for (const { id, title, clauses, line, valid } of vectors) {
  const right = accepts(bytesOf(line)) === valid;
  failed += right ? 0 : 1;
  console.log(`${right ? 'passed' : 'failed'} ${id} (${clauses}): ${title}`);
}
process.exitCode = failed ? 1 : 0;
