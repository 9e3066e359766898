"""What a broken or a legal tool registry is, and how one is entered in its table.

A row is a function that is given the reference and puts something else in one place of
it. Each subject has a process of its own: what is put into a module stays there. Legal
ones that change other places go together, one after the other in one subject.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from tests.proof.registry_row import RegistryRow, attributes_of
from tests.proof.row import Tables

from wireproof_reference.tool_contract import (
    ReducerRegistry,
    ToolContractSubject,
    ToolFilter,
)

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


class ToolRegistryRow(RegistryRow):
    """A registry of tools that does one thing differently from the reference."""

    option = "tools"


class Makers:
    """What makes each subject, under its name with underscores.

    Several names, joined by two underscores, are that of a subject that has all of
    these variants.
    """

    def __init__(self) -> None:
        self.arranges: dict[str, Arrange] = {}

    def __getattr__(self, attribute: str) -> Callable[[], Subject]:
        arranges = [self.arranges[name] for name in attribute.split("__")]

        def make() -> Subject:
            made = Subject()
            for arrange in arranges:
                arrange(made)
            return made

        return make


SUBJECTS = Makers()

TABLE = "tests.proof.tool_contract.table:SUBJECTS"
"""Where the suite's own program finds them."""


def put(name: str, replacement: Any, place: Any = registry) -> None:
    """Put something else in the place of what a module or class has under a name."""
    setattr(place, name, replacement)


def _row(subject: Arrange, **attributes: Any) -> ToolRegistryRow:
    """Return the row of what a function makes of the reference."""
    attribute = attributes["name"].replace("-", "_")
    SUBJECTS.arranges[attribute] = subject
    return ToolRegistryRow(target=f"{TABLE}.{attribute}", **attributes)


TABLES = Tables(_row)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal


def compose_legal(names: Sequence[str]) -> ToolRegistryRow:
    """Return the legal registry that has these variants at once.

    Args:
        names: Those of the variants.
    """
    attribute = "__".join(name.replace("-", "_") for name in names)
    told = attributes_of([LEGAL[name] for name in names])
    return ToolRegistryRow(target=f"{TABLE}.{attribute}", **told)


PLACES = (
    *(registry, data_tools, files, subject_module, untrusted),
    *(Registry, ToolFilter, ReducerRegistry),
)
"""Where a row puts something else, beside its own subject."""

OF_REGISTRY = frozenset({"_registry", "_available", "_reducers", "_removals"})
"""What a subject begins anew with when it is reset."""


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal registry changes, by its name."""
    return {name: _changed(SUBJECTS.arranges[name.replace("-", "_")]) for name in LEGAL}


def _changed(arrange: Arrange) -> frozenset[str]:
    """Return the names of what a row puts something else for; all is put back."""
    made = Subject()
    before = [dict(vars(place)) for place in (*PLACES, made)]
    arrange(made)
    found: set[str] = set()
    for place, old in zip((*PLACES, made), before, strict=True):
        new = dict(vars(place))
        for name in new.keys() | old.keys():
            if new.get(name) is not old.get(name) and name not in OF_REGISTRY:
                found.add(name)
                if place is not made:
                    setattr(place, name, old[name])
    return frozenset(found)
