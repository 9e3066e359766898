"""Whether a subject that says nothing speaks when its input ends.

A program whose stdout is a pipe keeps what it writes until a block of it is there,
unless it flushes. The commonest mistake of all would cost the time of a start to be
seen: after a few seconds of silence a second process is asked the same, and its input
is ended. Where that one answers, the first has had the time for it, too.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wireproof.checks import SubjectStartError
from wireproof.subjects._patience import FLOOR_SECONDS, SLOWEST_START_FACTOR
from wireproof.subjects._process import SubjectProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SILENT_SECONDS = 3.0
"""How long a subject has said nothing before another is asked."""

MOST_SECONDS = 10.0
"""How long that one may take."""

PAUSE = 0.02
"""Seconds between two looks at the first."""


@dataclass(frozen=True, slots=True)
class Silence:
    """What is known of a subject that has said nothing for a while.

    Attributes:
        waited: Seconds that it was waited for.
        left: Seconds that it is waited for yet.
        unflushed: Whether another one spoke when its input ended.
    """

    waited: float
    left: float
    unflushed: bool = False

    @property
    def seconds(self) -> float:
        """How long it is waited for in all."""
        return self.waited + self.left


def first_silence(
    command: tuple[str, ...],
    data: bytes,
    seconds: float,
    *,
    environment: Mapping[str, str],
    folder: Path,
    speaks: Callable[[float], bool],
) -> Silence | None:
    """Wait a little for the first answer; see why it does not come.

    Args:
        command: The subject's argument vector.
        data: What it was sent.
        seconds: Most seconds that it may take to start.
        environment: All its variables.
        folder: Where it is started.
        speaks: Waits so many seconds, and tells whether the subject has spoken, or
            cannot any more.

    Returns:
        How it goes on; None where it has spoken.
    """
    if seconds <= 2 * SILENT_SECONDS:
        return Silence(0.0, seconds)
    if speaks(SILENT_SECONDS):
        return None
    left = seconds - SILENT_SECONDS
    spoke_in = _seconds_to_speak(command, data, environment, folder, speaks)
    if spoke_in is None:
        return Silence(SILENT_SECONDS, left)
    usual = max(FLOOR_SECONDS, SLOWEST_START_FACTOR * spoke_in)
    return Silence(SILENT_SECONDS, min(left, usual), unflushed=True)


def _seconds_to_speak(
    command: tuple[str, ...],
    data: bytes,
    environment: Mapping[str, str],
    folder: Path,
    speaks: Callable[[float], bool],
) -> float | None:
    """Start another one, and end its input; return the seconds until it spoke."""
    said = bytearray()
    began = time.monotonic()
    try:
        process = SubjectProcess(
            command,
            environment=environment,
            folder=folder,
            on_stdout=said.extend,
            on_stderr=lambda _: None,
        )
    except SubjectStartError:
        return None
    try:
        process.send(data)
        process.close_input()
        while b"\n" not in said:
            late = time.monotonic() - began > MOST_SECONDS
            if late or process.ended or speaks(0.0):
                return None
            process.pump(PAUSE)
        return time.monotonic() - began
    finally:
        process.kill()
