"""Whether a subject that says nothing speaks when its input ends.

A program whose stdout is a pipe keeps what it writes until a block of it is there,
unless it flushes. The commonest mistake of all would cost the time of a start to be
seen: after a few seconds of silence a second process is asked the same, and its input
is ended. Where that one answers, the first has had the time for it, too. A third one
may flush where its interpreter is told to: then all else can be tried on it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from wireproof.checks import SubjectStartError
from wireproof.subjects._patience import FLOOR_SECONDS, SLOWEST_START_FACTOR
from wireproof.subjects._process import SubjectProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SILENT_SECONDS = 2.0
"""How long a subject has said nothing before another is asked."""

MOST_SECONDS = 10.0
"""How long that one may take."""

LEAST_SECONDS = 0.5
"""How long one that was told to flush has to answer, at least."""

UNBUFFERED: Final[Mapping[str, str]] = MappingProxyType({"PYTHONUNBUFFERED": "1"})
"""The variable by which an interpreter flushes what its program writes: Python's. No
other one in wide use has such a variable."""

PAUSE = 0.01
"""Seconds between two looks at the first, and at the other."""


@dataclass(frozen=True, slots=True)
class Silence:
    """What is known of a subject that has said nothing for a while.

    Attributes:
        waited: Seconds that it was waited for.
        left: Seconds that it is waited for yet.
        unflushed: Whether another one spoke when its input ended.
        unbuffered: Whether one spoke that was told to flush (``UNBUFFERED``).
    """

    waited: float
    left: float
    unflushed: bool = False
    unbuffered: bool = False

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
    other = _Other(command, data, folder, speaks)
    spoke_in = other.seconds_to_speak(environment, MOST_SECONDS)
    if spoke_in is None:
        return Silence(SILENT_SECONDS, left)
    told = {**environment, **UNBUFFERED}
    least = max(LEAST_SECONDS, SLOWEST_START_FACTOR * spoke_in)
    flushing_in = other.seconds_to_speak(told, least, ends_input=False)
    if flushing_in is not None:
        # One that only starts slowly would have spoken by the time that this one took.
        if speaks(flushing_in):
            return None
        return Silence(SILENT_SECONDS, 0.0, unflushed=True, unbuffered=True)
    usual = max(FLOOR_SECONDS, SLOWEST_START_FACTOR * spoke_in)
    return Silence(SILENT_SECONDS, min(left, usual), unflushed=True)


@dataclass(frozen=True, slots=True)
class _Other:
    """Another process, which is asked what the first one was.

    Attributes:
        command: The subject's argument vector.
        data: What the first was sent.
        folder: Where it is started.
        speaks: Tells whether the first has spoken after all, or cannot any more.
    """

    command: tuple[str, ...]
    data: bytes
    folder: Path
    speaks: Callable[[float], bool]

    def seconds_to_speak(
        self, environment: Mapping[str, str], most: float, *, ends_input: bool = True
    ) -> float | None:
        """Start it; return the seconds until it spoke, or None where it did not.

        Args:
            environment: All its variables.
            most: Most seconds that it may take.
            ends_input: Whether its input is ended.
        """
        said = bytearray()
        began = time.monotonic()
        try:
            process = SubjectProcess(
                self.command,
                environment=environment,
                folder=self.folder,
                on_stdout=said.extend,
                on_stderr=lambda _: None,
            )
        except SubjectStartError:
            return None
        try:
            process.send(self.data)
            if ends_input:
                process.close_input()
            while b"\n" not in said:
                late = time.monotonic() - began > most
                # It is looked at only where it is waited for, however briefly.
                if late or process.ended or self.speaks(PAUSE):
                    return None
                process.pump(PAUSE)
            return time.monotonic() - began
        finally:
            process.kill()
