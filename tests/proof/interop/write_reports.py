"""Runs the proof of this protocol and writes its tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[3])

from tests.proof.interop.null import ALMOST_NOTHING, NOTHING  # noqa: E402 - needs the line above
from tests.proof.interop.table import BROKEN  # noqa: E402
from tests.proof.interop.trial import command_of, try_out  # noqa: E402
from tests.proof.tables import broken_cells, null_cells, write_tables  # noqa: E402

PROTOCOL = "interop"

BROKEN_HEAD = """\
# interop: each clause and the registries that break it

Each row is a registry that differs from the reference in one thing. The suite was run
on it: the verdict is that of the clause that it breaks, the last column names the
clauses that it breaks in the same breath.
Made by `nox -s reports`.

| clause | level | registry | what it does | verdict | broken too |
| --- | --- | --- | --- | --- | --- |
"""

NULL_HEAD = """\
# interop: registries that do nothing

Drivers and registries that do nothing, or the same whatever is asked; the last ones
know the answers to the controls, and do one thing for all else.
Made by `nox -s reports`.

| subject | conformant | passed | failed | warned | not testable | not applicable |
| --- | --- | --- | --- | --- | --- | --- |
"""


def broken_row(name: str) -> Sequence[str]:
    """Run the suite on a broken registry and return its row."""
    return broken_cells(BROKEN[name], try_out(command_of(BROKEN[name])))


def null_row(name: str) -> Sequence[str]:
    """Run the suite on a null registry and return its row."""
    command = {**NOTHING, **ALMOST_NOTHING}[name]
    return null_cells(name, try_out(command, timeout=1.0))


def main() -> None:
    """Run everything, and write both tables."""
    heads = (BROKEN_HEAD, NULL_HEAD)
    nulls = [*NOTHING, *ALMOST_NOTHING]
    write_tables(PROTOCOL, heads, BROKEN, broken_row, nulls, null_row)


if __name__ == "__main__":
    main()
