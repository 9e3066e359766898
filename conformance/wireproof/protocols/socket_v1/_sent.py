"""What was sent on a connection, read as the server will read it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from wireproof.line import UnendedLine, events_of
from wireproof.patterns import is_object, json_equal
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    Event,
    Frame,
    JsonError,
    NdjsonDecoder,
    Oversize,
    loads,
)

LINE_LIMIT = 64 << 20
"""Longest line either way, in bytes."""

SEARCHED = 65_536
"""Bytes of a bad line in which ids are looked for."""

CALLERS = ("cli", "renderer", "agent", "plugin", "internal")

_ID_IN_TEXT = re.compile(rb"""["']?requestId["']?\s*:\s*("(?:[^"\\]|\\.)*"|'[^']*')""")
"""As lenient readers find it too: keys without quotes, single quotes."""


@dataclass(frozen=True, slots=True)
class SentCall:
    """A line that is a well-formed ``tool_call``."""

    id: str
    tool: str = ""


@dataclass(frozen=True, slots=True)
class SentList:
    """A line that is a well-formed ``list_tools``."""


@dataclass(frozen=True, slots=True)
class SentCancel:
    """A line that is a well-formed ``cancel_tool_call``."""

    id: str


@dataclass(frozen=True, slots=True)
class SentBad:
    """A line to which an ``error`` is the answer, with the ids that stand in it."""

    ids: tuple[str, ...]


Sent = SentCall | SentList | SentCancel | SentBad


class SocketOutgoing:
    """Reads what goes to a server."""

    def __init__(self) -> None:
        """Begin."""
        self._decoder = NdjsonDecoder(LINE_LIMIT, blank_lines="report")
        self._unended = UnendedLine(_is_message)

    @property
    def midline(self) -> bool:
        """Whether a line has been begun and not ended."""
        return self._decoder.pending > 0

    def send(self, data: bytes) -> list[Sent]:
        """Take bytes that are sent; return the lines that they complete.

        A line whose line feed has not been sent may have been read all the same.
        """
        self._decoder.receive_data(data)
        events = list(events_of(self._decoder))
        match events[:1]:
            case [Frame(value=value)] if self._unended.was_read(value):
                del events[0]
            case _:
                pass
        early = read_message(self._unended.take(data))
        return [one for one in (*map(_read, events), early) if one is not None]


def _is_message(value: dict[str, Any]) -> bool:
    return read_message(value) is not None


def _read(event: Event) -> Sent | None:
    match event:
        case Frame(line=line) if len(twice := _ids_of_equal_keys(line)) > 1:
            # A server may take either.
            return SentBad(twice)
        case Frame(value=value, line=line):
            return read_message(value) or SentBad(_ids_in(line))
        case BadLine(line=line):
            return SentBad(_ids_in(line))
        case Oversize():
            return SentBad(())
        case BlankLine():
            return None
        case _:
            return None


def read_message(value: Any) -> Sent | None:
    """Return what a JSON value is, or None where an error is its answer (SOCK-M5)."""
    if not is_object(value) or not json_equal(value.get("protocol", 1), 1):
        return None
    client = value.get("clientInfo", {})
    if not is_object(client) or client.get("caller", "cli") not in CALLERS:
        return None
    match value:
        case {"type": "list_tools"}:
            return SentList()
        case {"type": "cancel_tool_call", "requestId": str(request_id)}:
            return SentCancel(request_id)
        case {"type": "tool_call", "requestId": str(key), "toolName": str(tool)}:
            timeout = value.get("timeoutMs", 1)
            sound = (
                is_object(value.get("arguments", {}))
                and isinstance(timeout, int | float)
                and not isinstance(timeout, bool)
                and timeout > 0
                and timeout == int(timeout)
            )
            return SentCall(key, tool) if sound else None
        case _:
            return None


def _ids_of_equal_keys(line: bytes) -> tuple[str, ...]:
    """Return the ids of an object that has several; nothing of any other line."""
    if line.count(b'"requestId"') < 2 or not line.lstrip().startswith(b"{"):  # noqa: PLR2004 - a pair
        return ()
    members: Any = json.JSONDecoder(object_pairs_hook=list).decode(line.decode())
    return tuple(str(one) for key, one in members if key == "requestId")


def _ids_in(line: bytes) -> tuple[str, ...]:
    found: list[str] = []
    for raw in _ID_IN_TEXT.findall(line[:SEARCHED]):
        try:
            found.append(str(loads(b'"' + raw[1:-1] + b'"')))
        except JsonError:
            found.append(raw[1:-1].decode(errors="replace"))
    return tuple(found)
