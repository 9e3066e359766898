"""What pytest knows of a protocol at each start: its options and its fixture.

Imported by every pytest run: standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass

PREFIX = "wireproof"
"""Begins the names of settings, destinations and displaced options."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option.

    Attributes:
        name: Its name without the dashes.
        metavar: What stands for its value in the help; empty for a switch.
        help: What it does.
        repeatable: Whether it may be given several times.
        wakes: Whether it brings in the runner.
        choices: What it may be; empty for anything.
        in_ini: Whether it has a setting too.
        reproduces: Whether a line that shows a failure again has to repeat it.
    """

    name: str
    metavar: str
    help: str
    repeatable: bool = False
    wakes: bool = False
    choices: tuple[str, ...] = ()
    in_ini: bool = True
    reproduces: bool = False

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return f"--{self.name}"

    @property
    def setting(self) -> str:
        """Its name in the configuration file and among the parsed options."""
        return f"{PREFIX}_{self.name.replace('-', '_')}"


def subject_option(name: str, metavar: str, text: str) -> Option:
    """Return the option that names the subjects of a protocol.

    Args:
        name: Its name without the dashes.
        metavar: What stands for its value in the help.
        text: What it does.
    """
    return Option(name, metavar, text, repeatable=True, wakes=True)


@dataclass(frozen=True, slots=True)
class ProtocolOptions:
    """The options of one protocol, and the fixture that hands out its subject.

    Attributes:
        protocol: The protocol's name, such as ``host-v1``.
        subject: The option that names a subject.
        noun: What a subject is called, such as ``host``.
        fixture: The name of the fixture.
        fixture_help: What ``pytest --fixtures`` says of it.
        others: Further options of this protocol alone.
        several: The one of them that names several subjects at once; empty for none.
    """

    protocol: str
    subject: Option
    noun: str
    fixture: str
    fixture_help: str
    others: tuple[Option, ...] = ()
    several: str = ""
