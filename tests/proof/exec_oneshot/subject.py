"""What a broken or a legal one-shot tool is, and how one is entered in its table."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.proof.exec_oneshot.tool import Tool
from tests.proof.row import Level, Row, enter

from wireproof.exec_tools import Binding, ExecSettings

PROGRAM = str(Path(__file__).with_name("program.py"))

ToolType = TypeVar("ToolType", bound=type[Tool])

TOOLSET = ExecSettings(toolset=True)
"""What is said of each: it behaves as the toolset says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRow(Row):
    """A one-shot tool that does one thing differently.

    Attributes:
        tool: What it does.
        bound: Whether it is a binding that lists no variables.
    """

    tool: type[Tool]
    bound: bool = False

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it."""
        table = "broken" if self.clause else "legal"
        return (sys.executable, PROGRAM, table, self.name)

    @property
    def own(self) -> object:
        """What is said of it: the toolset, and the binding that it is."""
        if not self.bound:
            return TOOLSET
        variables = {"PATH": os.environ["PATH"]}
        binding = Binding(
            self.name, self.command, is_server=False, environment=variables
        )
        return ExecSettings(toolset=True, bindings={" ".join(self.command): binding})

    def run(self, arguments: Sequence[str]) -> int:
        """Be the tool."""
        return self.tool().run()


BROKEN: dict[str, ToolRow] = {}
"""The broken tools, by name, in the order in which their modules enter them."""

LEGAL: dict[str, ToolRow] = {}
"""The tools that conform in their own way."""


def broken(
    name: str,
    clause: str,
    does: str,
    *,
    level: Level = "must",
    allows: Mapping[str, str] | None = None,
    shown_by: str = "",
    bound: bool = False,
) -> Callable[[ToolType], ToolType]:
    """Enter a tool in the table of those that break one clause.

    Args:
        name: What it is asked for by.
        clause: The clause that it breaks.
        does: What it does, as a clause of a sentence.
        level: The level of the part that it breaks.
        allows: Other clauses that literally are broken too, each with a word why.
        shown_by: A vector in whose runs what is watched in all shows.
        bound: Whether it is a binding that lists no variables.
    """

    def register(tool: ToolType) -> ToolType:
        row = ToolRow(
            name=name,
            does=does,
            clause=clause,
            level=level,
            allows=allows or {},
            shown_by=shown_by,
            tool=tool,
            bound=bound,
        )
        enter(BROKEN, row)
        return tool

    return register


def legal(
    name: str,
    does: str,
    *,
    allows: Mapping[str, str] | None = None,
    bound: bool = False,
) -> Callable[[ToolType], ToolType]:
    """Enter a tool in the table of those that conform in their own way."""

    def register(tool: ToolType) -> ToolType:
        row = ToolRow(name=name, does=does, allows=allows or {}, tool=tool, bound=bound)
        enter(LEGAL, row)
        return tool

    return register
