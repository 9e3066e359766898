"""Which protocol a program speaks, found out by a few lines to it.

Each protocol has a request whose answer no other one has. A program of another protocol
mostly answers too, with an error of its own, and shows by its form what it speaks.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.operations._opening import names_object
from wireproof.patterns import is_array, is_object
from wireproof.subjects import SubjectProcess, subject_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

QUIET_SECONDS = 2.0
"""How long an answer is waited for before the input ends, which some wait for."""

LONGEST_SECONDS = 10.0
"""How long a program may take to start and to answer."""

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
"""What is asked, of a new process each time."""

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


def find_protocol(text: str, command: tuple[str, ...], folder: Path) -> Found | None:
    """Find out which protocol a program speaks, or None.

    Args:
        text: What the user typed.
        command: Its words.
        folder: Where it is started.

    Raises:
        SubjectStartError: If the system cannot start it.
    """
    if "{socket}" in text:
        return Found("socket", "it is launched with {socket}")
    if names_object(text):
        return Found("adapter", "it names an object in Python")
    for request in REQUESTS:
        answers = _ask(command, folder, request)
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


def _ask(
    command: tuple[str, ...], folder: Path, request: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Start a program, ask it, and return the objects that it wrote, line by line."""
    written = bytearray()
    process = SubjectProcess(
        command,
        environment=subject_environment({}),
        folder=folder,
        on_stdout=written.extend,
        on_stderr=lambda _: None,
    )
    try:
        process.send(json.dumps(request).encode() + b"\n")
        began = time.monotonic()
        while (passed := time.monotonic() - began) < LONGEST_SECONDS:
            if process.ended or len(written) > MOST_BYTES:
                break
            if process.input_open and (b"\n" in written or passed > QUIET_SECONDS):
                if _objects(written):
                    break
                process.close_input()
            process.pump(QUIET_SECONDS if passed > QUIET_SECONDS else QUIET_SECONDS / 4)
    finally:
        process.kill()
    return _objects(written)


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
