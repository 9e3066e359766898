"""Results as plain data: for the JSON report, and for the way between processes."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    Deviation,
    Difference,
    Entry,
    Result,
    TranscriptEntry,
    Verdict,
    Words,
)
from wireproof.patterns import in_lines
from wireproof.reporting._escape import writable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.report import Cause

WIDTH = 84
"""Columns from which on a value is spread over several lines."""

VALUE_KEPT = 2_000
"""Characters kept of an expected or actual value."""

Record = dict[str, Any]
"""One result in the shape of the report, keys of our own included."""


def to_record(result: Result) -> Record:
    """Return a result in the shape in which the JSON report holds it.

    Keys beside those of the report's contract: ``title``, ``because``, ``monitors``,
    ``by_monitor``, ``first_in``, ``ended``, ``place``, ``prelude`` and ``key``; absent
    where they say nothing.
    """
    record: Record = {
        "id": result.id,
        "clauses": list(result.clauses),
        "level": result.level,
        "source": result.source,
        "verdict": result.verdict.value,
        "evidence": dict(result.evidence),
        "duration_ms": round(result.duration_s * 1000, 3),
        "transcript": [entry.as_json() for entry in result.entries],
        "title": result.title,
    }
    if result.reason:
        record["reason"] = writable(result.reason)
    if result.reproduce:
        record["reproduce"] = result.reproduce
    if result.stderr:
        record["stderr"] = result.stderr
    if result.because:
        record["because"] = result.because
    if result.prelude:
        record["prelude"] = result.prelude
    if result.by_monitor:
        record["by_monitor"] = True
    if result.first_in:
        record["first_in"] = result.first_in
    if result.ended:
        record["ended"] = result.ended
    if result.place:
        record["place"] = result.place
    if result.key:
        record["key"] = list(result.key)
    if result.monitors:
        record["monitors"] = [deviation_record(found) for found in result.monitors]
    if result.differences:
        record["differences"] = [
            {
                "where": one.where,
                "expected": _as_text(one.expected),
                "actual": _as_text(one.actual),
            }
            for one in result.differences
        ]
    return record


def deviation_record(found: Deviation) -> Record:
    """Return what a monitor saw in the shape in which the JSON report holds it."""
    return {
        "clause": found.clause,
        "level": found.level,
        "text": writable(found.text),
        "evidence": found.evidence,
    }


def cause_record(cause: Cause) -> Record:
    """Return a cause in the shape in which the JSON report holds it."""
    record: Record = {
        "clauses": list(cause.clauses),
        "verdict": cause.verdict.value,
        "text": writable(cause.text),
        "results": [one.id for one in cause.results],
    }
    if cause.raised is not None and cause.raised.where:
        record["raised_at"] = writable(cause.raised.where)
    if cause.untried:
        record["untried"] = [one.id for one in cause.untried]
    if cause.under:
        record["under"] = [cause_record(one) for one in cause.under]
    return record


def _as_text(value: Any) -> str:
    """Return a value as it is shown, strings in quotes and words of ours without."""
    text = writable("\n".join(in_lines(value, WIDTH)))
    return text if len(text) <= VALUE_KEPT else f"{text[:VALUE_KEPT]}…"


def _entry(found: TranscriptEntry) -> Entry:
    if (packed := found.get("bytes")) is not None:
        data = b64decode(packed)
    else:
        data = found["data"].encode(errors="backslashreplace")
    return Entry(
        found["t_ms"] / 1000,
        found["dir"],
        data,
        len(data),
        found.get("own", False),
        found.get("left_out", 0),
    )


def from_record(record: Mapping[str, Any]) -> Result:
    """Return the result that a record was made of, without what only displays need."""
    return Result(
        record["id"],
        tuple(record["clauses"]),
        record["level"],
        record["source"],
        Verdict(record["verdict"]),
        record.get("reason", ""),
        record["evidence"],
        record["duration_ms"] / 1000,
        entries=tuple(map(_entry, record["transcript"])),
        prelude=record.get("prelude", 0),
        differences=tuple(
            Difference(one["where"], Words(one["expected"]), Words(one["actual"]))
            for one in record.get("differences", ())
        ),
        stderr=record.get("stderr", ""),
        reproduce=record.get("reproduce"),
        title=record.get("title", ""),
        because=record.get("because"),
        monitors=tuple(
            Deviation(found["clause"], found["level"], found["text"], found["evidence"])
            for found in record.get("monitors", ())
        ),
        by_monitor=record.get("by_monitor", False),
        first_in=record.get("first_in"),
        ended=record.get("ended"),
        place=record.get("place", 0),
        key=tuple(record.get("key", ())),
    )
