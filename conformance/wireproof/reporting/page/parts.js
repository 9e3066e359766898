// Parts that several views share. What is looked at stands in the hash of the address, so
// that any view can be shared: #check=ID&subject=N, #clause=ID, #table=NAME, or the filter
// of the matrix.

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

/** A text of the catalogue or of a table: what stands between backticks is code.
 * @param {string} text @returns {DocumentFragment} */
function prose(text) {
  const found = document.createDocumentFragment();
  const pieces = text.split("`");
  // The last of an odd number of backticks opens nothing.
  const closed = pieces.length % 2 ? pieces.length : pieces.length - 2;
  pieces.slice(0, closed).forEach((piece, place) =>
    found.append(place % 2 ? h("code", {}, visible(piece)) : visible(piece)));
  if (closed < pieces.length) found.append(visible(pieces.slice(closed).join("`")));
  return found;
}

/** @param {Clause | undefined} clause @param {string} id */
function quoted(clause, id) {
  const head = h("a", { href: address({ clause: id }) }, id);
  if (!clause) return h("blockquote", {}, head);
  return h("blockquote", {}, head, ` ${clause.level.toUpperCase()} [${clause.source}] `, prose(clause.text));
}
