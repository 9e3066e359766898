// Runs the exchange vectors of one file against a host, in one page of JavaScript:
//
//     node run.mjs ../wireproof_vectors/host_v1/events.json ./myhost --its-option
//
// Prints one line a vector and exits 1 if any failed. What the whole suite adds:
// monitors on every frame, blame for the right clause, adaptive timeouts, evidence.
// $schema and $valid_json_schema match everything here: they need a validator.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const load = (path) => JSON.parse(readFileSync(path, "utf8"));
const [file, ...command] = process.argv.slice(2);
const setup = load(new URL("../wireproof_vectors/host_v1/setup.json", import.meta.url));
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const form = (value) => isObject(value) && Object.keys(value).find((key) => key.startsWith("$"));
const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([k, v]) => [k, change(v)]));

// A message: forms become the values that they stand for.
function expand(value, names) {
  if (Array.isArray(value)) return value.map((element) => expand(element, names));
  switch (form(value)) {
    case "$literal": return value.$literal;
    case "$use": return names[value.$use];
    case "$repeat": return value.$repeat.repeat(value.times);
    case "$nest": {
      let nested = expand(value.value, names);
      for (let n = 0; n < value.$nest; n++) nested = [nested];
      return nested;
    }
    case "$copies": return Array.from({ length: value.$copies }, () => expand(value.value, names));
    default: return isObject(value) ? mapValues(value, (member) => expand(member, names)) : value;
  }
}

function equal(a, b) {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => equal(x, b[i]));
  if (!isObject(a)) return a === b;
  const keys = isObject(b) ? Object.keys(a) : [];
  return isObject(b) && keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k]));
}

const typeOf = (v) => (v === null ? "null" : Array.isArray(v) ? "array" : typeof v);
const hasType = (v, name) => v !== undefined && (name === "integer" ? Number.isInteger(v) : typeOf(v) === name);
const at = (v, pointer) => pointer.split("/").slice(1).reduce((x, key) => x?.[key], v);

// A pattern: does it match? An absent key is undefined.
function matches(pattern, value, names) {
  const rest = (p, v) => isObject(v) && Object.keys(p).every((k) => k.startsWith("$") || matches(p[k], Object.hasOwn(v, k) ? v[k] : undefined, names));
  switch (form(pattern)) {
    case undefined: case false: break;
    case "$absent": return value === undefined;
    case "$one_of": return pattern.$one_of.some((p) => matches(p, value, names)) && (Object.keys(pattern).length === 1 || rest(pattern, value));
    case "$equals": return equal(expand(pattern.$equals, names), value);
    case "$type": return [pattern.$type].flat().some((name) => hasType(value, name));
    case "$contains": return typeof value === "string" && value.includes(pattern.$contains);
    case "$save":
      if (value === undefined || ("match" in pattern && !matches(pattern.match, value, names))) return false;
      names[pattern.$save] = value;
      return true;
    case "$each": return Array.isArray(value) && value.every((element) => matches(pattern.$each, element, names));
    case "$size": return (isObject(value) ? Object.keys(value) : [...(value ?? [])]).length === pattern.$size;
    case "$unique": {
      const found = (value ?? []).map((e) => [pattern.$unique].flat().map((p) => at(e, p)).find((v) => v !== undefined));
      return Array.isArray(value) && new Set(found).size === found.length;
    }
    case "$schema": case "$valid_json_schema": return value !== undefined;
    default: return equal(expand(pattern, names), value); // $use, $repeat
  }
  if (Array.isArray(pattern)) return Array.isArray(value) && pattern.length === value.length && pattern.every((p, i) => matches(p, value[i], names));
  return isObject(pattern) ? rest(pattern, value) : pattern === value;
}

// One running host: what it writes is sorted by id.
class Host {
  frames = [];
  noise = undefined;
  rest = "";
  names = {};
  serial = 0;
  exit = new Promise((resolve) => { this.exited = resolve; });

  static async start(initialise) {
    const host = new Host();
    host.process = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
    host.process.stdout.setEncoding("utf8").on("data", (text) => host.receive(text));
    host.process.on("close", (status) => host.exited(status));
    host.process.stdin.on("error", () => {});
    if (initialise) {
      const { result } = await host.ask("init", setup.start);
      host.names.state = result?.state ?? result?.value;
    }
    return host;
  }

  receive(text) {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop();
    for (const line of lines) {
      try {
        this.frames.push({ value: JSON.parse(line), at: performance.now(), taken: false });
      } catch {
        this.noise ??= line;
      }
    }
  }

  async write(bytes, cut) {
    const edges = cut === "every-byte" ? [...bytes.keys()] : [0, ...(cut ?? [])];
    for (const [i, start] of edges.entries()) {
      this.process.stdin.write(bytes.subarray(start, edges[i + 1]));
      if (cut) await pause(1); // Time enough for most hosts to read the piece.
    }
  }

