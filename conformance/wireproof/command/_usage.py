"""What subcommands share: how they are added, and how they refuse what they are given.

A refusal is one line on stderr and pytest's status for wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn, Protocol

USAGE_ERROR = 4
"""Exit status of a command line that cannot be used, as pytest has it."""


class CommandError(Exception):
    """What a command was given cannot be used; the text says the remedy."""


class CommandParser(argparse.ArgumentParser):
    """A parser of arguments that refuses with pytest's status."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line and end."""
        self.print_usage(sys.stderr)
        self.exit(USAGE_ERROR, f"ERROR: {message}\n")


class Subcommands(Protocol):
    """What a subcommand is added to; argparse has no public name for it."""

    def add_parser(
        self,
        name: str,
        *,
        help: str,  # noqa: A002 - argparse's name for it
        add_help: bool = True,
    ) -> CommandParser:
        """Add a subcommand and return the parser of its arguments."""
        ...
