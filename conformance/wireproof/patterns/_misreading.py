"""Texts that a program read or wrote in another encoding than UTF-8.

A program that leaves the encoding to its platform takes the bytes of UTF-8 for letters
of another table, or has a sign in place of what its table does not hold. All that it
sends back then differs, whatever a check is about: what it did is said in words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


HEAD = 200
"""Characters of a text by which most readings show to be none: few texts are longer."""


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
    head = wanted[:HEAD]
    readings = (
        how
        for how, read in _READINGS
        if found.startswith(read(head)) and read(wanted) == found
    )
    return next(readings, None)


def _in_latin_1(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _windows_letter(byte: int) -> str:
    """Return the letter of a byte, a control character where the table has a hole."""
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


_WINDOWS = {byte: _windows_letter(byte) for byte in range(256)}


def _in_windows_1252(text: str) -> str:
    return _in_latin_1(text).translate(_WINDOWS)


def _signed(
    letters: re.Pattern[str], sign: str, count: Callable[[str], int]
) -> Callable[[str], str]:
    """Return what writes a sign, or several, for each letter of a text."""
    return lambda text: letters.sub(lambda letter: sign * count(letter[0]), text)


_READINGS: Sequence[tuple[str, Callable[[str], str]]] = (
    ("its UTF-8 was taken for Latin-1", _in_latin_1),
    ("its UTF-8 was taken for Windows-1252", _in_windows_1252),
    *(
        (f"{name} stands for what is not {kind}", _signed(letters, sign, count))
        for sign, name in SIGNS.items()
        for count in _COUNTS
        for letters, kind in _BEYOND.items()
    ),
)
"""What may have happened, and what a text becomes by it: each letter by itself."""
