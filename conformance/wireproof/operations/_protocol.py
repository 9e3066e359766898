"""A protocol of bridged subjects as the registry knows it: how a driver is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.checks import VectorProtocol
from wireproof.operations._opening import driver_command, driver_start_problem

if TYPE_CHECKING:
    from wireproof.checks import Settings, Target


class BridgedProtocol(VectorProtocol):
    """A protocol whose subjects are asked through a driver, as a registry's entry."""

    def command(self, text: str) -> tuple[str, ...]:
        """Return the words that start the driver.

        Raises:
            ValueError: If the text cannot be split into words.
        """
        return driver_command(text)

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start the driver, or None."""
        return driver_start_problem(target, settings)
