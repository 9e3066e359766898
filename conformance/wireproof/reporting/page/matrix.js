// The overview: what each subject comes to, and the matrix of a protocol's clauses or
// checks and its subjects.

/** Characters of a name in the head of a column. */
const NAME = 24;
/** Rows that are drawn at once, and cells: thousands of rows, or of columns, would take
 * longer to draw than anybody looks at them. */
const MORE = 100;
const MOST_CELLS = 2000;
/** Rows that are drawn at once at least. */
const FEWEST = 20;
/** Columns from which on their heads stand upright. */
const MANY = 12;
/** Subjects from which on their list has a height of its own. */
const LONG = 20;

/** The names of subjects for the heads of columns: the ends of long ones, numbered where
 * others end in the same way.
 * @param {number[]} subjects @returns {string[]} */
function shortNames(subjects) {
  const ends = subjects.map((subject) => {
    const { name } = data.subjects[subject];
    return name.length > NAME ? `…${name.slice(-NAME)}` : name;
  });
  return ends.map((end, place) =>
    ends.indexOf(end) === ends.lastIndexOf(end) ? end : `${place + 1}: ${end}`);
}

function summary() {
  const head = ["subject", "protocol", "answer", "level", "checks", "MUST", "SHOULD", "MAY"];
  const body = data.subjects.map((one) => h("tr", {},
    h("th", { scope: "row" }, visible(one.name)),
    h("td", {}, one.protocol),
    h("td", {}, answer(one.answer, one.standing)),
    h("td", {}, one.level),
    h("td", {}, `${one.ran} of ${one.available}`),
    ...["must", "should", "may"].map((level) => h("td", {}, counts(one.totals[level])))));
  const table = h("table", { class: "summary" },
    h("caption", { class: "hidden" }, "What each subject comes to"),
    h("thead", {}, h("tr", {}, ...head.map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, ...body));
  return region("Subjects", table, data.subjects.length > LONG ? "long" : "short");
}

/** A cause: what broke, in how many checks, where it is seen, and what rests on it.
 * @param {Cause} cause @param {number} subject @returns {Node} */
function causeItem(cause, subject) {
  const [seen] = cause.results;
  const known = data.checks.some((one) => one.id === seen);
  const named = cause.clauses.flatMap((name) => [h("a", { href: address({ clause: name }) }, name), " "]);
  const at = cause.raised_at ? [" (", visible(cause.raised_at), ")"] : [];
  const untried = cause.untried ? [`; not testable because of it: ${cause.untried.length}`] : [];
  const under = cause.under ?? [];
  return h("li", {}, ...named, verdict(letterOf(cause.verdict)), ` in ${cause.results.length}: `,
    visible(cause.text), ...at, "; see ",
    known ? h("a", { href: address({ check: seen, subject }) }, seen) : visible(seen),
    ...untried,
    ...(under.length ? ["; these rest on it:", h("ul", {}, ...under.map((one) => causeItem(one, subject)))] : []));
}

/** The causes of what broke in each subject, of so many subjects as can be read. */
function causeLists() {
  const several = data.subjects.length > 1;
  return data.subjects.slice(0, LONG).flatMap((one, subject) => {
    if (!one.causes.length) return [];
    const title = several ? ["Causes in ", visible(one.name)] : ["Causes"];
    const [first, rest] = [one.causes.slice(0, MORE), one.causes.length - MORE];
    return [h("h2", {}, ...title),
      h("p", { class: "soft" }, "What other failures rest on comes first: mend that first."),
      h("ol", { class: "causes" }, ...first.map((cause) => causeItem(cause, subject)),
        ...(rest > 0 ? [h("li", {}, `and ${rest} more`)] : []))];
  });
}

/** @param {Record<string, number>} found */
const counts = (found) =>
  Object.entries(found).map(([name, count]) => `${count} ${name}`).join(", ") || "none";

/** @param {Clause | Check} row */
const kindOf = (row) => ("title" in row ? "check" : "clause");

/** @param {Clause | Check} row @param {number} subject */
function cell(row, subject) {
  const letter = letterFor(row, subject);
  const [mark, name] = VERDICTS[letter];
  if (letter === "n") return h("td", {}, h("span", { class: "hidden" }, name));
  const label = `${row.id}, ${data.subjects[subject].name}: ${name}`;
  const link = { href: address({ [kindOf(row)]: row.id, subject }), title: name, "aria-label": label };
  return h("td", { class: `sign-${letter}` }, h("a", link, mark));
}

/** @param {Clause | Check} row @param {number[]} subjects */
function matrixRow(row, subjects) {
  const told = "title" in row ? row.title : row.text;
  return h("tr", {},
    h("th", { scope: "row" },
      h("a", { href: address({ [kindOf(row)]: row.id }) }, row.id), ` ${row.level.toUpperCase()}`,
      h("span", { class: "clause-text" }, prose(told))),
    ...subjects.map((subject) => cell(row, subject)));
}

/** @param {(Clause | Check)[]} found @param {string} caption @param {number[]} subjects
 * @param {number} most cells that are drawn at once */
function matrix(found, caption, subjects, most) {
  const body = h("tbody");
  const names = shortNames(subjects);
  const table = h("table", { class: subjects.length > MANY ? "matrix many" : "matrix" },
    h("caption", { class: "hidden" }, caption),
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, caption),
      ...subjects.map((subject, place) =>
        h("th", { scope: "col", title: data.subjects[subject].name },
          h("span", {}, visible(names[place])))))),
    body);
  const more = h("button", { type: "button", click: () => fill() });
  const step = Math.max(FEWEST, Math.min(MORE, Math.floor(most / subjects.length)));
  let shown = 0;
  const fill = () => {
    body.append(...found.slice(shown, shown + step).map((row) => matrixRow(row, subjects)));
    shown += step;
    more.hidden = shown >= found.length;
    more.textContent = `Show ${Math.min(step, found.length - shown)} of ${found.length - shown} more`;
  };
  fill();
  return [region(caption, table), more];
}

