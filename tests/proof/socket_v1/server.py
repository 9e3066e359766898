"""Runs a server of the tables: ``broken|legal NAME SOCKET HOME [BACKEND]``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.socket_v1.table import BROKEN, LEGAL  # noqa: E402 - needs the line above

from wireproof_reference.socket_v1 import run_socket  # noqa: E402


def main(kind: str, name: str, path: str, home: str, backend: str = "asyncio") -> int:
    """Serve as the server of that name; returns the status where it cannot start."""
    row = (LEGAL if kind == "legal" else BROKEN)[name]
    return run_socket(
        row.registry(), Path(path), Path(home), row.server, backend=backend
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
