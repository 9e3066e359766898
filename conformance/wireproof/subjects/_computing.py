"""How long the threads of a subject had a processor, if the system tells."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wireproof.subjects._system import GROUP, PARENT, SESSION, is_linux, stat_fields

NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class _Process:
    parent: int
    group: int
    session: int


class Computing:
    """A watch on how long the threads of a subject had a processor."""

    def __init__(self, pid: int) -> None:
        """Begin to watch.

        Args:
            pid: The subject, which leads a group and a session of its own.
        """
        self._pid = pid
        self._before = _scheduled(pid)

    def seconds(self) -> float | None:
        """Return the seconds since, of all threads that are still there.

        None if the system does not tell.
        """
        if not self._before:
            return None
        now = _scheduled(self._pid).items()
        since = [ns - self._before.get(thread, 0) for thread, ns in now]
        return sum(since) / NANOSECONDS if since else None


def _scheduled(pid: int) -> dict[str, int]:
    """Return the nanoseconds of each thread of a subject on a processor, by its id."""
    found: dict[str, int] = {}
    for process in _of_subject(pid):
        for task in Path("/proc", str(process), "task").glob("[0-9]*"):
            with suppress(OSError, ValueError, IndexError):
                found[task.name] = int((task / "schedstat").read_text().split()[0])
    return found


def _of_subject(pid: int) -> set[int]:
    """Return the processes of a subject by their ids."""
    if not pid or not is_linux():
        return set()
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
    return found


def _listed() -> dict[int, _Process]:
    found: dict[int, _Process] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = stat_fields(folder)
            found[int(folder.name)] = _Process(
                int(fields[PARENT]), int(fields[GROUP]), int(fields[SESSION])
            )
    return found
