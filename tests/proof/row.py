"""A row of a proof: a subject that does one thing differently from the reference, and
the tables in which it is entered."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Literal, TypeVar

Level = Literal["must", "should"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a subject does, and what the suite has to say of it.

    Attributes:
        name: What it is asked for by.
        does: What it does differently.
        clause: The clause that it breaks; empty for a legal subject.
        level: The level of what it breaks.
        warns: For a legal subject, the SHOULD clauses that it does not keep, and why.
        shown_by: A vector in whose frames what is watched in all frames shows; empty
            where any vector of the clause will do.
    """

    name: str
    does: str
    clause: str = ""
    level: Level = "must"
    warns: Mapping[str, str] = field(default_factory=dict[str, str])
    shown_by: str = ""

    @property
    def program(self) -> tuple[str, ...]:
        """What starts it, without what the suite tells it."""
        raise NotImplementedError

    @property
    def command(self) -> tuple[str, ...]:
        """What the suite is given to start it."""
        return self.program

    @property
    def own(self) -> object:
        """What its protocol is told of it beside its command; None for what all are."""
        return None

    def run(self, arguments: Sequence[str]) -> int:
        """Be the subject in this process.

        Args:
            arguments: What the suite tells it.

        Returns:
            The exit status.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRow(Row):
    """A subject that is made of a class of its own.

    Attributes:
        subject: The class.
    """

    subject: type[Any]


RowType = TypeVar("RowType", bound=Row)
SubjectType = TypeVar("SubjectType", bound=Callable[..., Any])

Change = Callable[[type[Any]], type[Any]]
"""Makes a subclass of a subject that does one thing differently."""


def around(method: str, function: Callable[..., Any]) -> Change:
    """Return the change that puts a function around a method.

    Args:
        method: The name of the method.
        function: Called with the subject, the method as it was, and its arguments.
    """

    def change(subject: type[Any]) -> type[Any]:
        original = getattr(subject, method)

        def changed(self: Any, *args: Any, **named: Any) -> Any:
            return function(self, partial(original, self), *args, **named)

        return type(subject.__name__, (subject,), {method: changed})

    return change


class Tables(Generic[RowType]):
    """The tables of a protocol's subjects, and how a class is entered in one.

    Attributes:
        broken: The broken subjects, by name.
        legal: Those that conform in their own way; they may be warned of the clauses
            in `warns`, and of nothing else.
    """

    def __init__(self, row: Callable[..., RowType]) -> None:
        """Begin with empty tables.

        Args:
            row: Makes a row of its attributes and the class, which is `subject`.
        """
        self.broken: dict[str, RowType] = {}
        self.legal: dict[str, RowType] = {}
        self._row = row
        self._modules: dict[str, str] = {}

    def order(self) -> None:
        """Bring the tables in the order of the modules that entered their subjects.

        It does not hang on which of them was imported first, then: processes that
        share out the tests have to find the same ones.
        """
        for table in (self.broken, self.legal):
            rows = sorted(table, key=self._modules.__getitem__)
            ordered = {name: table[name] for name in rows}
            table.clear()
            table.update(ordered)

    def enter_broken(
        self,
        name: str,
        clause: str,
        does: str,
        *,
        level: Level = "must",
        shown_by: str = "",
        **own: Any,
    ) -> Callable[[SubjectType], SubjectType]:
        """Enter a class in the table of those that break one clause.

        Args:
            name: What it is asked for by.
            clause: The clause that it breaks.
            does: What it does, as a clause of a sentence.
            level: The level of the part that it breaks.
            shown_by: The vector that shows it, where few of the clause do.
            **own: What rows of its protocol have beside that.
        """
        row = partial(
            self._row,
            name=name,
            does=does,
            clause=clause,
            level=level,
            shown_by=shown_by,
            **own,
        )
        return self._entering(self.broken, row)

    def enter_legal(
        self,
        name: str,
        does: str,
        *,
        warns: Mapping[str, str] | None = None,
        **own: Any,
    ) -> Callable[[SubjectType], SubjectType]:
        """Enter a class in the table of those that conform in their own way.

        Args:
            name: What it is asked for by.
            does: What it does, as a clause of a sentence.
            warns: Clauses of SHOULD level that it does not keep, each with a word why.
            **own: What rows of its protocol have beside that.
        """
        row = partial(self._row, name=name, does=does, warns=warns or {}, **own)
        return self._entering(self.legal, row)

    def faults(self, module: str, subject: type[Any]) -> Callable[..., None]:
        """Return `fault`, which enters a broken subject in one call.

        `fault(name, clause, does, *changes, level="must", shown_by="", **own)`: the
        subject is made by applying the changes in order. It becomes an attribute of the
        module, so that `module:attr` names it.

        Args:
            module: The name of the module that calls it.
            subject: What the changes are applied to.
        """

        def fault(
            name: str, clause: str, does: str, *changes: Change, **own: Any
        ) -> None:
            self.enter_broken(name, clause, does, **own)(
                _made(module, name, subject, changes)
            )

        return fault

    def variants(self, module: str, subject: type[Any]) -> Callable[..., None]:
        """Return `variant`, which enters a legal subject in one call.

        `variant(name, does, *changes, warns=None, **own)`; as for `faults`.
        """

        def variant(name: str, does: str, *changes: Change, **own: Any) -> None:
            self.enter_legal(name, does, **own)(_made(module, name, subject, changes))

        return variant

    def _entering(
        self, table: dict[str, RowType], row: Callable[..., RowType]
    ) -> Callable[[SubjectType], SubjectType]:
        def register(subject: SubjectType) -> SubjectType:
            entered = row(subject=subject)
            if entered.name in table:
                raise ValueError(f"two subjects are called {entered.name}")
            table[entered.name] = entered
            self._modules[entered.name] = subject.__module__
            return subject

        return register


def _made(
    module: str, name: str, subject: type[Any], changes: Sequence[Change]
) -> type[Any]:
    """Apply changes to a subject, and make the outcome an attribute of a module."""
    made = type(subject.__name__, (subject,), {})
    for change in changes:
        made = change(made)
    attribute = name.replace("-", "_").upper()
    made.__module__, made.__qualname__ = module, attribute
    setattr(sys.modules[module], attribute, made)
    return made
