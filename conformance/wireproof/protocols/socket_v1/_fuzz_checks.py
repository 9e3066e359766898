"""The fuzz properties of socket-v1, by name: what each tries and what it needs.

Kept apart from the strategies so that listing checks does not import Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import Check
from wireproof.protocols.socket_v1._sequences import CLAUSES, TOOLS

if TYPE_CHECKING:
    from wireproof.checks import Level

PREFIX = "socket-v1/fuzz/"


def _check(
    name: str,
    title: str,
    clauses: tuple[str, ...],
    level: Level,
    *tools: str,
    explains: tuple[str, ...] = (),
) -> Check:
    return Check(
        f"{PREFIX}{name}",
        title,
        clauses,
        level,
        "derived",
        "fuzz",
        {"tools": list(tools)} if tools else {},
        explains=explains,
    )


FUZZ_CHECKS: tuple[Check, ...] = (
    _check(
        "cuts",
        "Frames are served however their bytes are cut and joined, on several "
        "connections by turns too.",
        ("SOCK-F2",),
        "must",
    ),
    _check(
        "blank-lines",
        "Blank lines and CRLF line ends between frames change nothing.",
        ("SOCK-F3",),
        "should",
    ),
    _check(
        "bad-lines",
        "Lines that are not JSON get an error each, and the frames among them are "
        "served.",
        ("SOCK-F4",),
        "must",
    ),
    _check(
        "bad-messages",
        "JSON that is no message gets an error each, and the frames among it are "
        "served.",
        ("SOCK-M5",),
        "must",
        explains=("SOCK-M1",),
    ),
    _check(
        "bad-bytes",
        "Lines that are not UTF-8 get an error each, and the frames among them are "
        "served.",
        ("SOCK-F7",),
        "should",
    ),
    _check(
        "deep-nesting",
        "Deeply nested lines are answered or refused, and the server lives.",
        ("SOCK-C1",),
        "must",
    ),
    _check(
        "request-ids",
        "A result has the id of its call, whatever string that is.",
        ("SOCK-C1",),
        "must",
    ),
    _check(
        "values",
        "JSON values come back from a tool as they were.",
        ("SOCK-C11",),
        "must",
        "conformance_echo",
    ),
    _check(
        "places",
        "Values survive wherever they may stand, at two places at a time.",
        (
            "SOCK-M2",
            "SOCK-M5",
            "SOCK-C1",
            "SOCK-C4",
            "SOCK-C5",
            "SOCK-C6",
            "SOCK-C11",
            "SOCK-C14",
            "SOCK-X1",
            "SOCK-X3",
            "SOCK-X6",
            "SOCK-I2",
        ),
        "must",
        "conformance_context",
        "conformance_counter",
        "conformance_echo",
        "conformance_envelope",
        "conformance_fail",
        "conformance_sleep",
        "conformance_stream",
        "conformance_throw",
        "conformance_wait",
    ),
    _check(
        "should-places",
        "Values change nothing where a server should not mind them, at two places at "
        "a time.",
        ("SOCK-M2", "SOCK-M5", "SOCK-M6", "SOCK-M7", "SOCK-I3"),
        "should",
        "conformance_context",
    ),
    _check(
        "sequences",
        "Sequences of calls on several connections, one after the other or all at "
        "once, are answered as the toolset says.",
        (*CLAUSES, "SOCK-C11"),
        "must",
        *TOOLS,
    ),
    _check(
        "same-ids",
        "Calls with the same ids on several connections get each their own answers.",
        ("SOCK-C9",),
        "must",
        *TOOLS,
    ),
    _check(
        "cancels",
        "Cancels end the calls that they name, and no other.",
        (
            *("SOCK-X3", "SOCK-X1", "SOCK-X2", "SOCK-X4", "SOCK-X5"),
            *("SOCK-C1", "SOCK-C2", "SOCK-C12"),
        ),
        "must",
        "conformance_echo",
        "conformance_sleep",
        "conformance_stream",
        "conformance_wait",
    ),
)
