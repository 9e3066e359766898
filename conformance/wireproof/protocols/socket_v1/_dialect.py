"""The frames of socket-v1: calls, listings and cancels, and what answers them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from wireproof.conversation import PREFIX, UNNAMED, is_deep, is_plain
from wireproof.patterns import is_object, json_equal
from wireproof.protocols.socket_v1._faults import faults_of
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wireproof.conversation import Frame, Key, Line, Role

LINE_LIMIT = 64 << 20
"""Bytes of the longest line of either side."""

LONG = 1 << 16
"""Bytes of a call that may be beyond the limit of a server (SOCK-F6 is a SHOULD)."""

SEARCHED = 65_536
"""Bytes of a bad line in which ids are searched."""

CALLERS = ("cli", "renderer", "agent", "plugin", "internal")

LISTING: Key = (UNNAMED, "tools_list")
"""The key of a listing: it has no id."""

_ID_IN_TEXT = re.compile(rb"""["']?requestId["']?\s*:\s*("(?:[^"\\]|\\.)*"|'[^']*')""")
"""As lenient readers find it too: keys without quotes, single quotes."""

_HOLE = re.compile(r"[\ud800-\udfff\ufffd?]|\\u[dD]")
"""What may be written for half of a surrogate pair or a byte that is not UTF-8."""

_JSON = ("{", "[")
"""How the text begins that is, or was, that of an object."""


class SocketDialect:
    """What socket-v1 makes of lines."""

    line_limit = LINE_LIMIT
    id_name = "requestId"

    def role(self, line: Line) -> Role:
        """Return what a sent line is: a call and a listing are owed an answer."""
        value = line.value
        if line.fault == "not-utf8":
            # It may be read with U+FFFD (SOCK-F7).
            text = line.data.decode(errors="replace")
            return "unclear" if is_request(_value_of(text)) else "bad"
        if line.fault or not is_request(value) or len(_ids_of(line)) > 1:
            return "bad"
        return "unclear" if line.is_odd and not is_plain(value) else "request"

    def loose_keys(self, line: Line) -> Iterable[Key]:
        """Return the ids in a line that is no request, as far as they can be read."""
        if is_object(line.value):
            if is_cancel(line.value):
                # It gets no answer of its own.
                return []
            ids = _ids_of(line) or [line.value.get(self.id_name)]
            return [_up_to_hole(one) for one in ids if isinstance(one, str)]
        found = _ID_IN_TEXT.findall(line.data[:SEARCHED])
        return [_up_to_hole(_text_of(raw)) for raw in dict.fromkeys(found)]

    def printed(self, request: Any) -> str:
        """Return "": what a tool prints does not come where frames do."""
        return ""

    def key(self, message: Any) -> Key | None:
        """Return the key of a message: its id; that of all listings if it is one."""
        if not is_object(message):
            return None
        kind = message.get("type")
        if kind in ("list_tools", "tools_list"):
            return LISTING
        value = message.get(self.id_name)
        return ("string", value) if isinstance(value, str) else None

    def is_message(self, value: Any) -> bool:
        """Return whether a value is meant as a frame."""
        return is_object(value)

    def plain(self, message: Any) -> Any:
        """Return a message as it is."""
        return message

    def comes_unasked(self, message: Any) -> bool:
        """Return whether a frame answers no call: a listing, or none of the types."""
        return str(message.get("type")) not in {"tool_event", "tool_result", "error"}

    def is_final(self, message: Any) -> bool:
        """Return whether a frame is no event."""
        return bool(message.get("type") != "tool_event")

    def is_failure(self, message: Any) -> bool:
        """Return whether a frame says that something failed."""
        if not is_object(message):
            return False
        result = message.get("result")
        is_failed = is_object(result) and result.get("ok") is False
        return is_failed or message.get("type") == "error"

    def is_refusal(self, message: Any) -> bool:
        """Return whether a frame may refuse a line, whatever id it has."""
        return bool(message.get("type") == "error")

    def skips(self, pattern: Any, message: Any, request: Any) -> bool:
        """Return whether an event is one that a server may send beside those of a tool.

        The tools of the toolset emit ``progress`` only, of which the message is an
        object's JSON text (SOCK-C1, SOCK-E1).
        """
        event = message.get("event")
        if not is_object(event):
            return False
        if not str(request.get("toolName")).startswith("conformance_"):
            return not (is_object(pattern) and "event" in pattern)
        wanted = pattern.get("event") if is_object(pattern) else None
        wanted = wanted if is_object(wanted) else {}
        kind, text = event.get("kind"), event.get("message")
        is_wanted = wanted.get("kind") == kind
        if kind != "progress":
            return isinstance(kind, str) and not is_wanted
        if is_wanted and wanted.get("message") in (None, text):
            return False
        is_text = isinstance(text, str)
        return text is None or (is_text and not text.lstrip().startswith(_JSON))

    def kinds(self, frame: Frame) -> Iterable[str]:
        """Return the type of a frame."""
        yield str(frame.value.get("type"))

    def faults(
        self, message: Any, request: Any
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Return the faults of a frame."""
        return faults_of(message, request)

    def stray_faults(
        self, message: Any, *, is_free: bool
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Return the faults of a frame that answers a line that is no request."""
        return faults_of(message, None)

    def misdirected(self, message: Any, request: Any, size: int) -> str | None:
        """Return ``wrong-id``; an odd call may be refused without its id.

        It is odd if it is long or deep, or holds half a surrogate pair or 1e400.
        """
        if request.get("type") == "list_tools":
            return None if message.get("type") == "error" else ""
        is_odd = size >= LONG or is_deep(request) or not is_plain(request)
        return None if is_odd and self.is_refusal(message) else "wrong-id"

    def with_id(self, message: Any, request: Any) -> Any:
        """Return a frame with the id of a request; as it is if that has none."""
        if self.id_name not in request:
            return message
        return {**message, self.id_name: request[self.id_name]}


def is_request(value: Any) -> bool:
    """Return whether a JSON value is a well-formed call or listing."""
    if not _is_sound(value):
        return False
    match value:
        case {"type": "list_tools"}:
            return True
        case {"type": "tool_call", "requestId": str(), "toolName": str()}:
            timeout = value.get("timeoutMs", 1)
            is_number = isinstance(timeout, int | float) and not isinstance(
                timeout, bool
            )
            is_whole = is_number and timeout > 0 and timeout == int(timeout)
            return is_whole and is_object(value.get("arguments", {}))
        case _:
            return False


def is_cancel(value: Any) -> bool:
    """Return whether a JSON value is a well-formed cancel."""
    match value:
        case {"type": "cancel_tool_call", "requestId": str()}:
            return _is_sound(value)
        case _:
            return False


def _is_sound(value: Any) -> bool:
    if not is_object(value) or not json_equal(value.get("protocol", 1), 1):
        return False
    client = value.get("clientInfo", {})
    return is_object(client) and client.get("caller", "cli") in CALLERS


def _ids_of(line: Line) -> list[Any]:
    """Return the ids of an object that has several; nothing of any other line."""
    if line.data.count(b'"requestId"') < 2:  # noqa: PLR2004 - a pair
        return []
    try:
        members: Any = json.JSONDecoder(object_pairs_hook=list).decode(
            line.data.decode()
        )
    except (ValueError, RecursionError):
        return []
    found = [one for key, one in members if key == "requestId"]
    return found if len(found) > 1 else []


def _value_of(text: str) -> Any:
    try:
        return loads(text.encode())
    except JsonError:
        return None


def _text_of(raw: bytes) -> str:
    try:
        return str(loads(b'"' + raw[1:-1] + b'"'))
    except JsonError:
        return raw[1:-1].decode(errors="replace")


def _up_to_hole(text: str) -> Key:
    """Return the key of an id; of one with a hole, that of all that begin so."""
    before = _HOLE.split(text, maxsplit=1)[0]
    return ("string", text) if before == text else (PREFIX, before)
