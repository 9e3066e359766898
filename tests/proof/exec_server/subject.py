"""What a broken or a legal exec server is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.proof.exec_server.server import Server
from tests.proof.row import Level, Row, enter

from wireproof.exec_tools import ExecSettings

PROGRAM = str(Path(__file__).with_name("program.py"))

ServerType = TypeVar("ServerType", bound=type[Server])

TOOLSET = ExecSettings(toolset=True)
"""What is said of each: it behaves as the toolset says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow(Row):
    """A exec server that does one thing differently.

    Attributes:
        server: What it does.
    """

    server: type[Server]

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    @property
    def own(self) -> object:
        """What is said of it: the toolset."""
        return TOOLSET

    def run(self, arguments: Sequence[str]) -> int:
        """Be the server."""
        return self.server().run()


BROKEN: dict[str, ServerRow] = {}
"""The broken servers, by name, in the order in which their modules enter them."""

LEGAL: dict[str, ServerRow] = {}
"""The servers that conform in their own way."""


def broken(
    name: str,
    clause: str,
    does: str,
    *,
    level: Level = "must",
    allows: Mapping[str, str] | None = None,
    shown_by: str = "",
) -> Callable[[ServerType], ServerType]:
    """Enter a server in the table of those that break one clause.

    Args:
        name: What it is asked for by.
        clause: The clause that it breaks.
        does: What it does, as a clause of a sentence.
        level: The level of the part that it breaks.
        allows: Other clauses that literally are broken too, each with a word why.
        shown_by: A vector in whose frames what is watched in all shows.
    """

    def register(server: ServerType) -> ServerType:
        row = ServerRow(
            name=name,
            does=does,
            clause=clause,
            level=level,
            allows=allows or {},
            shown_by=shown_by,
            server=server,
        )
        enter(BROKEN, row)
        return server

    return register


def legal(
    name: str,
    does: str,
    *,
    allows: Mapping[str, str] | None = None,
) -> Callable[[ServerType], ServerType]:
    """Enter a server in the table of those that conform in their own way."""

    def register(server: ServerType) -> ServerType:
        row = ServerRow(name=name, does=does, allows=allows or {}, server=server)
        enter(LEGAL, row)
        return server

    return register
