"""How much memory a run took."""

from __future__ import annotations

from pathlib import Path


def peak_mebibytes() -> int:
    """Return the most memory that this program ever had.

    Not ``ru_maxrss``: that begins with what the process had that started this one.
    """
    status = Path("/proc/self/status").read_text()
    (line,) = (one for one in status.splitlines() if one.startswith("VmHWM:"))
    return int(line.split()[1]) // 1024
