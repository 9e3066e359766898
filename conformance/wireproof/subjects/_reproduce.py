"""One line of shell that sends bytes to a subject again."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, assert_never

from wireproof.checks import python_words
from wireproof.subjects._rerun import LONGEST, environment_words, handed_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNBUFFERED: Final[Mapping[str, str]] = MappingProxyType({"PYTHONUNBUFFERED": "1"})
"""The variable by which an interpreter flushes what its program writes: Python's. No
other one in wide use has such a variable."""

SETTLE_SECONDS = 1
"""How long the pipe stays open after the last line, for hosts that stop at its end."""

ANSWER_SECONDS = 0.3
"""How long a write waits for the answer to the one before it."""

MOST_WRITES = 12
"""Writes up to which a line of shell can still be read, and does not take long."""

UNFLUSHED_SECONDS = 2
"""The same, where it has to be seen that nothing comes before its end."""

_TALK = (
    "import os, select, socket, sys; s = socket.socket(socket.AF_UNIX); "
    "s.connect(sys.argv[1]); "
    '[s.sendall(d) for d in iter(lambda: os.read(0, 65536), b"")]; '
    "[os.write(1, d) for d in iter(lambda: select.select([s], [], [], {wait})[0] "
    'and s.recv(65536) or b"", b"")]'
)
"""What a shell without a program for sockets runs: send, and show what comes."""

Ending = Literal["settle", "tell", "at-once"]
"""What follows the last byte: a pause and the end of input; the same, the end told on
the terminal, so that what comes only then is seen to; or the end at once, and the exit
status told. Where it matters that the subject writes to a pipe, it does: programs hold
nothing back, and lose nothing, where they write to a terminal."""


def pipe_line(
    data: bytes,
    command: Sequence[str],
    *,
    folder: str | None = None,
    environment: Mapping[str, str | None] | None = None,
    forwarded: Sequence[str] | None = None,
    seconds: float = 0.0,
    ending: Ending = "settle",
    before: Sequence[bytes] = (),
) -> str | None:
    """Build a shell line that pipes bytes into the subject.

    Args:
        data: What is to be sent last.
        command: The subject's argument vector.
        folder: Where to start it, or None for the current folder.
        environment: Variables to add; None for a value that is not to be shown.
        forwarded: Names of the only variables that it gets, with the values that they
            have in the shell; None for all.
        seconds: How long the subject was asked to work on it.
        ending: What follows the last byte.
        before: What is sent before it, each with time for its answer.

    Returns:
        The line, or None where the input is too long for one.
    """
    if (printed := _printed(data, before)) is None:
        return None
    words = environment_words(environment)
    if forwarded is not None:
        named = (f'{name}="${name}"' for name in forwarded)
        words = ["env", "-i", *named, *words]
    elif ending == "tell" and (flushing := UNBUFFERED.keys() & os.environ.keys()):
        # In a shell that has it, nothing would be seen.
        words = ["env", *(f"-u {name}" for name in flushing), *words]
    subject = " ".join([*words, shlex.join(command)])
    match ending:
        case "settle":
            pause = SETTLE_SECONDS + round(seconds)
            line = f"({printed}; sleep {pause}) | {subject}"
        case "tell":
            pause = UNFLUSHED_SECONDS + round(seconds)
            told = "echo 'stdin ends only now: replies belong above this line' >&2"
            line = f"({printed}; sleep {pause}; {told}) | {subject} | cat"
        case "at-once":
            writes = f"({printed})" if before else printed
            told = f'{{ {subject}; echo "exit status $?"; }}'
            line = f"{writes} | {told} | cat"
        case _:
            assert_never(ending)
    return f"(cd {shlex.quote(folder)}; {line})" if folder else line


def socket_line(
    data: bytes, path: str, *, seconds: float = 0.0, before: Sequence[bytes] = ()
) -> str | None:
    """Build a shell line that sends bytes to a socket and shows what comes.

    Args:
        data: What is to be sent last.
        path: The socket's path, quoted for the shell.
        seconds: How long the server was asked to work on it.
        before: What is sent before it, each with time for its answer.

    Returns:
        The line, or None where the input is too long for one.
    """
    if (printed := _printed(data, before)) is None:
        return None
    wait = SETTLE_SECONDS + math.ceil(seconds)
    talk, waits = _talk(path, wait)
    if waits:
        return f"({printed}; sleep {wait}) | {talk}"
    writes = f"({printed})" if before else printed
    return f"{writes} | {talk}"


def launched_line(
    data: bytes,
    command: Sequence[str],
    *,
    socket: str = "{socket}",
    folder: str | None = None,
    environment: Mapping[str, str | None] | None = None,
    seconds: float = 0.0,
    before: Sequence[bytes] = (),
    scratch: str = "",
) -> str | None:
    """Build a shell line that starts a server in a new place and sends bytes to it.

    The server ends before the line does: so does what shows its answers.

    Args:
        data: What is to be sent last.
        command: What starts the server, with its places in braces.
        socket: Where its socket is, with places in braces.
        folder: Where to start it, or None for the current folder.
        environment: Variables to add; None for a value that is not to be shown.
        seconds: How long the server was asked to work on it.
        before: What is sent before it, each with time for its answer.
        scratch: A folder of the run that is gone after it: where it is sent, the line
            has one of its own.

    Returns:
        The line, or None where the input is too long for one.
    """
    if (printed := _printed(data, before)) is None:
        return None
    if scratch:
        printed = printed.replace(scratch, "'\"$d\"'")
    path = _in_place(socket)
    variables = {"HOME": "{home}", **(environment or {})}
    words = [
        f"{name}={handed_on(name) if value is None else _in_place(value)}"
        for name, value in variables.items()
    ]
    start = " ".join([*words, *map(_in_place, command)])
    wait = SETTLE_SECONDS + math.ceil(seconds)
    talk, _ = _talk(path, wait)
    go = f"cd {shlex.quote(folder)}; " if folder else ""
    return (
        f"({go}d=$(mktemp -d); {start} & p=$!; "
        f"until [ -S {path} ] || ! kill -0 $p; do sleep 0.1; done; "
        f'({printed}; sleep {wait}; kill $p) | {talk}; rm -r "$d")'
    )


def _talk(path: str, wait: int) -> tuple[str, bool]:
    """Return what passes its input to a socket and shows what comes.

    Args:
        path: The socket's path, quoted for the shell.
        wait: Seconds to wait for answers after the end of the input, at the most.

    Returns:
        The command, and whether its input has to stay open meanwhile.
    """
    if shutil.which("nc"):
        return f"nc -U {path}", True
    if shutil.which("socat"):
        return f"socat - UNIX-CONNECT:{path}", True
    code = shlex.quote(_TALK.format(wait=wait))
    return f"{shlex.join(python_words())} -c {code} {path}", False


def _in_place(word: str) -> str:
    """Quote a word whose places are in a new folder, which is called d."""
    places = {"{socket}": '"$d"/s', "{home}": '"$d"'}
    parts = re.split(r"(\{socket\}|\{home\})", word)
    found = [places.get(part) or (shlex.quote(part) if part else "") for part in parts]
    return "".join(found) or "''"


def _printed(data: bytes, before: Sequence[bytes]) -> str | None:
    """Return what writes bytes one after the other, None where that is too long."""
    if sum(map(len, (*before, data))) > LONGEST or len(before) >= MOST_WRITES:
        return None
    writes = [one for one in (*before, data) if one] or [b""]
    formats = [_printf_format(one) for one in writes]
    if sum(map(len, formats)) > LONGEST:
        return None
    return f"; sleep {ANSWER_SECONDS}; ".join(f"printf {one}" for one in formats)


def _printf_format(data: bytes) -> str:
    """Quote bytes as the format of printf, so that every shell sends just them."""
    text: list[str] = []
    for byte in data:
        char = chr(byte)
        if char == "\n":
            text.append("\\n")
        elif char == "\\":
            text.append("\\\\")
        elif char == "%":
            text.append("%%")
        elif char == "-" and not text:
            # Otherwise printf takes it for the beginning of an option.
            text.append("\\055")
        elif char == "'":
            text.append("'\\''")
        elif char.isascii() and char.isprintable():
            text.append(char)
        else:
            text.append(f"\\{byte:03o}")
    return "'" + "".join(text) + "'"
