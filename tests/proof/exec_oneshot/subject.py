"""What a broken or a legal one-shot tool is, and how one is entered in its table."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.proof.exec_oneshot.tool import Tool
from tests.proof.row import ClassRow, Tables

PROGRAM = str(Path(__file__).with_name("program.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRow(ClassRow):
    """A one-shot tool that does one thing differently.

    Attributes:
        subject: What it does.
        bound: Whether it is a binding that lists no variables.
    """

    subject: type[Tool]
    bound: bool = False

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    @property
    def own(self) -> object:
        """What is said of it: the toolset, and the binding that it is."""
        # The tools themselves, which start for each call, need none of the suite.
        from wireproof.protocols._exec_tools import Binding, ExecSettings  # noqa: PLC0415

        if not self.bound:
            return ExecSettings(toolset=True)
        variables = {"PATH": os.environ["PATH"]}
        binding = Binding(
            self.name, self.command, is_server=False, environment=variables
        )
        return ExecSettings(toolset=True, bindings={" ".join(self.command): binding})

    def run(self, arguments: Sequence[str]) -> int:
        """Be the tool."""
        return self.subject().run()


TABLES = Tables(ToolRow)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal
