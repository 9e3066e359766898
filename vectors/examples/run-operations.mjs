// node run-operations.mjs FILE DRIVER …: runs a file of operations over the bridge protocol; takes $schema for matched.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
const typeOf = (v) => (v === null ? "null" : Array.isArray(v) ? "array" : typeof v);
const isObject = (v) => typeOf(v) === "object";
const parsed = (text) => { try { return JSON.parse(text); } catch { return undefined; } };
const forms = { $literal: (v) => v, $use: (v, n) => n[v], $repeat: (v, n, whole) => v.repeat(whole.times),
  $join: (v, n) => v.map((x) => expand(x, n)).join(""), $nest: (v, n, whole) => Array(v).fill().reduce((x) => [x], whole.value) };
const form = (v, known) => (isObject(v) ? Object.keys(v).find((key) => key in known) : undefined);
const expand = (v, n) => form(v, forms) ? forms[form(v, forms)](v[form(v, forms)], n, v) : Array.isArray(v) ? v.map((x) => expand(x, n))
  : isObject(v) ? Object.fromEntries(Object.entries(v).map(([key, x]) => [key, expand(x, n)])) : v;
const matchers = { $absent: (p, v) => v === undefined, $equals: (p, v, n) => isDeepStrictEqual(expand(p, n), v),
  $one_of: (p, v, n) => p.some((q) => matches(q, v, n)), $all_of: (p, v, n) => p.every((q) => matches(q, v, n)), $not: (p, v, n) => !matches(p, v, n),
  $type: (p, v) => [p].flat().includes(typeOf(v)), $size: (p, v) => (isObject(v) ? Object.keys(v) : [...v]).length === p, $schema: (p, v) => v !== undefined,
  $contains: (p, v) => [p].flat().reduce((at, text) => (at < 0 || v.indexOf(text, at) < 0 ? -1 : v.indexOf(text, at) + text.length), 0) >= 0,
  $json_text: (p, v, n) => typeof v === "string" && parsed(v) !== undefined && matches(p, parsed(v), n), $parts: (p, v, n, whole) => matches(whole.match, Array.isArray(v) && v.every((x) => x?.type === p) ? v.map((x) => x.text).join("") : v, n),
  $somewhere: (p, v, n) => matches(p, v, n) || (v !== null && typeof v === "object" && Object.values(v).some((x) => matchers.$somewhere(p, x, n))), $save: (p, v, n) => { n[p] = v; return v !== undefined; } };
const matches = (p, v, n) => form(p, matchers) ? matchers[form(p, matchers)](p[form(p, matchers)], v, n, p) : form(p, forms) ? isDeepStrictEqual(expand(p, n), v)
  : Array.isArray(p) ? Array.isArray(v) && p.length === v.length && p.every((q, i) => matches(q, v[i], n))
  : isObject(p) ? isObject(v) && Object.keys(p).every((key) => matches(p[key], v[key], n)) : p === v;
const held = (step, { ok, value, error }, n) => (!step.expected && !step.error) || (ok ? "expected" in step && matches(step.expected, value, n) : "error" in step && step.error.mentions.every((text) => `${error.type} ${error.detail}`.includes(text)));
const [file, command, ...options] = process.argv.slice(2);
const driver = spawn(command, options, { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: driver.stdout })[Symbol.asyncIterator]();
const ask = async (op, input) => { driver.stdin.write(`${JSON.stringify({ id: 1, op, ...input })}\n`); return JSON.parse((await lines.next()).value); };
const { ops, formats = [] } = (await ask("describe")).value;
for (const { id, clauses, level, needs = {}, steps } of JSON.parse(readFileSync(file, "utf8")).vectors) {
  const skip = needs.in_process || needs.half_pairs || needs.provider || needs.formats?.some((name) => !formats.includes(name)) || steps.some(({ op }) => !ops.includes(op));
  let [failed, names] = [undefined, {}];
  for (const step of skip ? [] : steps) {
    const answer = await ask(step.op, { ...expand(step.input, names), echo: step.keeps_input });
    if (!held(step, answer, names) || (step.keeps_input && answer.args && !isDeepStrictEqual(answer.args, expand(step.input, names)))) failed ??= JSON.stringify(answer);
    if (step.save) names[step.save] = answer.value;
  }
  process.exitCode ||= failed === undefined || level === "may" ? 0 : 1;
  console.log(`${skip ? "skip" : failed === undefined ? "ok  " : "FAIL"} ${id} ${clauses.join(" ")}${failed ? `: ${failed.slice(0, 300)}` : ""}`);
}
driver.stdin.end();
