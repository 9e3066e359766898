"""Steps that are drawn by a fuzz property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class OperationPlan:
    """Steps of operations; they need no ids.

    Attributes:
        drawn: The steps.
    """

    drawn: Sequence[dict[str, Any]]

    def steps(self, prefix: str) -> list[dict[str, Any]]:
        """Return the steps of a vector."""
        return list(self.drawn)


def exactly(value: Any) -> dict[str, Any]:
    """Return the pattern that only this value fits, whatever stands in it."""
    return {"$equals": {"$literal": value}}
