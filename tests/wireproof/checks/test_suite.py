from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from wireproof.checks import (
    Check,
    Result,
    Settings,
    SubjectFacts,
    Suite,
    Target,
    Transcript,
    Verdict,
)


class Tried(Suite):
    """A suite whose checks all come to one verdict, charged to another clause."""

    verdict = Verdict.FAILED

    @property
    def transcript(self) -> Transcript:
        raise NotImplementedError

    def carry_out(self, check: Check) -> Result:
        return Result(check.id, ("X-2", "X-1"), "must", "seed", self.verdict)

    def discard(self) -> None:
        raise NotImplementedError

    def finish(self) -> list[Result]:
        raise NotImplementedError

    def facts(self) -> SubjectFacts:
        raise NotImplementedError


@pytest.fixture
def tried(tmp_path: Path) -> Tried:
    return Tried(Target("x", "x", ("x",), "x"), Settings(tmp_path), ())


@pytest.mark.parametrize(
    ("kind", "verdict", "told"),
    [
        ("vector", Verdict.FAILED, {"X-2"}),
        ("vector", Verdict.WARNED, {"X-2"}),
        ("vector", Verdict.NOT_TESTABLE, set[str]()),
        ("vector", Verdict.PASSED, set[str]()),
        ("fuzz", Verdict.FAILED, set[str]()),
    ],
)
def test_the_clauses_that_vectors_show_to_be_broken_are_kept(
    tried: Tried, kind: Literal["vector", "fuzz"], verdict: Verdict, told: set[str]
) -> None:
    tried.verdict = verdict
    tried.run(Check("x/a", "It holds.", ("X-1",), "must", "seed", kind))
    assert tried.told == told