  // Takes the first frame that `wanted` accepts out of those that have come or will.
  async next(wanted, seconds = 10) {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(1)) {
      const found = this.frames.find((frame) => !frame.taken && wanted(frame.value));
      if (found) {
        found.taken = true;
        return found.value;
      }
    }
    throw new Error("no answer");
  }

  async ask(method, params) {
    const id = `run-${(this.serial += 1)}`;
    await this.write(Buffer.from(`${JSON.stringify({ v: 1, id, method, params: expand(params, this.names) })}\n`));
    return this.next((value) => value.id === id && "ok" in value);
  }

  async fence() {
    for (const { method, params } of setup.controls) if ((await this.ask(method, params)).ok) return;
    throw new Error("the host answers no plain valid request");
  }
}

const must = (held, text) => { if (!held) throw new Error(text); };
const line = (message, names) => Buffer.from(`${JSON.stringify(expand(message, names))}\n`);
const piece = (p) => Buffer.concat(Array(p.times ?? 1).fill("text" in p ? Buffer.from(p.text) : Buffer.from(p.base64, "base64")));

async function step(host, action, used) {
  const { names } = host;
  const last = (id) => host.frames.findLast(({ value }) => value.id === id && "ok" in value);
  if ("send" in action) return host.write(line(action.send, names), action.cut);
  if ("send_many" in action) return host.write(Buffer.concat(action.send_many.map((m) => line(m, names))), action.cut);
  if ("send_raw" in action) return host.write(Buffer.concat(action.send_raw.map(piece)), action.cut);
  if ("expect" in action) {
    const ids = action.expect.id?.$one_of ?? [expand(action.expect.id, names)];
    const named = (key) => ids.some((id) => (id?.$absent ? key === undefined : key === id));
    for (const id of ids) used.add(id);
    const type = action.expect.event?.type;
    // Events of other types are skipped; a part where a response is due is a mismatch.
    for (let n = 0; n < (action.times ?? 1); n++) {
      const value = await host.next(({ id, event }) => named(id) && (!event || event.type === (type ?? "part")));
      must(matches(action.expect, value, names), `expected ${JSON.stringify(action.expect)}, not ${JSON.stringify(value)}`);
    }
    return undefined;
  }
  if ("expect_optional" in action) {
    await host.fence();
    const strays = host.frames.filter((frame) => !frame.taken && !used.has(frame.value.id));
    return must(strays.every(({ value }) => matches(action.expect_optional, value, names)), "an answer to a bad line is wrong");
  }
  if ("order" in action) return must(action.order.every((id, i, ids) => !i || last(ids[i - 1]).at + (action.apart_ms ?? 0) <= last(id).at), "wrong order");
  if ("gap" in action) {
    const first = host.frames.find(({ value }) => value.id === action.gap.id && value.event?.type === "part");
    return must(last(action.gap.id).at - first.at >= action.gap.at_least_ms, "the events were held back");
  }
  if ("fence" in action) return host.fence();
  if ("close_input" in action) return host.process.stdin.end();
  if ("expect_exit" in action) return must((await host.exit) === action.expect_exit.status, "wrong exit status");
  throw new Error(`unknown step ${Object.keys(action)}`);
}

let host = await Host.start(true);
const listed = (await host.ask("get_tool_schemas", { state: host.names.state })).result.value;
const offered = new Set(listed.map((schema) => (schema.function ?? schema.custom ?? schema).name));
let failures = 0;
for (const vector of load(file).vectors) {
  const absent = (vector.needs?.tools ?? []).filter((tool) => !offered.has(tool));
  for (const method of vector.needs?.methods ?? []) {
    if (!(await host.ask(method, setup.optional_methods[method].params)).ok) absent.push(method);
  }
  if (absent.length > 0) {
    console.log(`skip ${vector.id} (needs ${absent.join(", ")})`);
    continue;
  }
  if (vector.values) {
    console.log(`skip ${vector.id} (a place: its steps want values of the corpus)`);
    continue;
  }
  try {
    if (vector.fresh || vector.bare) {
      host.process.kill();
      host = await Host.start(!vector.bare);
    }
    host.frames = [];
    host.noise = undefined;
    const used = new Set();
    for (const action of vector.steps) await step(host, action, used);
    if (!vector.steps.some((action) => "close_input" in action)) await host.fence();
    must(host.noise === undefined, `stdout held ${host.noise}`);
    console.log(`ok   ${vector.id}`);
  } catch (error) {
    failures += vector.level === "may" ? 0 : 1;
    console.log(`FAIL ${vector.id} ${vector.clauses.join(" ")}: ${error.message.slice(0, 300)}`);
  }
  if (vector.bare || host.process.stdin.writableEnded || host.process.exitCode !== null) {
    host.process.kill();
    host = await Host.start(true);
  }
}
host.process.kill();
process.exitCode = failures > 0 ? 1 : 0;
