"""Bring together what several processes found about one subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import Verdict, worst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import SubjectFacts
    from wireproof.reporting._records import Record


def merge_facts(found: Sequence[SubjectFacts]) -> SubjectFacts | None:
    """Merge facts: the fullest level that was seen, all starts together."""
    if not found:
        return None
    best = min(found, key=lambda facts: len(facts.missing_tools))
    return replace(
        best,
        starts=sum(facts.starts for facts in found),
        latency_ms=max(facts.latency_ms for facts in found),
    )


def merge_monitors(found: Sequence[Sequence[Record]]) -> list[Record]:
    """Merge the results of monitors: for each the worst verdict, frames added up.

    A monitor that saw nothing in one process does not weigh against one that did.
    """
    by_id: dict[str, list[Record]] = {}
    for records in found:
        for record in records:
            by_id.setdefault(record["id"], []).append(record)
    return [_merge(records) for records in by_id.values()]


def _merge(records: list[Record]) -> Record:
    verdict = worst(Verdict(record["verdict"]) for record in records)
    chosen = next(record for record in records if record["verdict"] == verdict.value)
    frames = sum(record["evidence"].get("frames", 0) for record in records)
    if "frames" not in chosen["evidence"]:
        return chosen
    return {**chosen, "evidence": {**chosen["evidence"], "frames": frames}}
