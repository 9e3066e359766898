"""The command-line options and settings, as a table, and how they are registered.

Imported by every pytest run: standard library and pytest only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from wireproof.protocols import PREFIX, Option, all_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.checks import Runner
    from wireproof.protocols import ProtocolOptions

RUNNER: pytest.StashKey[Runner] = pytest.StashKey()
"""By which command a run was started, where that was not ``pytest``."""

SHARED: tuple[Option, ...] = (
    Option(
        "level",
        "LEVEL",
        "highest level to run: must, should or may (default: may, that is all)",
        choices=("must", "should", "may"),
    ),
    Option(
        "sources",
        "WHICH",
        "document: run only what the protocol's document, or the standard it names, "
        "states; all (default): also what this project added",
        choices=("document", "all"),
    ),
    Option(
        "fail-on",
        "LEVEL",
        "level from which on a broken clause fails the run: must (default) or should",
        choices=("must", "should"),
        reproduces=True,
    ),
    Option(
        "compat-report",
        "PATH",
        "write a compatibility report; the ending of PATH says which kind: .json, "
        ".html, .md, .svg or .shields.json",
        repeatable=True,
    ),
    Option(
        "known-failures",
        "FILE",
        "a baseline: checks of which it is known that they fail, which then fail "
        "nothing; what has been mended or fails in another way is told",
    ),
    Option(
        "write-known-failures",
        "FILE",
        "write what fails in this run as a baseline; the reasons in it are kept",
        in_ini=False,
    ),
    Option(
        "requirements",
        "VERSION",
        "run the checks that this version of the suite had, such as 0.1.0: the number "
        "that reports name (default: all)",
    ),
    Option(
        "shard",
        "K/N",
        "run the K-th of N parts, which take about as long; a machine for each",
    ),
    Option("fuzz", "N", "examples for each fuzz property (default: 20); 0 for none"),
    Option("fuzz-seed", "N", "where the fuzzer's randomness starts (default: random)"),
    Option(
        "subject-timeout",
        "SECONDS",
        "most seconds to wait for any one answer of a subject, its first included",
        reproduces=True,
    ),
    Option(
        "subject-env",
        "NAME[=VALUE]",
        "a variable for the subject's environment; without a value the one it has here",
        repeatable=True,
        reproduces=True,
    ),
    Option(
        "subject-cwd", "DIR", "folder in which subjects are started", reproduces=True
    ),
    Option(
        "save-vectors",
        "DIR",
        "save each failing fuzz example as a vector file in this folder",
    ),
    Option(
        "list-vectors",
        "",
        "list every check with its clauses and level, and stop",
        wakes=True,
        in_ini=False,
    ),
    Option(
        "explain",
        "NAME",
        "show a clause and its checks (all with -v), the clauses of a protocol, a "
        "check, or a tool, and stop",
        repeatable=True,
        wakes=True,
        in_ini=False,
    ),
)

"""The options that bear on subjects of every protocol."""

OWNERS: Mapping[Option, tuple[str, ...]] = {
    option: tuple(
        dict.fromkeys(
            name
            for protocol in all_options()
            if option in protocol.others
            for name in (protocol.subject.name, protocol.several)
            if name
        )
    )
    for owner in all_options()
    for option in owner.others
}
"""The options of one protocol, or of several, and the subjects that they go with."""

OPTIONS: tuple[Option, ...] = (
    *(protocol.subject for protocol in all_options()),
    *SHARED,
    *OWNERS,
)
"""All options: those that name a subject, those of all, those of some protocols."""

BY_NAME: Mapping[str, Option] = {option.name: option for option in OPTIONS}
"""The options by their names without the dashes."""

SUBJECT_OPTIONS = tuple(protocol.subject.name for protocol in all_options())
"""The options that name a subject."""


@dataclass(slots=True)
class Registered:
    """How the options of a run can be reached.

    Attributes:
        flags: The flag of each option, by its name; a displaced one has our prefix.
        displaced: The names that another plugin had taken.
    """

    flags: dict[str, str] = field(default_factory=dict[str, str])
    displaced: list[str] = field(default_factory=list[str])

    def value(self, config: pytest.Config, option: Option) -> Any:
        """Return what was given on the command line, else in the settings, else None.

        A repeatable option gives a list, possibly empty.
        """
        found = getattr(config.option, option.setting, None)
        if self.on_command_line(config, option) or not option.in_ini:
            return found
        setting = config.getini(option.setting)
        return setting or ([] if option.repeatable else None)

    def given(self, config: pytest.Config, option: Option) -> bool:
        """Tell whether an option was given, on the command line or in the settings."""
        return self.value(config, option) not in (None, False, [])

    def on_command_line(self, config: pytest.Config, option: Option) -> bool:
        """Tell whether an option was given on the command line."""
        return getattr(config.option, option.setting, None) not in (None, False, [])

    def refuse_strays(self, config: pytest.Config) -> None:
        """Refuse our options on a command line that names no subject for them.

        Raises:
            pytest.UsageError: Naming the option and what it goes with.
        """
        several = {one.several for one in all_options() if one.several}
        named = any(self.given(config, BY_NAME[name]) for name in several)
        for option in SHARED:
            if not option.wakes and not named:
                self._refuse_stray(config, option, SUBJECT_OPTIONS)
        for option, subjects in OWNERS.items():
            self._refuse_stray(config, option, subjects)

    def refuse_checks(self, config: pytest.Config) -> None:
        """Refuse checks on a command line that names no subject of their protocol.

        Raises:
            pytest.UsageError: Naming the check and the option that is missing.
        """
        if config.args_source is not pytest.Config.ArgsSource.ARGS:
            return
        for argument in config.args:
            options = protocol_of_check(argument, config.invocation_params.dir)
            if options is None or self.given(config, options.subject):
                continue
            if options.several and self.given(config, BY_NAME[options.several]):
                continue
            flag = self.flags[options.subject.name]
            raise pytest.UsageError(
                f"{argument} is for checks of {options.protocol}, and no "
                f"{options.noun} is named: add {flag}={options.subject.metavar}"
            )

    def _refuse_stray(
        self, config: pytest.Config, option: Option, subjects: Sequence[str]
    ) -> None:
        if not self.on_command_line(config, option):
            return
        if not any(self.given(config, BY_NAME[name]) for name in subjects):
            flags = ", ".join(self.flags[name] for name in subjects)
            raise pytest.UsageError(
                f"{self.flags[option.name]} goes with a subject: add {flags}"
            )


def register_options(parser: pytest.Parser) -> Registered:
    """Add the options and settings to pytest, leaving taken names to their owners."""
    taken = set(_taken_names(parser))
    registered = Registered()
    group = parser.getgroup(PREFIX, "wireproof: conformance of tool protocols")
    for option in OPTIONS:
        flag = option.flag
        if flag in taken:
            flag = f"--{PREFIX}-{option.name}"
            registered.displaced.append(option.name)
        registered.flags[option.name] = flag
        attributes: dict[str, Any] = {"dest": option.setting, "help": option.help}
        if not option.metavar:
            attributes["action"] = "store_true"
        else:
            attributes["metavar"] = option.metavar
            attributes["action"] = "append" if option.repeatable else "store"
            attributes["default"] = None
        group.addoption(flag, **attributes)
        if option.in_ini:
            kind: Literal["linelist", "string"] = (
                "linelist" if option.repeatable else "string"
            )
            text = f"the same as {flag} on the command line"
            parser.addini(option.setting, text, type=kind, default=None)
    return registered


def protocol_of_check(argument: str, folder: Path) -> ProtocolOptions | None:
    """Return the protocol whose checks an argument of pytest's names.

    Args:
        argument: A check's id or the beginning of one, or a path.
        folder: Where pytest was called; what is there is a path.
    """
    beginning = f"{argument.rstrip('/')}/"
    for options in all_options():
        if beginning.startswith(f"{options.protocol}/"):
            there = Path(folder, argument.partition("::")[0]).exists()
            return None if there else options
    return None


def forget_values(config: pytest.Config, arguments: Sequence[str]) -> None:
    """Keep pytest from taking the value of an option of ours for a path of the user's.

    Our options are not known yet when pytest looks at the command line for the first
    time, to find the conftest files beside the paths that it names.
    """
    flags = {option.flag for option in OPTIONS if option.metavar}
    flags |= {f"--{PREFIX}-{option.name}" for option in OPTIONS if option.metavar}
    values = {value for flag, value in pairwise(arguments) if flag in flags}
    paths: list[str] = config.known_args_namespace.file_or_dir
    paths[:] = [path for path in paths if path not in values]


def suggest_options(parser: pytest.Parser, arguments: Sequence[str]) -> None:
    """Let pytest's refusal of an unknown option name the option that may be meant.

    Args:
        parser: The parser, which has the options of all plugins.
        arguments: The command line.
    """
    known = set(_taken_names(parser))
    for argument in arguments:
        name = argument.partition("=")[0]
        if name == "--":
            return
        if name == "-n" and name not in known:
            parser.extra_info["-n"] = "an option of pytest-xdist; install it with pip"
        elif name.startswith("--") and name not in known:
            from difflib import get_close_matches

            ours = [flag for flag in known if flag in {one.flag for one in OPTIONS}]
            if near := get_close_matches(name, ours, 1):
                parser.extra_info[name] = f"did you mean {near[0]}?"


def _taken_names(parser: pytest.Parser) -> Iterator[str]:
    # pytest has no public list of the options that are registered.
    groups = [*parser._groups, parser._anonymous]  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    for group in groups:
        for option in group.options:
            yield from option.names()
