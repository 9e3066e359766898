"""Run one fuzz property against a subject of a line protocol."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof._fuzzing import BAD, Fuzzed, Step, fuzz, save_vector

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypothesis.strategies import SearchStrategy

    from wireproof._fuzzing import Example
    from wireproof._line_suite import LineSuite
    from wireproof._suite import Check
    from wireproof._verdicts import Deviation, Result


def run_property(
    suite: LineSuite[Any],
    check: Check,
    protocol: str,
    strategy: SearchStrategy[Example],
) -> Result:
    """Draw examples of a property and judge the smallest that fails.

    Args:
        suite: The suite, bound to its subject.
        check: The property.
        protocol: The protocol's name.
        strategy: Where examples are drawn from.
    """
    if (result := suite.unmet(check)) is not None:
        return result
    settings = suite.settings
    name = check.id.rpartition("/")[2]
    monitors: list[Deviation] = []
    last: list[Result] = []
    frames = 0

    def run(steps: list[Step]) -> Result:
        nonlocal frames
        found = suite.attempt(check, steps, begun=not last)
        last[:] = [found]
        monitors.extend(found.monitors)
        frames += _frames(found.evidence)
        # A failure that was waited for in full need not be waited for again.
        suite.session.patience.hurried |= found.verdict in BAD
        return found

    try:
        fuzzed = fuzz(
            strategy,
            run,
            examples=settings.fuzz,
            seed=settings.fuzz_seed,
            prefix=f"fuzz-{name}",
            latency=suite.session.patience.quickest,
        )
    finally:
        suite.session.patience.hurried = False
    fuzzed = _confirmed(suite, check, fuzzed)
    evidence: dict[str, Any] = {
        "examples": fuzzed.examples,
        "fuzz_seed": settings.fuzz_seed,
    }
    if fuzzed.result is None:
        # Thousands of frames went through; those of the last example stand for them.
        return replace(
            last[0], evidence={**evidence, "frames": frames}, monitors=tuple(monitors)
        )
    result = replace(
        fuzzed.result,
        evidence={**fuzzed.result.evidence, **evidence, "steps": fuzzed.steps},
        monitors=tuple(monitors),
    )
    if settings.save_vectors is not None:
        path = save_vector(
            settings.save_vectors, protocol, check, fuzzed.steps, fuzzed.result
        )
        result = replace(result, evidence={**result.evidence, "saved": str(path)})
    return result


def _confirmed(suite: LineSuite[Any], check: Check, fuzzed: Fuzzed) -> Fuzzed:
    """Wait in full for what was missed in a hurry, or go back to the first failure."""
    if fuzzed.result is None or fuzzed.first is None:
        return fuzzed
    if not fuzzed.result.evidence.get("about_time"):
        return fuzzed
    again = suite.attempt(check, fuzzed.steps)
    if again.verdict in BAD:
        return replace(fuzzed, result=again)
    result, steps = fuzzed.first
    return replace(fuzzed, result=result, steps=steps)


def _frames(evidence: Mapping[str, Any]) -> int:
    found: int = evidence.get("frames", 0)
    return found
