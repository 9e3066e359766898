"""One comparison of a value with a pattern: what it may name, where the two differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from wireproof.checks import Words


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
