"""What the steps of a vector need of a conversation with a subject, whatever it speaks.

What only some subjects have, such as several connections, the steps of their own
protocol know (``StepRunner``), and this does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from wireproof.checks import Deviation
    from wireproof.line._cuts import Cut
    from wireproof.line._outcome import Missing
    from wireproof.line._request_kinds import RequestKinds


class Arrival(Protocol):
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
    def line(self) -> bytes:
        """The line that it came as, without its line feed."""
        ...

    @property
    def rank(self) -> int:
        """Its place among all frames: several may come at the same time."""
        ...

    @property
    def deviations(self) -> tuple[Deviation, ...]:
        """What the monitors found in it."""
        ...


class Conversation(Protocol):
    """One conversation with a subject."""

    names: dict[str, Any]
    """The values that ``$use`` may name."""

    kinds: RequestKinds
    """Which kinds of request it has answered, over all its starts."""

    def refuses_a_line(self, arrival: Any) -> bool:
        """Tell whether a frame says that a line is none of the protocol's requests."""
        ...

    def deliver(self, data: bytes, cut: Cut) -> None:
        """Send bytes, each piece read by the subject before the next is sent."""
        ...

    def leave_unread(self) -> None:
        """Read nothing until the subject can write no more."""
        ...

    def declare_delay(self, seconds: float, *, awaited: bool = True) -> None:
        """Take note that tools were asked to take this much time.

        Args:
            seconds: The time.
            awaited: Whether an answer is waited for as long.
        """
        ...

    def declare_frames(self, count: int) -> None:
        """Take note that so many frames are to come, perhaps all at the end."""
        ...

    def resting_on(self, clause: str | None) -> AbstractContextManager[None]:
        """Wait for what rests on another clause than the check does, if on any."""
        ...

    def await_frame(self, pattern: Any) -> Arrival | Missing:
        """Wait for the next frame of the exchange that the pattern names."""
        ...

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove at the end of a check that the subject lives.

        Args:
            input_closed: Whether the usual input was closed.
        """
        ...

    def take_as_fence(self, answer: Any) -> bool:
        """Take the last answer of a check for its fence, where it proves as much."""
        ...

    @property
    def is_slow(self) -> bool:
        """Whether each round trip costs so much that some are worth saving."""
        ...

    def fence(self) -> Missing | None:
        """Send a plain valid request and wait for its success."""
        ...

    def strays(self) -> Sequence[Arrival]:
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
