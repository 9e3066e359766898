// The views of the page. What is looked at stands in the hash of its address, so that
// any view can be shared: #check=ID&subject=N, #clause=ID, or the filter of the matrix.

/** Characters of a name in the head of a column. */
const NAME = 24;
/** Rows that are drawn at once. */
const MORE = 100;
const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** @param {Record<string, string | number>} values @returns {string} */
function address(values) {
  const kept = Object.entries(values).filter(([, value]) => value !== "");
  return `#${new URLSearchParams(kept.map(([name, value]) => [name, String(value)]))}`;
}

/** @param {string} letter */
function verdict(letter) {
  const [mark, name] = VERDICTS[letter];
  return h("span", { class: `sign-${letter}` }, `${mark} ${name}`.trim());
}

/** @param {string} name */
const letterOf = (name) =>
  Object.keys(VERDICTS).find((letter) => VERDICTS[letter][1] === name) ?? "n";

/** @param {string} text @param {string} standing */
const answer = (text, standing) => h("strong", { class: standing }, text);

/** A region of its own for what is wider than the page, reached by keyboard too.
 * @param {string} label @param {Node} content @param {string} kind */
function region(label, content, kind = "") {
  const attributes = { class: `scroll ${kind}`, role: "region", "aria-label": label, tabindex: "0" };
  return h("div", attributes, content);
}

/** @param {Clause | undefined} clause @param {string} id */
function quoted(clause, id) {
  const head = h("a", { href: address({ clause: id }) }, id);
  if (!clause) return h("blockquote", {}, head);
  return h("blockquote", {}, head, ` ${clause.level.toUpperCase()} [${clause.source}] `, clause.text);
}

// --- the summary and the matrix

/** The name of a subject for the head of a column: the end of a long one, numbered
 * where another ends in the same way.
 * @param {number} subject @returns {string} */
function shortName(subject) {
  /** @param {string} name */
  const end = (name) => (name.length > NAME ? `…${name.slice(-NAME)}` : name);
  const ends = data.subjects.map((one) => end(one.name));
  const alone = ends.indexOf(ends[subject]) === ends.lastIndexOf(ends[subject]);
  return alone ? ends[subject] : `${subject + 1}: ${ends[subject]}`;
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
  const table = h("table", {},
    h("caption", { class: "hidden" }, "What each subject comes to"),
    h("thead", {}, h("tr", {}, ...head.map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, ...body));
  return region("Subjects", table, "short");
}

/** @param {Record<string, number>} found */
const counts = (found) =>
  Object.entries(found).map(([name, count]) => `${count} ${name}`).join(", ") || "none";

/** @param {Clause | Check} row */
const kindOf = (row) => ("title" in row ? "check" : "clause");

/** @param {Clause | Check} row @param {number} subject */
function cell(row, subject) {
  const letter = row.verdicts[subject];
  const [mark, name] = VERDICTS[letter];
  if (letter === "n") return h("td", {}, h("span", { class: "hidden" }, name));
  const label = `${row.id}, ${data.subjects[subject].name}: ${name}`;
  const link = { href: address({ [kindOf(row)]: row.id, subject }), title: name, "aria-label": label };
  return h("td", { class: `sign-${letter}` }, h("a", link, mark));
}

/** @param {Clause | Check} row */
function matrixRow(row) {
  const told = "title" in row ? row.title : row.text;
  return h("tr", {},
    h("th", { scope: "row" },
      h("a", { href: address({ [kindOf(row)]: row.id }) }, row.id), ` ${row.level.toUpperCase()}`,
      h("span", { class: "clause-text" }, told)),
    ...data.subjects.map((_, subject) => cell(row, subject)));
}

/** @param {(Clause | Check)[]} found @param {string} caption */
function matrix(found, caption) {
  const body = h("tbody");
  const table = h("table", { class: "matrix" },
    h("caption", { class: "hidden" }, caption),
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, caption),
      ...data.subjects.map((one, subject) =>
        h("th", { scope: "col", title: one.name }, visible(shortName(subject)))))),
    body);
  const more = h("button", { type: "button", click: () => fill() });
  let shown = 0;
  // Thousands of rows would take longer to draw than anybody looks at them.
  const fill = () => {
    body.append(...found.slice(shown, shown + MORE).map(matrixRow));
    shown += MORE;
    more.hidden = shown >= found.length;
    more.textContent = `Show ${Math.min(MORE, found.length - shown)} of ${found.length - shown} more`;
  };
  fill();
  const whole = document.createDocumentFragment();
  whole.append(region(caption, table), more);
  return whole;
}

