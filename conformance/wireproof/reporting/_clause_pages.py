"""Where the documentation writes about a clause, and what else shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wireproof.checks import Result


def clause_page(protocol: str, clause_id: str) -> str:
    """Return the page of a clause, by its path in the documentation.

    Args:
        protocol: The protocol, such as ``host-v1``.
        clause_id: The clause's id.
    """
    return f"clauses/{protocol}/{clause_id}"


def read_on(result: Result) -> str:
    """Return what to type, and which pages to open, to read on about a failure."""
    protocol = result.id.partition("/")[0]
    pages = ", ".join(clause_page(protocol, one) for one in result.clauses)
    return f"wireproof explain {' '.join(result.clauses)}; documentation: {pages}"
