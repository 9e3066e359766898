"""The fuzz properties of host-v1, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Check
from wireproof.protocols.host_v1._sequences import CLAUSES, TOOLS

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "host-v1/fuzz/"


def _check(
    name: str, title: str, clauses: tuple[str, ...], level: Level, *tools: str
) -> Check:
    return Check(
        f"{PREFIX}{name}",
        title,
        clauses,
        level,
        "derived",
        "fuzz",
        {
            "joined": ["two"],
            **({"tools": list(tools)} if tools else {"answers": ["unknown_tool"]}),
        },
    )


FUZZ_CHECKS: tuple[Check, ...] = (
    _check(
        "cuts",
        "Requests are answered however their bytes are cut and joined.",
        ("HV1-T4",),
        "must",
    ),
    _check(
        "spellings",
        "Requests are answered however their JSON text is written.",
        ("HV1-T4",),
        "must",
    ),
    _check(
        "blank-lines",
        "Blank lines, CRLF line ends and carriage returns between tokens change "
        "nothing.",
        ("HV1-T6",),
        "should",
    ),
    _check(
        "bad-lines",
        "Requests among lines that are no requests are answered.",
        ("HV1-T7",),
        "should",
    ),
    _check(
        "bad-bytes",
        "Requests among lines that are not UTF-8 or hold NUL are answered.",
        ("HV1-T13",),
        "should",
    ),
    _check(
        "half-pairs",
        "A host survives half of a surrogate pair wherever it may stand, at two places "
        "at a time.",
        ("HV1-T13",),
        "should",
        *("conformance_counter", "conformance_echo", "conformance_fail"),
        *("conformance_print", "conformance_stream", "conformance_throw"),
    ),
    _check(
        "deep-nesting",
        "Requests among deeply nested lines are answered.",
        ("HV1-T14",),
        "should",
    ),
    _check(
        "request-ids",
        "A response has the id of its request, whatever string that is.",
        ("HV1-M2",),
        "must",
    ),
    _check(
        "values",
        "JSON values come back from a tool as they were.",
        ("HV1-M10",),
        "must",
        "conformance_echo",
    ),
    _check(
        "places",
        "Values survive wherever they may stand, at two places at a time.",
        (
            *("HV1-M8", "HV1-M10", "HV1-M11", "HV1-E4", "HV1-R6", "HV1-R7", "HV1-R8"),
            *("HV1-R11", "HV1-E3"),
        ),
        "must",
        "conformance_echo",
        "conformance_stream",
        "conformance_fail",
        "conformance_throw",
        "conformance_counter",
    ),
    _check(
        "should-places",
        "Values change nothing where a host should not mind them, at two places at a "
        "time.",
        ("HV1-T7", "HV1-T8", "HV1-M7", "HV1-M9", "HV1-M12", "HV1-R9"),
        "should",
        "conformance_counter",
        "conformance_echo",
    ),
    _check(
        "sequences",
        "Sequences of calls, one after the other or all at once, are answered as the "
        "toolset says.",
        (*CLAUSES, "HV1-M10"),
        "must",
        *TOOLS,
    ),
    _check(
        "replays",
        "Older states, ids that were used before and a second init are taken as if "
        "nothing had come between.",
        ("HV1-R10", "HV1-R13", "HV1-M14"),
        "should",
        *TOOLS,
    ),
)
