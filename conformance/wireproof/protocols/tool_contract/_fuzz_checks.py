"""The fuzz properties of the tool contract."""

from __future__ import annotations

from wireproof.checks import Check

PREFIX = "tool-contract/fuzz/"
"""Begins the id of each."""

CALLS = ("register", "execute_parallel")


def _check(
    name: str,
    title: str,
    *clauses: str,
    source: str = "seed",
    ops: tuple[str, ...] = CALLS,
    steps: tuple[str, ...] = ("return",),
) -> Check:
    needs = {"ops": list(ops), "steps": list(steps)}
    return Check(f"{PREFIX}{name}", title, clauses, "must", source, "fuzz", needs)


FUZZ_CHECKS: tuple[Check, ...] = (
    _check(
        "untrusted-content",
        "Whatever an untrusted tool gives, a reader of tags finds one wrapper.",
        "TOOL-U3",
        source="derived",
    ),
    _check(
        "untrusted-tokens",
        "Whatever an untrusted tool gives, no token of a chat template is left.",
        "TOOL-U2",
        source="settled",
    ),
    _check(
        "untrusted-and-cut",
        "Whatever an untrusted tool gives, and wherever it is cut, a reader of tags "
        "finds one wrapper.",
        "TOOL-U8",
        source="derived",
    ),
    _check(
        "untrusted-attributes",
        "No source and no tool's name breaks out of its attribute.",
        "TOOL-U4",
        source="derived",
        ops=("wrap_untrusted",),
        steps=(),
    ),
    _check(
        "cuts",
        "Whatever a value looks like, it is untouched up to its cap; of a longer one a "
        "beginning is kept, with the marker behind it.",
        "TOOL-B3",
    ),
    _check(
        "budgets",
        "Values of a batch together hold no more than its budget, whatever it is.",
        "TOOL-B1",
    ),
    _check(
        "batches",
        "Each call of a batch has its own outcome, whatever the others come to.",
        "TOOL-X3",
        source="settled",
        steps=("return", "throw"),
    ),
    _check(
        "names",
        "No tool runs or is listed by a name that is not its own.",
        "TOOL-X4",
        source="derived",
        ops=(*CALLS, "definitions"),
    ),
    _check(
        "shown",
        "The model sees values and errors of trusted tools whole.",
        "TOOL-U9",
    ),
    _check(
        "filters",
        "Filters let through what they name, and nothing else.",
        "TOOL-X7",
        ops=("register", "definitions"),
    ),
    _check(
        "values",
        "Values, structured output and errors reach the caller untouched.",
        "TOOL-R4",
    ),
    _check(
        "arguments",
        "Arguments reach the tool, and its reducer, as they came.",
        "TOOL-D5",
        ops=(*CALLS, "register_reducer"),
    ),
    _check(
        "sequences",
        "Whatever turns come to, and whatever is done between them, what comes next is "
        "what it would be without them.",
        *("TOOL-X3", "TOOL-X5", "TOOL-C1", "TOOL-D2", "TOOL-D3", "TOOL-D4"),
        source="settled",
        ops=(*CALLS, "definitions", "register_reducer", "unregister_reducer"),
        steps=("return", "throw", "emit", "return_context"),
    ),
    _check(
        "file-sequences",
        "Whatever turns come to, a stale write is refused and no other, and a dry run "
        "has no effect.",
        *("TOOL-C2", "TOOL-C3", "TOOL-C4", "TOOL-X8", "TOOL-C1"),
        steps=(
            *("return", "throw", "return_context"),
            *("read_file", "write_file", "append_file"),
        ),
    ),
)
