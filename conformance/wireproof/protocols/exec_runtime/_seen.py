"""What was seen of the processes of a tool."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wireproof.patterns import is_object

MOST_KEPT = 1 << 23
"""Bytes of a tool's input that are kept; a runtime that writes more is at fault."""

MOST_NOTES = 20
"""Things that are told of one process."""

LONGEST_NOTE = 400
"""Characters of one of them."""

NO_JSON = object()
"""Stands for input that is no JSON text."""


@dataclass(slots=True)
class Child:
    """A child that a tool has left.

    Attributes:
        pid: Its process id.
        gone: Whether it has ended.
    """

    pid: int
    gone: bool = False


class Note(NamedTuple):
    """One thing that a process did, or that was done to it.

    Attributes:
        time: When, in seconds on the clock of the run.
        text: What, as the rest of a sentence that begins with its name.
        by_suite: Whether the suite had it do so.
    """

    time: float
    text: str
    by_suite: bool


@dataclass(slots=True)
class Seen:
    """What was seen of a process.

    Attributes:
        pid: Its process id; 0 until it has said so.
        arguments: Its own arguments, after the name of the script.
        environment: What it was started with.
        descriptors: Those that it was started with beside 0, 1 and 2; Linux tells.
        input: The bytes that came on its stdin.
        ended: Whether its stdin came to its end.
        gone: Whether it has ended.
        exits: Whether it was told to end by itself.
        children: Its children.
        flooded: Bytes of a flood that were taken.
        taken: Bytes of its input that were taken by a script.
        garbled: The first line of them that is no object; empty for none.
        notes: What happened to it, in order, as far as there is room.
    """

    pid: int = 0
    arguments: list[str] = field(default_factory=list[str])
    environment: dict[str, str] = field(default_factory=dict[str, str])
    descriptors: list[int] = field(default_factory=list[int])
    input: bytearray = field(default_factory=bytearray)
    ended: bool = False
    gone: bool = False
    exits: bool = False
    children: list[Child] = field(default_factory=list[Child])
    flooded: int = 0
    taken: int = 0
    garbled: bytes = b""
    notes: list[Note] = field(default_factory=list[Note])

    @property
    def all_gone(self) -> bool:
        """Whether nothing is left of it, its children included."""
        return self.gone and all(child.gone for child in self.children)

    def note(self, text: str, *, by_suite: bool = False) -> None:
        """Take note of what happens, now.

        Args:
            text: What, as the rest of a sentence that begins with its name.
            by_suite: Whether the suite has it do so.
        """
        if len(self.notes) < MOST_NOTES:
            self.notes.append(Note(time.monotonic(), text[:LONGEST_NOTE], by_suite))

    def keep(self, data: bytes) -> None:
        """Keep more of its input, as far as there is room."""
        room = max(0, MOST_KEPT - len(self.input))
        self.input += data[:room]

    def next_line(self) -> tuple[bool, Any]:
        """Take the next line of its input that is not blank.

        Returns:
            Whether there is one, and its value; ``NO_JSON`` where it is none.
        """
        rest = bytes(self.input[self.taken :])
        while b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            self.taken += len(line) + 1
            if line.strip():
                value = parsed(line)
                if not is_object(value):
                    self.garbled = self.garbled or line
                return True, value
        return False, None

    def next_whole(self) -> tuple[bool, Any]:
        """Take its whole input, once that is a JSON text or has ended.

        Returns:
            As ``next_line`` does.
        """
        rest = bytes(self.input)
        value = parsed(rest)
        if self.taken or not rest or (value is NO_JSON and not self.ended):
            return False, None
        self.taken = len(rest)
        return True, value


def parsed(data: bytes) -> Any:
    """Return the value of a JSON text, ``NO_JSON`` where it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return NO_JSON
