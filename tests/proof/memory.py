"""How much memory a run took."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak_mebibytes() -> int:
    """Return the most memory that this program ever had.

    Not ``ru_maxrss`` where there is better: on Linux that begins with what the process
    had that started this one.
    """
    if sys.platform != "linux":
        # In bytes on macOS.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 20
    status = Path("/proc/self/status").read_text()
    (line,) = (one for one in status.splitlines() if one.startswith("VmHWM:"))
    return int(line.split()[1]) // 1024
