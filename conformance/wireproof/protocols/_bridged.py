"""A protocol of subjects behind a driver, as the registry knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wireproof.checks import VectorProtocol
from wireproof.subjects import (
    driver_command,
    driver_environment,
    driver_start_problem,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wireproof.bridge import BridgedHandle
    from wireproof.checks import Settings, Target


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
        from wireproof.bridge import BridgedHandle, BridgeOps
        from wireproof.report import sentence

        ops = BridgeOps(target, settings, self.environment(target, settings))
        return BridgedHandle(ops, sentence)

    def environment(self, target: Target, settings: Settings) -> dict[str, str]:
        """Return all variables of the driver."""
        return driver_environment(target, settings, self.ops, inside=self.inside)
