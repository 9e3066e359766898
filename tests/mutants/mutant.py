"""A program that differs from another in one operator, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one place of a program that was tried.

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


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one place of a program that is to be tried.

    Attributes:
        file: As for a mutant.
        line: As for a mutant.
        becomes: As for a mutant.
        files: What the files hold instead, by their paths relative to the program.
        environment: The variables by which the program is told to be changed.
    """

    file: str
    line: str
    becomes: str
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    def tried(self, *, caught: bool) -> Mutant:
        """Return what became of it."""
        return Mutant(self.file, self.line, self.becomes, caught)
