"""How a subject behind a driver is named: a command, or an object in Python.

A subject is a command, its driver, or an object in Python named as ``module:attr``,
which the suite's own driver serves.
"""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

from wireproof.checks import split_command
from wireproof.subjects._command import missing_program, subject_environment
from wireproof.subjects._in_process import IN_PROCESS_PROGRAM, IN_PROCESS_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wireproof.checks import Settings, Target

SERVER = (sys.executable, "-P", IN_PROCESS_PROGRAM)
"""The words that start the driver of an object in Python; its name follows."""

_MODULE = re.compile(r"[A-Za-z_][\w.]*\Z")
_OBJECT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*\Z")


def names_object(text: str) -> bool:
    """Tell whether a subject is an object in Python, as ``module:attr``."""
    return _OBJECT.match(text) is not None


def may_lack_attribute(text: str) -> bool:
    """Tell whether a command may be the name of a module, its attribute forgotten."""
    return _MODULE.match(text) is not None


def driver_command(text: str) -> tuple[str, ...]:
    """Return the words that start the driver of what the user named.

    Raises:
        ValueError: With the remedy, if a command cannot be split into words.
    """
    if names_object(text):
        return (*SERVER, text)
    return split_command(text)


def driver_start_problem(target: Target, settings: Settings) -> str | None:
    """Return why the system cannot start the driver, with the remedy, or None."""
    command, folder = target.command, settings.folder
    problem = missing_program(command, folder, settings.environment)
    if problem is not None and may_lack_attribute(target.text):
        problem += "; an object in Python is named as module:attr"
    return problem


def is_in_process(command: Sequence[str]) -> bool:
    """Tell whether the driver is the suite's own, in the subject's process."""
    return tuple(command[: len(SERVER)]) == SERVER


def driver_environment(
    target: Target,
    settings: Settings,
    ops: Sequence[str],
    *,
    inside: Path | None = None,
) -> dict[str, str]:
    """Return all variables of the driver of a subject.

    Args:
        target: The subject.
        settings: The user's options.
        ops: The ops that an object in Python may have, by the names of its methods.
        inside: The file whose ops look at such an object in its own process.
    """
    environment = subject_environment(settings.environment)
    if is_in_process(target.command):
        told = {
            "subject": target.command[-1],
            "path": [str(settings.folder), *sys.path],
            "ops": list(ops),
            "inside": str(inside) if inside else "",
        }
        environment[IN_PROCESS_VARIABLE] = json.dumps(told)
    return environment
