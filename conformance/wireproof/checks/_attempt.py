"""What one attempt at a check came to: the result, and what decides what to do next."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks._verdicts import Result


@dataclass(frozen=True, slots=True)
class Attempt:
    """Steps were carried out once, and judged.

    Attributes:
        result: What the report shows of it.
        about_time: Whether a slower attempt, or a longer wait, may tell something else.
        fresh: Whether the subject had served no other check since it was started.
        step: The index of the step that failed, where it is known.
        unanswered: The request that was not answered in time, in words; empty where it
            is another matter, or is not known.
        counted: What went through, by what it is: ``frames`` or ``operations``.
    """

    result: Result
    about_time: bool = False
    fresh: bool = False
    step: int | None = None
    unanswered: str = ""
    counted: Mapping[str, int] = field(default_factory=dict[str, int])

    def after(self, former: Result) -> Self:
        """Return it as what a check comes to that was tried before.

        Args:
            former: What came of that try; what monitors saw then, they saw.
        """
        monitors = (*former.monitors, *self.result.monitors)
        return replace(self, result=replace(self.result, monitors=monitors))
