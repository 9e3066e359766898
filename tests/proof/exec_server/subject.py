"""What a broken or a legal exec server is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.proof.exec_server.server import Server
from tests.proof.row import ClassRow, Tables

PROGRAM = str(Path(__file__).with_name("program.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow(ClassRow):
    """A exec server that does one thing differently.

    Attributes:
        subject: What it does.
    """

    subject: type[Server]

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    @property
    def own(self) -> object:
        """What is said of it: it behaves as the toolset says."""
        # The servers themselves, which start by the hundred, need none of the suite.
        from wireproof.protocols._exec_tools import ExecSettings  # noqa: PLC0415

        return ExecSettings(toolset=True)

    def run(self, arguments: Sequence[str]) -> int:
        """Be the server."""
        return self.subject().run()


TABLES = Tables(ServerRow)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal
