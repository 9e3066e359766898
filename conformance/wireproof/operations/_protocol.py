"""A protocol of bridged subjects as the registry knows it: how a driver is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wireproof.checks import VectorProtocol
from wireproof.operations._handle import BridgedHandle
from wireproof.operations._opening import (
    driver_command,
    driver_environment,
    driver_start_problem,
    open_bridge,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wireproof.checks import Settings, Target
    from wireproof.subjects import Bridge


class BridgedProtocol(VectorProtocol):
    """A protocol whose subjects are asked through a driver, as a registry's entry.

    Attributes:
        ops: The ops that a subject may offer, beside ``describe``.
        inside: The file whose ops look at an object in Python in its own process.
    """

    ops: ClassVar[Sequence[str]]
    inside: ClassVar[Path | None] = None

    def command(self, text: str) -> tuple[str, ...]:
        """Return the words that start the driver.

        Raises:
            ValueError: If the text cannot be split into words.
        """
        return driver_command(text)

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start the driver, or None."""
        return driver_start_problem(target, settings)

    def handle(self, target: Target, settings: Settings) -> BridgedHandle:
        """Return a subject for a user's own tests, started on entering a block."""
        return BridgedHandle(self.bridge(target, settings))

    def environment(self, target: Target, settings: Settings) -> dict[str, str]:
        """Return all variables of the driver."""
        return driver_environment(target, settings, self.ops, inside=self.inside)

    def bridge(self, target: Target, settings: Settings) -> Bridge:
        """Prepare the driver of a subject; nothing is started."""
        return open_bridge(target, settings, self.ops, inside=self.inside)
