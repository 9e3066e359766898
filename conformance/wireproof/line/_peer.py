"""What the step interpreter needs of a conversation with a subject.

Each line protocol brings a peer of its own; the steps of a vector mean the same in
all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from wireproof.checks import Deviation
    from wireproof.line._steps import Broke

Cut = Literal["every-byte"] | Sequence[int] | None


class MissingCause(Enum):
    """Why a frame did not come."""

    TIMEOUT = "timeout"
    EXITED = "exited"
    CLOSED = "closed"
    FLOODED = "flooded"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Missing:
    """A frame that was waited for did not come.

    Attributes:
        cause: Why the wait ended.
        text: The same as a clause of a sentence, such as ``no answer within 5.0 s``.
    """

    cause: MissingCause
    text: str


@dataclass(frozen=True, slots=True)
class NotUp:
    """The subject did not come up.

    Attributes:
        text: Why, as a sentence without a full stop.
        deviations: What was found out about the cause.
    """

    text: str
    deviations: tuple[Deviation, ...] = ()


class Frame(Protocol):
    """A frame that came from the subject."""

    @property
    def time(self) -> float:
        """When it came, in seconds on the clock of the run."""
        ...

    @property
    def value(self) -> Any:
        """Its JSON value."""
        ...

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """What the monitors found in it."""
        ...


class Peer(Protocol):
    """One conversation with a subject."""

    names: dict[str, Any]
    """The values that ``$use`` may name."""

    def deliver(self, data: bytes, cut: Cut) -> None:
        """Send bytes, each piece read by the subject before the next is sent."""
        ...

    def declare_delay(self, seconds: float) -> None:
        """Take note that tools were asked to take this much time."""
        ...

    def declare_frames(self, count: int) -> None:
        """Take note that so many frames are to come, perhaps all at the end."""
        ...

    def turn_to(self, connection: str | None) -> bool:
        """Take the connection on which the next step is carried out.

        Args:
            connection: Its name, or None for the usual one.

        Returns:
            False where the step is to be left out: the subject made use of its choice
            to close that connection.
        """
        ...

    def await_frame(self, pattern: Any) -> Frame | Missing:
        """Wait for the next frame of the exchange that the pattern names."""
        ...

    def take_closing(self) -> None:
        """Take note that the subject chose to close the connection in hand."""
        ...

    def take_refusal(self) -> None:
        """See whether the subject closes the connection that it may close."""
        ...

    def own_step(self, step: Mapping[str, Any], time_scale: int) -> Broke | None:
        """Carry out a step that only this protocol has.

        Raises:
            VectorDefect: If there is no such step.
        """
        ...

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove at the end of a check that the subject lives.

        Args:
            input_closed: Whether the usual input was closed.
        """
        ...

    def fence(self) -> Missing | None:
        """Send a plain valid request and wait for its success."""
        ...

    def strays(self) -> Sequence[Frame]:
        """Return the frames of this check that answer no request."""
        ...

    def answer_rank(self, key: str) -> int | None:
        """Return the place of an exchange's final answer among all frames, or None."""
        ...

    def answered_at(self, key: str) -> float | None:
        """Return when the final answer of an exchange came, or None."""
        ...

    def first_event_at(self, key: str) -> float | None:
        """Return when the first event of an exchange came, or None."""
        ...

    def close_input(self) -> None:
        """End what the subject reads."""
        ...

    def await_exit(self, within: float) -> int | Missing:
        """Wait until the subject ends by itself; return its exit status."""
        ...

    def restart(self) -> Missing | None:
        """Replace the subject by one that was just started."""
        ...
