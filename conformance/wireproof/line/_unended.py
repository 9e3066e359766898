"""The line that has been begun: a subject may read what stands in it before it ends.

A reader that takes JSON from the stream, as decoders of many languages do, has a whole
object with its last bracket, and answers it though the line feed has not come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Callable


class UnendedLine:
    """What of a line has been sent so far, and whether it may have been read."""

    def __init__(self, answered: Callable[[dict[str, Any]], bool]) -> None:
        """Begin with nothing.

        Args:
            answered: Tells whether an object is one that gets an answer.
        """
        self._answered = answered
        self._bytes = bytearray()
        self._value: dict[str, Any] | None = None

    @property
    def line(self) -> bytes:
        """Its bytes so far."""
        return bytes(self._bytes)

    def was_read(self, value: Any) -> bool:
        """Tell whether the line that has ended now was told by ``take`` before."""
        return self._value is not None and value == self._value

    def take(self, data: bytes) -> dict[str, Any] | None:
        """Take bytes that are sent, when what they have ended was looked at.

        Returns:
            The object that the line holds and that gets an answer, once; else None.
        """
        newline = data.rfind(b"\n")
        if newline != -1:
            self._bytes.clear()
            self._value = None
        self._bytes += data[newline + 1 :]
        if self._value is not None or not self._bytes.rstrip().endswith(b"}"):
            return None
        try:
            value = loads(bytes(self._bytes))
        except JsonError:
            return None
        self._value = value if is_object(value) and self._answered(value) else None
        return self._value
