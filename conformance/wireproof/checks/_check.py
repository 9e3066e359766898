"""What the runner asks of a protocol: checks, their results, a summary at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from wireproof.checks._option_reader import OptionReader
    from wireproof.checks._settings import Settings, Target
    from wireproof.checks._suite import Suite
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
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    level: Level
    source: str
    kind: Literal["vector", "scenario", "fuzz"]
    needs: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    file: str = ""

    @property
    def group(self) -> str:
        """The part of the id that checks of one kind share."""
        return self.id.rpartition("/")[0]

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
    """

    id: str
    level: Level
    source: str
    text: str
    excluded: str = ""


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
    """

    level: Literal["wire", "full"]
    starts: int
    missing_checks: int
    missing_tools: tuple[str, ...]
    fuzz_seed: int
    latency_ms: float


class ProtocolEntry(Protocol):
    """A protocol as the registry knows it."""

    name: str
    """Its name, such as ``host-v1``."""

    option: str
    """The command-line option that names a subject, without the dashes."""

    reference: tuple[str, ...]
    """Arguments after the Python interpreter that start the reference subject."""

    def command(self, text: str) -> tuple[str, ...]:
        """Return what a subject is reached by, as the user typed it: often its words.

        Raises:
            ValueError: With the remedy, if it cannot be reached so.
        """
        ...

    def for_one_worker(self, command: Sequence[str]) -> bool:
        """Tell whether one process at a time can try this subject.

        Args:
            command: What ``command`` returned for it.
        """
        ...

    def settings(self, options: OptionReader) -> object:
        """Read the protocol's own options; ``Settings.of`` hands them out.

        Raises:
            Exception: As the reader makes it, if a value cannot be used.
        """
        ...

    def handle(
        self, target: Target, settings: Settings
    ) -> AbstractContextManager[object]:
        """Return the subject for a user's own tests, started on entering a block."""
        ...

    def checks(self, settings: Settings) -> Sequence[Check]:
        """Return every check, in the order in which they are run."""
        ...

    def clauses(self) -> Sequence[ClauseText]:
        """Return the catalogue."""
        ...

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a subject; nothing is started yet."""
        ...

    def describe(self, check_id: str) -> Mapping[str, Any] | None:
        """Return a vector as its file has it, or None where there is no such one."""
        ...
