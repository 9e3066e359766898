"""A row of a proof: a subject that does one thing differently from the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

Level = Literal["must", "should"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a subject does, and what the suite has to say of it.

    Attributes:
        name: What it is asked for by.
        does: What it does differently.
        clause: The clause that it breaks; empty for a legal subject.
        level: The level of what it breaks.
        allows: Other clauses that it breaks in the same breath, and why.
        shown_by: A vector in whose frames what is watched in all frames shows; empty
            where any vector of the clause will do.
    """

    name: str
    does: str
    clause: str = ""
    level: Level = "must"
    allows: Mapping[str, str] = field(default_factory=dict[str, str])
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


RowType = TypeVar("RowType", bound=Row)


def enter(table: dict[str, RowType], row: RowType) -> None:
    """Enter a row in its table.

    Raises:
        ValueError: Another row has its name.
    """
    if row.name in table:
        raise ValueError(f"two subjects are called {row.name}")
    table[row.name] = row
