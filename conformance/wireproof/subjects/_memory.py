"""How much memory the processes of a subject hold, where the system tells."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from wireproof.subjects._system import GROUP, stat_fields

_FIELD = re.compile(r"^(VmHWM|VmRSS):\s+(\d+) kB$", re.MULTILINE)


def memory_held(group: int) -> int | None:
    """Return the mebibytes that the processes of a group hold now.

    Returns:
        None where the system does not tell.
    """
    return _sum(group, "VmRSS")


def memory_peak(group: int) -> int | None:
    """Return the most mebibytes that each of a group's processes ever held."""
    return _sum(group, "VmHWM")


def _sum(group: int, name: str) -> int | None:
    found = [
        int(value) >> 10
        for folder in Path("/proc").glob("[0-9]*")
        if _group_of(folder) == group
        for field, value in _FIELD.findall(_status(folder))
        if field == name
    ]
    return sum(found) if found else None


def _group_of(folder: Path) -> int:
    with suppress(OSError, ValueError, IndexError):
        return int(stat_fields(folder)[GROUP])
    return 0


def _status(folder: Path) -> str:
    with suppress(OSError):
        return (folder / "status").read_text()
    return ""
