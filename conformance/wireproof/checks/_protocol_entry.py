"""What the runner asks of a protocol: options, checks, its catalogue, its subjects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from wireproof.checks._check import Check, ClauseText
    from wireproof.checks._option_reader import OptionReader
    from wireproof.checks._settings import Settings, Target
    from wireproof.checks._suite import Suite


class ProtocolEntry(Protocol):
    """A protocol as the registry knows it."""

    name: str
    """Its name, such as ``host-v1``."""

    option: str
    """The command-line option that names a subject, without the dashes."""

    reference: tuple[str, ...]
    """Arguments after the Python interpreter that start the reference subject."""

    toolset: Sequence[str]
    """Where the tools of the conformance toolset are ready to copy, by language."""

    takes: str
    """What the level full takes of a subject that lists no tools."""

    own_tools: str
    """What is to be said of tools of the subject's own, after their names."""

    def command(self, text: str) -> tuple[str, ...]:
        """Return what a subject is reached by, whatever other options say.

        Raises:
            ValueError: With the remedy, if it cannot be reached so.
        """
        ...

    def reach(self, text: str, options: OptionReader) -> tuple[str, ...]:
        """Return what a subject is reached by, as the user typed it: often its words.

        Args:
            text: What the option that names a subject was given.
            options: Reads the options beside it.

        Raises:
            ValueError: With the remedy, if it cannot be reached so.
        """
        ...

    def several(self, options: OptionReader) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Return the subjects that one option names together: text, and command.

        Raises:
            Exception: As the reader makes it, if they cannot be told.
        """
        ...

    def start_problem(self, target: Target, settings: Settings) -> str | None:
        """Return why the system cannot start a subject, or None; nothing is started.

        What runs already, and what starts and ends, has no such problem.
        """
        ...

    def remedy(self, target: Target, settings: Settings) -> str:
        """Return what to do about a subject that says nothing, after "next: "."""
        ...

    def for_one_worker(self, command: Sequence[str]) -> bool:
        """Tell whether one process at a time can try this subject.

        Args:
            command: What ``reach`` returned for it.
        """
        ...

    def settings(self, options: OptionReader) -> object:
        """Read the protocol's own options; ``Settings.of`` hands them out.

        Raises:
            Exception: As the reader makes it, if a value cannot be used.
        """
        ...

    def handle(
        self, target: Target, settings: Settings
    ) -> AbstractContextManager[object]:
        """Return the subject for a user's own tests, started on entering a block."""
        ...

    def checks(self, settings: Settings) -> Sequence[Check]:
        """Return every check, in the order in which they are run."""
        ...

    def clauses(self) -> Sequence[ClauseText]:
        """Return the catalogue."""
        ...

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a subject; nothing is started yet."""
        ...

    def describe(self, check_id: str) -> Mapping[str, Any] | None:
        """Return a vector as its file has it, or None where there is no such one."""
        ...
