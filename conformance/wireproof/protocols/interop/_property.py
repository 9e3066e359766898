"""How a fuzz property of interop is listed: its id, and what a subject needs for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Check
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "interop/fuzz/"
"""Begins the id of each."""

BOTH = (CHAT, RESPONSES)
"""The targets of most conversions."""


def fuzz_check(
    name: str,
    title: str,
    clauses: tuple[str, ...],
    level: Level = "must",
    source: str = "seed",
    *,
    ops: tuple[str, ...],
    targets: tuple[str, ...] = (),
    provider: str = "",
    formats: tuple[str, ...] = (),
    in_process: bool = False,
) -> Check:
    """Return a property as a check.

    Args:
        name: Ends its id.
        title: What holds.
        clauses: What it is charged to.
        level: The level of its clause.
        source: Where that comes from.
        ops: The ops that a subject needs for it.
        targets: The targets that it needs.
        provider: The provider that it needs, if any.
        formats: The formats that it needs.
        in_process: Whether the subject has to be an object in Python.
    """
    # As a vector has them in its file: names, one name, or true.
    needs: dict[str, Any] = {"ops": list(ops), "targets": list(targets)}
    if in_process:
        needs["in_process"] = True
    if provider:
        needs["provider"] = provider
    if formats:
        needs["formats"] = list(formats)
    return Check(f"{PREFIX}{name}", title, clauses, level, source, "fuzz", needs)
