"""One property is fuzzed: what fails is confirmed, made smaller, told and saved."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from wireproof.checks import Attempt, Check, Deviation, Result, Settings, Verdict
from wireproof.fuzzing import Fuzzed, run_property
from wireproof.fuzzing._property import _with_its_sources
from wireproof.run import Waits
from wireproof.run._suite import Pace

pytestmark = pytest.mark.usefixtures("unhurried")

CHECK = Check(
    "interop/fuzz/numbers", "Numbers stay small.", ("INT-S1",), "must", "seed", "fuzz"
)

SEEN = Deviation("HV1-T1", "must", "something else")


@dataclass(frozen=True)
class Numbers:
    numbers: Sequence[int]

    def steps(self, prefix: str) -> list[dict[str, Any]]:
        return [{"n": number} for number in self.numbers]


NUMBERS = st.lists(st.integers(0, 1000), min_size=1, max_size=5).map(Numbers)


def result(verdict: Verdict) -> Result:
    return Result("it", ("INT-S1",), "must", "seed", verdict, "why")


def passed(steps: Sequence[Mapping[str, Any]]) -> Attempt:
    return Attempt(result(Verdict.PASSED))


def small(steps: Sequence[Mapping[str, Any]]) -> Attempt:
    """Judge numbers from 100 on as too large."""
    large = [step["n"] for step in steps if step["n"] >= 100]
    return Attempt(result(Verdict.FAILED if large else Verdict.PASSED))


@dataclass
class Judge:
    """A suite whose subject is a function."""

    settings: Settings
    judge: Callable[[Sequence[Mapping[str, Any]]], Attempt] = small
    patience: Pace = field(default_factory=lambda: Pace(Waits()))
    shortened: list[bool] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    def attempt(self, check: Check, steps: Sequence[Mapping[str, Any]]) -> Attempt:
        self.shortened.append(self.patience.shortened)
        return self.judge(steps)


def run(judge: Judge, **options: Any) -> Result:
    return run_property(judge, CHECK, "interop", NUMBERS, kind="operation", **options)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(tmp_path, fuzz=30, fuzz_seed=5)


def test_a_property_that_holds_passes_with_what_was_tried(settings: Settings) -> None:
    def counting(steps: Sequence[Mapping[str, Any]]) -> Attempt:
        return replace(passed(steps), counted={"operations": 2})

    found = run(Judge(settings, judge=counting))
    assert found.verdict is Verdict.PASSED
    assert found.evidence == {"examples": 30, "fuzz_seed": 5, "operations": 60}


def test_what_did_not_go_through_is_not_told(settings: Settings) -> None:
    def counting(steps: Sequence[Mapping[str, Any]]) -> Attempt:
        return replace(passed(steps), counted={"frames": 0})

    assert run(Judge(settings, judge=counting)).evidence == {
        "examples": 30,
        "fuzz_seed": 5,
    }


def test_the_smallest_failing_example_is_told(settings: Settings) -> None:
    found = run(Judge(settings))
    assert found.verdict is Verdict.FAILED
    assert found.evidence["steps"] == [{"n": 100}]
    assert found.evidence["fuzz_seed"] == 5


def test_waits_stay_full_if_a_failure_is_not_of_time(settings: Settings) -> None:
    judge = Judge(settings)
    run(judge)
    assert not any(judge.shortened)


def test_waits_are_short_once_a_failure_was_waited_for(settings: Settings) -> None:
    def slow(steps: Sequence[Mapping[str, Any]]) -> Attempt:
        return replace(small(steps), about_time=True)

    judge = Judge(settings, judge=slow)
    run(judge)
    first = judge.shortened.index(True)
    assert first > 0
    # What was missed in a hurry is waited for in full at the end.
    assert all(judge.shortened[first:-1])
    assert judge.patience.shortened is False


def test_waits_are_as_before_where_the_suite_fails(settings: Settings) -> None:
    def failing(steps: Sequence[Mapping[str, Any]]) -> Attempt:
        raise OSError("no more files")

    judge = Judge(settings, judge=failing)
    with pytest.raises(OSError, match="no more files"):
        run(judge)
    assert judge.patience.shortened is False


def test_what_was_missed_in_a_hurry_is_waited_for_in_full(settings: Settings) -> None:
    def slow(steps: Sequence[Mapping[str, Any]]) -> Attempt:
        return replace(small(steps), about_time=True)

    judge = Judge(settings, judge=slow)
    found = run(judge)
    assert judge.shortened[-2:] == [True, False]
    assert found.evidence["steps"] == [{"n": 100}]


def test_the_first_failure_counts_where_the_smallest_was_only_slow(
    settings: Settings,
) -> None:
    judge = Judge(settings)

    def slow(steps: Sequence[Mapping[str, Any]]) -> Attempt:
        again = len(judge.shortened) > 1 and judge.shortened[-2:] == [True, False]
        found = passed(steps) if again else small(steps)
        return replace(found, about_time=True)

    judge.judge = slow
    found = run(judge)
    assert found.verdict is Verdict.FAILED
    assert found.evidence["steps"] != [{"n": 100}]


def pointed(steps: Sequence[Mapping[str, Any]]) -> Attempt:
    """Judge the last number if there are two, and name its step."""
    if steps[0].get("n", 0) < 0 or len(steps) > 1:
        failed = result(Verdict.FAILED)
        return Attempt(failed, step=len(steps) - 1)
    return Attempt(
        result(Verdict.FAILED if "n" in steps[0] else Verdict.PASSED), step=0
    )


def test_of_operations_the_step_that_fails_is_kept_alone(settings: Settings) -> None:
    found = run(Judge(settings, judge=pointed))
    assert len(found.evidence["steps"]) == 1


SAVES = {"op": "convert", "expected": [{"$save": "one", "match": {"$type": "object"}}]}
OTHER = {"op": "convert", "expected": [{"$save": "two"}]}
USES = {"op": "convert", "input": {"calls": [{"$use": "one"}]}}


def test_a_step_keeps_the_steps_that_save_what_it_uses() -> None:
    steps: list[dict[str, Any]] = [OTHER, SAVES, OTHER, USES]
    assert _with_its_sources(steps, 3) == [SAVES, USES]


def test_a_step_that_uses_nothing_stands_alone() -> None:
    assert _with_its_sources([SAVES, OTHER, USES], 1) == [OTHER]


def test_what_monitors_saw_in_any_example_is_told(settings: Settings) -> None:
    def seen(steps: Sequence[Mapping[str, Any]]) -> Attempt:
        return Attempt(replace(result(Verdict.PASSED), monitors=(SEEN,)))

    found = run(Judge(replace(settings, fuzz=3), judge=seen))
    assert found.monitors == (SEEN, SEEN, SEEN)


def test_a_failing_example_is_saved(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "found"
    found = run(Judge(replace(settings, save_vectors=folder)))
    path = folder / "interop-fuzz-numbers.json"
    assert found.evidence["saved"] == str(path)
    content = json.loads(path.read_bytes())
    assert (content["protocol"], content["kind"]) == ("interop", "operation")
    assert content["vectors"][0]["steps"] == [{"n": 100}]


@pytest.mark.parametrize(
    ("verdict", "told", "saved_in", "seconds"),
    [
        (Verdict.FAILED, "INT-S2", None, [8.0, 3.0, 0.5]),
        (Verdict.FAILED, "INT-S1", None, [0.5, 0.5, 0.5]),
        (Verdict.NOT_TESTABLE, "INT-S2", None, [0.5, 0.5, 0.5]),
        (Verdict.FAILED, "INT-S1", "found", [15.0, 15.0, 15.0]),
    ],
)
def test_what_is_not_saved_is_made_smaller_in_the_time_of_the_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    verdict: Verdict,
    told: str,
    saved_in: str | None,
    seconds: Sequence[float],
) -> None:
    given: list[float] = []

    def search(*_: Any, shrinking: Callable[[Attempt], float], **__: Any) -> Fuzzed:
        failed = Attempt(result(verdict))
        given.append(shrinking(failed))
        return Fuzzed(1, failed, (), shrinking=5.0)

    monkeypatch.setattr("wireproof.fuzzing._property.fuzz", search)
    monkeypatch.setattr("wireproof.fuzzing._property.RUN_SHRINK_SECONDS", 8.0)
    folder = tmp_path / saved_in if saved_in else None
    suite = Judge(Settings(tmp_path, save_vectors=folder), told={told})
    for _ in range(3):
        run_property(suite, CHECK, "interop", NUMBERS)
    assert given == seconds
