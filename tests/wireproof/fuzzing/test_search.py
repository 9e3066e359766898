"""Drawing examples: seeded, made smaller, limited, and saved as vectors."""

import importlib
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import strategies as st

from wireproof.checks import Attempt, Check, Result, Verdict
from wireproof.fuzzing._search import SHRINK_RUNS, drawn, fuzz, save_vector
from wireproof_vectors import load_vector_file

CHECK = Check(
    "host-v1/fuzz/values",
    "Values come back.",
    ("HV1-M10",),
    "must",
    "derived",
    "fuzz",
    {"joined": ["two"], "tools": ["conformance_echo"]},
)


@dataclass(frozen=True)
class Numbers:
    """An example that sends numbers."""

    numbers: tuple[int, ...]

    def steps(self, prefix: str) -> list[dict[str, Any]]:
        return [
            {"send": {"v": 1, "id": prefix, "method": "m", "params": {"n": number}}}
            for number in self.numbers
        ]


NUMBERS = st.lists(st.integers(0, 1000), max_size=8).map(
    lambda drawn: Numbers(tuple(drawn))
)


def sent(steps: list[dict[str, Any]]) -> list[int]:
    return [step["send"]["params"]["n"] for step in steps]


def result(verdict: Verdict) -> Result:
    return Result(CHECK.id, CHECK.clauses, "must", "derived", verdict, "a reason")


def attempt(verdict: Verdict) -> Attempt:
    return Attempt(result(verdict))


def passing(steps: list[dict[str, Any]]) -> Attempt:
    return attempt(Verdict.PASSED)


@pytest.mark.usefixtures("unhurried")
def test_the_same_seed_draws_the_same_examples() -> None:
    first: list[list[int]] = []
    second: list[list[int]] = []
    for seen in (first, second):

        def run(steps: list[dict[str, Any]], seen: list[list[int]] = seen) -> Attempt:
            seen.append(sent(steps))
            return attempt(Verdict.PASSED)

        fuzz(NUMBERS, run, examples=20, seed=7)
    assert first == second
    assert len({tuple(numbers) for numbers in first}) > 10


@dataclass(frozen=True)
class Cut(Numbers):
    """One whose ids lie in two pieces."""

    def steps(self, prefix: str) -> list[dict[str, Any]]:
        text = f"{prefix}{self.numbers}"
        return [{"send_raw": [{"text": text[:6]}, {"text": text[6:]}]}]


@pytest.mark.usefixtures("unhurried")
def test_an_example_that_fails_once_is_known_by_whatever_id_it_comes_again() -> None:
    failed: list[list[dict[str, Any]]] = []

    def run(steps: list[dict[str, Any]]) -> Attempt:
        if failed:
            return attempt(Verdict.PASSED)
        failed.append(steps)
        return attempt(Verdict.FAILED)

    one = NUMBERS.map(lambda drawn: Cut(drawn.numbers))
    fuzzed = fuzz(one, run, examples=20, seed=7, prefix="fuzz-it")
    assert fuzzed.failed is not None
    assert fuzzed.steps == failed[0]


