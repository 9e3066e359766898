"""What a broken or a legal tool registry is, and how one is entered in its table.

A row is a function that is given the reference and puts something else in one place of
it. Each subject has a process of its own: what is put into a module stays there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any, TypeAlias

from tests.proof.row import Row, Tables

from wireproof.protocols import protocol_for
from wireproof.subjects import _in_process
from wireproof_reference.tool_contract import ToolContractSubject

Json: TypeAlias = dict[str, Any]


def module(name: str) -> Any:
    """Return a module of the reference, to put something else into it."""
    return import_module(f"wireproof_reference.tool_contract.{name}")


registry = module("_registry")
data_tools = module("_data_tools")
files = module("_files")
subject_module = module("_subject")
untrusted = module("core._untrusted")
Registry = registry.ToolRegistry


class Subject(ToolContractSubject):
    """The reference, with places where what it is given and gives can be changed."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Callable[[Json], Json] = lambda told: told
        self.given: Callable[[Json], Json] = lambda entry: entry
        self.value: Callable[[Json], Json] = lambda value: value

    async def execute_parallel(self, calls: list[Any], **told: Any) -> Json:
        """Carry out calls, changed before and after."""
        asked = self.asked({"calls": calls, **told})
        value: Json = await super().execute_parallel(**asked)
        value["results"] = [self.given(entry) for entry in value["results"]]
        return self.value(value)


Arrange: TypeAlias = Callable[[Subject], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryRow(Row):
    """A registry that does one thing differently from the reference.

    Attributes:
        target: What `--tools` takes for it.
    """

    target: str

    @property
    def program(self) -> tuple[str, ...]:
        """What the suite itself starts for it."""
        return protocol_for("tools").command(self.target)

    def run(self, arguments: Sequence[str]) -> int:
        """Serve this registry as the suite's own program does."""
        _in_process.main()
        return 0


SUBJECTS = SimpleNamespace()
"""What makes each of them, under its name with underscores."""


def put(name: str, replacement: Any, place: Any = registry) -> None:
    """Put something else in the place of what a module or class has under a name."""
    setattr(place, name, replacement)


def _row(subject: Arrange, **attributes: Any) -> RegistryRow:
    """Return the row of what a function makes of the reference."""
    attribute = attributes["name"].replace("-", "_")

    def make() -> Subject:
        made = Subject()
        subject(made)
        return made

    setattr(SUBJECTS, attribute, make)
    target = f"tests.proof.tool_contract.table:SUBJECTS.{attribute}"
    return RegistryRow(target=target, **attributes)


TABLES = Tables(_row)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal
