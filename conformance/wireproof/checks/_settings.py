"""What the user asked for, once the command line and the settings are read."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from wireproof.checks._verdicts import Level, Sources
    from wireproof_vectors import Vector

OwnType = TypeVar("OwnType")

Runner = Literal["pytest", "wireproof check"]
"""The command by which a user starts a run."""

DEFAULT_FUZZ = 20
"""Examples per fuzz property: enough to find a common fault in a second or two."""


def split_command(text: str) -> tuple[str, ...]:
    """Return the words of a command line as a shell splits them.

    Raises:
        ValueError: With the remedy, if it cannot be split.
    """
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ValueError(
            f"it cannot be split into words ({error}); check the quotes"
        ) from error


@dataclass(frozen=True, slots=True)
class Target:
    """One subject that the user named.

    Attributes:
        protocol: The protocol it is tried on.
        text: What the user typed, for display.
        command: The argument vector that starts it.
        name: The text shown in brackets where there is more than one subject.
        beside_others: Whether an option named it together with others.
    """

    protocol: str
    text: str
    command: tuple[str, ...]
    name: str
    beside_others: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """The options that bear on how subjects of all protocols are run and judged.

    Attributes:
        folder: Where subjects are started.
        environment: Variables that subjects get beside the usual few.
        shown_environment: Those of them that a line of shell has to set; None for a
            value that may be secret, which is taken from the user's own environment.
        timeout: Most seconds to wait for any one answer, or None for the default.
        level: The highest level to run.
        sources: Whether to run only what the protocol's document states.
        required: The ids of the checks to run, by protocol; None for all.
        fail_on: The level from which on a broken clause fails the run.
        fuzz: Examples per fuzz property; 0 turns fuzzing off.
        fuzz_seed: Where the fuzzer's randomness starts.
        spare_core: Whether a core is left while a subject is asked, on which examples
            may be drawn.
        save_vectors: Folder for failing fuzz examples, or None.
        vectors: Vectors of the user's own, by the file that was named.
        reproduce_options: The options that a reproduction line has to repeat.
        runner: The command by which the run was started.
        own: What the subject's protocol reads of options of its own, or None.
        tell: Says something to the user while a check goes on; None where nobody is
            there to read it.
    """

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    shown_environment: Mapping[str, str | None] = field(
        default_factory=dict[str, str | None]
    )
    timeout: float | None = None
    level: Level = "may"
    sources: Sources = "all"
    required: Mapping[str, Collection[str]] | None = None
    fail_on: Level = "must"
    fuzz: int = DEFAULT_FUZZ
    fuzz_seed: int = 0
    spare_core: bool = False
    save_vectors: Path | None = None
    vectors: Mapping[str, Sequence[Vector]] = field(
        default_factory=dict[str, "Sequence[Vector]"]
    )
    reproduce_options: tuple[str, ...] = ()
    runner: Runner = "pytest"
    own: object = None
    tell: Callable[[str], None] | None = field(default=None, compare=False)

    def of(self, kind: type[OwnType]) -> OwnType:
        """Return the settings of one protocol alone, its defaults where none are here.

        Args:
            kind: The protocol's class of settings; each field has a default.
        """
        return self.own if isinstance(self.own, kind) else kind()
