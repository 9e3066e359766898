"""Bring together what several processes found about one subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.checks import worst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import Result, SubjectFacts


def merge_facts(found: Sequence[SubjectFacts]) -> SubjectFacts | None:
    """Merge facts: the fullest level that was seen, all starts together."""
    if not found:
        return None
    best = min(found, key=lambda facts: len(facts.missing_tools))
    return replace(
        best,
        starts=sum(facts.starts for facts in found),
        latency_ms=max(facts.latency_ms for facts in found),
        tools_started=sum(facts.tools_started for facts in found),
    )


def merge_monitors(found: Sequence[Sequence[Result]]) -> list[Result]:
    """Merge the results of monitors: for each the worst verdict, frames added up.

    A monitor that saw nothing in one process does not weigh against one that did.
    """
    by_id: dict[str, list[Result]] = {}
    for results in found:
        for result in results:
            by_id.setdefault(result.id, []).append(result)
    return [_merge(results) for results in by_id.values()]


def _merge(results: list[Result]) -> Result:
    verdict = worst(result.verdict for result in results)
    chosen = next(result for result in results if result.verdict is verdict)
    frames = sum(result.evidence.get("frames", 0) for result in results)
    if "frames" not in chosen.evidence:
        return chosen
    return replace(chosen, evidence={**chosen.evidence, "frames": frames})
