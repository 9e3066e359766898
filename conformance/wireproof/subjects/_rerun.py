"""One line that calls an object in Python again, or runs a check again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from wireproof.checks import python_words, runner_words
from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Settings

LONGEST = 1_500
"""Characters up to which a shell line is still something to paste."""


def environment_words(environment: Mapping[str, str | None] | None) -> list[str]:
    """Return the words that set variables for a command of shell.

    Args:
        environment: The variables; None for a value that is not to be shown.
    """
    return [
        f"{name}={handed_on(name) if value is None else shlex.quote(value)}"
        for name, value in (environment or {}).items()
    ]


def handed_on(name: str) -> str:
    """Return a variable's value as the shell has it, which ends where it has none."""
    return f'"${{{name}:?}}"'


def python_line(
    module: str,
    expression: str,
    method: str,
    arguments: Mapping[str, Any],
    by_place: int = 1,
    *,
    folder: str | None = None,
    environment: Mapping[str, str | None] | None = None,
) -> str | None:
    """Build a shell line that calls a method in Python and shows what it gives.

    Args:
        module: What is to be imported.
        expression: How the object is reached then.
        method: The method's name.
        arguments: Its arguments, in order.
        by_place: How many of them are passed by their place.
        folder: Where to call it, or None for the current folder.
        environment: Variables to add; None for a value that is not to be shown.

    Returns:
        The line, or None where the arguments are too long for one.
    """
    names = list(arguments)
    try:
        words = [_literal(arguments[name]) for name in names[:by_place]]
        words += [f"{name}={_literal(arguments[name])}" for name in names[by_place:]]
    except RecursionError:
        return None
    code = f"import {module}; print({expression}.{method}({', '.join(words)}))"
    if len(code) > LONGEST:
        return None
    words = environment_words(environment)
    line = " ".join([*words, shlex.join([*python_words(), "-c", code])])
    return f"(cd {shlex.quote(folder)}; {line})" if folder else line


def shown_folder(settings: Settings) -> str | None:
    """Return where a line has to go first: the folder that the user named, if any."""
    options = settings.reproduce_options
    named = any(option.startswith("--subject-cwd") for option in options)
    return str(settings.folder) if named else None


def run_line(settings: Settings, *checks: str) -> str:
    """Build a command that runs checks again, or all where none is named.

    Args:
        settings: Of the subject; they know by which command this run was started.
        checks: What names them on the command line; an empty text names none.
    """
    named = filter(None, checks)
    words = [*runner_words(settings.runner), *named, *settings.reproduce_options]
    return shlex.join(words)


def _literal(value: Any) -> str:
    """Write a JSON value in Python without the quotes that a shell reads."""
    if is_object(value):
        members = [f"{_literal(key)}: {_literal(one)}" for key, one in value.items()]
        return f"{{{', '.join(members)}}}"
    if is_array(value):
        return f"[{', '.join(map(_literal, value))}]"
    if not isinstance(value, str):
        return repr(value)
    return '"' + "".join(map(_in_quotes, value)) + '"'


def _in_quotes(char: str) -> str:
    if char == "'":
        return "\\x27"
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else char.encode("unicode_escape").decode()
