"""Run one fuzz property against a subject."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from wireproof.checks import Verdict
from wireproof.fuzzing._search import (
    BAD,
    LEAST_SHRINK_SECONDS,
    RUN_SHRINK_SECONDS,
    SHRINK_SECONDS,
    Fuzzed,
    Step,
    fuzz,
    save_vector,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from hypothesis.strategies import SearchStrategy

    from wireproof.checks import Attempt, Check, Deviation, Result, Settings
    from wireproof.fuzzing._search import Drawn, Example


class Pace(Protocol):
    """What fuzzing takes from a run and gives to it.

    Attributes:
        shortened: Whether brief waits are enough, since a failure was confirmed.
        shrinking: Seconds that were spent on making examples smaller.
    """

    shortened: bool
    shrinking: float


class FuzzedSuite(Protocol):
    """What is asked of a suite whose properties are fuzzed."""

    settings: Settings

    @property
    def told(self) -> AbstractSet[str]:
        """The clauses that vectors have shown to be broken, in few steps each."""
        ...

    @property
    def patience(self) -> Pace:
        """Whether brief waits are enough, and what making smaller took."""
        ...

    def unmet(self, check: Check) -> Result | None:
        """Begin a check; return its result where it cannot be carried out."""
        ...

    def attempt(
        self, check: Check, steps: Sequence[Mapping[str, Any]], *, begun: bool = False
    ) -> Attempt:
        """Carry out steps and judge what comes of them."""
        ...


def run_property(
    suite: FuzzedSuite,
    check: Check,
    protocol: str,
    strategy: SearchStrategy[Example],
    *,
    kind: str = "exchange",
    narrow: Callable[[Fuzzed], Fuzzed] | None = None,
    ahead: Sequence[Drawn] = (),
) -> Result:
    """Draw examples of a property and judge the smallest that fails.

    Args:
        suite: The suite, bound to its subject.
        check: The property.
        protocol: The protocol's name.
        strategy: Where examples are drawn from.
        kind: The kind of vector that a failing example is saved as.
        narrow: Makes the smallest failing example smaller than Hypothesis can.
        ahead: As of `fuzz`.
    """
    if (result := suite.unmet(check)) is not None:
        return result
    settings, patience = suite.settings, suite.patience
    monitors: list[Deviation] = []
    last: list[Result] = []
    counted: Counter[str] = Counter()

    def run(steps: list[Step]) -> Attempt:
        attempt = suite.attempt(check, steps, begun=not last)
        found = attempt.result
        last[:] = [found]
        monitors.extend(found.monitors)
        counted.update(attempt.counted)
        # A failure that was waited for in full need not be waited for again.
        patience.shortened |= found.verdict in BAD and attempt.about_time
        return attempt

    def shrinking(failed: Attempt) -> float:
        if settings.save_vectors is not None:
            return SHRINK_SECONDS
        found = failed.result
        hidden = found.verdict is Verdict.NOT_TESTABLE
        if hidden or found.clauses[0] in suite.told:
            return LEAST_SHRINK_SECONDS
        return max(LEAST_SHRINK_SECONDS, RUN_SHRINK_SECONDS - patience.shrinking)

    try:
        fuzzed = fuzz(
            strategy,
            run,
            examples=settings.fuzz,
            seed=settings.fuzz_seed,
            prefix=f"fuzz-{check.name}",
            shrinking=shrinking,
            ahead=ahead,
        )
    finally:
        patience.shortened = False
    patience.shrinking += fuzzed.shrinking
    fuzzed = _confirmed(suite, check, fuzzed)
    if narrow is not None:
        fuzzed = narrow(fuzzed)
    evidence: dict[str, Any] = {
        "examples": fuzzed.examples,
        "fuzz_seed": settings.fuzz_seed,
    }
    if fuzzed.failed is None:
        # Thousands of frames went through; those of the last example stand for them.
        evidence |= +counted
        return replace(last[0], evidence=evidence, monitors=tuple(monitors))
    smallest = fuzzed.failed.result
    result = replace(
        smallest,
        evidence={**smallest.evidence, **evidence, "steps": fuzzed.steps},
        monitors=tuple(monitors),
    )
    if settings.save_vectors is not None:
        path = save_vector(
            settings.save_vectors, protocol, kind, check, fuzzed.steps, smallest
        )
        result = replace(result, evidence={**result.evidence, "saved": str(path)})
    return result


def _confirmed(suite: FuzzedSuite, check: Check, fuzzed: Fuzzed) -> Fuzzed:
    """Wait in full for what was missed in a hurry, or go back to the first failure."""
    if fuzzed.failed is None or fuzzed.first is None or not fuzzed.failed.about_time:
        return fuzzed
    again = suite.attempt(check, fuzzed.steps)
    if again.result.verdict in BAD:
        return replace(fuzzed, failed=again)
    failed, steps = fuzzed.first
    return replace(fuzzed, failed=failed, steps=steps)