/** @param {URLSearchParams} place */
function overview(place) {
  /** @type {Filter} */
  const filter = {
    rows: place.get("rows") ?? "clauses", level: place.get("level") ?? "",
    verdict: place.get("verdict") ?? "", text: place.get("text") ?? "",
  };
  const status = h("p", { role: "status", class: "soft" });
  const result = h("div");
  const draw = () => {
    const found = rows(filter);
    const all = filter.rows === "checks" ? data.checks : data.clauses;
    status.textContent = `${found.length} of ${all.length} ${filter.rows}`;
    result.replaceChildren(matrix(found, filter.rows));
    history.replaceState(null, "", address({ ...filter, rows: filter.rows === "checks" ? "checks" : "" }));
  };
  /** @param {string} label @param {"rows" | "level" | "verdict"} name @param {[string, string][]} options */
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
  const form = h("form", { role: "search", submit: (event) => event.preventDefault() },
    choice("Show", "rows", [["clauses", "clauses"], ["checks", "checks"]]),
    choice("Level", "level", [["", "all"], ["must", "MUST"], ["should", "SHOULD"], ["may", "MAY"]]),
    choice("Verdict", "verdict", [["", "all"], ["wrong", "something is wrong"],
      ...used.map(([letter, [, name]]) => /** @type {[string, string]} */ ([letter, name]))]),
    h("label", { class: "text" }, "Text", text));
  draw();
  const legend = h("p", { class: "legend" }, ...used.map(([letter]) => verdict(letter)));
  return [
    h("h1", { tabindex: "-1" }, answer(data.answer, data.standing)),
    h("p", { class: "soft" }, `${data.suite}, ${data.started}, ${data.duration.toFixed(1)} s, ${data.platform}`,
      data.interrupted ? "; the run was interrupted" : ""),
    summary(), h("h2", {}, "Clauses and checks"), form, status, result, legend,
  ];
}

// --- a clause

/** @param {Clause} clause */
function clauseView(clause) {
  return [
    h("h1", { tabindex: "-1" }, clause.id),
    h("p", {}, h("a", { href: "#" }, "Overview"), ` · ${clause.protocol}`),
    h("blockquote", {}, `${clause.level.toUpperCase()} [${clause.source}] `, clause.text),
    h("p", {}, "Read on: ", h("code", {}, `wireproof explain ${clause.id}`), ", or ",
      h("code", {}, `clauses/${clause.protocol}/${clause.id}`), " in the documentation."),
    h("h2", {}, "Checks"),
    matrix(clause.checks.map((index) => data.checks[index]), "checks"),
  ];
}

// --- a check

/** @param {Check} check @param {number} chosen */
function subjectsOf(check, chosen) {
  const links = [...check.verdicts].flatMap((letter, subject) => {
    if (letter === "n") return [];
    /** @type {Record<string, string>} */
    const attributes = { href: address({ check: check.id, subject }) };
    if (subject === chosen) attributes["aria-current"] = "true";
    const [mark, name] = VERDICTS[letter];
    return [h("li", {}, h("a", attributes,
      h("span", { class: `sign-${letter}`, "aria-hidden": "true" }, `${mark} `),
      visible(data.subjects[subject].name),
      h("span", { class: "hidden" }, `, ${name}`)))];
  });
  return h("ul", { class: "subjects", "aria-label": "Subjects" }, ...links);
}

/** @param {string} text */
function copyable(text) {
  const button = h("button", { type: "button" }, "Copy");
  const said = h("span", { role: "status", class: "hidden" });
  const line = h("pre", { tabindex: "0" }, visible(text));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "copied";
      button.textContent = "Copied";
    } catch {
      // Without leave to write to the clipboard the line is marked, to be copied by hand.
      getSelection()?.selectAllChildren(line);
      said.textContent = "the line is selected";
      button.textContent = "Selected";
    }
  });
  return h("div", { class: "line" }, line, button, said);
}

