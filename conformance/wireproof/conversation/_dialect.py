"""The facts of a conversation, and what a protocol says about its messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wireproof.conversation._lines import Line

Key: TypeAlias = tuple[str, str | int | float]
"""An id as requests are found by: its JSON type, and its value."""

Role: TypeAlias = Literal["request", "notification", "unclear", "bad"]
"""What a sent line is: owed an answer; owed none; a line that one subject may read as a
request and another refuse; or a line that is no request and may be refused."""

UNNAMED = "unnamed"
"""The type in the key of requests without an id, which are answered in their order."""

OWN = " of the runner"
"""Ends the key of such a request if it is the runner's own."""

PREFIX = "prefix"
"""The type in a key that stands for all strings that begin so: an id with a hole."""


class Finding(NamedTuple):
    """One fault of a line or of a frame.

    Attributes:
        kind: Its name; the rules of the protocol give it a clause.
        line: The line that shows it.
        about: The key of the request that it concerns, or None.
        fields: What a sentence about it needs, as JSON values.
    """

    kind: str
    line: bytes
    about: Key | None
    fields: Mapping[str, Any]


@dataclass(slots=True)
class Frame:
    """One message of the subject.

    Attributes:
        value: The message, without nulls that count as absent.
        line: Its line.
        at: When its line was complete, in seconds of the observation.
        rank: Its place among all frames of the conversation, from 1.
        is_final: Whether it ends its request.
    """

    value: Any
    line: bytes
    at: float
    rank: int
    is_final: bool


class Dialect(Protocol):
    """What one protocol makes of lines. It names faults; rules give them clauses."""

    @property
    def line_limit(self) -> int:
        """Bytes of the longest line of either side."""
        ...

    @property
    def id_name(self) -> str:
        """The member that holds the id of a message."""
        ...

    def role(self, line: Line) -> Role:
        """Return what a line that was sent is."""
        ...

    def loose_keys(self, line: Line) -> Iterable[Key]:
        """Return the keys under which a line that is no request may be answered."""
        ...

    def printed(self, request: Any) -> str:
        """Return the text that a request asks a tool to print; "" if none."""
        ...

    def key(self, message: Any) -> Key | None:
        """Return the key of a message of either side; None if it has no usable id."""
        ...

    def is_message(self, value: Any) -> bool:
        """Return whether a JSON value is meant as a message of the subject."""
        ...

    def plain(self, message: Any) -> Any:
        """Return a message without nulls that count as absent."""
        ...

    def comes_unasked(self, message: Any) -> bool:
        """Return whether a message may come that no request has asked for."""
        ...

    def is_final(self, message: Any) -> bool:
        """Return whether a message ends its request."""
        ...

    def is_failure(self, message: Any) -> bool:
        """Return whether a message says that its request failed."""
        ...

    def is_refusal(self, message: Any) -> bool:
        """Return whether a message may refuse a bad line whose id was not read."""
        ...

    def skips(self, pattern: Any, message: Any, request: Any) -> bool:
        """Return whether an expectation passes over a message that is not final."""
        ...

    def kinds(self, frame: Frame) -> Iterable[str]:
        """Return the kinds of a message, of which monitored clauses may hold."""
        ...

    def faults(
        self, message: Any, request: Any
    ) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """Return the faults of one message: kinds, with the fields of each.

        Args:
            message: The message, as it came.
            request: The request that it belongs to; None if it belongs to none.
        """
        ...

    def stray_faults(
        self, message: Any, *, is_free: bool
    ) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """Return the faults of a message that answers a line that is no request.

        Args:
            message: The message, as it came.
            is_free: Whether the line may be read as a request.
        """
        ...

    def misdirected(self, message: Any, request: Any, size: int) -> str | None:
        """Return the kind of fault of a response whose id is not its request's.

        Args:
            message: The response.
            request: The request that it is taken to answer.
            size: Bytes of the request's line.

        Returns:
            None if it is no fault, and "" if it cannot be the answer to this request.
        """
        ...

    def with_id(self, message: Any, request: Any) -> Any:
        """Return a message with the id of a request."""
        ...
