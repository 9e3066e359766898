"""What steps came to: they were completed, or one of them diverged, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Deviation, Difference


class MissingCause(Enum):
    """Why a frame did not come."""

    TIMEOUT = "timeout"
    EXITED = "exited"
    CLOSED = "closed"
    FLOODED = "flooded"
    REFUSED = "refused"


ENDED = frozenset({MissingCause.EXITED, MissingCause.CLOSED})
"""Why a frame did not come where the subject serves no longer."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A frame that was waited for did not come.

    Attributes:
        cause: Why the wait ended.
        text: The same as a clause of a sentence, such as ``no answer within 5.0 s``.
    """

    cause: MissingCause
    text: str

    @property
    def ended(self) -> str | None:
        """How the subject ended, if that is why the frame did not come."""
        return self.text if self.cause in ENDED else None


@dataclass(frozen=True, slots=True)
class Completed:
    """Every step went as it should.

    Attributes:
        recorded: What was recorded, by the name of the exchange.
        frames: How many frames were compared with a pattern.
    """

    recorded: Mapping[str, str]
    frames: int


@dataclass(frozen=True, slots=True)
class Diverged:
    """A step did not go as it should.

    Attributes:
        text: What happened, in a sentence without a full stop.
        clause: The clause that this step is charged to where it is not the vector's.
        missing: Why a frame did not come; None where one came and differs.
        differences: Where it differs.
        deviations: What the monitors found in the frame that differs.
        at_fence: Whether it is the plain valid request at the end that failed.
        recorded: What was recorded until then.
        about_time: Whether a slower attempt may tell something else.
        displaced: Whether the response came where an event was expected.
        intruding: Whether an event came where the response was expected.
        charged: The clause that what came breaks where it is not that of the step;
            None where it is, or where that cannot be told.
        step: The index of the step; None where it is the fence at the end.
        request: What was left unanswered, in words; empty where that is not known.
        frame: The beginning of the frame that differs; empty where none did.
    """

    text: str
    clause: str | None = None
    missing: Missing | None = None
    differences: tuple[Difference, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    at_fence: bool = False
    recorded: Mapping[str, str] = field(default_factory=dict[str, str])
    about_time: bool = False
    displaced: bool = False
    intruding: bool = False
    charged: str | None = None
    step: int | None = None
    request: str = ""
    frame: str = ""


StepsOutcome = Completed | Diverged
"""What the steps of a check came to; what that means for a clause is judged later."""
