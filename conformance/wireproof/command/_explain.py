"""``wireproof explain``: a clause or all of a protocol, a check, or a tool to list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.command._usage import CommandError

if TYPE_CHECKING:
    import argparse

    from wireproof.command._usage import Subcommands


def add_parser(subcommands: Subcommands) -> None:
    """Add the subcommand."""
    parser = subcommands.add_parser(
        "explain", help="show a clause, its text and its checks; or a check, or a tool"
    )
    parser.add_argument(
        "clause",
        metavar="NAME",
        nargs="+",
        help="a clause such as HV1-M2, a protocol such as host-v1 for all of its "
        "clauses, a check, a tool of the toolset; or toolset, and behind it a protocol "
        "for its tools alone",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show all checks and steps"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what is known of the clauses.

    Raises:
        CommandError: If there is no such clause.
    """
    import pytest

    from wireproof.checks import Settings
    from wireproof.pytest_run._listing import explain
    from wireproof.reporting import layout_of_stdout

    settings = Settings(Path.cwd())
    layout = layout_of_stdout(int(arguments.verbose))
    try:
        for name in _asked(arguments.clause):
            for line in explain(name, settings, layout):
                print(line)
    except pytest.UsageError as error:
        raise CommandError(str(error).removeprefix("--explain: ")) from error
    return 0


def _asked(names: list[str]) -> list[str]:
    """Return what is asked for, word by word: a protocol belongs to the toolset."""
    from wireproof.pytest_run._listing import TOOLSET, takers_of_toolset

    if names[0] == TOOLSET and set(names[1:]) <= set(takers_of_toolset()):
        return [f"{TOOLSET} {name}" for name in names[1:]] or names
    return names
