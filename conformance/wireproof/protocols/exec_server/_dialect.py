"""The lines of exec-server: JSON-RPC 2.0 responses, one a line."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from wireproof.conversation import is_deep, is_plain
from wireproof.patterns import is_array, is_object
from wireproof.protocols._exec_tools import KEYS, null_companion, plain
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wireproof.conversation import Frame, Key, Line, Role

LINE_LIMIT = (4 << 20) * 6 + (1 << 20)
"""Bytes of the longest line: 4 MiB of text, each character escaped, and its frame."""

LARGE = 1 << 17
"""Bytes of a request that a server may refuse for its length (EXEC-S16 is a SHOULD)."""

MOST_EXACT = 2**53
"""The largest integer below which a double holds each."""

SEARCHED = 65_536
"""Bytes at each end of a bad line in which ids are searched."""

_ENVELOPE = frozenset({"jsonrpc", "id"})

_ID_IN_TEXT = re.compile(
    rb"""["']id["']\s*:\s*("(?:[^"\\]|\\.)*"|'[^']*'|-?[0-9][0-9.eE+-]*)"""
)


class RpcDialect:
    """What exec-server makes of lines."""

    line_limit = LINE_LIMIT
    id_name = "id"

    def role(self, line: Line) -> Role:
        """Return what a sent line is: only JSON-RPC 2.0 calls are requests."""
        if not is_object(line.value) or not _is_call(line.value):
            return "bad"
        if "id" not in line.value:
            return "notification"
        if line.is_odd and not is_plain(line.value):
            return "unclear"
        return "request" if self.key(line.value) is not None else "bad"

    def loose_keys(self, line: Line) -> Iterable[Key]:
        """Return the ids in a line that is no request: of members, or in its text."""
        if line.value is None:
            return _ids_in(line.data)
        values: Any = line.value if is_array(line.value) else [line.value]
        found = (self.key(value) for value in values)
        return [key for key in found if key is not None]

    def printed(self, request: Any) -> str:
        """Return "": whatever a tool prints breaks the same clause."""
        return ""

    def key(self, message: Any) -> Key | None:
        """Return the key of a message; 1 and 1.0 are one number."""
        value = message.get("id") if is_object(message) else None
        if isinstance(value, str):
            return "string", value
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        if isinstance(value, float):
            if not math.isfinite(value):
                return None
            value = int(value) if value.is_integer() else value
        return "number", value

    def is_message(self, value: Any) -> bool:
        """Return whether a value is meant as a response, or as those to a batch."""
        if is_array(value):
            return bool(value) and all(map(self.is_message, value))
        if not is_object(value) or "method" in value:
            return False
        return not KEYS.isdisjoint(value) or value.keys() >= _ENVELOPE

    def plain(self, message: Any) -> Any:
        """Return a response without the null beside its partner."""
        return plain(message) if is_object(message) else message

    def comes_unasked(self, message: Any) -> bool:
        """Return False: each message belongs to a request."""
        return False

    def is_final(self, message: Any) -> bool:
        """Return True: each message is a response."""
        return True

    def is_failure(self, message: Any) -> bool:
        """Return whether there is an error."""
        return is_object(message) and "error" in message

    def is_refusal(self, message: Any) -> bool:
        """Return whether a message has no usable id, or is the array to a batch."""
        return is_array(message) or self.key(message) is None

    def kinds(self, frame: Frame) -> Iterable[str]:
        """Return ``errors`` for an error."""
        return ("errors",) if self.is_failure(frame.value) else ()

    def skips(self, pattern: Any, message: Any, request: Any) -> bool:
        """Return False: a request has one message."""
        return False

    def faults(
        self, message: Any, request: Any
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Return the faults of one response, or of all in an array."""
        if is_array(message):
            for one in message:
                yield from self.faults(one, None)
            return
        if companion := null_companion(message):
            yield "null-companion", {"where": f"/{companion}", "key": companion}
        value = plain(message)
        if value.get("jsonrpc") != "2.0":
            fields = {"where": "/jsonrpc", "found": value.get("jsonrpc")}
            yield "jsonrpc", fields
        if value.keys() >= KEYS:
            yield "both", {}
        if KEYS.isdisjoint(value):
            yield "neither", {}
        if "error" in value and (fault := _error_fault(value["error"])):
            yield "error-shape", {"where": f"/error{fault}", "error": value["error"]}

    def stray_faults(
        self, message: Any, *, is_free: bool
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Return the faults of a response to a line that is no request."""
        return self.faults(message, None)

    def misdirected(self, message: Any, request: Any, size: int) -> str | None:
        """Return the fault of a response whose id is not its request's.

        None if it refuses a deep request, of which a server may not read the id.

        Args:
            message: The response.
            request: The request that it is taken to answer.
            size: Bytes of the request's line.
        """
        if not _has_to_come_back(request["id"]):
            return "odd-id-changed"
        is_refusal = message.get("id") is None and "error" in message
        if is_refusal and is_deep(request):
            return None
        if is_refusal and size >= LARGE:
            return "long-request-refused"
        return "wrong-id"

    def with_id(self, message: Any, request: Any) -> Any:
        """Return a response with the id of a request."""
        return {**message, "id": request["id"]}


def _is_call(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("method"), str) and value.get("jsonrpc") == "2.0"


def _has_to_come_back(identifier: Any) -> bool:
    """Return whether a server must give an id back: others it should (EXEC-S12)."""
    if isinstance(identifier, str):
        return identifier != ""
    if isinstance(identifier, bool) or not isinstance(identifier, int | float):
        return False
    return 0 < identifier <= MOST_EXACT and identifier == int(identifier)


def _ids_in(line: bytes) -> Iterator[Key]:
    ends = line[:SEARCHED] + line[SEARCHED:][-SEARCHED:]
    for raw in _ID_IN_TEXT.findall(ends):
        try:
            value: Any = loads(raw)
        except JsonError:
            value = raw.strip(b"'").decode(errors="replace")
        key = RpcDialect().key({"id": value})
        if key is not None:
            yield key


def _error_fault(error: Any) -> str:
    """Return the pointer to what is wrong with an error, from it; "" if nothing."""
    if not is_object(error):
        return "/"
    code = error.get("code")
    is_whole = isinstance(code, int) or (isinstance(code, float) and code.is_integer())
    if isinstance(code, bool) or not is_whole:
        return "/code"
    return "" if isinstance(error.get("message"), str) else "/message"
