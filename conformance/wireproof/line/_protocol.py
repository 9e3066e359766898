"""A line protocol as the registry knows it: how its suite is opened."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from wireproof.checks import VectorProtocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from wireproof.checks import Settings, Suite, SuiteInputs, Target

    SuiteType: TypeAlias = Callable[[SuiteInputs], Suite]


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
        return self.suite()(self.inputs(target, settings))
