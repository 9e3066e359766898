"""Runs the proof of the client side: ``python tests/broken/write_client_report.py``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[2])

from tests.broken.clients import client_rows  # noqa: E402 - needs the line above
from tests.proof.tables import REPORTS, table  # noqa: E402

CLIENT_REPORT = REPORTS / "host-v1-clients.md"

CLIENT_HEAD = """\
# host-v1: each clause of the client side and the clients that break it

Each row is a client that differs from the reference in one thing. The suite was run on
it: the verdict is that of the clause that it breaks, the last column names the clauses
that it breaks in the same breath. Made by `python tests/broken/write_client_report.py`.

| clause | level | client | what it does | verdict | broken too |
| --- | --- | --- | --- | --- | --- |
"""


def main() -> None:
    """Run every vector on every broken client, and write the table."""
    CLIENT_REPORT.write_text(table(CLIENT_HEAD, client_rows()))


if __name__ == "__main__":
    main()
