"""Sequences of a server whose every listing takes long, which is legal.

What a listing does to the acts around it is tried by the sequences that are about it;
all others do without theirs, which would take a second each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check

GROUP = "sequences"
"""The group of the vectors that go through all kinds of acts."""

ABOUT_LISTINGS = "listing"
"""Stands in the names of those that are about listings."""


def spares_listings(check: Check) -> bool:
    """Tell whether a check can do without its listings."""
    _, _, name = check.id.rpartition("/")
    return check.group == f"socket-v1/{GROUP}" and ABOUT_LISTINGS not in name


def without_listings(steps: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return steps without the plain listings, and without what is expected of them."""
    return [step for step in steps if not _is_of_a_listing(step)]


def _is_of_a_listing(step: Mapping[str, Any]) -> bool:
    match step:
        case {"send": {"type": "list_tools"}} | {"expect": {"type": "tools_list"}}:
            return True
        case _:
            return False
