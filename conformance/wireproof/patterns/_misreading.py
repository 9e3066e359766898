"""Texts that a program read or wrote in another encoding than UTF-8.

A program that leaves the encoding to its platform takes the bytes of UTF-8 for letters
of another table, or has a sign in place of what its table does not hold. All that it
sends back then differs, whatever a check is about: what it did is said in words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SIGNS = {"?": "a question mark", "\ufffd": "U+FFFD"}
"""What is written in place of a letter, and what it is called."""

_BEYOND = {re.compile(r"[^\x00-\x7f]"): "ASCII", re.compile(r"[^\x00-\xff]"): "Latin-1"}
"""What finds the letters that a table does not hold, and what it is called."""

_COUNTS: Sequence[Callable[[str], int]] = (
    len,
    lambda letter: len(letter.encode("utf-16-le", "surrogatepass")) // 2,
    lambda letter: len(letter.encode("utf-8", "surrogatepass")),
)
"""How many signs stand for a letter: one, one a UTF-16 unit, or one a byte."""


def misreading(wanted: str, found: str) -> str | None:
    """Say in which encoding a text was read or written that came back as another.

    Args:
        wanted: The text that was sent.
        found: What came back for it.

    Returns:
        What happened, in words; None where another encoding does not explain it.
    """
    if wanted.isascii() or wanted == found:
        return None
    return next((how for how, text in _misread(wanted) if text == found), None)


def _misread(wanted: str) -> Iterator[tuple[str, str]]:
    """Yield what may become of a text, each after what would have happened."""
    data = wanted.encode("utf-8", "surrogatepass")
    yield "its UTF-8 was taken for Latin-1", data.decode("latin-1")
    yield "its UTF-8 was taken for Windows-1252", "".join(map(_windows_letter, data))
    for sign, name in SIGNS.items():
        for count in _COUNTS:
            for letters, kind in _BEYOND.items():
                how = f"{name} stands for what is not {kind}"
                yield how, _signed(wanted, letters, sign, count)


def _signed(
    text: str, letters: re.Pattern[str], sign: str, count: Callable[[str], int]
) -> str:
    return letters.sub(lambda letter: sign * count(letter[0]), text)


def _windows_letter(byte: int) -> str:
    """Return the letter of a byte, a control character where the table has a hole."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)
