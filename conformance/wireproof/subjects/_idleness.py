"""Whether a subject works on something, or would if it could, where the system tells.

Theory of operation. What a process computes, loads or waits for from a disk shows in
the time of the processor that it and its children use, and in the state of its threads.
One that does nothing of it for a while, and answers what it is asked afterwards, has
nothing in hand. What it may wait for elsewhere does not show: a server of its own, a
clock. How long a thread was ready and had no processor shows too, on most kernels.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from wireproof.subjects._system import (
    GROUP,
    PARENT,
    SESSION,
    STATE,
    TICKS,
    is_linux,
    stat_fields,
)

IDLE_SHARE = 0.03
"""Share of a processor that timers and collectors of an idle program may use."""

NANOSECONDS = 1_000_000_000

RAN, WAITED = 0, 1
"""What a line of ``schedstat`` begins with: how long a thread had a processor, and how
long it was ready and had none."""

WORKING = "RD"
"""States of a thread that computes, or waits for a disk."""


@dataclass(frozen=True, slots=True)
class _Process:
    parent: int
    group: int
    session: int
    seconds: float


class Idleness:
    """A watch on the processes of one subject."""

    def __init__(self, pid: int) -> None:
        """Begin to watch.

        Args:
            pid: The subject, which leads a group and a session of its own.
        """
        self._pid = pid
        self._since = time.monotonic()
        self._before = _of_subject(pid)

    def was_idle(self) -> bool:
        """Tell whether it has done nothing since; False where the system is mute."""
        now = _of_subject(self._pid)
        if not self._before or now.keys() != self._before.keys():
            return False
        used = sum(one.seconds - self._before[pid].seconds for pid, one in now.items())
        allowed = IDLE_SHARE * (time.monotonic() - self._since)
        return used <= allowed and not any(map(_works, now))


class _Scheduling:
    """A watch on what the scheduler tells of the threads of one subject."""

    field: ClassVar[int]

    def __init__(self, pid: int) -> None:
        """Begin to watch.

        Args:
            pid: The subject, which leads a group and a session of its own.
        """
        self._pid = pid
        self._before = _scheduled(pid, self.field)

    def _since(self) -> list[float]:
        """Return the seconds since, of each thread that is still there."""
        now = _scheduled(self._pid, self.field)
        return [
            (ns - self._before.get(thread, 0)) / NANOSECONDS
            for thread, ns in now.items()
        ]


class Starvation(_Scheduling):
    """A watch on how long a subject was ready to work and had no processor."""

    field = WAITED

    def seconds(self) -> float:
        """Return the seconds that one of its threads waited for a processor since.

        That of the thread that waited longest; 0 where the system does not tell.
        """
        return max(self._since(), default=0.0)


class Computing(_Scheduling):
    """A watch on how long the threads of a subject had a processor."""

    field = RAN

    def seconds(self) -> float | None:
        """Return the seconds since, of all threads that are still there.

        None where the system does not tell.
        """
        since = self._since()
        return sum(since) if since and self._before else None


def _scheduled(pid: int, field: int) -> dict[str, int]:
    """Return nanoseconds that the scheduler tells of the threads of a subject.

    Args:
        pid: The subject.
        field: Which of them, ``RAN`` or ``WAITED``.

    Returns:
        Those of each thread, by its id.
    """
    found: dict[str, int] = {}
    for process in _of_subject(pid):
        for task in Path("/proc", str(process), "task").glob("[0-9]*"):
            with suppress(OSError, ValueError, IndexError):
                found[task.name] = int((task / "schedstat").read_text().split()[field])
    return found


def _of_subject(pid: int) -> dict[int, _Process]:
    """Return the processes of a subject by their ids; none where none are told."""
    if not pid or not is_linux():
        return {}
    listed = _listed()
    found = {
        one
        for one, process in listed.items()
        if pid in (process.group, process.session)
    }
    found |= {pid} & listed.keys()
    while (
        more := {one for one, process in listed.items() if process.parent in found}
        - found
    ):
        found |= more
    return {one: listed[one] for one in found}


def _listed() -> dict[int, _Process]:
    tick = os.sysconf("SC_CLK_TCK")
    found: dict[int, _Process] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = stat_fields(folder)
            parent, group, session = (
                int(fields[place]) for place in (PARENT, GROUP, SESSION)
            )
            seconds = sum(map(int, fields[TICKS])) / tick
            found[int(folder.name)] = _Process(parent, group, session, seconds)
    return found


def _works(pid: int) -> bool:
    """Tell whether any thread of a process computes, or waits for a disk."""
    with suppress(OSError, IndexError):
        tasks = Path("/proc", str(pid), "task").glob("[0-9]*")
        return any(stat_fields(task)[STATE] in WORKING for task in tasks)
    return True
