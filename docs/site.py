"""Lay out the documentation as a site: what is written, and what is made of data.

    python -m docs.site FOLDER && mkdocs build --strict -f FOLDER/mkdocs.yml

The pages lie as in the repository, so that a link between any two files is held to be
right; what they link to and is no page lies beside them. A page for each clause and one
of the Python API are made anew each time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import TYPE_CHECKING, Any

from docs.api_page import api_page
from docs.clause_pages import PAGE, clause_pages
from tests.proof.joined import joined_page

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[1]

FOLDERS = ("docs", "reference", "reports", "vectors")
"""Folders with pages, and with what pages link to."""

TOP: Sequence[str] = (
    "docs/README.md",
    "docs/start.md",
    "docs/toolset.md",
    "docs/failures.md",
    "docs/verdicts.md",
)
"""Pages that a newcomer reads, in this order, below the README."""

USE: Sequence[str] = (
    "docs/baselines.md",
    "docs/ci.md",
    "docs/command.md",
    "docs/reports.md",
    "docs/fixtures.md",
    "docs/bridge.md",
    "docs/vectors.md",
    "docs/security.md",
    "docs/proof.md",
)
"""Pages about one thing each."""

NAVIGATION: Sequence[Any] = (
    {"wireproof": "README.md"},
    {"Begin": TOP},
    {"Use": USE},
    {"Clauses": "clauses/README.md"},
    {"Python API": "api.md"},
    {
        "Project": [
            "vectors/README.md",
            "reports/README.md",
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
        ]
    },
)

CONFIGURATION = {
    "site_name": "wireproof",
    "docs_dir": "pages",
    "site_dir": "site",
    "theme": {"name": "mkdocs", "highlightjs": False, "color_mode": "auto"},
    "nav": NAVIGATION,
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
    own = [program.name for program in Path(__file__).parent.glob("*.py")]
    ignored = ignore_patterns("__pycache__", "node_modules", *own)
    for name in FOLDERS:
        copytree(ROOT / name, pages / name, ignore=ignored)
    for page in ROOT.glob("*.md"):
        (pages / page.name).write_bytes(page.read_bytes())
    (pages / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    for path, text in clause_pages():
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        (pages / path).write_text(text, encoding="utf-8")
    (pages / PAGE).write_text(joined_page(), encoding="utf-8")
    (pages / "api.md").write_text(api_page(), encoding="utf-8")
    (folder / "mkdocs.yml").write_text(json.dumps(CONFIGURATION), encoding="utf-8")


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
