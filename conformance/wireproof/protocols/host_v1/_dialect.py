"""The lines of host-v1: responses and events, one a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wireproof.conversation import PREFIX, is_deep, is_plain
from wireproof.patterns import is_object, json_equal
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wireproof.conversation import Frame, Key, Line, Role

LINE_LIMIT = (16 << 20) * 6 + (1 << 20)
"""Bytes of the longest line: 16 MiB of text, each character escaped, and its frame."""

LONG = 1 << 16
"""Bytes of a request that a host may refuse for its length (HV1-T10 is a SHOULD)."""

SEARCHED = 65_536
"""Bytes at each end of a bad line in which ids are searched."""

_ID_IN_TEXT = re.compile(rb'"id"\s*:\s*"((?:[^"\\]|\\.)*)"')

_HOLE = re.compile(r"[\ud800-\udfff\ufffd?]|\\u[dD]")
"""What may be written for half of a surrogate pair or a byte that is not UTF-8."""


class HostDialect:
    """What host-v1 makes of lines."""

    line_limit = LINE_LIMIT
    id_name = "id"

    def role(self, line: Line) -> Role:
        """Return what a sent line is: an object with a string id and method asks."""
        value = line.value
        if line.fault or not is_object(value):
            # A byte that is not UTF-8 may be read as U+FFFD (HV1-T13).
            text = line.data.decode(errors="replace")
            return "unclear" if line.fault == "not-utf8" and _is_json(text) else "bad"
        if not isinstance(value.get("id"), str) or not isinstance(
            value.get("method"), str
        ):
            return "bad"
        is_unclear = line.is_odd and not is_plain(_without_state(value))
        return "unclear" if is_unclear else "request"

    def loose_keys(self, line: Line) -> Iterable[Key]:
        """Return the ids in a line that is no request, as far as they can be read."""
        if is_object(line.value):
            key = self.key(line.value)
            return [] if key is None else [_up_to_hole(str(key[1]))]
        # A lenient reader may find an id in UTF-16.
        ends = line.data[:SEARCHED] + line.data[SEARCHED:][-SEARCHED:]
        found = _ID_IN_TEXT.findall(ends) + _ID_IN_TEXT.findall(
            ends.replace(b"\0", b"")
        )
        return [_up_to_hole(_text_of(raw)) for raw in dict.fromkeys(found)]

    def printed(self, request: Any) -> str:
        """Return the text that a call of ``conformance_print`` prints."""
        match request:
            case {
                "params": {
                    "tool_name": "conformance_print",
                    "arguments": {"text": str(text)},
                }
            }:
                return text
            case _:
                return ""

    def key(self, message: Any) -> Key | None:
        """Return the key of a message: its id, any string."""
        value = message.get("id") if is_object(message) else None
        return ("string", value) if isinstance(value, str) else None

    def is_message(self, value: Any) -> bool:
        """Return whether a value is meant as a response or an event."""
        if not is_object(value):
            return False
        get = value.get
        is_empty = get("ok") is get("result") is get("error") is get("event") is None
        return not is_empty

    def plain(self, message: Any) -> Any:
        """Return a message as it is: patterns know which nulls count as absent."""
        return message

    def comes_unasked(self, message: Any) -> bool:
        """Return False: each message belongs to a request."""
        return False

    def is_final(self, message: Any) -> bool:
        """Return whether a message is a response."""
        event = message.get("event")
        if event is None:
            return True
        if is_object(event) and isinstance(event.get("type"), str):
            return isinstance(message.get("ok"), bool) and (
                is_object(message.get("result")) or is_object(message.get("error"))
            )
        return message.get("ok") is not None

    def is_failure(self, message: Any) -> bool:
        """Return whether ``ok`` is false."""
        return is_object(message) and message.get("ok") is False

    def is_refusal(self, message: Any) -> bool:
        """Return whether a failure has no usable id."""
        identifier = message.get("id")
        return not isinstance(identifier, str) or identifier == ""

    def skips(self, pattern: Any, message: Any, request: Any) -> bool:
        """Return whether an event is of another type than the one that is awaited.

        Before a response, part events are looked at all the same: the tool emitted
        more than it should. What comes beside init is the host's own.
        """
        event = message["event"]
        kind = event.get("type") if is_object(event) else None
        if not is_object(pattern) or "event" not in pattern:
            is_init = is_object(request) and request.get("method") == "init"
            return is_init or kind != "part"
        wanted = pattern["event"]
        wanted = wanted.get("type", "part") if is_object(wanted) else "part"
        return isinstance(wanted, str) and kind != wanted

    def kinds(self, frame: Frame) -> Iterable[str]:
        """Return the kinds of a message of which monitored clauses hold."""
        message = frame.value
        if not frame.is_final:
            event = message["event"]
            yield "events"
            if is_object(event) and event.get("type") == "part":
                yield "parts"
            return
        yield "successes" if message.get("ok") is True else "failures"
        result = message.get("result")
        if is_object(result) and is_object(result.get("state")):
            yield "stateful"

    def faults(
        self, message: Any, request: Any
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Return the faults of a response or an event."""
        if _is_other_version(message):
            yield "version", {"where": "/v", "found": message.get("v")}
        get = message.get
        if get("event") is not None:
            if not (get("ok") is get("result") is get("error") is None):
                yield "event-beside", {"where": "/event"}
            if not self.is_final(message):
                yield from _event_faults(message["event"])
                return
        yield from _response_faults(message)
        if request is not None and message.get("ok") is True:
            yield from _state_faults(message.get("result"), request)

    def stray_faults(
        self, message: Any, *, is_free: bool
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Return the faults of a response to a line that is no request."""
        if _is_other_version(message):
            yield "version", {"where": "/v", "found": message.get("v")}
        faults = list(_response_faults(message))
        if is_free:
            yield from faults
        elif faults or message.get("ok") is not False:
            yield "bad-line-not-refused", {"value": message}

    def misdirected(self, message: Any, request: Any, size: int) -> str | None:
        """Return ``wrong-id``; a request may be refused without its id if it is odd.

        It is odd if it is long or deep, or holds half a surrogate pair or 1e400.
        """
        may_be_refused = size >= LONG or is_deep(request) or not is_plain(request)
        if may_be_refused and message.get("ok") is False and self.is_refusal(message):
            return None
        return "wrong-id"

    def with_id(self, message: Any, request: Any) -> Any:
        """Return a message with the id of a request."""
        return {**message, "id": request["id"]}


def _is_other_version(message: Any) -> bool:
    version = message.get("v")
    return isinstance(version, bool) or version != 1


def _event_faults(event: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not is_object(event) or not isinstance(event.get("type"), str):
        yield "event-shape", {"where": "/event", "event": event}
    elif event["type"] == "part" and "payload" not in event:
        yield "part-without-payload", {"where": "/event/payload"}


def _response_faults(message: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    ok, result, error = (message.get(key) for key in ("ok", "result", "error"))
    if not isinstance(ok, bool):
        yield "ok-shape", {"where": "/ok", "found": ok}
    elif ok:
        if not is_object(result) or "value" not in result:
            yield "success-shape", {"where": "/result", "result": result}
        if error is not None:
            yield "success-with-error", {"where": "/error"}
    else:
        is_whole = is_object(error) and all(
            isinstance(error.get(key), str) for key in ("type", "detail")
        )
        stack = error.get("stack") if is_object(error) else None
        if not is_whole or (stack is not None and not isinstance(stack, str)):
            yield "failure-shape", {"where": "/error", "error": error}
        if result is not None:
            yield "failure-with-result", {"where": "/result"}


def _state_faults(result: Any, request: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    params = request.get("params")
    carried = is_object(params) and is_object(params.get("state"))
    if not carried and request.get("method") != "init":
        return
    if not is_object(result) or not is_object(result.get("state")):
        yield "no-state", {"where": "/result/state", "method": request.get("method")}


def _without_state(value: Any) -> Any:
    """Return a request without its state, in which a host may have odd values."""
    params = value.get("params")
    if not is_object(params) or "state" not in params:
        return value
    return {**value, "params": {**params, "state": {}}}


def _is_json(text: str) -> bool:
    try:
        loads(text.encode())
    except JsonError as error:
        return error.reason == "too-deep"
    return True


def _text_of(raw: bytes) -> str:
    try:
        return str(loads(b'"' + raw + b'"'))
    except JsonError:
        return raw.decode(errors="replace")


def _up_to_hole(text: str) -> Key:
    """Return the key of an id; of one with a hole, that of all that begin so."""
    before = _HOLE.split(text, maxsplit=1)[0]
    return ("string", text) if before == text else (PREFIX, before)


def same_but_id(one: Any, other: Any) -> bool:
    """Return whether two messages are alike but for their ids."""
    return json_equal({**one, "id": None}, {**other, "id": None})
