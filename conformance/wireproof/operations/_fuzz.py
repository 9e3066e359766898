"""Fuzz one property of a bridged subject.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.fuzzing import BAD, Fuzzed, Step, run_property
from wireproof.operations._needs import named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

    from wireproof.checks import Check, Result
    from wireproof.fuzzing import Example, FuzzedSuite


def fuzz_operations(
    suite: FuzzedSuite, check: Check, protocol: str, strategy: SearchStrategy[Example]
) -> Result:
    """Draw examples of a property, each a list of steps, and judge them.

    Args:
        suite: The suite, bound to its subject.
        check: The property.
        protocol: The protocol's name.
        strategy: Where examples are drawn from.
    """

    def narrow(fuzzed: Fuzzed) -> Fuzzed:
        """Leave only the step that fails, and the one that it rests on."""
        if fuzzed.failed is None or fuzzed.failed.step is None:
            return fuzzed
        alone = _with_its_source(fuzzed.steps, fuzzed.failed.step)
        again = suite.attempt(check, alone)
        if again.result.verdict not in BAD:
            return fuzzed
        return replace(fuzzed, failed=again, steps=alone)

    return run_property(
        suite, check, protocol, strategy, kind="operation", narrow=narrow
    )


def _with_its_source(steps: Sequence[Step], index: int) -> list[Step]:
    """Return a step with those before it that save what it uses."""
    first = index
    while first and "save" in steps[first - 1] and "save" not in steps[first]:
        first -= 1
    kept = list(steps[first : index + 1])
    used = {name for step in kept for name in named(step, "$use")}
    sources = [one for one in steps[:first] if used.intersection(named(one, "$save"))]
    return [*sources, *kept]
