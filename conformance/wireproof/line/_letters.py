"""Texts that come back in other letters, whatever a check is about.

A program that leaves the encoding to its platform changes every text beyond ASCII. The
first check that meets one would be charged with it, and so would dozens after it; what
they have in common is seen where plain letters are echoed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.checks import Words
from wireproof.patterns import NOTHING_THERE, in_line, misreading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wireproof.checks import Difference, Result

MOST_READ = 100_000
"""Characters of what was expected that are looked at."""

LETTERS = "values/letters"
"""How the id ends of the vector that echoes plain letters."""


def is_garbled(result: Result) -> bool:
    """Tell whether letters alone differ, as another encoding makes of them."""
    return bool(result.differences) and all(map(_is_garbled, result.differences))


def _is_garbled(difference: Difference) -> bool:
    wanted, found = difference.expected, difference.actual
    if isinstance(wanted, Words) or isinstance(found, Words):
        return False
    is_text = isinstance(wanted, str) and isinstance(found, str)
    return is_text and misreading(wanted, found) is not None


def is_about_letters(result: Result) -> bool:
    """Tell whether all that differs is, or holds, text beyond ASCII.

    Of a subject that changes all such text it tells no more than that.
    """
    return bool(result.differences) and all(map(_is_about_letters, result.differences))


def _is_about_letters(difference: Difference) -> bool:
    if difference.actual == NOTHING_THERE:
        # It may be there under a name of other letters.
        return not difference.where.rpartition("/")[2].isascii()
    # What says that more follows is no text of the subject's.
    return not in_line(difference.expected, MOST_READ)[:MOST_READ].isascii()


def meant_by(came: Any, sent: Iterable[str]) -> tuple[str, str] | None:
    """Return the text that came back in other letters, and how; None for none or many.

    Args:
        came: What came.
        sent: The texts.
    """
    if not isinstance(came, str):
        return None
    every = ((one, misreading(one, came)) for one in sent)
    found = [(one, how) for one, how in every if how is not None]
    return found[0] if len(found) == 1 else None
