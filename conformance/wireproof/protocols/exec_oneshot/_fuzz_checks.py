"""The fuzz properties of exec-oneshot, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Check

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "exec-oneshot/fuzz/"


def _check(
    name: str, title: str, clause: str, level: Level, *tools: str, reads: bool = False
) -> Check:
    needs = {"tools": list(tools)} if tools else {}
    if reads:
        needs["reads"] = ["input"]
    return Check(f"{PREFIX}{name}", title, (clause,), level, "derived", "fuzz", needs)


FUZZ_CHECKS: tuple[Check, ...] = (
    _check(
        "spelling",
        "An object is read however its JSON text is written and its bytes are cut.",
        "EXEC-O1",
        "must",
        reads=True,
    ),
    _check(
        "bad-input",
        "Input that is no object with args is refused.",
        "EXEC-O6",
        "should",
    ),
    _check(
        "unknown-keys",
        "Keys of any name and value beside args are ignored.",
        "EXEC-O7",
        "should",
        reads=True,
    ),
    _check(
        "values",
        "JSON values come back from a tool as they were.",
        "EXEC-O8",
        "must",
        "conformance_echo",
    ),
    _check(
        "results",
        "A result is any JSON value.",
        "EXEC-O8",
        "must",
        "conformance_return",
    ),
    _check(
        "places",
        "Values survive wherever they may stand, at two places at a time.",
        "EXEC-O8",
        "must",
        "conformance_echo",
        "conformance_fail",
        "conformance_return",
    ),
)
