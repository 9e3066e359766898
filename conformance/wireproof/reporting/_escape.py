"""What a subject wrote, made harmless: its bytes cannot drive the terminal."""

from __future__ import annotations

import re

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def safe(text: str) -> str:
    """Escape what could act on a terminal: control and direction characters."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def writable(text: str) -> str:
    """Escape halves of surrogate pairs, which no UTF-8 has: the rest stays."""
    return text.encode(errors="backslashreplace").decode()


def safe_line(text: str) -> str:
    """Escape what could act on a terminal or begin a line of its own."""
    return safe(text).replace("\n", "\\n")
