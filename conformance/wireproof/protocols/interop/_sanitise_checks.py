"""The fuzz properties of sanitising arguments."""

from __future__ import annotations

from wireproof.checks import Check
from wireproof.protocols.interop._property import PREFIX, fuzz_check

GROWTH = f"{PREFIX}sanitise-growth"
"""The property that is a matter of time and not of values."""

SANITISE = ("sanitize_tool_call",)

SANITISE_CHECKS: tuple[Check, ...] = (
    fuzz_check(
        "sanitise-any-text",
        "Whatever text the arguments are, they become the text of a JSON object.",
        ("INT-Z1",),
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-broken-texts",
        "Arguments that are cut become {}; what is spliced or corrupted is not kept.",
        ("INT-Z2", "INT-Z7"),
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-valid-texts",
        "A valid arguments text is kept, however it is written.",
        ("INT-Z3",),
        source="derived",
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-names",
        "Id, type and name are kept, whatever strings they are.",
        ("INT-Z4",),
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-any-object",
        "Any object is sanitised without an error, and once is enough.",
        ("INT-Z5",),
        source="derived",
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-other-values",
        "Arguments that are no object, or the text of none, become {}.",
        ("INT-Z6",),
        source="derived",
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-lenient-json",
        "Text that standard parsers refuse is not kept, and two values become {}.",
        ("INT-Z7",),
        source="derived",
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-repairs",
        "Text that standard parsers refuse becomes {}, and is not repaired.",
        ("INT-Z7",),
        "should",
        "settled",
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-raw-input",
        "The raw input of a custom call is left alone.",
        ("INT-Z8",),
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-items",
        "Items of the Responses format are sanitised as chat calls are.",
        ("INT-Z9",),
        source="derived",
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-nesting",
        "Arguments nested to any depth are kept or become {}.",
        ("INT-Z10",),
        source="derived",
        ops=SANITISE,
    ),
    Check(
        GROWTH,
        "The time that sanitising takes grows as the text does.",
        ("INT-Z10",),
        "should",
        "derived",
        "fuzz",
        {"ops": list(SANITISE)},
    ),
    fuzz_check(
        "sanitise-duplicate-keys",
        "Valid arguments with a key twice are kept.",
        ("INT-Z11",),
        "should",
        "derived",
        ops=SANITISE,
    ),
    fuzz_check(
        "sanitise-other-types",
        "An object whose type is no call's is returned as it is.",
        ("INT-Z12",),
        source="derived",
        ops=SANITISE,
    ),
)
