"""What starts the programs of this environment from the user's shell."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wireproof.checks._settings import Runner


def python_words() -> list[str]:
    """Return what starts this interpreter from a shell."""
    return ["python"] if _is_ours("python") else [sys.executable]


def runner_words(runner: Runner) -> list[str]:
    """Return what starts a run from a shell as this one was started.

    Args:
        runner: The command by which it was.
    """
    program, *words = runner.split(" ")
    return [*_program_words(program), *words]


def explain_line(*names: str) -> str:
    """Return the command that explains clauses or tools.

    Args:
        names: What they are called.
    """
    return shlex.join([*_program_words("wireproof"), "explain", *names])


def _program_words(name: str) -> list[str]:
    """Return what starts one of this environment's programs from a shell.

    Args:
        name: The program, such as ``pytest``; it is a module of that name as well.
    """
    if _is_ours(name):
        return [name]
    beside = Path(sys.executable).with_name(name)
    if _is_of_uv() or not os.access(beside, os.X_OK):
        return [sys.executable, "-m", name]
    here = Path.cwd()
    return [str(beside.relative_to(here) if beside.is_relative_to(here) else beside)]


def _is_ours(program: str) -> bool:
    """Tell whether a shell finds the program that stands beside this interpreter."""
    if _is_of_uv():
        return False
    found = shutil.which(program)
    return found is not None and Path(found).parent == Path(sys.executable).parent


def _is_of_uv() -> bool:
    """Tell whether uv has put its environment in front of the user's own PATH.

    It does so for this run alone: the user's shell will not find what stands there.
    """
    return "UV" in os.environ
