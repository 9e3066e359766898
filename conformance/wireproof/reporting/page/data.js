// The data of the page: what is embedded, how it is looked through, and its details,
// which are unpacked only for the check that is looked at.

/**
 * @typedef {{name: string, protocol: string, level: string,
 *   answer: string, standing: string, ran: number, available: number,
 *   totals: Record<string, Record<string, number>>,
 *   causes: Cause[]}} Subject
 * @typedef {{clauses: string[], verdict: string, text: string, results: string[],
 *   raised_at?: string, untried?: string[], under?: Cause[]}} Cause
 * @typedef {{id: string, protocol: string, level: string, source: string, text: string,
 *   page: string, verdicts: string, checks: number[]}} Clause
 * @typedef {{id: string, protocol: string, title: string, level: string,
 *   clauses: string[], verdicts: string, detail: string}} Check
 * @typedef {{name: string, title: string, text: string, head: string[],
 *   rows: string[][]}} Table
 * @typedef {{answer: string, standing: string, about: string, subjects: Subject[],
 *   clauses: Clause[], checks: Check[], tables: Table[]}} Data
 * @typedef {{t_ms: number, dir: string, data: string, bytes?: string, own?: boolean,
 *   left_out?: number}} Entry
 * @typedef {{where: string, expected: string, actual: string}} Difference
 * @typedef {{clause: string, level: string, text: string, evidence: string}} Deviation
 * @typedef {{verdict: string, reason?: string, evidence: unknown, duration_ms: number,
 *   transcript: Entry[], prelude?: number, differences?: Difference[], stderr?: string,
 *   reproduce?: string, ended?: string, because?: string, first_in?: string,
 *   monitors?: Deviation[]}} Result
 * @typedef {{rows: string, protocol: string, level: string, verdict: string,
 *   text: string}} Filter
 */

/** The verdicts by the letters that stand for them in the data, the worst first.
 * @type {Record<string, [sign: string, name: string]>} */
const VERDICTS = {
  e: ["⚠", "harness error"], f: ["✗", "failed"], t: ["?", "not testable"],
  k: ["~", "known failure"], w: ["!", "warned"], r: ["•", "recorded"],
  p: ["✓", "passed"], a: ["–", "not applicable"], n: ["", "not tried"],
};

/** What "something is wrong" stands for in the filter of verdicts. */
const WRONG = "eftkw";

/** @type {Data} */
const data = JSON.parse(document.getElementById("report")?.textContent ?? "");

/** The subjects of a protocol, in the order in which rows have their verdicts.
 * @param {string} protocol @returns {number[]} */
function columnsOf(protocol) {
  return data.subjects.flatMap((one, index) => (one.protocol === protocol ? [index] : []));
}

/** The letter of a row for a subject, of its protocol or of another.
 * @param {Clause | Check} row @param {number} subject @returns {string} */
const letterFor = (row, subject) => row.verdicts[columnsOf(row.protocol).indexOf(subject)] ?? "n";

/** The results of a check, by the index of the subject; none where they were left out.
 * @param {Check} check @returns {Promise<Record<string, Result>>} */
async function details(check) {
  if (!check.detail) return {};
  const packed = Uint8Array.from(atob(check.detail), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("deflate"))).json();
}

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** @param {string} text @param {string[]} words in lower case */
const holds = (text, words) => words.every((word) => text.toLowerCase().includes(word));

/** The rows that a filter lets through.
 * @param {Filter} filter @returns {(Clause | Check)[]} */
function rows(filter) {
  const words = wordsOf(filter.text);
  const letters = filter.verdict === "wrong" ? WRONG : filter.verdict;
  const all = filter.rows === "checks" ? data.checks : data.clauses;
  return all.filter((row) => {
    if (filter.protocol && row.protocol !== filter.protocol) return false;
    if (filter.level && row.level !== filter.level) return false;
    if (letters && ![...letters].some((one) => row.verdicts.includes(one))) return false;
    const told = "title" in row ? `${row.title} ${row.clauses.join(" ")}` : row.text;
    return holds(`${row.id} ${told}`, words);
  });
}
