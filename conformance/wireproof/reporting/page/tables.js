// Tables that stand beside the matrix: each is a view, and a clause shows its rows of them.

/** A cell: what names clauses that the report has is links to them.
 * @param {string} text @returns {Node[]} */
function cellText(text) {
  const names = text.split(", ");
  if (!names.every((name) => data.clauses.some((one) => one.id === name))) return [prose(text)];
  return names.flatMap((name, place) => [
    document.createTextNode(place ? ", " : ""),
    h("a", { href: address({ clause: name }) }, name),
  ]);
}

/** @param {Table} table @param {string[][]} rows */
function tableOf(table, rows) {
  const head = h("tr", {}, ...table.head.map((name) => h("th", { scope: "col" }, name)));
  const body = h("tbody");
  let shown = 0;
  const more = h("button", { type: "button", click: () => fill() });
  const fill = () => {
    body.append(...rows.slice(shown, shown + MORE).map((row) =>
      h("tr", {}, ...row.map((text) => h("td", {}, ...cellText(text))))));
    shown += MORE;
    more.hidden = shown >= rows.length;
    more.textContent = `Show ${Math.min(MORE, rows.length - shown)} of ${rows.length - shown} more`;
  };
  fill();
  const caption = h("caption", { class: "hidden" }, table.title);
  const whole = h("table", { class: "plain" }, caption, h("thead", {}, head), body);
  return [region(table.title, whole), more];
}

/** @param {Table} table @param {URLSearchParams} place */
function tableView(table, place) {
  const status = h("p", { role: "status", class: "soft" });
  const result = h("div");
  const text = /** @type {HTMLInputElement} */ (h("input", { type: "search", name: "text" }));
  text.value = place.get("text") ?? "";
  const draw = () => {
    const words = wordsOf(text.value);
    const found = table.rows.filter((row) => holds(row.join(" "), words));
    status.textContent = `${found.length} of ${table.rows.length} rows`;
    result.replaceChildren(...tableOf(table, found));
    history.replaceState(null, "", address({ table: table.name, text: text.value }));
  };
  text.addEventListener("input", draw);
  draw();
  return [
    h("h1", { tabindex: "-1" }, table.title),
    h("p", {}, h("a", { href: "#" }, "Overview"), " · ", prose(table.text)),
    h("form", { role: "search", submit: (event) => event.preventDefault() },
      h("label", { class: "text" }, "Text", text)),
    status, result,
  ];
}

/** What the tables say of a clause: their rows that begin with it.
 * @param {string} clause */
function* rowsOfClause(clause) {
  for (const table of data.tables) {
    const rows = table.rows.filter((row) => row[0] === clause);
    if (!rows.length) continue;
    yield h("h2", {}, h("a", { href: address({ table: table.name }) }, table.title));
    yield* tableOf(table, rows);
  }
}

/** Links to the tables. */
function tableLinks() {
  const links = data.tables.map((one) =>
    h("li", {}, h("a", { href: address({ table: one.name }) }, one.title)));
  return links.length ? [h("ul", { class: "subjects", "aria-label": "Tables" }, ...links)] : [];
}
