"""The site has a page for each clause, with its text and its checks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import wireproof
import wireproof_vectors
from wireproof.protocols import all_options
from wireproof_vectors import load_clauses, load_vectors, protocols

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def docs_path() -> Iterator[None]:
    """Let what makes the site be imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        yield


@pytest.fixture(scope="module")
def clause_pages(docs_path: None) -> dict[str, str]:
    """Return the text of each page of a clause, by its path."""
    made: Any = import_module("docs.clause_pages")
    return dict(made.clause_pages())


def test_every_clause_has_a_page_that_the_list_leads_to(
    clause_pages: dict[str, str],
) -> None:
    names = {f"{p}/{one.id}.md" for p in protocols() for one in load_clauses(p)}
    lists = {"README.md", *(f"{protocol}/legal.md" for protocol in protocols())}
    assert set(clause_pages) == {f"clauses/{name}" for name in lists | names}
    assert all(f"({name})" in clause_pages["clauses/README.md"] for name in names)


@pytest.mark.parametrize("protocol", ["host-v1", "interop"])
def test_a_page_names_the_checks_of_its_clause(
    clause_pages: dict[str, str], protocol: str
) -> None:
    tried = [one for one in load_vectors(protocol) if one.kind in KINDS]
    lacking = [
        (vector.id, clause)
        for vector in tried
        for clause in vector.clauses
        if f"`{vector.id}`" not in clause_pages[f"clauses/{protocol}/{clause}.md"]
    ]
    assert lacking == []


KINDS = {"exchange", "operation"}


def test_a_page_says_what_a_monitor_watches(clause_pages: dict[str, str]) -> None:
    assert (
        "`host-v1/monitor/HV1-M1` watches it"
        in clause_pages["clauses/host-v1/HV1-M1.md"]
    )


def test_nothing_of_a_text_is_taken_for_html(clause_pages: dict[str, str]) -> None:
    assert all(
        "<" not in piece
        for text in clause_pages.values()
        for piece in text.split("`")[::2]
    )


def test_a_page_names_the_subjects_that_break_its_clause(
    clause_pages: dict[str, str],
) -> None:
    page = clause_pages["clauses/host-v1/HV1-T2.md"]
    assert "| `banner` | greets with its name and version |" in page


def test_a_page_says_what_fuzzing_finds_alone(clause_pages: dict[str, str]) -> None:
    table = (ROOT / "reports" / "host-v1-fuzz.md").read_text()
    [(tried, found)] = re.findall(r"\n\| HV1-T14 \| (\d+) \| (\d+) \|", table)
    page = clause_pages["clauses/host-v1/HV1-T14.md"]
    told = f"\nFuzzing without any vector finds {found} of the {tried} that a property "
    assert f"{told}tries.\n" in page


def test_a_page_says_since_when_a_check_stands(clause_pages: dict[str, str]) -> None:
    page = clause_pages["clauses/host-v1/HV1-M2.md"]
    assert "| `host-v1/request-ids/uuid` | vector | must | 0.1 |" in page


def test_a_place_is_told_from_a_vector(clause_pages: dict[str, str]) -> None:
    page = clause_pages["clauses/host-v1/HV1-M2.md"]
    assert "| `host-v1/places/id-of-a-failure` | place |" in page


def test_a_page_has_what_the_changelog_says_of_its_clause(
    clause_pages: dict[str, str],
) -> None:
    page = clause_pages["clauses/interop/INT-Q12.md"]
    assert "\n## In the changelog\n\n- Unreleased: interop: " in page


def test_the_page_of_the_api_has_what_is_public(docs_path: None) -> None:
    page = import_module("docs.api_page").api_page()
    data = {*wireproof_vectors.__all__, *wireproof.__all__} - NAMES_OF_TYPES
    assert {name for name in data if f"### {name}\n" not in page} == set()
    assert all(f"| `{one.fixture}` |" in page for one in all_options())


NAMES_OF_TYPES = {"JSON", "Kind", "Level", "Source"}
