"""Runs a server of the tables: ``broken|legal NAME SOCKET HOME [BACKEND]``."""

from __future__ import annotations

import sys

from tests.proof.composed import JOINED
from tests.proof.socket_v1.subject import compose_legal
from tests.proof.socket_v1.table import BROKEN, LEGAL


def main(kind: str, name: str, *places: str) -> int:
    """Serve as the server of that name; returns the status where it cannot start."""
    if JOINED in name:
        return compose_legal(name.split(JOINED)).run(places)
    return (LEGAL if kind == "legal" else BROKEN)[name].run(places)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
