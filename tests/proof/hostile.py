"""One run of the suite on a hostile subject, measured in a process of its own."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.proof.memory import peak_mebibytes
from tests.proof.trial import MARK, Trial

from wireproof.subjects import awaited_end
from wireproof.subjects._system import marked

ENDING_SECONDS = 1.0
"""Longest wait for the end of a process that has been killed."""


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


def left_behind(report: Mapping[str, Any]) -> list[int]:
    """Return the processes of a run that are still there.

    One that has been killed is given the time to end that a busy machine takes.
    """
    for pid in marked(str(report["mark"])):
        with awaited_end(pid, ENDING_SECONDS):
            pass
    return marked(str(report["mark"]))


def measure(try_it: Callable[[], Trial]) -> dict[str, Any]:
    """Run the suite and return what is to be looked at."""
    began = time.monotonic()
    before = descriptors()
    with tempfile.TemporaryDirectory(prefix="wp-") as folder:
        tempfile.tempdir = folder
        trial = try_it()
        left = sorted(path.name for path in Path(folder).iterdir())
    return {
        "seconds": round(time.monotonic() - began, 1),
        "mebibytes": peak_mebibytes(),
        "descriptors": descriptors() - before,
        "files": left,
        "conformant": trial.conformant,
        "starts": trial.facts.starts,
        "verdicts": Counter(result.verdict for result in trial.results),
        "reasons": sorted({result.reason for result in trial.results})[:20],
        "mark": "=".join(next(iter(MARK.items()))),
        "text": sorted({result.stderr for result in trial.results})[:2],
    }
