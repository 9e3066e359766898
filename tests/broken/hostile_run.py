"""Runs the suite on one hostile subject in a process of its own, and measures it.

``python hostile_run.py NAME`` prints one JSON object. A process of its own, so that
its memory and its open descriptors are those of this run alone.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])

from tests.broken.trial import try_out  # noqa: E402 - needs the line above
from tests.proof.memory import peak_mebibytes  # noqa: E402

EVERY = 6
"""One vector of so many is run: what is looked at is the end, not each verdict."""

_PROGRAM = str(Path(__file__).with_name("hostile_host.py"))


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def main(name: str) -> None:
    """Run the suite and print what is to be looked at."""
    began = time.monotonic()
    before = descriptors()
    trial = try_out(
        (sys.executable, "-I", "-S", _PROGRAM, name), timeout=1.0, every=EVERY
    )
    verdicts: dict[str, int] = {}
    for result in trial.results:
        verdicts[result.verdict] = verdicts.get(result.verdict, 0) + 1
    report = {
        "seconds": round(time.monotonic() - began, 1),
        "mebibytes": peak_mebibytes(),
        "descriptors": descriptors() - before,
        "conformant": trial.conformant,
        "starts": trial.facts.starts,
        "verdicts": verdicts,
        "reasons": sorted({result.reason for result in trial.results})[:20],
        "text": sorted({result.stderr for result in trial.results})[:2],
    }
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1])
