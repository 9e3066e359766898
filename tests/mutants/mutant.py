"""A program that differs from another in one operator, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one place of a program.

    Attributes:
        file: The changed file, relative to the repository.
        line: The first line of the place as it stands there, without indentation.
        becomes: What stands there instead, on one line.
        caught: Whether a check failed or warned, or none ended.
    """

    file: str
    line: str
    becomes: str
    caught: bool
