"""A line protocol as the registry knows it: how its suite is opened."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from wireproof.checks import VectorProtocol
from wireproof_vectors import load_setup, load_toolset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from wireproof.checks import Check, ClauseText, Settings, Suite, Target
    from wireproof_vectors import Vector

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


class LineProtocol(VectorProtocol):
    """A line protocol as an entry of the registry."""

    kind = "exchange"

    @abstractmethod
    def suite(self) -> SuiteType:
        """Return the protocol's suite, imported only where a subject is tried."""

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start a subject, or None; nothing is started."""
        from wireproof.subjects import missing_program

        return missing_program(target.command, settings.folder, settings.environment)

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a subject; nothing is started yet."""
        suite = self.suite()
        return suite(
            target,
            settings,
            self.checks(settings),
            self.vectors(settings),
            load_setup(self.name),
            [tool.name for tool in load_toolset() if self.name in tool.protocols],
            self.clauses(),
        )
