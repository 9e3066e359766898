"""From options and settings to what the runner works with, or a clear refusal."""

from __future__ import annotations

import os
import random
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from wireproof.checks import DEFAULT_FUZZ, Settings, Target
from wireproof.protocols import protocol_for
from wireproof.pytest_run._options import OPTIONS, SUBJECT_OPTIONS, Option, Registered
from wireproof.reporting import check_report_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wireproof.checks import Level

REFERENCE = "reference"
"""The value of a subject option that stands for the project's own."""

WORKER_KEY = "wireproof"
"""Under this key the workers of pytest-xdist and their controller speak of a run."""

SEED_BITS = 32
"""Size of a seed that is drawn where none was given."""

_BY_NAME = {option.name: option for option in OPTIONS}

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Reader:
    """Reads the options of one run."""

    def __init__(self, config: pytest.Config, registered: Registered) -> None:
        """Read from ``config`` under the names that were registered."""
        self.config = config
        self.registered = registered

    def value(self, name: str) -> Any:
        """Return an option's value, its setting's where it was not given."""
        return self.registered.value(self.config, _BY_NAME[name])

    def flag(self, name: str) -> str:
        """Return the option as the user would type it."""
        return self.registered.flags[name]

    def refuse(self, name: str, value: object, remedy: str) -> pytest.UsageError:
        """Build the error for a value that cannot be used."""
        return pytest.UsageError(f"{self._place(name)}: {value!r}: {remedy}")

    def _place(self, name: str) -> str:
        option: Option = _BY_NAME[name]
        if self.registered.on_command_line(self.config, option) or not option.in_ini:
            return self.flag(name)
        return f"setting {option.setting}"

    def _base(self, *names: str) -> Path:
        """Return the folder that a relative path in one of these options starts from.

        The current folder on the command line, the configuration file's in settings.
        """
        typed = any(
            self.registered.on_command_line(self.config, _BY_NAME[name])
            for name in names
        )
        set_there = any(self.value(name) for name in names)
        if typed or not set_there or self.config.inipath is None:
            return Path(self.config.invocation_params.dir)
        return self.config.inipath.parent

    def targets(self) -> list[Target]:
        """Return the subjects, in the order in which they were given."""
        given = [
            (name, text) for name in SUBJECT_OPTIONS for text in self.value(name) or ()
        ]
        found: list[Target] = []
        for name, text in given:
            found += [self._target(name, text, [one.name for one in found])]
        return found

    def _target(self, name: str, text: str, taken: list[str]) -> Target:
        protocol = protocol_for(name)
        if text.strip() == REFERENCE:
            command: tuple[str, ...] = (sys.executable, *protocol.reference)
        else:
            try:
                command = protocol.command(text.strip())
            except ValueError as error:
                remedy = f"it cannot be split into words ({error}); check the quotes"
                raise self.refuse(name, text, remedy) from error
        if not command:
            remedy = "it is empty; give the subject's command line, or 'reference'"
            raise self.refuse(name, text, remedy)
        if protocol.for_one_worker(command) and self._has_workers():
            remedy = (
                "it runs already, and calls of several workers would count as each "
                "other's; leave out -n, or let the suite launch it"
            )
            raise self.refuse(name, text, remedy)
        label, count = text.strip(), 2
        while label in taken:
            label, count = f"{text.strip()} #{count}", count + 1
        return Target(protocol.name, text.strip(), command, label)

    def _has_workers(self) -> bool:
        """Tell whether pytest-xdist spreads this run over several processes."""
        return bool(getattr(self.config.option, "numprocesses", None)) or hasattr(
            self.config, "workerinput"
        )

    def settings(self) -> Settings:
        """Return the options that bear on the run.

        Raises:
            pytest.UsageError: Naming the option or setting and what it takes.
        """
        return Settings(
            folder=self._folder(),
            environment=self._environment(),
            shown_environment=self._typed_environment(),
            timeout=self._seconds("subject-timeout"),
            level=self._level("level", "may"),
            fail_on=self._level("fail-on", "must"),
            fuzz=self._number("fuzz", DEFAULT_FUZZ),
            fuzz_seed=self._seed(),
            offers=self._offers(),
            socket_home=self._existing_folder("socket-home"),
            allowed_tools=tuple(self.value("allow-tool") or ()),
            save_vectors=self._save_folder(),
            reproduce_options=(),
        )

    def reports(self) -> list[Path]:
        """Return where reports go."""
        found: list[Path] = []
        for text in self.value("compat-report") or ():
            path = Path(self._base("compat-report"), Path(text).expanduser())
            if remedy := check_report_path(path):
                raise self.refuse("compat-report", text, remedy)
            found.append(path)
        return found

    def reproduce_options(self, target: Target, settings: Settings) -> tuple[str, ...]:
        """Return the options that run a check of this subject again, just so."""
        subject = next(
            name
            for name in SUBJECT_OPTIONS
            if protocol_for(name).name == target.protocol
        )
        single = {
            name: self.value(name)
            for name in ("subject-timeout", "subject-cwd", "socket-home", "fail-on")
        }
        found = [f"{self.flag(subject)}={target.text}"]
        found += [
            f"{self.flag(name)}={value}"
            for name, value in single.items()
            if value is not None
        ]
        for name in ("subject-env", "host-offers", "allow-tool"):
            found += [f"{self.flag(name)}={value}" for value in self.value(name) or ()]
        if self.value("fuzz") is not None:
            found.append(f"{self.flag('fuzz')}={settings.fuzz}")
        return (*found, f"{self.flag('fuzz-seed')}={settings.fuzz_seed}")

    def _folder(self) -> Path:
        text = self.value("subject-cwd")
        if text is None:
            return self._base(*SUBJECT_OPTIONS)
        folder = Path(self._base("subject-cwd"), Path(text).expanduser())
        if not folder.is_dir():
            raise self.refuse("subject-cwd", text, "there is no such folder")
        return folder

    def _environment(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for text in self.value("subject-env") or ():
            name, given, value = text.partition("=")
            if not _VARIABLE.match(name):
                remedy = "give NAME or NAME=VALUE; a name has letters, digits and _"
                raise self.refuse("subject-env", text, remedy)
            if not given and name not in os.environ:
                remedy = f"{name} is not set here; give {name}=VALUE"
                raise self.refuse("subject-env", text, remedy)
            found[name] = value if given else os.environ[name]
        return found

    def _typed_environment(self) -> Mapping[str, str]:
        texts = self.value("subject-env") or ()
        pairs = (text.partition("=") for text in texts if "=" in text)
        return {name: value for name, _, value in pairs}

    def _seconds(self, name: str) -> float | None:
        text = self.value(name)
        if text is None:
            return None
        try:
            seconds = float(text)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            raise self.refuse(name, text, "give seconds greater than 0, such as 10")
        return seconds

    def _level(self, name: str, default: Level) -> Level:
        text = self.value(name)
        if text is None:
            return default
        choices = _BY_NAME[name].choices
        if text not in choices:
            raise self.refuse(name, text, f"give one of {', '.join(choices)}")
        return cast("Level", text)

    def _number(self, name: str, default: int) -> int:
        text = self.value(name)
        if text is None:
            return default
        if not re.fullmatch(r"[0-9]{1,18}", str(text)):
            raise self.refuse(name, text, "give a whole number, 0 or more")
        return int(text)

    def _seed(self) -> int:
        handed: Mapping[str, Any] = getattr(self.config, "workerinput", {})
        drawn = random.SystemRandom().getrandbits(SEED_BITS)
        return self._number("fuzz-seed", handed.get(WORKER_KEY, drawn))

    def _offers(self) -> frozenset[str]:
        known = _optional_methods()
        names = _split_commas(self.value("host-offers") or ())
        for name in names:
            if name not in known:
                remedy = (
                    f"no such optional method; there are {', '.join(sorted(known))}"
                )
                raise self.refuse("host-offers", name, remedy)
        return frozenset(names)

    def _existing_folder(self, name: str) -> Path | None:
        text = self.value(name)
        if text is None:
            return None
        folder = Path(self._base(name), Path(text).expanduser())
        if not folder.is_dir():
            raise self.refuse(name, text, "there is no such folder")
        return folder

    def _save_folder(self) -> Path | None:
        text = self.value("save-vectors")
        if text is None:
            return None
        folder = Path(self._base("save-vectors"), Path(text).expanduser())
        if folder.exists() and not folder.is_dir():
            raise self.refuse("save-vectors", text, "it is a file; give a folder")
        return folder


def _split_commas(values: Iterable[str]) -> list[str]:
    words = [word.strip() for value in values for word in value.split(",")]
    return [word for word in words if word]


def _optional_methods() -> frozenset[str]:
    from wireproof_vectors import load_setup

    setup: Any = load_setup("host-v1")
    return frozenset(setup["optional_methods"])
