"""The site has a page for each clause, with its text and its checks."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from wireproof_vectors import load_clauses, load_vectors, protocols

SCRIPT = Path(__file__).parents[1] / "docs" / "site.py"


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """Return the text of each page, by its name."""
    spec = importlib.util.spec_from_file_location("site_of_docs", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(module.clause_pages())


def test_every_clause_has_a_page_that_the_list_leads_to(pages: dict[str, str]) -> None:
    names = {f"{p}/{one.id}.md" for p in protocols() for one in load_clauses(p)}
    assert set(pages) == {"README.md", *names}
    assert all(f"({name})" in pages["README.md"] for name in names)


@pytest.mark.parametrize("protocol", ["host-v1", "interop"])
def test_a_page_names_the_checks_of_its_clause(
    pages: dict[str, str], protocol: str
) -> None:
    tried = [one for one in load_vectors(protocol) if one.kind in KINDS]
    lacking = [
        (vector.id, clause)
        for vector in tried
        for clause in vector.clauses
        if f"`{vector.id}`" not in pages[f"{protocol}/{clause}.md"]
    ]
    assert lacking == []


KINDS = {"exchange", "operation"}


def test_a_page_says_what_a_monitor_watches(pages: dict[str, str]) -> None:
    assert "`host-v1/monitor/HV1-M1` watches it" in pages["host-v1/HV1-M1.md"]


def test_nothing_of_a_text_is_taken_for_html(pages: dict[str, str]) -> None:
    assert all(
        "<" not in piece for text in pages.values() for piece in text.split("`")[::2]
    )
