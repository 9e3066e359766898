"""From the command line to a subcommand."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from wireproof.command import _check, _explain, _init, _report, _vectors
from wireproof.command._usage import USAGE_ERROR, CommandError, CommandParser
from wireproof.reporting import suite_version

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SUBCOMMANDS = (_check, _init, _report, _explain, _vectors)
"""The modules of the subcommands, in the order in which help lists them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command line.

    Args:
        arguments: What stands behind the program's name; by default as it was called.

    Returns:
        The exit status.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words[:1] == [_check.NAME]:
            # Its options are pytest's, which argparse would take apart in its own way.
            return _check.check(words[1:])
        known = _parser().parse_args(words)
        run: Callable[..., int] = known.run
        return run(known)
    except CommandError as error:
        sys.stderr.write(f"ERROR: {error}\n")
        return USAGE_ERROR
    except BrokenPipeError:
        # Who reads has seen enough; Python would say so at its end once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> CommandParser:
    parser = CommandParser(
        prog="wireproof",
        description="Try a program on the clauses of the protocol that it speaks.",
    )
    parser.add_argument(
        "--version", action="version", version=f"%(prog)s {suite_version()}"
    )
    subcommands = parser.add_subparsers(
        metavar="COMMAND", required=True, parser_class=CommandParser
    )
    for module in SUBCOMMANDS:
        module.add_parser(subcommands)
    return parser
