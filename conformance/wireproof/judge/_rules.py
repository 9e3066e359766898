"""Which clause an observed fault breaks, as a table of the protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wireproof.checks import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.conversation import Dialect


@dataclass(frozen=True, slots=True)
class Rule:
    """What a fault is charged to.

    Attributes:
        clause: The clause.
        level: The level of the part of the clause that it breaks.
    """

    clause: str
    level: Level = "must"


def _no_clause(pattern: Any, value: Any) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the judge has to know about a protocol.

    Attributes:
        dialect: Makes the dialect of a conversation.
        faults: The rule of each kind of fault of a line, a frame or a start; several
            if it breaks several clauses.
        levels: The first level of each clause of the catalogue.
        mismatch: Returns the clause that a frame breaks by what differs in it, from a
            pattern and the frame; empty if the step that failed says it.
    """

    dialect: Callable[[], Dialect]
    faults: Mapping[str, Rule | tuple[Rule, ...]]
    levels: Mapping[str, Level] = field(default_factory=dict[str, Level])
    mismatch: Callable[[Any, Any], str] = _no_clause

    def of(self, kind: str) -> Sequence[Rule]:
        """Return the rules of a kind of fault; none if it breaks no clause."""
        found = self.faults.get(kind, ())
        return (found,) if isinstance(found, Rule) else found
