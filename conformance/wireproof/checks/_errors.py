"""The errors of the suite.

::

    WireproofError
    ├── VectorDefect       a vector that cannot be carried out as it is written
    ├── NoAnswer           what a user's own test asked for did not come
    └── SubjectStartError  the subject's command could not be started

A deviation of the subject is never an exception: it is a value (``Deviation``).
"""

from __future__ import annotations


class WireproofError(Exception):
    """Root of the errors that this package raises."""


class VectorDefect(WireproofError):
    """A vector cannot be carried out as it is written: a fault of its author."""


class NoAnswer(WireproofError):
    """The subject of a user's own test did not come up, did not answer, or refused.

    The text says which and why.
    """


class SubjectStartError(WireproofError):
    """The subject's command could not be started.

    Attributes:
        command: The argument vector that was tried.
        detail: What the system said, and where the command was looked for.
    """

    def __init__(self, command: tuple[str, ...], detail: str) -> None:
        """Keep the fields and build the text from them."""
        self.command = command
        self.detail = detail
        super().__init__(f"cannot start {command[0]!r}: {detail}")
