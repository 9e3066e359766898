"""Whether a character was decoded in pieces.

Theory of operation. The bytes of a character that is cut between two reads are no
character, neither those before the cut nor those behind it: who decodes each read by
itself gets a replacement character for each part, two or more. A character that a
program cannot hold is replaced by one, and where it can hold none beyond ASCII, none is
left.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wireproof.line._outcome import Diverged

TORN = "a character that came in two reads was decoded in pieces"
"""What is said of such a text."""

BROKEN_UP = "a character came back in pieces, which does not come of how it was read"
"""What is said of it where the subject reads a character well that is cut."""

CUT_LETTERS = "é漢😀"
"""Characters of two, three and four bytes."""

_IN_LETTERS = (1, 3, 8)
"""Where each of them is cut, in bytes."""

TRIES = 3
"""How often they are sent so: a busy subject may read two pieces at once."""

MOST_PIECES = 64
"""Pieces in a row, and places where a text may go on, beyond which nothing is told:
what a subject makes of a long text is compared in little time."""

_PIECES = re.compile("(\ufffd{2,})")
"""What comes of characters that were decoded in pieces: two to four of each."""


def is_torn(came: Any, sent: Any) -> bool:
    """Tell whether a text is another of which characters were decoded in pieces.

    Args:
        came: What came in place of what was sent.
        sent: What was sent.
    """
    if not (isinstance(came, str) and isinstance(sent, str)):
        return False
    parts = _PIECES.split(came)
    kept, torn = parts[::2], parts[1::2]
    if not torn or all(map(str.isascii, kept)) or max(map(len, torn)) > MOST_PIECES:
        return False
    places = {0}
    for part, pieces in zip_longest(kept, torn, fillvalue=""):
        ends = {one + len(part) for one in places if sent.startswith(part, one)}
        # Between the parts stood so many characters, which came in pieces.
        counts = range(-(-len(pieces) // 4), len(pieces) // 2 + 1)
        places = {
            end + count
            for end in ends
            for count in counts
            if _could_be_torn(sent[end : end + count], count)
        }
        if len(places) > MOST_PIECES:
            return False
    return len(sent) in places


def _could_be_torn(text: str, count: int) -> bool:
    """Tell whether these are so many characters of more than one byte each."""
    return len(text) == count and all(one > "\x7f" for one in text)


def whole_of(came: Any, sent: Iterable[str]) -> str | None:
    """Return the one text of which this is what came in pieces; None for none or many.

    Args:
        came: What came.
        sent: The texts.
    """
    found = list(filter(partial(is_torn, came), sent))
    return found[0] if len(found) == 1 else None


def in_letters(data: bytes) -> list[int]:
    """Return where bytes are cut for each of the letters in them to come in two pieces.

    Args:
        data: A line that holds ``CUT_LETTERS``.
    """
    start = data.index(CUT_LETTERS.encode())
    return [start + one for one in _IN_LETTERS]


class Tearing:
    """Whether a subject decodes a character in pieces that comes in two reads.

    It is tried once. A subject of which it cannot be told is taken to do so.
    """

    def __init__(self, comes_back_whole: Callable[[], bool]) -> None:
        """Prepare; nothing is asked yet.

        Args:
            comes_back_whole: Sends ``CUT_LETTERS`` in pieces, and tells whether they
                came back.
        """
        self._comes_back_whole = comes_back_whole
        self._found: bool | None = None

    def __call__(self) -> bool:
        """Tell it, trying it the first time."""
        if self._found is None:
            self._found = not all(self._comes_back_whole() for _ in range(TRIES))
        return self._found


def of_torn(outcome: Diverged, charged: str, tears: Tearing) -> tuple[Diverged, bool]:
    """Say of an outcome that a character came back in pieces, where one did.

    Args:
        outcome: What the steps of a check came to.
        charged: The clause by which a subject reads what was cut.
        tears: Tells whether the subject decodes what it reads in pieces.

    Returns:
        The outcome, and whether it is a matter of that clause.
    """
    if not any(is_torn(one.actual, one.expected) for one in outcome.differences):
        return outcome, False
    if tears():
        text = f"{TORN}: {outcome.text}"
        return replace(outcome, charged=charged, text=text), True
    # It was cut where it is written, or changed by the way.
    return replace(outcome, text=f"{BROKEN_UP}: {outcome.text}"), False
