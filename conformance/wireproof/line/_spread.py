"""Lines that may be one message that was written over several.

Theory of operation. What opens and closes is counted outside of strings, so that a long
message is parsed once, when it closes, and not after each of its lines. A short one is
tried at every line that could be its last, however its quotes are.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_LINES = 20_000
"""Lines over which a message may be spread and still be recognised."""

MOST_BYTES = 8 << 20
"""Bytes of such lines."""

FEW_LINES = 200
"""Lines up to which it is tried at every line that could be its last."""

FEW_BYTES = 1 << 16
"""Bytes up to which it is."""

_TOKEN = re.compile(rb'\\.|["{}\[\]]', re.DOTALL)


class Spread:
    """The lines that are held since the first that may begin a message."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lines: list[bytes] = []
        self._size = 0
        self._depth = 0
        self._in_string = False

    def __len__(self) -> int:
        """Return how many lines are held."""
        return len(self._lines)

    @property
    def whole(self) -> bytes:
        """The lines as one text."""
        return b"\n".join(self._lines)

    @property
    def is_hopeless(self) -> bool:
        """Whether these are no message, and more lines would make them none."""
        is_long = len(self._lines) >= MOST_LINES or self._size > MOST_BYTES
        return is_long or (self._is_closed and not self._is_short)

    @property
    def _is_short(self) -> bool:
        return len(self._lines) <= FEW_LINES and self._size <= FEW_BYTES

    @property
    def _is_closed(self) -> bool:
        return self._depth <= 0 and not self._in_string

    def add(self, line: bytes) -> None:
        """Hold one more line."""
        self._lines.append(line)
        self._size += len(line) + 1
        for token in _TOKEN.findall(line):
            if token == b'"':
                self._in_string = not self._in_string
            elif not self._in_string:
                self._depth += (token in b"{[") - (token in b"}]")

    def joined(self, is_message: Callable[[Any], bool]) -> Any:
        """Parse the lines as one message, raw line feeds included.

        Args:
            is_message: Tells whether a JSON value is meant as a message.

        Returns:
            The message, or None where they are none, or not all of one.
        """
        is_tried = self._is_closed or self._is_short
        return joined(self.whole, is_message) if is_tried else None

    def take(self) -> list[bytes]:
        """Return the lines, and hold none of them any more."""
        held, self._lines = self._lines, []
        self._size = self._depth = 0
        self._in_string = False
        return held


def joined(text: bytes, is_message: Callable[[Any], bool]) -> Any:
    """Parse a message from lines that were joined, raw line feeds included.

    Args:
        text: The lines as one text.
        is_message: Tells whether a JSON value is meant as a message.

    Returns:
        The message, or None where they are none.
    """
    if not text.rstrip().endswith((b"}", b"]")):
        return None
    try:
        value = json.loads(text.decode(errors="replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    return value if is_message(value) else None
