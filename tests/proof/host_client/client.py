"""Serves the bridge as a client of the tables: ``broken|legal NAME``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.composed import JOINED  # noqa: E402 - needs the line above
from tests.proof.host_client.subject import compose_legal  # noqa: E402 - and this one
from tests.proof.host_client.table import BROKEN, LEGAL  # noqa: E402 - and this one


def main(table: str, name: str) -> int:
    """Be the client of that name."""
    if JOINED in name:
        return compose_legal(name.split(JOINED)).run(())
    return (LEGAL if table == "legal" else BROKEN)[name].run(())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
