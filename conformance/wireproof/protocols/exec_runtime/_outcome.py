"""What comes of the steps of a vector for runtimes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from wireproof.operations import AsExpected

if TYPE_CHECKING:
    from wireproof.checks import Difference
    from wireproof.subjects import DriverFault


@dataclass(frozen=True, slots=True)
class Differs:
    """A step came out otherwise.

    Attributes:
        text: What is wrong, in a sentence without a full stop.
        differences: What was expected and what came.
        about_time: Whether more time might have shown something else.
        step: The step's place, counted from 0.
        clause: The clause that it breaks, where a part of the step names one.
        overlapping: How many calls were in flight at the server of the one that is
            wrong; 0 where a call that had its tool for itself is.
    """

    text: str
    differences: tuple[Difference, ...] = ()
    about_time: bool = False
    step: int = 0
    clause: str | None = None
    overlapping: int = 0


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """The driver did something else than to answer a step.

    Attributes:
        fault: What it did.
        step: The step's place, counted from 0.
        overlapping: How many calls were in flight at one server, if several were.
    """

    fault: DriverFault
    step: int = 0
    overlapping: int = 0


StepsOutcome: TypeAlias = AsExpected | Differs | NotAnswered
