// The views of a clause and of a check, and which view is shown.

// --- a clause

/** @param {Clause} clause */
function clauseView(clause) {
  return [
    h("h1", { tabindex: "-1" }, clause.id),
    h("p", {}, h("a", { href: "#" }, "Overview"), ` · ${clause.protocol}`),
    h("blockquote", {}, `${clause.level.toUpperCase()} [${clause.source}] `, prose(clause.text)),
    h("p", {}, "Read on: ", h("code", {}, `wireproof explain ${clause.id}`),
      ...(clause.page ? [", or ", h("a", { href: clause.page }, clause.page)] : []), "."),
    ...rowsOfClause(clause.id),
    h("h2", {}, "Checks"),
    ...matrices(clause.checks.map((index) => data.checks[index]), "checks"),
  ];
}

// --- a check

/** @param {Check} check @param {number} chosen */
function subjectsOf(check, chosen) {
  const links = columnsOf(check.protocol).flatMap((subject) => {
    const letter = letterFor(check, subject);
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
    h("p", {}, h("a", { href: "#" }, "Overview"), ` · ${check.protocol} · `, prose(check.title)),
    ...clauses,
    subjectsOf(check, subject),
  ];
  // A page may be made without details: the verdict is there all the same.
  if (!found) return [...head, h("p", { class: "answer" }, verdict(letterFor(check, subject)))];
  return [...head,
    h("p", { class: "answer" }, verdict(letterOf(found.verdict)), ` in ${found.duration_ms.toFixed(1)} ms`),
    ...resultParts(found)];
}

/** The subject that shows most of a check: the worst off.
 * @param {Check} check */
function shownFirst(check) {
  const letter = Object.keys(VERDICTS).find((one) => check.verdicts.includes(one)) ?? "n";
  return columnsOf(check.protocol)[check.verdicts.indexOf(letter)];
}

// --- where we are

let turn = 0;

async function show(moved = true) {
  const mine = ++turn;
  const place = new URLSearchParams(location.hash.slice(1));
  const check = data.checks.find((one) => one.id === place.get("check"));
  const clause = data.clauses.find((one) => one.id === place.get("clause"));
  const table = data.tables.find((one) => one.name === place.get("table"));
  const subject = place.has("subject") ? Number(place.get("subject")) : check && shownFirst(check);
  const view = check ? await checkView(check, subject ?? 0) : clause ? clauseView(clause)
    : table ? tableView(table, place) : overview(place);
  if (mine !== turn) return;
  main.replaceChildren(...view);
  document.title = `${check?.id ?? clause?.id ?? table?.title ?? data.answer} · wireproof`;
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
