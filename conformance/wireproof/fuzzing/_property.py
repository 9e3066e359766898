"""Run one fuzz property against a subject."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from wireproof.checks import VectorDefect, Verdict
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
from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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

    def attempt(self, check: Check, steps: Sequence[Mapping[str, Any]]) -> Attempt:
        """Carry out steps and judge what comes of them."""
        ...


def run_property(
    suite: FuzzedSuite,
    check: Check,
    protocol: str,
    strategy: SearchStrategy[Example],
    *,
    kind: str = "exchange",
    ahead: Sequence[Drawn] = (),
) -> Result:
    """Draw examples of a property and judge the smallest that fails.

    Args:
        suite: The suite, bound to its subject.
        check: The property.
        protocol: The protocol's name.
        strategy: Where examples are drawn from.
        kind: The kind of vector that a failing example is saved as; of operations only
            the step that fails is kept, and those whose values it uses.
        ahead: As of `fuzz`.
    """
    settings, patience = suite.settings, suite.patience
    monitors: list[Deviation] = []
    last: list[Result] = []
    counted: Counter[str] = Counter()

    def run(steps: list[Step]) -> Attempt:
        attempt = suite.attempt(check, steps)
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
    if kind == "operation":
        fuzzed = _narrowed(suite, check, fuzzed)
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


def _narrowed(suite: FuzzedSuite, check: Check, fuzzed: Fuzzed) -> Fuzzed:
    """Leave only the step that fails and those that it rests on, if it fails alone."""
    if fuzzed.failed is None or fuzzed.failed.step is None:
        return fuzzed
    alone = _with_its_sources(fuzzed.steps, fuzzed.failed.step)
    try:
        again = suite.attempt(check, alone)
    except VectorDefect:
        # What it uses rests on other steps in its turn.
        return fuzzed
    if again.result.verdict not in BAD:
        return fuzzed
    return replace(fuzzed, failed=again, steps=alone)


def _with_its_sources(steps: Sequence[Step], index: int) -> list[Step]:
    """Return a step with those before it that save what it uses."""
    first = index
    while first and "save" in steps[first - 1] and "save" not in steps[first]:
        first -= 1
    kept = list(steps[first : index + 1])
    used = {name for step in kept for name in _named(step, "$use")}
    sources = [one for one in steps[:first] if used.intersection(_named(one, "$save"))]
    return [*sources, *kept]


def _named(value: Any, form: str) -> Iterator[str]:
    """Yield the names that a form has, wherever it stands in a step."""
    if is_object(value):
        name = value.get(form)
        if isinstance(name, str):
            yield name
        value = list(value.values())
    if is_array(value):
        for one in value:
            yield from _named(one, form)
