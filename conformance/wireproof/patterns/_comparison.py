"""One comparison of a value with a pattern: what it may name, where the two differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from wireproof.checks import Words
from wireproof.patterns._rendering import in_line

SHOWN_ELEMENT = 60
"""Characters of an element that are shown in a sentence."""


class Absent:
    """Stands for a key that is not there."""


ABSENT = Absent()
"""What is looked at where there is nothing."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where a value is not what the pattern asks for.

    Attributes:
        path: JSON pointer to the place, from the frame's root (``""`` is the root).
        expected: What was wanted there, in words or as a JSON value.
        actual: The value found there; ``None`` with ``absent`` where there is none.
        absent: Whether the place does not exist in the frame.
    """

    path: str
    expected: Any
    actual: Any
    absent: bool = False


Pattern: TypeAlias = dict[str, Any]
"""An object with a dollar key."""

Miss: TypeAlias = Mismatch | None
"""The first difference, or None."""


@dataclass(slots=True)
class Scope:
    """The names of one comparison; not frozen: that costs more than many a comparison.

    Attributes:
        given: What ``$use`` may name from before.
        saved: Where ``$save`` puts what it matched.
    """

    given: Mapping[str, Any]
    saved: dict[str, Any]

    @property
    def names(self) -> Mapping[str, Any]:
        """What ``$use`` may name: what a pattern saves, it can use further on."""
        return {**self.given, **self.saved}


Matcher: TypeAlias = Callable[[Pattern, Any, str, Scope], Miss]
"""Compares a pattern with a value at a path."""


def no_key(path: str, value: Any) -> Mismatch:
    """Return the mismatch of a key that should not be there."""
    return Mismatch(path, Words("no such key"), value)


def escaped(key: str) -> str:
    """Return a key as a part of a JSON pointer."""
    if "~" not in key and "/" not in key:
        return key
    return key.replace("~", "~0").replace("/", "~1")


def other_length(
    path: str,
    wanted: Sequence[Any],
    found: Sequence[Any],
    fits: Callable[[Any, Any], bool],
) -> Mismatch:
    """Say that an array has more elements or fewer, and which is one too many.

    Args:
        path: Where the array is.
        wanted: A pattern, or a value, for each element.
        found: The elements.
        fits: Tells whether the former is met by the latter.
    """
    text = f"an array of {len(wanted)} element{'' if len(wanted) == 1 else 's'}"
    surplus = (one for one in found if not any(fits(each, one) for each in wanted))
    extra = list(islice(surplus, 1)) if len(found) > len(wanted) else []
    shown = "".join(f" without {in_line(one, SHOWN_ELEMENT)}" for one in extra)
    return Mismatch(path, Words(text + shown), found)
