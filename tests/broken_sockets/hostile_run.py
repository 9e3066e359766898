"""Runs the suite on one hostile server in a process of its own, and measures it.

``python hostile_run.py NAME`` prints one JSON object. A process of its own, so that
its memory, its temporary files and its open descriptors are those of this run alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])

from tests.broken_sockets.trial import try_out  # noqa: E402 - needs the line above
from tests.proof.memory import peak_mebibytes  # noqa: E402

EVERY = 12
"""One vector of so many is run: what is looked at is the end, not each verdict."""

_PROGRAM = str(Path(__file__).with_name("hostile_server.py"))


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def main(name: str) -> None:
    """Run the suite and print what is to be looked at."""
    began = time.monotonic()
    before = descriptors()
    with tempfile.TemporaryDirectory(prefix="wp-") as folder:
        tempfile.tempdir = folder
        # A server that starts slowly is to be waited for.
        trial = try_out(
            (sys.executable, "-I", "-S", _PROGRAM, name, "{socket}"),
            timeout=5.0 if name == "starts-slowly" else 1.0,
            every=EVERY,
        )
        left = sorted(path.name for path in Path(folder).iterdir())
    report = {
        "seconds": round(time.monotonic() - began, 1),
        "mebibytes": peak_mebibytes(),
        "descriptors": descriptors() - before,
        "files": left,
        "conformant": trial.conformant,
        "starts": trial.facts.starts,
        "verdicts": Counter(result.verdict for result in trial.results),
        "reasons": sorted({result.reason for result in trial.results})[:20],
    }
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1])
