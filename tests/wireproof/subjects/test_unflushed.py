"""A subject that says nothing, and another one whose input ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from wireproof.subjects import Silence, first_silence
from wireproof.subjects._unflushed import SILENT_SECONDS

ECHO = "import sys; [sys.stdout.write(line) for line in sys.stdin]"


def silence(
    code: str,
    spoken: Sequence[bool] = (),
    seconds: float = 30.0,
    options: Sequence[str] = ("-I",),
) -> tuple[Silence | None, int]:
    """Ask after a subject that has spoken, or not, each time that it is looked at.

    Args:
        code: What the subject does, in Python.
        spoken: Whether it has spoken, each time.
        seconds: Most seconds that it may take to start.
        options: Of Python; by default its variables count for nothing.

    Returns:
        What is known of it, and how often it was looked at.
    """
    looks = iter(spoken)
    count = 0

    def speaks(_: float) -> bool:
        nonlocal count
        count += 1
        return next(looks, False)

    found = first_silence(
        (sys.executable, *options, "-S", "-c", code),
        b"asked\n",
        seconds,
        environment={"PATH": os.environ["PATH"]},
        folder=Path.cwd(),
        speaks=speaks,
    )
    return found, count


def test_one_that_speaks_in_time_is_not_asked_after() -> None:
    assert silence(ECHO, [True]) == (None, 1)


def test_what_speaks_when_its_input_ends_does_not_flush() -> None:
    found, _ = silence(ECHO)
    assert found is not None
    assert found.unflushed
    assert not found.unbuffered
    assert found.waited < found.seconds < 30.0


def test_what_speaks_once_its_interpreter_flushes_is_not_waited_for() -> None:
    told = Silence(SILENT_SECONDS, 0.0, unflushed=True, unbuffered=True)
    assert silence(ECHO, options=())[0] == told


@pytest.mark.parametrize("code", ["", "import sys; sys.stdin.read()", "print(end='x')"])
def test_one_that_may_yet_start_has_all_the_time(code: str) -> None:
    assert silence(code)[0] == Silence(SILENT_SECONDS, 30.0 - SILENT_SECONDS)


def test_another_is_not_waited_for_once_the_first_has_spoken() -> None:
    found, count = silence("import time; time.sleep(60)", [False, True])
    assert (found, count) == (Silence(SILENT_SECONDS, 30.0 - SILENT_SECONDS), 2)


def test_a_short_limit_is_waited_for_as_it_is() -> None:
    assert silence(ECHO, seconds=2.0) == (Silence(0.0, 2.0), 0)


def test_one_that_speaks_meanwhile_is_heard() -> None:
    waits: list[float] = []

    def speaks(within: float) -> bool:
        # What came is read only where somebody waits for it.
        waits.append(within)
        return len(waits) > 1 and within > 0

    found = first_silence(
        (sys.executable, "-S", "-c", ECHO),
        b"asked\n",
        30.0,
        environment={"PATH": os.environ["PATH"]},
        folder=Path.cwd(),
        speaks=speaks,
    )
    assert found is None or not found.unflushed
