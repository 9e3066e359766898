"""The fuzz properties of interop, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Check
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "interop/fuzz/"

GROWTH = f"{PREFIX}sanitise-growth"
"""The property that is a matter of time and not of values."""

SANITISE = ("sanitize_tool_call",)


def _check(
    name: str,
    title: str,
    clauses: tuple[str, ...],
    level: Level = "must",
    source: str = "seed",
    ops: tuple[str, ...] = SANITISE,
    targets: tuple[str, ...] = (),
) -> Check:
    needs = {"ops": list(ops), "targets": list(targets)}
    return Check(f"{PREFIX}{name}", title, clauses, level, source, "fuzz", needs)


FUZZ_CHECKS: tuple[Check, ...] = (
    _check(
        "sanitise-any-text",
        "Whatever text the arguments are, they become the text of a JSON object.",
        ("INT-Z1",),
    ),
    _check(
        "sanitise-broken-texts",
        "Arguments that are cut at any place, spliced or corrupted become {}.",
        ("INT-Z2",),
    ),
    _check(
        "sanitise-valid-texts",
        "A valid arguments text is kept, however it is written.",
        ("INT-Z3",),
    ),
    _check(
        "sanitise-names",
        "Id, type and name are kept, whatever strings they are.",
        ("INT-Z4",),
    ),
    _check(
        "sanitise-any-object",
        "Any object is sanitised without an error, and once is enough.",
        ("INT-Z5",),
        source="derived",
    ),
    _check(
        "sanitise-other-values",
        "Arguments that are no object, or the text of none, become {}.",
        ("INT-Z6",),
        source="derived",
    ),
    _check(
        "sanitise-lenient-json",
        "Text that only a lenient parser takes becomes {}.",
        ("INT-Z7",),
        source="derived",
    ),
    _check(
        "sanitise-raw-input",
        "The raw input of a custom call is left alone.",
        ("INT-Z8",),
    ),
    _check(
        "sanitise-items",
        "Items of the Responses format are sanitised as chat calls are.",
        ("INT-Z9",),
    ),
    _check(
        "sanitise-nesting",
        "Arguments nested to any depth are kept or become {}.",
        ("INT-Z10",),
        source="derived",
    ),
    Check(
        GROWTH,
        "The time that sanitising takes grows as the text does.",
        ("INT-Z10",),
        "must",
        "derived",
        "fuzz",
        {"ops": list(SANITISE)},
    ),
    _check(
        "sanitise-duplicate-keys",
        "Valid arguments with a key twice are kept.",
        ("INT-Z11",),
        "should",
        "derived",
    ),
    _check(
        "sanitise-other-types",
        "An object whose type is no call's is returned as it is.",
        ("INT-Z12",),
        source="derived",
    ),
    _check(
        "schemas-unchanged",
        "A schema in an accepted format is handed on, whatever keys it has.",
        ("INT-S1",),
        ops=("convert_schemas",),
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "schemas-there-and-back",
        "A function schema is equal after the way to the other format and back.",
        ("INT-S2",),
        ops=("convert_schemas",),
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "schemas-in-order",
        "As many schemas come back as are given, in their order.",
        ("INT-S5",),
        source="derived",
        ops=("convert_schemas",),
        targets=(CHAT,),
    ),
    _check(
        "custom-inputs",
        "The input of a custom call is the payload, character for character.",
        ("INT-C3",),
        ops=("inspect_call",),
    ),
    _check(
        "calls-there-and-back",
        "A call is equal after the way to the other format and back.",
        ("INT-C6",),
        source="derived",
        ops=("convert_tool_calls",),
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "calls-in-order",
        "As many calls come back as are given, in their order, duplicates too.",
        ("INT-C8",),
        source="derived",
        ops=("convert_tool_calls",),
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "result-texts",
        "The text of a stored result reaches both native forms unchanged.",
        ("INT-R1",),
        ops=("convert_results",),
        targets=(CHAT, RESPONSES),
    ),
    _check(
        "core-results",
        "A text result is stored unchanged, an object or array as its JSON text.",
        ("INT-R11",),
        ops=("convert_results",),
        targets=("core",),
    ),
)
