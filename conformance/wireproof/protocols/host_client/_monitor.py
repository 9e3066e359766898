"""What must hold of every line that a client sends (HV1-C1)."""

from __future__ import annotations

import re
from typing import Any

from wireproof.checks import Deviation
from wireproof.patterns import in_line, is_object
from wireproof_reference.framing import JsonError, loads

SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

EVIDENCE_SIZE = 300
"""Most characters of a line that are shown."""


MOST_DEVIATIONS = 100
"""Deviations that are kept: the first is shown, and that there are many."""


class RequestMonitor:
    """Watches the requests of one client on one host.

    Attributes:
        lines: How many lines came.
        deviations: Where they broke the clause.
    """

    def __init__(self) -> None:
        """Begin with nothing in flight."""
        self.lines = 0
        self.deviations: list[Deviation] = []
        self._in_flight: set[str] = set()

    def line(self, data: bytes) -> None:
        """Look at one line, its line feed included."""
        self.lines += 1
        try:
            request: Any = loads(data.rstrip(b"\n"))
        except JsonError as error:
            self._broken(f"a line is not JSON ({error})", data)
            return
        if not is_object(request):
            self._broken("a line is not a JSON object", data)
            return
        version = request.get("v")
        if isinstance(version, bool) or version != 1:
            self._broken("v is not the integer 1", data)
        method = request.get("method")
        if not isinstance(method, str) or not SNAKE_CASE.fullmatch(method):
            self._broken("method is not a name in snake_case", data)
        if not is_object(request.get("params")):
            self._broken("params is not an object", data)
        request_id = request.get("id")
        if not isinstance(request_id, str):
            self._broken("id is not a string", data)
        elif request_id in self._in_flight:
            self._broken(f"the id {in_line(request_id)} is in flight already", data)
        else:
            self._in_flight.add(request_id)

    def end(self, rest: bytes) -> None:
        """Look at what came after the last line feed when input ended."""
        if rest:
            self._broken("the last line has no line feed", rest)

    def answered(self, request_id: str) -> None:
        """Take note that a request has its final response."""
        self._in_flight.discard(request_id)

    def _broken(self, text: str, data: bytes) -> None:
        if len(self.deviations) >= MOST_DEVIATIONS:
            return
        shown = data[:EVIDENCE_SIZE].decode(errors="backslashreplace")[:EVIDENCE_SIZE]
        self.deviations.append(Deviation("HV1-C1", "must", text, shown))
