"""Which protocol a program speaks, found out by a few lines to it.

Each protocol has a request whose answer no other one has. A program of another protocol
mostly answers too, with an error of its own, and shows by its form what it speaks.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.checks import NoAnswer, Settings, Target
from wireproof.patterns import is_array, is_object
from wireproof.protocols import protocol_for
from wireproof.subjects import SubjectProcess, names_object, subject_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

QUIET_SECONDS = 2.0
"""How long an answer is waited for before the input ends, which some wait for."""

LONGEST_SECONDS = 12.0
"""How long a program may take to start and to answer, whichever request it answers."""

MOMENT_SECONDS = 0.05
"""How long one of several processes is waited for at a time."""

MOST_STDERR = 2_000
"""How much of the end of what a program writes on stderr is kept."""

MOST_BYTES = 1 << 20
"""How much of what a program writes is read."""

MOST_LINES = 50
"""How many lines are looked at: an answer comes early, behind a banner at most."""

REQUESTS: Sequence[Mapping[str, Any]] = (
    {"v": 1, "id": "init", "method": "init", "params": {"config": {}}},
    {"id": 1, "op": "describe"},
    {"jsonrpc": "2.0", "id": 1, "method": "wireproof_no_such_method", "params": {}},
    {"args": {}},
)
"""What is asked, each of a process of its own: the next before the last has ended, so
that a program that answers none is not waited for again and again. The last is a call
of a one-shot tool."""

OPTION_OF_OP = {
    "bind": "exec-runtime",
    "execute_parallel": "tools",
    "execute_many": "host-client",
    "execute": "host-client",
    "convert_schemas": "adapter",
    "convert_tool_calls": "adapter",
    "convert_results": "adapter",
    "sanitize_tool_call": "adapter",
}
"""By an op that only drivers of one protocol offer: the option that names those."""

ONE_SHOT_KEYS = ({"result"}, {"error"})
"""The keys of all that a one-shot tool writes."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a program speaks.

    Attributes:
        option: The option that names such a subject, without the dashes.
        shown_by: What shows it, in words.
    """

    option: str
    shown_by: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """What a program wrote that speaks nothing known.

    Attributes:
        stdout: What it wrote first on stdout, upon any request.
        stderr: The end of what it wrote on stderr upon the first request.
    """

    stdout: str
    stderr: str


def find_protocol(
    text: str,
    command: tuple[str, ...],
    folder: Path,
    args: Mapping[str, Any] | None = None,
) -> Found | Unknown:
    """Find out which protocol a program speaks.

    Args:
        text: What the user typed.
        command: Its words.
        folder: Where it is started.
        args: What a one-shot tool is called with: many die of a key that is missing.

    Raises:
        SubjectStartError: If the system cannot start it.
        NoAnswer: If it names an object that has the methods of no protocol.
    """
    if "{socket}" in text:
        return Found("socket", "it is launched with {socket}")
    if names_object(text):
        return _find_object(text, folder)
    asked: list[_Asked] = []
    # Who tells args has an exec tool: it is called first.
    requests = REQUESTS if args is None else ({"args": args}, *REQUESTS[:-1])
    until = time.monotonic() + LONGEST_SECONDS
    try:
        for place in range(len(requests)):
            if place == len(asked):
                asked.append(_Asked(command, folder, requests[place], until))
            one = asked[place]
            while not one.is_done():
                if len(asked) < len(requests) and asked[-1].is_slow():
                    request = requests[len(asked)]
                    asked.append(_Asked(command, folder, request, until))
                for other in asked:
                    other.go_on()
            if (found := _found(one.answers())) is not None:
                return found
    finally:
        for one in asked:
            one.process.kill()
    wrote = next((one.stdout for one in asked if one.stdout), b"")
    return Unknown(
        wrote.decode(errors="replace"), asked[0].stderr.decode(errors="replace")
    )


def _find_object(text: str, folder: Path) -> Found:
    """Find out by its methods which kind of registry an object in Python is.

    Raises:
        NoAnswer: If it cannot be loaded, or has the methods of neither kind.
    """
    reasons: list[str] = []
    for option in ("adapter", "tools"):
        protocol = protocol_for(option)
        target = Target(protocol.name, text, protocol.command(text), text)
        handle: Any = protocol.handle(target, Settings(folder))
        try:
            with handle:
                (first, *_) = handle.description.ops
        except NoAnswer as error:
            reasons.append(str(error))
        else:
            return Found(option, f"it has the method {first}")
    raise NoAnswer("\n".join(dict.fromkeys(reasons)))


def _found(answers: Sequence[Mapping[str, Any]]) -> Found | None:
    """Return what the answers of one process show."""
    for answer in answers:
        if (found := _speaks(answer)) is not None:
            return found
    if len(answers) == 1 and set(answers[0]) in ONE_SHOT_KEYS:
        return Found("exec", "it wrote one object with result or error, and ended")
    return None


def _speaks(answer: Mapping[str, Any]) -> Found | None:
    """Return what an answer shows by itself."""
    match answer:
        # A driver of a bridge answers what is no op of its with ok as well.
        case {"id": _, "ok": bool()} if answer.keys() & {"v", "result"}:
            return Found("host", "it answered init with ok")
        case {"jsonrpc": "2.0"} if answer.keys() & {"result", "error"}:
            return Found("exec-server", "it answered in JSON-RPC")
        case {"ok": True, "value": {"ops": ops}} if is_array(ops):
            for op, option in OPTION_OF_OP.items():
                if op in ops:
                    return Found(option, f"its driver offers {op}")
            return None
        case _:
            return None


class _Asked:
    """A process that was asked something, and what it has written upon it."""

    def __init__(
        self,
        command: tuple[str, ...],
        folder: Path,
        request: Mapping[str, Any],
        until: float,
    ) -> None:
        """Start the program and ask; by the time ``until`` it has to have answered."""
        self.stdout = bytearray()
        self.stderr = bytearray()
        self._until = until
        self._began = time.monotonic()
        self.process = SubjectProcess(
            command,
            environment=subject_environment({}),
            folder=folder,
            on_stdout=self.stdout.extend,
            on_stderr=self._take_stderr,
        )
        self.process.send(json.dumps(request).encode() + b"\n")

    def _take_stderr(self, data: bytes) -> None:
        self.stderr += data
        del self.stderr[:-MOST_STDERR]

    def is_slow(self) -> bool:
        """Tell whether it has had the time in which most answer."""
        return self.is_done() or time.monotonic() - self._began > QUIET_SECONDS

    def is_done(self) -> bool:
        """Tell whether all that it has to say is there."""
        if self.process.ended or len(self.stdout) > MOST_BYTES:
            return True
        if self.process.input_open and b"\n" in self.stdout and self.answers():
            return True
        return time.monotonic() >= self._until

    def go_on(self) -> None:
        """Take what it writes in a moment; end its input where it may wait for that."""
        if self.is_done():
            return
        if self.process.input_open and (b"\n" in self.stdout or self.is_slow()):
            self.process.close_input()
        self.process.pump(MOMENT_SECONDS)

    def answers(self) -> list[dict[str, Any]]:
        """Return the objects that it wrote."""
        return _objects(self.stdout)


def _objects(written: bytearray) -> list[dict[str, Any]]:
    """Return the objects in what was written: one a line, or one over all lines."""
    found: list[dict[str, Any]] = []
    whole = bytes(written)
    for text in (whole, *whole.split(b"\n", MOST_LINES)[:MOST_LINES]):
        try:
            value: Any = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if is_object(value):
            found.append(value)
        if text == whole:
            break
    return found
