"""What comes of the steps of an ``operation`` vector."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Difference
    from wireproof.subjects import DriverFault


@dataclass(frozen=True, slots=True)
class AsExpected:
    """Every step came out as it should.

    Attributes:
        recorded: Behaviour that was seen, by the name of the op.
    """

    recorded: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Differs:
    """A step came out otherwise.

    Attributes:
        step: The step's place, counted from 0.
        text: What is wrong, in a sentence without a full stop.
        differences: What was expected and what came.
    """

    step: int
    text: str
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class NotOffered:
    """A step asks for what the subject or its driver does not offer.

    Attributes:
        text: What that is, in a sentence without a full stop.
    """

    text: str


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """The driver did something else than to answer a step.

    Attributes:
        step: The step's place, counted from 0.
        fault: What it did.
    """

    step: int
    fault: DriverFault


StepsOutcome: TypeAlias = AsExpected | Differs | NotOffered | NotAnswered
