"""Lay out the documentation as a site: all that is written here, and a page a clause.

    python docs/site.py FOLDER && mkdocs build --strict -f FOLDER/mkdocs.yml

The pages lie as in the repository, so that a link between any two files is held to be
right; what they link to and is no page lies beside them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import TYPE_CHECKING

from wireproof.checks import Settings
from wireproof.protocols import all_protocols
from wireproof.reporting import safe_line
from wireproof_vectors import load_clauses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wireproof.checks import Check, ProtocolEntry
    from wireproof_vectors import Clause

ROOT = Path(__file__).parents[1]

FOLDERS = ("docs", "reference", "reports", "vectors")
"""Folders with pages, and with what pages link to."""

CONFIGURATION = {
    "site_name": "wireproof",
    "docs_dir": "pages",
    "site_dir": "site",
    "theme": {"name": "mkdocs", "highlightjs": False, "color_mode": "auto"},
    "validation": {
        "links": {
            "absolute_links": "warn",
            "anchors": "warn",
            "not_found": "warn",
            "unrecognized_links": "warn",
        }
    },
}
"""mkdocs' configuration; JSON is YAML."""


def lay_out(folder: Path) -> None:
    """Write the pages and the configuration of the site into an empty folder."""
    pages = folder / "pages"
    for name in FOLDERS:
        ignored = ignore_patterns("__pycache__", "node_modules", "site.py")
        copytree(ROOT / name, pages / name, ignore=ignored)
    for page in ROOT.glob("*.md"):
        (pages / page.name).write_bytes(page.read_bytes())
    (pages / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    for name, text in clause_pages():
        (pages / "clauses" / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / "clauses" / name).write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(json.dumps(CONFIGURATION), encoding="utf-8")


def clause_pages() -> Iterator[tuple[str, str]]:
    """Yield a page for each clause, and one that lists them: name, and text."""
    index = ["# Clauses", ""]
    for protocol in all_protocols():
        checks = protocol.checks(Settings(ROOT))
        index += [f"## {protocol.name}", "", "| clause | level | text |"]
        index += ["| --- | --- | --- |"]
        for clause in load_clauses(protocol.name):
            name = f"{protocol.name}/{clause.id}.md"
            own = [one for one in checks if clause.id in one.clauses]
            yield name, "\n".join(_page(protocol, clause, own)) + "\n"
            text = _cell(clause.text)
            index.append(f"| [{clause.id}]({name}) | {clause.level} | {text} |")
        index.append("")
    yield "README.md", "\n".join(index)


def _page(
    protocol: ProtocolEntry, clause: Clause, checks: list[Check]
) -> Iterator[str]:
    yield f"# {clause.id}"
    yield ""
    yield f"{clause.level.upper()}, of {protocol.name}; source: {clause.source}."
    yield ""
    yield f"> {_text(clause.text)}"
    for part in clause.parts:
        yield ""
        yield f"**{part.level.upper()}** ({part.source}): {_text(part.text)}"
    if clause.excluded:
        yield ""
        yield f"It is not tested: {_text(clause.excluded.why)}"
    if clause.withdrawn:
        yield ""
        yield "It is withdrawn; its id is not used again."
    yield ""
    yield "## Checks"
    yield ""
    if clause.monitored:
        yield f"`{protocol.name}/monitor/{clause.id}` watches it in every frame."
        yield ""
    if checks:
        yield "| check | level | what holds |"
        yield "| --- | --- | --- |"
    for one in checks:
        yield f"| `{one.id}` | {one.level} | {_cell(one.title)} |"
    yield ""
    yield f"`wireproof explain {clause.id} -v` shows their steps."


def _text(text: str) -> str:
    """Return a text so that none of it is taken for HTML; code is none anyway."""
    pieces = safe_line(text).split("`")
    # What stands between two backticks is code.
    pieces[::2] = [piece.replace("<", "&lt;") for piece in pieces[::2]]
    return "`".join(pieces)


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|")


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
