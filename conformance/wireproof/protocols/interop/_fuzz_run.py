"""Fuzz one property of a registry; the growth of time is one of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.fuzzing import BAD, Fuzzed, Step, run_property
from wireproof.protocols.interop._fuzz_checks import GROWTH, PREFIX
from wireproof.protocols.interop._fuzz_plans import STRATEGIES
from wireproof.protocols.interop._growth import run_growth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import Check, Result
    from wireproof.protocols.interop._suite import InteropSuite


def run_fuzz(suite: InteropSuite, check: Check) -> Result:
    """Fuzz one property.

    Args:
        suite: The suite, bound to its registry.
        check: The property; ``unmet`` has found nothing that is in its way.
    """
    if check.id == GROWTH:
        return run_growth(suite, check)

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
        suite,
        check,
        "interop",
        STRATEGIES[check.id.removeprefix(PREFIX)],
        kind="operation",
        narrow=narrow,
    )


def _with_its_source(steps: Sequence[Step], index: int) -> list[Step]:
    first = index
    while first and "save" in steps[first - 1] and "save" not in steps[first]:
        first -= 1
    return list(steps[first : index + 1])
