// Bytes made visible: nothing that a subject wrote is more than text here.

/** An element with attributes, listeners and children; text is never markup.
 * @param {string} tag
 * @param {Record<string, string | EventListener | boolean>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElement} */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "string") element.setAttribute(name, value);
    else if (value) element.setAttribute(name, "");
  }
  element.append(...children);
  return element;
}

/** Characters that cannot be seen or that move what can: controls, marks of
 * direction, separators, halves of pairs, and blanks that look like others. */
const UNSEEN = /[\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffc]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Characters of a text that are shown at once; more are shown when asked for. */
const SHOWN = 4000;

/** @type {Record<string, string>} */
const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" };

/** @param {string} char */
function sign(char) {
  const code = char.charCodeAt(0);
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const short = code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : name;
  return h("span", { class: "char", title: name }, ESCAPES[char] ?? short);
}

/** A text with what is unseen in it made visible.
 * @param {string} text @param {boolean} lines whether line feeds end lines
 * @returns {DocumentFragment} */
function visible(text, lines = false) {
  const found = document.createDocumentFragment();
  let from = 0;
  const part = text.slice(0, SHOWN);
  for (const match of part.matchAll(UNSEEN)) {
    found.append(part.slice(from, match.index));
    if (!(lines && match[0] === "\n")) found.append(sign(match[0]));
    else found.append("\n");
    from = match.index + 1;
  }
  found.append(part.slice(from));
  if (text.length > SHOWN) {
    const rest = text.slice(SHOWN);
    const button = h("button", {
      type: "button",
      click: () => button.replaceWith(visible(rest, lines)),
    }, `${rest.length} more characters`);
    found.append(button);
  }
  return found;
}

/** Bytes as a dump: offset, sixteen bytes, what they are in ASCII.
 * @param {Uint8Array} bytes @returns {string} */
function dump(bytes) {
  const lines = [];
  for (let offset = 0; offset < bytes.length; offset += 16) {
    const part = [...bytes.slice(offset, offset + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const ascii = part.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "."));
    lines.push(`${offset.toString(16).padStart(4, "0")}  ${hex.padEnd(47)}  ${ascii.join("")}`);
  }
  return lines.join("\n");
}

/** @param {Entry} entry @returns {Uint8Array} */
function bytesOf(entry) {
  if (entry.bytes === undefined) return new TextEncoder().encode(entry.data);
  return Uint8Array.from(atob(entry.bytes), (char) => char.charCodeAt(0));
}

const ARROWS = { sent: "→", received: "←", stderr: "!" };

/** The traffic of a check as a table, in text or as bytes.
 * @param {Entry[]} entries @param {boolean} hex @returns {HTMLElement} */
function wireLog(entries, hex) {
  const body = h("tbody");
  for (const entry of entries) {
    const way = ARROWS[/** @type {keyof ARROWS} */ (entry.dir)];
    const told = entry.left_out
      ? h("td", { class: "soft" }, entry.data)
      : h("td", {}, hex ? dump(bytesOf(entry)) : visible(entry.data));
    body.append(h("tr", { class: entry.own ? "own" : "" },
      h("td", {}, entry.t_ms.toFixed(2)),
      h("td", { class: entry.dir },
        h("span", { "aria-hidden": "true" }, way),
        h("span", { class: "hidden" }, entry.own ? `${entry.dir}, the suite's own` : entry.dir)),
      told));
  }
  const head = h("thead", {}, h("tr", {},
    h("th", { scope: "col" }, "ms"),
    h("th", { scope: "col" }, h("span", { class: "hidden" }, "direction")),
    h("th", { scope: "col" }, hex ? "offset, bytes, ASCII" : "text")));
  return h("table", { class: "wire" }, head, body);
}
