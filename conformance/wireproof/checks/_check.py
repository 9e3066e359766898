"""What is tried, what it is charged to, and what is known of what it is tried on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from wireproof.checks._verdicts import Level


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is tried: a vector, a scenario or a fuzz property.

    Attributes:
        id: Its id, the name of its pytest item.
        title: What it tries, as a sentence.
        clauses: What it is charged to.
        level: The level of the part that it tries.
        source: The source of that part.
        kind: A vector, a course of events that no vector can tell, or a property
            that is fuzzed.
        needs: What the subject has to offer for it.
        file: The file of the user's that it stands in; empty for the suite's own.
        explains: The clauses that what it tries may break by the way: what monitors
            see of them in its frames is its own fault.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    level: Level
    source: str
    kind: Literal["vector", "scenario", "fuzz"]
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    file: str = ""
    explains: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """The part of the id that checks of one kind share."""
        return self.id.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The part of the id that it has for itself in its group."""
        return self.id.rpartition("/")[2]

    @property
    def calls(self) -> Sequence[str]:
        """The tools of the conformance toolset that it calls."""
        return self.needs.get("tools", ())

    @property
    def argument(self) -> str:
        """What selects it on pytest's command line."""
        return self.file or self.id


@dataclass(frozen=True, slots=True)
class ClauseText:
    """A clause as it is shown to a person.

    Attributes:
        id: Its id.
        level: Its first level.
        source: The document that it comes from.
        text: What it says.
        excluded: Why nothing tests it; empty where something does.
        rests_on: The clauses that must hold for it to be tried at all.
    """

    id: str
    level: Level
    source: str
    text: str
    excluded: str = ""
    rests_on: tuple[str, ...] = ()


_SOURCE_WORDS = {
    "seed": "document",
    "standard": "JSON",
    "settled": "common practice",
    "derived": "inferred",
}

_OF_JSON_RPC = ("EXEC-S", "EXEC-R")
"""Clauses whose protocol is based on JSON-RPC, which includes JSON."""


def source_word(source: str, clause: str) -> str:
    """Return the word by which the source of a clause is shown.

    Args:
        source: The source as data files have it.
        clause: The id of the clause.
    """
    if source == "standard" and clause.startswith(_OF_JSON_RPC):
        return "JSON-RPC"
    return _SOURCE_WORDS.get(source, source)


@dataclass(frozen=True, slots=True)
class SubjectFacts:
    """What is known of a subject beside its results.

    Attributes:
        level: ``full`` where it offers the whole toolset, else ``wire``.
        starts: How often it was started.
        missing_checks: How many checks the missing tools would add.
        missing_tools: The tools of the toolset that it does not list.
        fuzz_seed: The seed of its fuzzing.
        latency_ms: The latency of a trivial exchange, 0 where it was not measured.
        remarks: What an option asked for and the subject does not have, and what to do.
        tools_started: How many processes of tools a runtime has started.
        own_tools: The tools that it lists and that no check calls.
        untried: What could be tried as well, and by which options.
        lacks: The features that it says not to have; their checks do not apply.
    """

    level: Literal["wire", "full"]
    starts: int
    missing_checks: int
    missing_tools: tuple[str, ...]
    fuzz_seed: int
    latency_ms: float
    remarks: tuple[str, ...] = ()
    tools_started: int = 0
    own_tools: tuple[str, ...] = ()
    untried: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