/** @param {string} caption @param {string} text */
const figure = (caption, text) =>
  h("figure", {}, h("figcaption", {}, caption), h("pre", { tabindex: "0", "aria-label": caption }, visible(text, true)));

/** @param {Entry[]} entries @param {number} prelude */
function traffic(entries, prelude) {
  const place = h("div");
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  const draw = () => place.replaceChildren(region("Wire log", wireLog(entries, box.checked)));
  box.addEventListener("change", draw);
  draw();
  const note = prelude ? `; the first ${prelude} are the suite's own` : "";
  return [h("h2", {}, "Wire log"),
    h("p", { class: "soft" }, `sent (→), received (←) and on stderr (!), in ms${note}. `,
      h("label", {}, box, " as bytes")),
    place];
}

/** @param {Result} found */
function* resultParts(found) {
  if (found.reason) yield h("p", {}, visible(found.reason, true));
  if (found.because) yield h("p", {}, "It rests on ", h("a", { href: address({ clause: found.because }) }, found.because), ".");
  if (found.first_in) yield h("p", {}, "A monitor saw it first in ", h("a", { href: address({ check: found.first_in }) }, found.first_in), ".");
  if (found.ended) yield h("p", {}, visible(found.ended));
  for (const one of found.differences ?? []) {
    yield h("h2", {}, "Expected and got, at ", visible(one.where || "the whole frame"));
    yield h("div", { class: "beside" }, figure("expected", one.expected), figure("got", one.actual));
  }
  for (const one of found.monitors ?? []) {
    yield h("h2", {}, "Seen by a monitor");
    yield quoted(data.clauses.find((clause) => clause.id === one.clause), one.clause);
    yield h("p", {}, visible(one.text));
    if (one.evidence) yield figure("frame", one.evidence);
  }
  if (found.reproduce) {
    yield h("h2", {}, "See it again");
    yield copyable(found.reproduce);
  }
  if (found.transcript.length) yield* traffic(found.transcript, found.prelude ?? 0);
  if (found.stderr) {
    yield h("h2", {}, "End of its stderr");
    yield figure("stderr", found.stderr);
  }
  yield h("h2", {}, "Evidence");
  yield figure("evidence", JSON.stringify(found.evidence, null, 1));
}

/** @param {Check} check @param {number} subject */
async function checkView(check, subject) {
  const found = (await details(check))[subject];
  const clauses = check.clauses.map((id) => quoted(data.clauses.find((one) => one.id === id), id));
  const head = [
    h("h1", { tabindex: "-1" }, check.id),
    h("p", {}, h("a", { href: "#" }, "Overview"), ` · ${check.protocol} · ${check.title}`),
    ...clauses,
    subjectsOf(check, subject),
  ];
  if (!found) return [...head, h("p", {}, "It was not tried on this subject.")];
  return [...head,
    h("p", { class: "answer" }, verdict(letterOf(found.verdict)), ` in ${found.duration_ms.toFixed(1)} ms`),
    ...resultParts(found)];
}

/** The subject that shows most of a check: the worst off.
 * @param {Check} check */
function shownFirst(check) {
  const letter = Object.keys(VERDICTS).find((one) => check.verdicts.includes(one)) ?? "n";
  return check.verdicts.indexOf(letter);
}

// --- where we are

let turn = 0;

async function show(moved = true) {
  const mine = ++turn;
  const place = new URLSearchParams(location.hash.slice(1));
  const check = data.checks.find((one) => one.id === place.get("check"));
  const clause = data.clauses.find((one) => one.id === place.get("clause"));
  const subject = place.has("subject") ? Number(place.get("subject")) : check && shownFirst(check);
  const view = check ? await checkView(check, subject ?? 0) : clause ? clauseView(clause) : overview(place);
  if (mine !== turn) return;
  main.replaceChildren(...view);
  document.title = `${check?.id ?? clause?.id ?? data.answer} · wireproof`;
  if (moved) {
    scrollTo(0, 0);
    main.querySelector("h1")?.focus();
  }
}

function theme() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  prefersDark.addEventListener("change", name);
  button.hidden = false;
  name();
}

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => show());
theme();
show(false);
