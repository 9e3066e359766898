"""The lines of the bridge: each request of an op has one answer, with its id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wireproof.conversation import Frame, Key, Line, Role

LINE_LIMIT = 1 << 25
"""Bytes of the longest line: a longer one counts as one without end."""


class BridgeDialect:
    """What the bridge makes of lines; what answers hold is for the protocols."""

    line_limit = LINE_LIMIT
    id_name = "id"

    def role(self, line: Line) -> Role:
        """Return what a sent line is: requests alone are sent."""
        return "request" if self.key(line.value) is not None else "bad"

    def loose_keys(self, line: Line) -> Iterable[Key]:
        """Return nothing: no bad line is sent."""
        return ()

    def printed(self, request: Any) -> str:
        """Return "": stdout belongs to the answers, whatever a subject prints."""
        return ""

    def key(self, message: Any) -> Key | None:
        """Return the key of a message: its id, an integer."""
        value = message.get(self.id_name) if is_object(message) else None
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return "number", value

    def is_message(self, value: Any) -> bool:
        """Return whether a value is meant as an answer."""
        return is_object(value)

    def plain(self, message: Any) -> Any:
        """Return a message as it is."""
        return message

    def comes_unasked(self, message: Any) -> bool:
        """Return False: each message answers a request."""
        return False

    def is_final(self, message: Any) -> bool:
        """Return True: a request has one answer."""
        return True

    def is_failure(self, message: Any) -> bool:
        """Return whether the subject refused."""
        return is_object(message) and message.get("ok") is False

    def is_refusal(self, message: Any) -> bool:
        """Return False: no bad line is sent."""
        return False

    def skips(self, pattern: Any, message: Any, request: Any) -> bool:
        """Return False: a request has one message."""
        return False

    def kinds(self, frame: Frame) -> Iterable[str]:
        """Return nothing: no clause is checked on every answer."""
        return ()

    def faults(
        self, message: Any, request: Any
    ) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """Return nothing: who reads an answer sees whether it fits its op."""
        return ()

    def stray_faults(
        self, message: Any, *, is_free: bool
    ) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """Return nothing: no bad line is sent."""
        return ()

    def misdirected(self, message: Any, request: Any, size: int) -> str | None:
        """Return ``wrong-id``: an answer has the id of its request."""
        return "wrong-id"

    def with_id(self, message: Any, request: Any) -> Any:
        """Return a message with the id of a request."""
        return {**message, self.id_name: request[self.id_name]}
