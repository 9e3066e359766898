"""What a broken or a legal runtime is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.proof.exec_runtime.runtime import Driver, Runtime
from tests.proof.row import ClassRow, Tables

PROGRAM = str(Path(__file__).with_name("program.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeRow(ClassRow):
    """A runtime that does one thing differently from the plain one.

    Attributes:
        subject: The plain runtime with that change.
        driver: What carries out the ops on it.
    """

    subject: type[Runtime]
    driver: type[Driver] = Driver

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve the bridge on stdin and stdout."""
        return self.driver(self.subject()).serve()


TABLES = Tables(RuntimeRow)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal
