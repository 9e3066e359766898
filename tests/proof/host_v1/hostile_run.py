"""Runs the suite on one hostile subject in a process of its own, and measures it.

``python hostile_run.py NAME`` prints one JSON object. A process of its own, so that
its memory and its open descriptors are those of this run alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.host_v1.trial import try_out  # noqa: E402 - needs the line above
from tests.proof.hostile import measure  # noqa: E402

EVERY = 6
"""One vector of so many is run: what is looked at is the end, not each verdict."""

_PROGRAM = str(Path(__file__).with_name("hostile_host.py"))


def main(name: str) -> None:
    """Run the suite and print what is to be looked at."""
    command = (sys.executable, "-I", "-S", _PROGRAM, name)
    measure(lambda: try_out(command, timeout=1.0, every=EVERY))


if __name__ == "__main__":
    main(sys.argv[1])
