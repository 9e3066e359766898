"""Where the documentation writes about a clause, and what else shows it."""

from __future__ import annotations

from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING

from wireproof.checks import AGAINST, explain_line

if TYPE_CHECKING:
    from wireproof.checks import Result

PACKAGE = "wireproof"

LABEL = "documentation"
"""What the address of the site is called in the package's metadata."""


def clause_page(protocol: str, clause_id: str) -> str:
    """Return the page of a clause, by its path in the documentation.

    Args:
        protocol: The protocol, such as ``host-v1``.
        clause_id: The clause's id.
    """
    return f"clauses/{protocol}/{clause_id}"


@cache
def site() -> str:
    """Return the address of the documentation, or "" where it is not published."""
    for line in metadata.metadata(PACKAGE).get_all("Project-URL") or ():
        label, _, address = line.partition(",")
        if label.strip().lower() == LABEL:
            return f"{address.strip().rstrip('/')}/"
    return ""


def published_pages(protocol: str, *clauses: str) -> str:
    """Return the addresses of clauses' pages, or "" where the site is not published."""
    if not site():
        return ""
    return ", ".join(f"{site()}{clause_page(protocol, one)}/" for one in clauses)


def read_on(result: Result) -> str:
    """Return what to type, and which pages to open, to read on about a failure.

    What a monitor saw in a check that did not fail itself is the failure.
    """
    protocol = result.id.partition("/")[0]
    clauses = result.clauses
    if result.monitors and result.verdict not in AGAINST:
        clauses = tuple(one.clause for one in result.monitors)
    typed = explain_line(*clauses)
    pages = published_pages(protocol, *clauses)
    return f"{typed}; documentation: {pages}" if pages else typed
