"""Runs a host of the tables: ``broken|legal NAME``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.host_v1.table import BROKEN, LEGAL  # noqa: E402 - needs the line above

from wireproof_reference.host_v1 import run_stdio  # noqa: E402


def main(kind: str, name: str) -> int:
    """Serve as the host of that name in that table; returns its exit status."""
    subject = (LEGAL if kind == "legal" else BROKEN)[name]
    return run_stdio(subject.plugin(), subject.host)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
