"""A line protocol as the registry knows it: its vectors as checks, its catalogue.

A protocol brings its names, what its fuzz properties are and how its suite is opened.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from wireproof._suite import Check, ClauseText, Suite
from wireproof._verdicts import LEVELS
from wireproof_vectors import (
    Vector,
    load_clauses,
    load_setup,
    load_toolset,
    load_vectors,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from wireproof._settings import Settings, Target

    SuiteType: TypeAlias = Callable[
        [
            Target,
            Settings,
            Sequence[Check],
            Mapping[str, Vector],
            Mapping[str, Any],
            Sequence[str],
            Sequence[ClauseText],
        ],
        Suite,
    ]


class LineProtocol(ABC):
    """A line protocol as an entry of the registry.

    Attributes:
        name: Its name, such as ``host-v1``.
        option: The command-line option that names a subject, without the dashes.
        help: What the option takes.
        reference: Arguments after the Python interpreter that start the reference.
        fuzz_checks: Its fuzz properties.
    """

    name: ClassVar[str]
    option: ClassVar[str]
    help: ClassVar[str]
    reference: ClassVar[tuple[str, ...]]
    fuzz_checks: ClassVar[Sequence[Check]]

    @abstractmethod
    def command(self, text: str) -> tuple[str, ...]:
        """Return what a subject is reached by, as the user typed it.

        Raises:
            ValueError: If the text cannot be split into words.
        """

    def for_one_worker(self, command: Sequence[str]) -> bool:
        """Tell whether one process at a time can try this subject.

        Most are started anew in each process.

        Args:
            command: What ``command`` returned for it.
        """
        return False

    @abstractmethod
    def suite(self) -> SuiteType:
        """Return the protocol's suite, imported only where a subject is tried."""

    def check(self, vector: Vector) -> Check:
        """Return a vector as a check."""
        needs: Any = vector.data.get("needs", {})
        return Check(
            vector.id,
            vector.title,
            vector.clauses,
            vector.level,
            vector.source,
            "vector",
            needs,
        )

    def checks(self, settings: Settings) -> Sequence[Check]:
        """Return the checks up to the level asked for, vectors before fuzzing."""
        highest = LEVELS.index(settings.level)
        found = [self.check(vector) for vector in _shipped(self.name).values()]
        for file, vectors in settings.vectors.items():
            own = [vector for vector in vectors if _is_of(self.name, vector)]
            found += [replace(self.check(vector), file=file) for vector in own]
        if settings.fuzz:
            found += self.fuzz_checks
        return [check for check in found if LEVELS.index(check.level) <= highest]

    def clauses(self) -> Sequence[ClauseText]:
        """Return the catalogue."""
        return [
            ClauseText(
                clause.id,
                clause.level,
                clause.source,
                clause.text,
                clause.excluded.why if clause.excluded else "",
            )
            for clause in load_clauses(self.name)
        ]

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a subject; nothing is started yet."""
        vectors = dict(_shipped(self.name))
        for own in settings.vectors.values():
            vectors.update((vector.id, vector) for vector in own)
        suite = self.suite()
        return suite(
            target,
            settings,
            self.checks(settings),
            vectors,
            load_setup(self.name),
            [tool.name for tool in load_toolset() if self.name in tool.protocols],
            self.clauses(),
        )

    def describe(self, check_id: str) -> Mapping[str, Any] | None:
        """Return a vector as its file has it, or None where there is no such one."""
        vector = _shipped(self.name).get(check_id)
        return vector.data if vector else None


@cache
def _shipped(protocol: str) -> Mapping[str, Vector]:
    found = load_vectors(protocol)
    return {vector.id: vector for vector in found if _is_of(protocol, vector)}


def _is_of(protocol: str, vector: Vector) -> bool:
    """Tell whether a vector is one to be tried on a subject of the protocol."""
    return vector.id.startswith(f"{protocol}/") and vector.kind == "exchange"
