"""What a broken or a legal runtime is, and how one is entered in its table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.proof.exec_runtime.runtime import Driver, Runtime
from tests.proof.row import Level, Row, enter

PROGRAM = str(Path(__file__).with_name("program.py"))

RuntimeType = TypeVar("RuntimeType", bound=type[Runtime])


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeRow(Row):
    """A runtime that does one thing differently from the plain one.

    Attributes:
        runtime: The plain runtime with that change.
        driver: What carries out the ops on it.
    """

    runtime: type[Runtime]
    driver: type[Driver] = Driver

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve the bridge on stdin and stdout."""
        return self.driver(self.runtime()).serve()


BROKEN: dict[str, RuntimeRow] = {}
"""The broken runtimes, by name, in the order in which their modules enter them."""

LEGAL: dict[str, RuntimeRow] = {}
"""The runtimes that conform in their own way."""


def broken(
    name: str,
    clause: str,
    does: str,
    *,
    level: Level = "must",
    allows: Mapping[str, str] | None = None,
    driver: type[Driver] = Driver,
) -> Callable[[RuntimeType], RuntimeType]:
    """Enter a runtime in the table of those that break one clause.

    Args:
        name: What it is asked for by.
        clause: The clause that it breaks.
        does: What it does, as a clause of a sentence.
        level: The level of the part that it breaks.
        allows: Other clauses that literally are broken too, each with a word why.
        driver: What carries out the ops on it.
    """

    def register(runtime: RuntimeType) -> RuntimeType:
        row = RuntimeRow(
            name=name,
            does=does,
            clause=clause,
            level=level,
            allows=allows or {},
            runtime=runtime,
            driver=driver,
        )
        enter(BROKEN, row)
        return runtime

    return register


def legal(
    name: str,
    does: str,
    *,
    allows: Mapping[str, str] | None = None,
    driver: type[Driver] = Driver,
) -> Callable[[RuntimeType], RuntimeType]:
    """Enter a runtime in the table of those that conform in their own way."""

    def register(runtime: RuntimeType) -> RuntimeType:
        row = RuntimeRow(
            name=name, does=does, allows=allows or {}, runtime=runtime, driver=driver
        )
        enter(LEGAL, row)
        return runtime

    return register
