"""Is a exec server of the tables: ``broken|legal NAME``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.exec_server.table import BROKEN, LEGAL  # noqa: E402 - needs the line above


def main(table: str, name: str) -> int:
    """Be the server of that name."""
    return (LEGAL if table == "legal" else BROKEN)[name].run(())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
