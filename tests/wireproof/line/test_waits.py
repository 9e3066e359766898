"""How long a wait is, on a clock that stands still unless it is moved."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from wireproof.line._waits import MOST_PROLONGED, UNWATCHED_SECONDS, _Wait


class Clock:
    """A clock, and what a subject waited for a processor."""

    def __init__(self) -> None:
        self.now = 0.0
        self.starved = 0.0

    def monotonic(self) -> float:
        return self.now

    def watch(self, pid: int) -> Any:
        before = self.starved
        return SimpleNamespace(seconds=lambda: self.starved - before)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("wireproof.line._waits.time", clock)
    monkeypatch.setattr("wireproof.line._waits.Starvation", clock.watch)
    return clock


SUBJECT: Any = SimpleNamespace(pid=1)


def passed(clock: Clock, wait: _Wait, seconds: float, starved: float = 0.0) -> float:
    """Let time pass, of which the subject had no processor for a part."""
    clock.now += seconds
    clock.starved += starved
    return wait.left()


def test_a_wait_is_prolonged_by_what_the_subject_had_no_processor(
    clock: Clock,
) -> None:
    wait = _Wait(2.0, SUBJECT)
    assert wait.unwatched == UNWATCHED_SECONDS
    passed(clock, wait, UNWATCHED_SECONDS)
    assert wait.unwatched > 2.0
    assert passed(clock, wait, 1.9, starved=1.5) == pytest.approx(1.5)
    assert passed(clock, wait, 1.5, starved=0.5) == pytest.approx(0.5)
    assert passed(clock, wait, 0.5) <= 0


def test_a_subject_that_had_its_processor_gets_no_more_time(clock: Clock) -> None:
    wait = _Wait(2.0, SUBJECT)
    passed(clock, wait, UNWATCHED_SECONDS)
    assert passed(clock, wait, 1.9, starved=0.001) <= 0


def test_a_wait_is_not_prolonged_without_end(clock: Clock) -> None:
    wait = _Wait(2.0, SUBJECT)
    passed(clock, wait, UNWATCHED_SECONDS)
    left = passed(clock, wait, 1.9, starved=60.0)
    assert left == pytest.approx(2.0 * MOST_PROLONGED)
    assert passed(clock, wait, left, starved=60.0) <= 0


@pytest.mark.parametrize(("seconds", "subject"), [(0.2, SUBJECT), (2.0, None)])
def test_a_brief_wait_and_one_for_a_foreign_server_are_as_long_as_they_are(
    clock: Clock, seconds: float, subject: Any
) -> None:
    wait = _Wait(seconds, subject)
    passed(clock, wait, UNWATCHED_SECONDS)
    assert passed(clock, wait, seconds, starved=60.0) <= 0


def test_a_wait_is_longer_by_what_the_suite_took_to_read(clock: Clock) -> None:
    taken = [1.0]
    wait = _Wait(2.0, SUBJECT, lambda: taken[0])
    passed(clock, wait, UNWATCHED_SECONDS)
    taken[0] += 1.5
    assert passed(clock, wait, 1.9) == pytest.approx(1.5)
    taken[0] += 60.0
    left = passed(clock, wait, 1.5)
    assert left == pytest.approx(2.0 * MOST_PROLONGED - 1.5)
    assert passed(clock, wait, left) <= 0
