"""Whether a character was decoded in pieces.

Theory of operation. The bytes of a character that is cut between two reads are no
character, neither those before the cut nor those behind it: who decodes each read by
itself gets a replacement character for each part, two or more. A character that a
program cannot hold is replaced by one, and where it can hold none beyond ASCII, none is
left.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

TORN = "a character that came in two reads was decoded in pieces"
"""What is said of such a text."""

BROKEN_UP = "a character came back in pieces, which does not come of how it was read"
"""What is said of it where the subject reads a character well that is cut."""

_PIECES = re.compile("\ufffd{2,4}")
"""What comes of one character that was decoded in pieces."""


def is_torn(came: Any, sent: Any) -> bool:
    """Tell whether a text is another of which characters were decoded in pieces.

    Args:
        came: What came in place of what was sent.
        sent: What was sent.
    """
    if not (isinstance(came, str) and isinstance(sent, str)):
        return False
    parts = _PIECES.split(came)
    if len(parts) == 1 or all(map(str.isascii, parts)):
        return False
    place = 0
    for part in parts:
        if not sent.startswith(part, place):
            return False
        # Behind each stood one character, which came in pieces.
        place += len(part) + 1
    return place == len(sent) + 1


def whole_of(came: Any, sent: Iterable[str]) -> str | None:
    """Return the one text of which this is what came in pieces; None for none or many.

    Args:
        came: What came.
        sent: The texts.
    """
    found = list(filter(partial(is_torn, came), sent))
    return found[0] if len(found) == 1 else None
