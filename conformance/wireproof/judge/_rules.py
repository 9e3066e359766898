"""Which clause an observed fault breaks, as a table of the protocol."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from wireproof.checks import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Difference
    from wireproof.conversation import Dialect
    from wireproof.judge._observation import Ran


@dataclass(frozen=True, slots=True)
class Rule:
    """What a fault is charged to.

    Attributes:
        clause: The clause; empty if a fault only keeps checks from being tried.
        level: The level of the part of the clause that it breaks.
    """

    clause: str
    level: Level = "must"


class Look(NamedTuple):
    """What is wrong with what a step of the protocol's own saw.

    Attributes:
        kind: The kind of the fault.
        fields: What a sentence about it needs.
        differences: What was expected and what was seen.
        rule: What it breaks, if that is not what the step is about.
        clause: The clause of the part of a step that it is about, if it has its own.
        of_pace: Whether it may be a matter of how fast the machine is, or of what was
            asked before: a fresh subject is asked again.
        applies: Whether the check applies to what was seen.
    """

    kind: str
    fields: dict[str, Any]
    differences: Sequence[Difference] = ()
    rule: Rule | None = None
    clause: str = ""
    of_pace: bool = False
    applies: bool = True


class Watched(NamedTuple):
    """What monitors saw in one run.

    Attributes:
        kinds: What the run is, of which monitored clauses may hold.
        faults: Kinds of faults, with the fields of each.
    """

    kinds: Sequence[str]
    faults: Sequence[tuple[str, Mapping[str, Any]]]


def _no_look(
    step: Mapping[str, Any], seen: Any, names: Mapping[str, Any]
) -> Look | dict[str, Any]:
    return {}


def _not_watched(step: Mapping[str, Any], run: Ran) -> Watched:
    return Watched((), ())


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
        look: Returns what is wrong with what a step of the protocol's own saw, from the
            step, what it saw and the names; the values that it saves if nothing is.
            What a step of runs saw are its runs.
        watch: Returns what monitors see in a run of a step; the step is empty if the
            run is the runner's own.
    """

    dialect: Callable[[], Dialect]
    faults: Mapping[str, Rule | tuple[Rule, ...]]
    levels: Mapping[str, Level] = field(default_factory=dict[str, Level])
    mismatch: Callable[[Any, Any], str] = _no_clause
    look: Callable[
        [Mapping[str, Any], Any, Mapping[str, Any]], Look | dict[str, Any]
    ] = _no_look
    watch: Callable[[Mapping[str, Any], Ran], Watched] = _not_watched

    def of(self, kind: str) -> Sequence[Rule]:
        """Return the rules of a kind of fault; none if it breaks no clause."""
        found = self.faults.get(kind, ())
        return (found,) if isinstance(found, Rule) else found
