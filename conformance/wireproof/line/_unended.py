"""The line that has been begun: a subject may read what stands in it before it ends.

A reader that takes JSON from the stream, as decoders of many languages do, has a whole
object with its last bracket, and answers it though the line feed has not come.
"""

from __future__ import annotations

from typing import Any

from wireproof.patterns import is_object
from wireproof_reference.framing import JsonError, loads


class UnendedLine:
    """What of a line has been sent so far."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._bytes = bytearray()
        self._was_read = False

    @property
    def line(self) -> bytes:
        """Its bytes so far."""
        return bytes(self._bytes)

    def take(self, data: bytes) -> dict[str, Any] | None:
        """Take bytes that are sent.

        Returns:
            The object that the line holds, once; None while it holds none.
        """
        newline = data.rfind(b"\n")
        if newline != -1:
            self._bytes.clear()
            self._was_read = False
        self._bytes += data[newline + 1 :]
        if self._was_read or not self._bytes.rstrip().endswith(b"}"):
            return None
        try:
            value = loads(bytes(self._bytes))
        except JsonError:
            return None
        self._was_read = is_object(value)
        return value if is_object(value) else None
