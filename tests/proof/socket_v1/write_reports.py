"""Runs the proof of this protocol and writes its tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.socket_v1.null import ALMOST_NOTHING, NOTHING  # noqa: E402 - needs the line above
from tests.proof.socket_v1.table import BROKEN  # noqa: E402
from tests.proof.socket_v1.trial import command_of, try_out  # noqa: E402
from tests.proof.tables import broken_cells, null_cells, write_tables  # noqa: E402

PROTOCOL = "socket-v1"

BROKEN_HEAD = """\
# socket-v1: each clause and the servers that break it

Each row is a server that differs from the reference in one thing. The suite was run on
it: the verdict is that of the clause that it breaks, the last column names the clauses
that it breaks in the same breath.
Made by `nox -s reports`.

| clause | level | server | what it does | verdict | broken too |
| --- | --- | --- | --- | --- | --- |
"""

NULL_HEAD = """\
# socket-v1: servers that do nothing

Servers that do nothing, or the same whatever is asked.
Made by `nox -s reports`.

| subject | conformant | passed | failed | warned | not testable | not applicable |
| --- | --- | --- | --- | --- | --- | --- |
"""


def broken_row(name: str) -> Sequence[str]:
    """Run the suite on a broken server and return its row."""
    return broken_cells(BROKEN[name], try_out(command_of(BROKEN[name])))


def null_row(name: str) -> Sequence[str]:
    """Run the suite on a null server and return its row."""
    command = {**NOTHING, **ALMOST_NOTHING}[name]
    return null_cells(name, try_out(command, timeout=1.0))


def main() -> None:
    """Run everything, and write both tables."""
    heads = (BROKEN_HEAD, NULL_HEAD)
    nulls = [*NOTHING, *ALMOST_NOTHING]
    write_tables(PROTOCOL, heads, BROKEN, broken_row, nulls, null_row, at_once=3)


if __name__ == "__main__":
    main()
