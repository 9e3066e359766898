"""A subject's command: the environment that it gets, and why it cannot be started."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.checks import SubjectStartError

if TYPE_CHECKING:
    from collections.abc import Mapping

INHERITED = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TMPDIR",
    "TZ",
    "USER",
)
"""Variables that a subject gets from the user's environment without being asked."""


def subject_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Build the environment of a subject: the few variables that programs need.

    Args:
        extra: Variables that the user adds.
    """
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return inherited | dict(extra)


def missing_program(
    command: tuple[str, ...], folder: Path, extra: Mapping[str, str]
) -> str | None:
    """Return what is said of a command whose program cannot be found or executed.

    Args:
        command: The argument vector.
        folder: Where it is to be started.
        extra: Variables that the user adds to its environment.

    Returns:
        Why it cannot be started, or None: what is only seen by starting it is not
        looked for.
    """
    environment = subject_environment(extra)
    name = command[0]
    paths = [""] if "/" in name else os.get_exec_path(environment)
    # As the system does it: a relative path is one in the folder of the subject.
    places = [Path(folder, path, name) for path in paths]
    found = [place for place in places if place.is_file()]
    if any(os.access(place, os.X_OK) for place in found):
        return None
    error = PermissionError() if found else FileNotFoundError()
    detail = start_problem(error, command, folder, environment)
    return str(SubjectStartError(command, detail))


def start_problem(
    error: OSError | ValueError,
    command: tuple[str, ...],
    folder: Path,
    environment: Mapping[str, str],
) -> str:
    """Say why a command could not be started, and what to do about it.

    Args:
        error: What the system raised.
        command: The argument vector.
        folder: Where it was to be started.
        environment: All its variables.
    """
    if not folder.is_dir():
        return f"its folder {str(folder)!r} does not exist"
    if Path(folder, command[0]).is_dir() and not _find(command[0], folder, environment):
        return "it is a folder; give the command line of a program"
    if isinstance(error, FileNotFoundError):
        if "/" not in command[0] and Path(folder, command[0]).is_file():
            return (
                f"no such file on PATH; for the one in its folder give ./{command[0]}"
            )
        if _find(command[0], folder, environment):
            return "its first line names an interpreter that does not exist"
        where = (
            f"in {str(folder)!r}"
            if "/" in command[0]
            else f"on PATH ({environment.get('PATH', '')})"
        )
        return f"no such file {where}"
    if isinstance(error, PermissionError):
        return "permission denied; is the file executable?"
    if isinstance(error, OSError) and error.errno == errno.ENOEXEC:
        return "not a program; a script needs a first line such as #!/usr/bin/env node"
    return str(error)


def _find(name: str, folder: Path, environment: Mapping[str, str]) -> bool:
    if "/" in name:
        return Path(folder, name).is_file()
    return shutil.which(name, path=environment.get("PATH", "")) is not None
