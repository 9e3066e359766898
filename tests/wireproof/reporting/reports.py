"""Reports that the tests of several kinds of report are made with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from wireproof.checks import (
    ClauseText,
    Deviation,
    Difference,
    Entry,
    Result,
    SubjectFacts,
    Verdict,
)
from wireproof.reporting import Report, SubjectReport

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)> `code` | **bold** "
    "\u202eright to left\u202c \u2028 \x1b[31mred\x1b[0m \x00 @somebody\n"
    "::error::forged"
)
"""What acts on a page, a terminal, a table or a log that takes it as it is."""

CATALOGUE = (
    ClauseText("HV1-M1", "must", "seed", "`v` is the integer 1 in every message."),
    ClauseText("HV1-M2", "must", "seed", "the response's `id` equals its request's."),
    ClauseText("HV1-T6", "should", "settled", "blank lines are ignored."),
)

HELD = Result(
    "host-v1/messages/version",
    ("HV1-M1",),
    "must",
    "seed",
    Verdict.PASSED,
    evidence={"frames": 2},
    duration_s=0.002,
    entries=(
        Entry(0.0, "sent", b'{"v":1,"id":"1","method":"init"}\n', 33),
        Entry(0.0015, "received", b'{"v":1,"id":"1","ok":true}\n', 27),
    ),
    title="Every response has v 1.",
)

BROKEN = Result(
    "host-v1/request-ids/one-space",
    ("HV1-M2",),
    "must",
    "seed",
    Verdict.FAILED,
    f"the response's id is {HOSTILE!r}",
    {"frames": 1},
    0.25,
    entries=(
        Entry(0.0, "sent", b'{"v":1,"id":" ","method":"x"}\n', 30),
        Entry(0.0125, "received", HOSTILE.encode(), len(HOSTILE.encode())),
        Entry(0.013, "stderr", b"\xff\xfe Traceback\n", 13),
    ),
    differences=(Difference("/id", " ", HOSTILE),),
    stderr=HOSTILE,
    reproduce="printf '{}\\n' | ./host",
    title="A single space comes back as the id.",
    monitors=(Deviation("HV1-T6", "should", "a blank line", HOSTILE),),
)

HIDDEN = Result(
    "host-v1/messages/after",
    ("HV1-M1",),
    "must",
    "seed",
    Verdict.NOT_TESTABLE,
    "not testable because of HV1-M2",
    because="HV1-M2",
    title="It answers afterwards.",
)

WATCHED = Result(
    "host-v1/monitor/HV1-T6",
    ("HV1-T6",),
    "should",
    "settled",
    Verdict.WARNED,
    "a blank line",
    {"frame": "\n"},
    title="Blank lines.",
    by_monitor=True,
    first_in="host-v1/request-ids/one-space",
)


def subject_of(
    name: str,
    results: Sequence[Result],
    *,
    ran: int | None = None,
    available: int | None = None,
    protocol: str = "host-v1",
) -> SubjectReport:
    """Return what is known of a subject; all checks were run unless it is said."""
    checks = sum(not one.by_monitor for one in results)
    ran = checks if ran is None else ran
    return SubjectReport(
        protocol,
        name,
        name,
        SubjectFacts("wire", 2, 5, ("conformance_echo",), 7, 0.5),
        results,
        CATALOGUE,
        ran,
        ran if available is None else available,
    )


def report_of(*subjects: SubjectReport) -> Report:
    """Return the report of a run that tried these subjects."""
    return Report(
        subjects,
        datetime(2025, 3, 1, 11, 30, tzinfo=UTC),
        1.5,
        suite_version="0.1.0",
        vectors_sha256="0" * 64,
        platform={"system": "Linux"},
    )


GOOD = subject_of("./good", [HELD])
BAD = subject_of("./bad", [HELD, BROKEN, HIDDEN, WATCHED])
