"""From options and settings to what the runner works with, or a clear refusal."""

from __future__ import annotations

import os
import random
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from wireproof.checks import DEFAULT_FUZZ, Settings, Target
from wireproof.protocols import Option, all_options, options_of, protocol_for
from wireproof.pytest_run._options import (
    RUNNER,
    SHARED,
    SUBJECT_OPTIONS,
)
from wireproof.pytest_run._reader import OptionReader
from wireproof.pytest_run._requirements import required_checks
from wireproof.pytest_run._shards import Shard, read_shard
from wireproof.reporting import Mask, check_report_path, is_secret
from wireproof.subjects import cores

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from wireproof.checks import ProtocolEntry, Sources

REFERENCE = "reference"
"""The value of a subject option that stands for the project's own."""

WORKER_KEY = "wireproof"
"""Under this key the workers of pytest-xdist and their controller speak of a run."""

WORKER_VARIABLE = "PYTEST_XDIST_WORKER"
"""What is set in the environment of a worker of pytest-xdist."""

SEED_BITS = 32
"""Size of a seed that is drawn where none was given."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Reader(OptionReader):
    """Reads the options of one run: its subjects, and how they are tried."""

    def targets(self) -> list[Target]:
        """Return the subjects, in the order in which they were given."""
        given = [
            (name, text) for name in SUBJECT_OPTIONS for text in self.value(name) or ()
        ]
        found: list[Target] = []
        for name, text in given:
            found.append(self._target(name, text, found))
        for options in all_options():
            if options.several and self.value(options.several):
                entry = protocol_for(options.subject.name)
                for text, command in entry.several(self):
                    label = _unique(text, entry.name, found)
                    found.append(
                        Target(entry.name, text, command, label, beside_others=True)
                    )
        return found

    def _target(self, name: str, text: str, others: Sequence[Target]) -> Target:
        protocol = protocol_for(name)
        if text.strip() == REFERENCE:
            command: tuple[str, ...] = (sys.executable, *protocol.reference)
        else:
            try:
                command = protocol.reach(text.strip(), self)
            except ValueError as error:
                raise self.refuse(name, text, str(error)) from error
        if not command:
            remedy = "it is empty; give the subject's command line, or 'reference'"
            raise self.refuse(name, text, remedy)
        if protocol.for_one_worker(command) and self._has_workers():
            remedy = (
                "it runs already, and calls of several workers would count as each "
                "other's; leave out -n, or let the suite launch it"
            )
            raise self.refuse(name, text, remedy)
        shown = Mask(self._environment()).text(text.strip())
        label = _unique(shown, protocol.name, others)
        return Target(protocol.name, text.strip(), command, label)

    def protocol_of(self, target: Target) -> ProtocolEntry:
        """Return the protocol that a subject is tried on."""
        return protocol_for(options_of(target.protocol).subject.name)

    def _has_workers(self) -> bool:
        """Tell whether pytest-xdist spreads this run over several processes."""
        return bool(getattr(self.config.option, "numprocesses", None)) or hasattr(
            self.config, "workerinput"
        )

    def _has_spare_core(self) -> bool:
        """Tell whether one core is left while the run waits for a subject."""
        # A worker's variable may also be there where a test of it starts a run.
        shares = self._has_workers() or WORKER_VARIABLE in os.environ
        return not shares and cores() > 1

    def settings(self) -> Settings:
        """Return the options that bear on the run.

        Raises:
            pytest.UsageError: Naming the option or setting and what it takes.
        """
        return Settings(
            folder=self._folder(),
            environment=self._environment(),
            shown_environment=self._shown_environment(),
            timeout=self.seconds("subject-timeout"),
            level=self.level("level", "may"),
            sources=cast("Sources", self.choice("sources", "all")),
            required=self._required(),
            fail_on=self.level("fail-on", "must"),
            fuzz=self.number("fuzz", DEFAULT_FUZZ),
            fuzz_seed=self._seed(),
            spare_core=self._has_spare_core(),
            save_vectors=self._save_folder(),
            runner=self._handed("runner", self.config.stash.get(RUNNER, "pytest")),
        )

    def settings_of(self, target: Target, settings: Settings) -> Settings:
        """Return the settings of one subject: those of all, and its protocol's own.

        Raises:
            pytest.UsageError: Naming the option or setting and what it takes.
        """
        return replace(
            settings,
            own=self.protocol_of(target).settings(self),
            reproduce_options=self.reproduce_options(target, settings),
        )

    def refuse_absent(self, target: Target, settings: Settings) -> None:
        """See to it that the program of a subject is there.

        Raises:
            pytest.UsageError: If the system cannot start it.
        """
        problem = self.protocol_of(target).start_problem(target, settings)
        if problem is not None:
            option = options_of(target.protocol).subject.name
            raise pytest.UsageError(f"{self.place(option)}: {problem}")

    def reports(self) -> list[Path]:
        """Return where reports go."""
        found: list[Path] = []
        for text in self.value("compat-report") or ():
            path = Path(self.base("compat-report"), Path(text).expanduser())
            if remedy := check_report_path(path):
                raise self.refuse("compat-report", text, remedy)
            found.append(path)
        return found

    def reproduce_options(self, target: Target, settings: Settings) -> tuple[str, ...]:
        """Return the options that run a check of this subject again, just so."""
        options = options_of(target.protocol)
        found: list[str] = []
        if not target.beside_others:
            found.append(f"{self.flag(options.subject.name)}={target.text}")
        for option in (*SHARED, *options.others):
            if option.reproduces:
                flag = self.flag(option.name)
                values = self._given(option)
                if option.name == "subject-env":
                    values = [_handed_on(text) for text in values]
                found += [f"{flag}={v}" if option.metavar else flag for v in values]
        if self.value("fuzz") is not None:
            found.append(f"{self.flag('fuzz')}={settings.fuzz}")
        return (*found, f"{self.flag('fuzz-seed')}={settings.fuzz_seed}")

    def _given(self, option: Option) -> Sequence[object]:
        if not option.metavar:
            return (True,) if self.switch(option.name) else ()
        value = self.value(option.name)
        if option.repeatable:
            return value or ()
        return () if value is None else (value,)

    def _folder(self) -> Path:
        return self.folder("subject-cwd") or self.base(*SUBJECT_OPTIONS)

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

    def _shown_environment(self) -> Mapping[str, str | None]:
        """Return what a line shows of the variables: None for what may be secret."""
        texts = self.value("subject-env") or ()
        typed = {text.partition("=")[0] for text in texts if "=" in text}
        return {
            name: None if is_secret(value) else value
            for name, value in self._environment().items()
            if name in typed or is_secret(value)
        }

    def _required(self) -> Mapping[str, Collection[str]] | None:
        text = self.text("requirements")
        try:
            return required_checks(text) if text is not None else None
        except ValueError as error:
            raise self.refuse("requirements", text, str(error)) from error

    def shard(self) -> Shard | None:
        """Return the part of the run that is wanted, or None for all of it."""
        text = self.text("shard")
        try:
            return read_shard(text) if text is not None else None
        except ValueError as error:
            raise self.refuse("shard", text, str(error)) from error

    def _seed(self) -> int:
        drawn = random.SystemRandom().getrandbits(SEED_BITS)
        return self.number("fuzz-seed", self._handed("fuzz_seed", drawn))

    def _handed(self, name: str, default: Any) -> Any:
        """Return what the controller of pytest-xdist hands to a worker, if this is one.

        A worker has neither drawn the seed nor seen how the run was started.
        """
        handed: Mapping[str, Any] = getattr(self.config, "workerinput", {})
        return handed.get(WORKER_KEY, {}).get(name, default)

    def _save_folder(self) -> Path | None:
        text = self.value("save-vectors")
        if text is None:
            return None
        folder = Path(self.base("save-vectors"), Path(text).expanduser())
        if folder.exists() and not folder.is_dir():
            raise self.refuse("save-vectors", text, "it is a file; give a folder")
        return folder


def _unique(text: str, protocol: str, others: Sequence[Target]) -> str:
    """Return a name that no other subject of a protocol has."""
    taken = {one.name for one in others if one.protocol == protocol}
    label, number = text, 2
    while label in taken:
        label, number = f"{text} #{number}", number + 1
    return label


def _handed_on(text: object) -> str:
    """Return a variable as it is given again: without a value that may be secret."""
    name, _, value = str(text).partition("=")
    return name if is_secret(value) else str(text)