@pytest.mark.usefixtures("unhurried")
def test_a_seed_draws_the_same_beside_any_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = st.lists(st.integers(0, 10**12), max_size=8).map(
        lambda drawn: Numbers(tuple(drawn))
    )
    constants = list(range(500_000_000_000, 500_000_000_400))
    drawn: list[list[int]] = []

    def run(steps: list[dict[str, Any]]) -> Attempt:
        drawn.append(sent(steps))
        return attempt(Verdict.PASSED)

    fuzz(wide, run, examples=100, seed=7)
    alone, drawn = drawn, []
    # Hypothesis takes a module for the project's own by where it lies.
    (tmp_path / "of_a_project.py").write_text(f"VALUES = {constants}")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    module = importlib.import_module("of_a_project")
    try:
        assert len(module.VALUES) == len(constants)
        fuzz(wide, run, examples=100, seed=7)
    finally:
        del sys.modules["of_a_project"]
    assert drawn == alone


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize(
    ("name", "value"),
    [("PROVIDERS", "hypothesis.no_such"), ("COLLECTS", "_no"), ("NONE", "_no")],
)
def test_a_version_of_hypothesis_that_has_none_of_it_fuzzes_too(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setattr(f"wireproof.fuzzing._constants.{name}", value)
    assert fuzz(NUMBERS, passing, examples=20, seed=7).examples == 20


@pytest.mark.usefixtures("unhurried")
def test_other_seeds_draw_other_examples() -> None:
    drawn: list[list[int]] = []

    def run(steps: list[dict[str, Any]]) -> Attempt:
        drawn.append(sent(steps))
        return attempt(Verdict.PASSED)

    fuzz(NUMBERS, run, examples=20, seed=1)
    once = list(drawn)
    drawn.clear()
    fuzz(NUMBERS, run, examples=20, seed=2)
    assert once != drawn


@pytest.mark.usefixtures("unhurried")
def test_without_a_failure_every_example_is_run() -> None:
    fuzzed = fuzz(NUMBERS, passing, examples=15, seed=3)
    assert fuzzed.failed is None
    assert 10 <= fuzzed.examples <= 15


@pytest.mark.parametrize(("seconds", "examples"), [(0.0625, 321), (0.5, 7)])
def test_on_a_slow_subject_fewer_examples_are_run(
    monkeypatch: pytest.MonkeyPatch, seconds: float, examples: int
) -> None:
    runs: list[list[int]] = []
    clock = SimpleNamespace(monotonic=lambda: len(runs) * seconds)
    monkeypatch.setattr("wireproof.fuzzing._search.time", clock)

    def run(steps: list[dict[str, Any]]) -> Attempt:
        runs.append(sent(steps))
        return attempt(Verdict.PASSED)

    fuzzed = fuzz(NUMBERS, run, examples=500, seed=3)
    assert fuzzed.examples == examples


def test_one_example_is_run_however_long_it_took_to_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late = SimpleNamespace(monotonic=iter([0.0, 500.0, 500.0, 500.0]).__next__)
    monkeypatch.setattr("wireproof.fuzzing._search.time", late)

    assert fuzz(NUMBERS, passing, examples=20, seed=1).examples == 1


def test_a_failure_is_made_as_small_as_it_gets() -> None:
    def run(steps: list[dict[str, Any]]) -> Attempt:
        broken = any(number >= 100 for number in sent(steps))
        return attempt(Verdict.FAILED if broken else Verdict.PASSED)

    fuzzed = fuzz(NUMBERS, run, examples=50, seed=4)
    assert fuzzed.failed is not None
    assert fuzzed.failed.result.verdict is Verdict.FAILED
    assert sent(list(fuzzed.steps)) == [100]


def test_what_only_comes_too_late_is_no_smaller_example_of_another_failure() -> None:
    failed: list[bool] = []

    def run(steps: list[dict[str, Any]]) -> Attempt:
        if any(number >= 100 for number in sent(steps)):
            failed.append(True)
            return attempt(Verdict.FAILED)
        # Waits are short once it has failed, and the machine is busy.
        found = attempt(Verdict.FAILED if failed else Verdict.PASSED)
        return replace(found, about_time=True)

    fuzzed = fuzz(NUMBERS, run, examples=50, seed=4)
    assert sent(list(fuzzed.steps)) == [100]


NOTHING = st.nothing()
"""What no example can be drawn from."""


@pytest.mark.usefixtures("unhurried")
def test_what_was_drawn_ahead_is_tried_and_not_drawn_again() -> None:
    seen: list[list[int]] = []

    def run(steps: list[dict[str, Any]]) -> Attempt:
        seen.append(sent(steps))
        return attempt(Verdict.PASSED)

    fuzz(NUMBERS, run, examples=20, seed=7)
    by_itself, seen = seen, []
    ahead = drawn(NUMBERS, 20, 7)
    fuzzed = fuzz(NOTHING, run, examples=20, seed=7, ahead=ahead)
    assert fuzzed.examples == 20
    assert fuzzed.failed is None
    assert seen == by_itself


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("least", [0, 100, 990])
def test_what_fails_ahead_is_made_as_small_as_without(least: int) -> None:
    def run(steps: list[dict[str, Any]]) -> Attempt:
        broken = any(number >= least for number in sent(steps))
        return attempt(Verdict.FAILED if broken else Verdict.PASSED)

    by_itself = fuzz(NUMBERS, run, examples=50, seed=4)
    ahead = drawn(NUMBERS, 50, 4)
    fuzzed = fuzz(NUMBERS, run, examples=50, seed=4, ahead=ahead)
    assert sent(list(fuzzed.steps)) == sent(list(by_itself.steps)) == [least]
    assert fuzzed.first is not None
    assert by_itself.first is not None
    assert sent(list(fuzzed.first[1])) == sent(list(by_itself.first[1]))
    assert fuzzed.examples == by_itself.examples


@pytest.mark.usefixtures("unhurried")
def test_what_fails_ahead_counts_though_it_is_not_drawn_again() -> None:
    def run(steps: list[dict[str, Any]]) -> Attempt:
        return attempt(Verdict.FAILED if steps else Verdict.PASSED)

    fuzzed = fuzz(
        st.just(Numbers(())),
        run,
        examples=5,
        seed=4,
        ahead=[(0, Numbers(())), (0, Numbers((7,)))],
    )
    assert sent(list(fuzzed.steps)) == [7]


def test_a_warning_is_made_smaller_too() -> None:
    def run(steps: list[dict[str, Any]]) -> Attempt:
        return attempt(Verdict.WARNED if len(steps) > 1 else Verdict.PASSED)

    fuzzed = fuzz(NUMBERS, run, examples=50, seed=5)
    assert fuzzed.failed is not None
    assert sent(list(fuzzed.steps)) == [0, 0]


def test_making_smaller_ends_where_smaller_examples_fail_on_and_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failures = 0
    stopped = SimpleNamespace(monotonic=lambda: 0.0)
    monkeypatch.setattr("wireproof.fuzzing._search.time", stopped)

    def run(steps: list[dict[str, Any]]) -> Attempt:
        nonlocal failures
        # The least that fails are thirteen numbers, each another one.
        broken = len(set(sent(steps))) > 12
        failures += broken
        return attempt(Verdict.FAILED if broken else Verdict.PASSED)

    numbers = st.lists(st.integers(0, 10**9), min_size=24).map(tuple).map(Numbers)
    fuzz(numbers, run, examples=50, seed=6)
    assert failures == SHRINK_RUNS + 1


@pytest.mark.parametrize(("shrinking", "tries"), [(10.0, 10), (2.0, 2)])
def test_making_smaller_ends_when_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch, shrinking: float, tries: int
) -> None:
    failures: list[int] = []
    clock = SimpleNamespace(monotonic=lambda: len(failures) * 1.0)
    monkeypatch.setattr("wireproof.fuzzing._search.time", clock)

    def run(steps: list[dict[str, Any]]) -> Attempt:
        broken = len(set(sent(steps))) > 12
        failures.extend([1] * broken)
        return attempt(Verdict.FAILED if broken else Verdict.PASSED)

    numbers = st.lists(st.integers(0, 10**9), min_size=24).map(tuple).map(Numbers)
    fuzzed = fuzz(numbers, run, examples=50, seed=6, shrinking=lambda _: shrinking)
    assert fuzzed.shrinking > shrinking
    # The first failure is at 1 s, and the last is begun when all but that is over.
    assert len(failures) == tries + 2


def test_each_example_has_ids_of_its_own() -> None:
    ids: list[str] = []

    def run(steps: list[dict[str, Any]]) -> Attempt:
        ids.extend({step["send"]["id"] for step in steps})
        return attempt(Verdict.PASSED)

    fuzz(NUMBERS, run, examples=20, seed=8)
    assert len(ids) == len(set(ids))


def test_nothing_is_left_in_the_folder(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    fuzz(NUMBERS, passing, examples=5, seed=9)
    assert list(tmp_path.iterdir()) == []


def test_a_saved_example_is_a_vector_file(tmp_path: Path) -> None:
    steps = Numbers((5,)).steps("fuzz-1")
    found = result(Verdict.FAILED)
    folder = tmp_path / "new" / "folder"
    path = save_vector(folder, "host-v1", "exchange", CHECK, steps, found)
    (vector,) = load_vector_file(path)
    assert vector.id == "host-v1/fuzz-found/values"
    assert vector.clauses == ("HV1-M10",)
    assert vector.data["steps"] == steps
    assert vector.data["needs"] == {"tools": ["conformance_echo"]}