/** A matrix for each protocol, with its own subjects for columns.
 * @param {(Clause | Check)[]} found @param {string} caption
 * @returns {Node[]} */
function matrices(found, caption) {
  const protocols = [...new Set(found.map((row) => row.protocol))];
  if (!protocols.length) return [h("p", {}, `No ${caption} of this kind.`)];
  const [only] = protocols;
  if (protocols.length === 1) return matrix(found, caption, columnsOf(only), MOST_CELLS);
  return protocols.flatMap((protocol) => [
    h("h3", {}, protocol),
    ...matrix(found.filter((row) => row.protocol === protocol), `${caption} of ${protocol}`,
      columnsOf(protocol), MOST_CELLS / protocols.length),
  ]);
}

/** @param {URLSearchParams} place */
function overview(place) {
  /** @type {Filter} */
  const filter = {
    rows: place.get("rows") ?? "clauses", level: place.get("level") ?? "",
    verdict: place.get("verdict") ?? "", text: place.get("text") ?? "",
    protocol: place.get("protocol") ?? "",
  };
  const status = h("p", { role: "status", class: "soft" });
  const result = h("div");
  const draw = () => {
    const found = rows(filter);
    const all = filter.rows === "checks" ? data.checks : data.clauses;
    status.textContent = `${found.length} of ${all.length} ${filter.rows}`;
    result.replaceChildren(...matrices(found, filter.rows));
    history.replaceState(null, "", address({ ...filter, rows: filter.rows === "checks" ? "checks" : "" }));
  };
  /** @param {string} label @param {"rows" | "protocol" | "level" | "verdict"} name @param {[string, string][]} options */
  const choice = (label, name, options) => {
    const select = /** @type {HTMLSelectElement} */ (h("select", { name }));
    select.append(...options.map(([value, text]) => h("option", { value }, text)));
    select.value = filter[name];
    select.addEventListener("change", () => { filter[name] = select.value; draw(); });
    return h("label", {}, label, select);
  };
  const text = /** @type {HTMLInputElement} */ (h("input", { type: "search", name: "text" }));
  text.value = filter.text;
  text.addEventListener("input", () => { filter.text = text.value; draw(); });
  const used = Object.entries(VERDICTS).filter(([letter]) => letter !== "n");
  const protocols = [...new Set(data.subjects.map((one) => one.protocol))];
  const form = h("form", { role: "search", submit: (event) => event.preventDefault() },
    choice("Show", "rows", [["clauses", "clauses"], ["checks", "checks"]]),
    ...(protocols.length > 1 ? [choice("Protocol", "protocol",
      [["", "all"], ...protocols.map((one) => /** @type {[string, string]} */ ([one, one]))])] : []),
    choice("Level", "level", [["", "all"], ["must", "MUST"], ["should", "SHOULD"], ["may", "MAY"]]),
    choice("Verdict", "verdict", [["", "all"], ["wrong", "something is wrong"],
      ...used.map(([letter, [, name]]) => /** @type {[string, string]} */ ([letter, name]))]),
    h("label", { class: "text" }, "Text", text));
  draw();
  const legend = h("p", { class: "legend" }, ...used.map(([letter]) => verdict(letter)));
  return [
    h("h1", { tabindex: "-1" }, answer(data.answer, data.standing)),
    h("p", { class: "soft" }, prose(data.about)),
    ...tableLinks(), summary(), ...causeLists(), h("h2", {}, "Clauses and checks"), form, legend, status, result,
  ];
}

