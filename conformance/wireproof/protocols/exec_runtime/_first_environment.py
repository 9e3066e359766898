"""What a process was started with, not what it has made of it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

STDERR = 2

OWN = frozenset({"PWD", "OLDPWD", "SHLVL", "_"})
"""What a shell sets for its children, and ``env`` therefore lists."""

_BEGINS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def shown_by_system(path: Path) -> dict[str, str]:
    """Read ``/proc/PID/environ``; nothing where the process is gone."""
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    entries = os.fsdecode(data).split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)


def inherited(folder: Path, numbers: Sequence[str], program: Path) -> list[int]:
    """Return which of a shell's first descriptors, but for its script, it inherited."""
    found: list[int] = []
    for number in map(int, numbers):
        with suppress(OSError):
            if number > STDERR and not program.samefile(folder / str(number)):
                found.append(number)
    return found


def listed_by_env(path: Path) -> dict[str, str]:
    """Read what ``env`` wrote, a line an entry; a value may have several lines."""
    entries: list[str] = []
    for line in os.fsdecode(path.read_bytes()).split("\n")[:-1]:
        if _BEGINS.match(line) or not entries:
            entries.append(line)
        else:
            entries[-1] += f"\n{line}"
    found = dict(entry.split("=", 1) for entry in entries if "=" in entry)
    return {name: value for name, value in found.items() if name not in OWN}
