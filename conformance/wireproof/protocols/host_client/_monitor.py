"""What must hold of every line that a client sends to its host."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from wireproof.patterns import is_object
from wireproof_reference.framing import JsonError, loads

if TYPE_CHECKING:
    from collections.abc import Mapping

    Fault: TypeAlias = tuple[str, str, Mapping[str, Any]]
    """A kind of fault, the line that shows it, and its fields."""

SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

SHOWN_SIZE = 300
"""Bytes of a line that are shown."""

MOST_FAULTS = 100
"""Faults that are kept: the first is shown, and that there are many."""


class RequestMonitor:
    """Watches the requests of one client on one host.

    Attributes:
        lines: How many lines came.
        faults: What was wrong with them.
    """

    def __init__(self) -> None:
        """Begin with nothing in flight."""
        self.lines = 0
        self.faults: list[Fault] = []
        self._in_flight: set[str] = set()

    def line(self, data: bytes) -> None:
        """Look at one line, its line feed included."""
        self.lines += 1
        try:
            request: Any = loads(data.rstrip(b"\n"))
        except JsonError as error:
            self._find("request-not-json", data, detail=str(error))
            return
        if not is_object(request):
            self._find("request-no-object", data)
            return
        version = request.get("v")
        if isinstance(version, bool) or version != 1:
            self._find("request-version", data)
        method = request.get("method")
        if not isinstance(method, str) or not SNAKE_CASE.fullmatch(method):
            self._find("request-method", data)
        if not is_object(request.get("params")):
            self._find("request-params", data)
        request_id = request.get("id")
        if not isinstance(request_id, str):
            self._find("request-id", data)
        elif request_id in self._in_flight:
            self._find("request-id-in-flight", data, id=request_id)
        else:
            self._in_flight.add(request_id)

    def end(self, rest: bytes) -> None:
        """Look at what came after the last line feed when input ended."""
        if rest:
            self._find("request-unended", rest)

    def answered(self, request_id: str) -> None:
        """Take note that a request has its final response."""
        self._in_flight.discard(request_id)

    def _find(self, kind: str, data: bytes, **fields: Any) -> None:
        if len(self.faults) < MOST_FAULTS:
            shown = data[:SHOWN_SIZE].decode(errors="backslashreplace")
            self.faults.append((kind, shown, fields))
