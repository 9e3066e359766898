"""The values of options, from the command line or the settings, or a clear refusal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from wireproof.pytest_run._options import BY_NAME, Registered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.checks import Level
    from wireproof.protocols import Option

LONGEST = 86_400
"""Most seconds that may be given: a day; a month is more than the system can wait."""

SWITCHES = {"true": True, "false": False, "1": True, "0": False}
"""What a switch may be in the settings."""


class OptionReader:
    """Reads the values of options, and refuses those that cannot be used."""

    def __init__(self, config: pytest.Config, registered: Registered) -> None:
        """Read from ``config`` under the names that were registered."""
        self.config = config
        self.registered = registered

    def value(self, name: str) -> Any:
        """Return an option's value, its setting's where it was not given."""
        return self.registered.value(self.config, BY_NAME[name])

    def text(self, name: str) -> str | None:
        """Return what an option was given, or None where it was not."""
        found: str | None = self.value(name)
        return found

    def texts(self, name: str) -> Sequence[str]:
        """Return what a repeatable option was given, each time."""
        return self.value(name) or ()

    def switch(self, name: str) -> bool:
        """Tell whether a switch was given, or turned on in the settings.

        Raises:
            pytest.UsageError: If the setting is neither on nor off.
        """
        found = self.value(name)
        if found is None or isinstance(found, bool):
            return bool(found)
        if found.strip().lower() not in SWITCHES:
            raise self.refuse(name, found, f"give one of {', '.join(SWITCHES)}")
        return SWITCHES[found.strip().lower()]

    def folder(self, name: str) -> Path | None:
        """Return the folder that an option names, or None where it was not given.

        Raises:
            pytest.UsageError: If there is no such folder.
        """
        folder = self._located(name)
        if folder is not None and not folder.is_dir():
            raise self.refuse(name, self.text(name), "there is no such folder")
        return folder

    def file(self, name: str) -> Path | None:
        """Return the file that an option names, or None where it was not given.

        Raises:
            pytest.UsageError: If there is no such file.
        """
        file = self._located(name)
        if file is not None and not file.is_file():
            told = "is a folder" if file.is_dir() else "there is no such file"
            raise self.refuse(name, self.text(name), told)
        return file

    def path(self, name: str) -> Path | None:
        """Return the path that an option was given, or None where it was not."""
        return self._located(name) if self.text(name) else None

    def _located(self, name: str) -> Path | None:
        """Return where the path lies that an option was given, the empty one too."""
        text = self.text(name)
        if text is None:
            return None
        return Path(self.base(name), Path(text).expanduser())

    def flag(self, name: str) -> str:
        """Return the option as the user would type it."""
        return self.registered.flags[name]

    def refuse(self, name: str, value: object, remedy: str) -> pytest.UsageError:
        """Build the error for a value that cannot be used."""
        return pytest.UsageError(f"{self.place(name)}: {value!r}: {remedy}")

    def place(self, name: str) -> str:
        """Return the flag or the setting, whichever gives the value of an option."""
        option: Option = BY_NAME[name]
        if self.registered.on_command_line(self.config, option) or not option.in_ini:
            return self.flag(name)
        return f"setting {option.setting}"

    def base(self, *names: str) -> Path:
        """Return the folder that a relative path in one of these options starts from.

        The current folder on the command line, the configuration file's in settings.
        """
        typed = any(
            self.registered.on_command_line(self.config, BY_NAME[name])
            for name in names
        )
        set_there = any(self.value(name) for name in names)
        if typed or not set_there or self.config.inipath is None:
            return Path(self.config.invocation_params.dir)
        return self.config.inipath.parent

    def seconds(self, name: str) -> float | None:
        """Return a number of seconds, or None where the option was not given.

        Raises:
            pytest.UsageError: If it is none, or longer than can be waited.
        """
        text = self.value(name)
        if text is None:
            return None
        try:
            seconds = float(text)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= LONGEST:
            remedy = f"give seconds greater than 0, such as 10, up to {LONGEST}"
            raise self.refuse(name, text, remedy)
        return seconds

    def number(self, name: str, default: int) -> int:
        """Return a whole number.

        Raises:
            pytest.UsageError: If it is none.
        """
        text = self.value(name)
        if text is None:
            return default
        if not re.fullmatch(r"[0-9]{1,18}", str(text)):
            raise self.refuse(name, text, "give a whole number, 0 or more")
        return int(text)

    def level(self, name: str, default: Level) -> Level:
        """Return a level.

        Raises:
            pytest.UsageError: If there is no such level.
        """
        return cast("Level", self.choice(name, default))

    def choice(self, name: str, default: str) -> str:
        """Return the value of an option that has a few choices.

        Raises:
            pytest.UsageError: If the value is not one of them.
        """
        text: str | None = self.value(name)
        if text is None:
            return default
        choices = BY_NAME[name].choices
        if text not in choices:
            raise self.refuse(name, text, f"give one of {', '.join(choices)}")
        return text
