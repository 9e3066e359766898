"""A protocol as the registry knows it: its vectors and other checks, its catalogue.

A protocol brings its names and what is tried beside the vectors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from wireproof.checks._check import Check, ClauseText
from wireproof.checks._suite import SuiteInputs
from wireproof.checks._verdicts import DOCUMENT_SOURCES, LEVELS
from wireproof_vectors import (
    Vector,
    load_clauses,
    load_properties,
    load_setup,
    load_toolset,
    load_vectors,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from wireproof.checks._option_reader import OptionReader
    from wireproof.checks._settings import Settings, Target
    from wireproof.checks._suite import Suite


class VectorProtocol(ABC):
    """A protocol as an entry of the registry.

    Attributes:
        name: Its name, such as ``host-v1``.
        option: The command-line option that names a subject, without the dashes.
        reference: Arguments after the Python interpreter that start the reference.
        toolset: Where the tools of the toolset are ready to copy, if it needs any.
        takes: What the level full takes of a subject that lists no tools.
        own_tools: What is to be said of tools of the subject's own, after their names.
        comes_up: What a subject does that can be tried, after "a program that".
        kind: The kind of its vectors that are tried on a subject.
        also: Further kinds that are.
    """

    name: ClassVar[str]
    option: ClassVar[str]
    reference: ClassVar[tuple[str, ...]]
    toolset: ClassVar[Sequence[str]] = ()
    takes: ClassVar[str] = ""
    own_tools: ClassVar[str] = ""
    comes_up: ClassVar[str] = "starts and answers"
    kind: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def command(self, text: str) -> tuple[str, ...]:
        """Return what a subject is reached by, as the user typed it.

        Raises:
            ValueError: With the remedy, if it cannot be reached so.
        """

    def reach(self, text: str, options: OptionReader) -> tuple[str, ...]:
        """Return what a subject is reached by, where other options say more of it.

        Raises:
            ValueError: With the remedy, if it cannot be reached so.
        """
        return self.command(text)

    def several(self, options: OptionReader) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Return the subjects that one option names together; most have no such one."""
        return ()

    @abstractmethod
    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a subject; nothing is started yet."""

    @abstractmethod
    def handle(
        self, target: Target, settings: Settings
    ) -> AbstractContextManager[object]:
        """Return the subject for a user's own tests, started on entering a block."""

    @abstractmethod
    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start a subject, or None; nothing is started."""

    def remedy(self, target: Target, settings: Settings) -> str:
        """Return what to do about a subject that says nothing, after "next: "."""
        return f"name a program that {self.comes_up}"

    def settings(self, options: OptionReader) -> object:
        """Read the protocol's own options; most have none."""
        return None

    def for_one_worker(self, command: Sequence[str]) -> bool:
        """Tell whether one process at a time can try this subject.

        Most are started anew in each process.

        Args:
            command: What ``command`` returned for it.
        """
        return False

    def check(self, vector: Vector) -> Check:
        """Return a vector as a check."""
        needs: Any = vector.data.get("needs", {})
        explains: Any = vector.data.get("explains", ())
        return Check(
            vector.id,
            vector.title,
            vector.clauses,
            vector.level,
            vector.source,
            "vector",
            needs,
            explains=tuple(explains),
        )

    def properties(self, kind: Literal["fuzz", "scenario"]) -> Sequence[Check]:
        """Return its fuzz properties, or the scenarios that no vector can tell."""
        return [
            Check(
                one.id,
                one.title,
                one.clauses,
                one.level,
                one.source,
                one.kind,
                one.needs,
                explains=one.explains,
            )
            for one in load_properties(self.name)
            if one.kind == kind
        ]

    def checks(self, settings: Settings) -> Sequence[Check]:
        """Return the checks of the level and sources asked for."""
        highest = LEVELS.index(settings.level)
        found = list(self._shipped_checks)
        for file, vectors in settings.vectors.items():
            own = [vector for vector in vectors if self._tries(vector)]
            found += [replace(self.check(vector), file=file) for vector in own]
        found += self.properties("scenario")
        if settings.fuzz:
            found += self.properties("fuzz")
        return [
            check
            for check in found
            if LEVELS.index(check.level) <= highest
            and (settings.sources == "all" or check.source in DOCUMENT_SOURCES)
        ]

    def vectors(self, settings: Settings) -> Mapping[str, Vector]:
        """Return the vectors by id, the user's own included."""
        found = dict(self._shipped())
        for own in settings.vectors.values():
            found.update((vector.id, vector) for vector in own)
        return found

    def inputs(self, target: Target, settings: Settings) -> SuiteInputs:
        """Return what a suite for a subject is made of."""
        return SuiteInputs(
            target,
            settings,
            self.checks(settings),
            self.vectors(settings),
            load_setup(self.name),
            [
                tool.name
                for tool in load_toolset()
                if self.name in tool.protocols and not tool.optional
            ],
            self.clauses(),
        )

    def clauses(self) -> Sequence[ClauseText]:
        """Return the catalogue."""
        return self._catalogue

    @cached_property
    def _catalogue(self) -> Sequence[ClauseText]:
        return [
            ClauseText(
                clause.id,
                clause.level,
                clause.source,
                clause.full_text,
                clause.excluded.why if clause.excluded else "",
                clause.rests_on,
            )
            for clause in load_clauses(self.name)
        ]

    def describe(self, check_id: str) -> Mapping[str, Any] | None:
        """Return a vector as its file has it, or None where there is no such one."""
        vector = self._shipped().get(check_id)
        return vector.data if vector else None

    @cached_property
    def _shipped_checks(self) -> Sequence[Check]:
        return [self.check(vector) for vector in self._shipped().values()]

    def _shipped(self) -> Mapping[str, Vector]:
        return _load(self.name, (self.kind, *self.also))

    def _tries(self, vector: Vector) -> bool:
        kinds = (self.kind, *self.also)
        return vector.kind in kinds and vector.id.startswith(f"{self.name}/")


@cache
def _load(protocol: str, kinds: tuple[str, ...]) -> Mapping[str, Vector]:
    found = load_vectors(protocol)
    return {vector.id: vector for vector in found if vector.kind in kinds}
