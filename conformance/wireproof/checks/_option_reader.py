"""How a protocol reads its own options, wherever they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class OptionReader(Protocol):
    """Reads the options of one run: the command line, then the settings.

    Options are named without the dashes.
    """

    def text(self, name: str) -> str | None:
        """Return what an option was given, or None where it was not."""
        ...

    def texts(self, name: str) -> Sequence[str]:
        """Return what a repeatable option was given, each time."""
        ...

    def switch(self, name: str) -> bool:
        """Tell whether a switch was given, or turned on in the settings."""
        ...

    def folder(self, name: str) -> Path | None:
        """Return the folder that an option names, or None where it was not given.

        Raises:
            Exception: As ``refuse`` returns it, if there is no such folder.
        """
        ...

    def file(self, name: str) -> Path | None:
        """Return the file that an option names, or None where it was not given.

        Raises:
            Exception: As ``refuse`` returns it, if there is no such file.
        """
        ...

    def refuse(self, name: str, value: object, remedy: str) -> Exception:
        """Return the error for a value that cannot be used, to be raised.

        Args:
            name: The option.
            value: What it was given.
            remedy: What is wrong and what to give instead.
        """
        ...
