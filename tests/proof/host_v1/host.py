"""Runs a host of the tables: ``broken|legal NAME``."""

from __future__ import annotations

import sys

from tests.proof.composed import JOINED
from tests.proof.host_v1.subject import compose_legal
from tests.proof.host_v1.table import BROKEN, LEGAL


def main(kind: str, name: str) -> int:
    """Serve as the host of that name in that table; returns its exit status."""
    if JOINED in name:
        return compose_legal(name.split(JOINED)).run(())
    return (LEGAL if kind == "legal" else BROKEN)[name].run(())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
