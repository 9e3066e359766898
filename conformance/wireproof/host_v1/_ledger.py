"""The books of one conversation with a host: what was asked, what came, what is wrong.

Theory of operation. Every byte that is sent passes through ``sent``, which reads it
as the host will: a line that is a request opens an exchange, any other line is noted
as a bad one. Every line that comes passes through ``received``, which finds the
exchange it belongs to and checks what must hold of every frame, whatever the check
in hand is about: these are the monitors. What they find is attached to the arrival
as deviations. An answer is taken for its request as far as it can be recognised, so
that one fault does not hide the others.

A null under ``ok``, ``result``, ``error``, ``event`` or ``stack`` counts as absent:
languages with fixed records write it so.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from wireproof._matching import json_equal
from wireproof._values import is_object
from wireproof._verdicts import Deviation, Level
from wireproof.host_v1._salvage import salvage
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    EndOfInput,
    Event,
    Frame,
    JsonError,
    NdjsonDecoder,
    NeedData,
    Oversize,
    Unterminated,
    loads,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE_LIMIT = 64 << 20
"""Longest line taken from a host, in bytes: 16 MiB of text escaped threefold."""

OWN_ID = "wireproof-"
"""Begins the ids of the suite's own requests: starts, controls, probes."""

WHOLE = 4_096
"""Bytes of a request up to which a pipe hands it over in one piece."""

SHOWN = 300
"""Bytes of a frame that go into a deviation's evidence."""

SHOWN_ID = 80
"""Characters of an id that go into a sentence."""

TELLING = 8
"""Bytes from which on a printed text is known again inside a longer line."""

UNFINISHED_KEPT = 1 << 16
"""Bytes kept of a line in progress."""

MOST_DEVIATIONS = 1_000
"""Deviations kept of one check: a flood must not fill the memory."""

REMEMBERED_IDS = 20_000
"""Finished requests whose ids are known again; older ones are forgotten."""

PRINT_TOOL = "conformance_print"

_ID_IN_TEXT = re.compile(rb'"id"\s*:\s*"((?:[^"\\\x00-\x1f]|\\.)*)"')

_ENVELOPE = frozenset({"v", "id", "ok", "result", "error", "event"})

Kind = Literal["event", "response", "none"]


@dataclass(frozen=True, slots=True)
class Arrival:
    """One frame or line that came from the host.

    Attributes:
        time: When, in seconds on the clock of the run.
        kind: What it was taken for.
        value: Its JSON value; None where it has none.
        line: Its bytes, without the line feed.
        deviations: What the monitors found in it.
        rank: Its place among all frames: several may come at the same time.
    """

    time: float
    kind: Kind
    value: Any
    line: bytes
    deviations: tuple[Deviation, ...] = ()
    rank: int = 0

    @property
    def event_type(self) -> str | None:
        """The type of an event; None for any other frame."""
        if self.kind != "event":
            return None
        event = self.value.get("event")
        found = event.get("type") if is_object(event) else None
        return found if isinstance(found, str) else None


@dataclass(slots=True)
class Exchange:
    """A request and what came for it.

    Attributes:
        id: The request's id.
        method: Its method.
        carried_state: Whether its params had an object ``state``.
        pieced: Whether the host may have read it in more than one piece.
        arrivals: Its events and responses, in the order in which they came.
        answered: Whether its response has come.
        final: The bytes of its response.
        read: How many arrivals the check in hand has looked at.
    """

    id: str
    method: str
    carried_state: bool = False
    pieced: bool = False
    arrivals: list[Arrival] = field(default_factory=list[Arrival])
    answered: bool = False
    final: bytes = b""
    read: int = 0

    @property
    def response(self) -> Arrival | None:
        """The first response, or None while there is none."""
        return next((a for a in self.arrivals if a.kind == "response"), None)


class Ledger:
    """The books of one started host.

    Attributes:
        open: The exchanges without a response, by id.
        strays: Answers to bad lines, oldest first, since the last ``forget``.
        deviations: What the monitors found since the last ``forget``.
        seen: How many frames have come, and how many of each kind.
        noise: How many lines came that belong to nothing.
        extra_keys: Names of keys beside those of the protocol (HV1-M15).
        stateless: How the state looked in answers to requests without one (HV1-M16).
        finished: Whether the end of stdout has been booked.
        succeeded: The methods that were ever answered with success.
        wrong_ids: Whether a response to a whole request ever had a wrong id.
    """

    def __init__(self) -> None:
        """Open empty books."""
        self.open: dict[str, Exchange] = {}
        self.strays: list[Arrival] = []
        self.deviations: list[Deviation] = []
        self.seen: Counter[str] = Counter()
        self.noise = 0
        self.extra_keys: set[str] = set()
        self.stateless: set[str] = set()
        self.finished = False
        self.succeeded: set[str] = set()
        self.wrong_ids = False
        self._known: dict[str, Exchange] = {}
        self._recent: list[Exchange] = []
        self._cut = False
        self._bad_lines = 0
        self._bad_unanswered = 0
        self._bad_before = 0
        self._bad_ids: set[str] = set()
        self._bad_values: list[Any] = []
        self._free_ids: set[str] = set()
        self._printed: set[bytes] = set()
        self._unfinished = bytearray()
        self._outgoing = NdjsonDecoder(LINE_LIMIT, blank_lines="report")
        self._incoming = NdjsonDecoder(LINE_LIMIT, blank_lines="report")

    # --- what is sent

    def sent(self, data: bytes, *, cut: bool = False) -> None:
        """Book bytes that go to the host.

        Args:
            data: The bytes, or one piece of them.
            cut: Whether they are a piece that the host may read by itself.
        """
        self._cut = cut
        self._outgoing.receive_data(data)
        for event in _events(self._outgoing):
            match event:
                case Frame(value=value, line=line):
                    self._book_line(value, line)
                case BadLine(reason=reason, line=line):
                    self._book_bad_line(line, too_deep=reason == "too-deep")
                case Oversize() | BlankLine():
                    self._book_bad_line(b"", too_deep=False)
                case _:
                    pass

    def exchange(self, request_id: str) -> Exchange | None:
        """Return the latest exchange with this id, or None."""
        return self.open.get(request_id) or self._known.get(request_id)

    def _book_line(self, value: Any, line: bytes) -> None:
        match value:
            case {"id": str(request_id), "method": str(method)}:
                params = value.get("params")
                carried = is_object(params) and isinstance(params.get("state"), dict)
                pieced = self._cut or len(line) > WHOLE
                exchange = Exchange(request_id, method, carried, pieced)
                self.open[request_id] = exchange
                self._known.pop(request_id, None)
                self._recent.append(exchange)
                self._book_print(params)
            case _:
                if is_object(value):
                    self._bad_values.append(value.get("id"))
                self._book_bad_line(line, too_deep=False)

    def _book_print(self, params: Any) -> None:
        match params:
            case {"tool_name": "conformance_print", "arguments": {"text": str(text)}}:
                self._printed.update(
                    part.strip().encode(errors="replace")
                    for part in text.split("\n")
                    if part.strip()
                )
            case _:
                pass

    def _book_bad_line(self, line: bytes, *, too_deep: bool) -> None:
        self._bad_lines += 1
        self._bad_unanswered += 1
        target = self._free_ids if too_deep else self._bad_ids
        for raw in _ID_IN_TEXT.findall(line[:65536]):
            try:
                target.add(str(loads(b'"' + raw + b'"')))
            except JsonError:
                target.add(raw.decode(errors="replace"))

    # --- what is received

    def received(self, data: bytes, time: float) -> list[Arrival]:
        """Take bytes from the host's stdout; return what arrived with them."""
        self._incoming.receive_data(data)
        self._keep_unfinished(data)
        return [self._enter(event, time) for event in _events(self._incoming)]

    def _keep_unfinished(self, data: bytes) -> None:
        """Keep the start of the line in progress, so that it can be shown."""
        newline = data.rfind(b"\n")
        if newline != -1:
            self._unfinished.clear()
        room = UNFINISHED_KEPT - len(self._unfinished)
        self._unfinished += data[newline + 1 : newline + 1 + room]

    def ended(self, time: float) -> list[Arrival]:
        """Take note that the host's stdout has come to its end."""
        self.finished = True
        self._incoming.receive_eof()
        return [self._enter(event, time) for event in _events(self._incoming)]

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand."""
        return frozenset(exchange.id for exchange in self._recent)

    def asked_for(self, method: str) -> bool:
        """Tell whether the check in hand sent a request of this method."""
        return any(
            exchange.method == method and not exchange.id.startswith(OWN_ID)
            for exchange in self._recent
        )

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line whose line feed has not come."""
        return bytes(self._unfinished)

    def overdue(self) -> None:
        """Leave the exchanges that nobody waits for; late answers are still theirs."""
        for request_id in list(self.open):
            self._settle(self.open.pop(request_id))

    def forget(self) -> None:
        """Begin a new check: what was found before has been reported."""
        self.deviations.clear()
        self.strays.clear()
        self._bad_before = self._bad_unanswered
        self._bad_unanswered = 0
        for exchange in self._recent:
            exchange.arrivals.clear()
        self._recent = list(self.open.values())

    def _settle(self, exchange: Exchange) -> None:
        self._known[exchange.id] = exchange
        if len(self._known) > REMEMBERED_IDS:
            del self._known[next(iter(self._known))]

    def _enter(self, event: Event, time: float) -> Arrival:
        match event:
            case Frame(value=value, line=line):
                self.seen["frames"] += 1
                return self._enter_value(value, line, time)
            case BlankLine(line=line):
                return self._noise(
                    time,
                    line,
                    _must(
                        "HV1-T3", "a blank line on stdout: a message ends with one LF"
                    ),
                )
            case BadLine(reason="too-deep", line=line):
                # Legal JSON that is too deep to be looked into proves nothing.
                return Arrival(time, "none", None, line)
            case BadLine(reason="not-utf8", line=line):
                found = _must(
                    "HV1-T3", "a line on stdout is not UTF-8", line, hides=True
                )
                return self._noise(time, line, found)
            case BadLine(detail=detail, line=line):
                return self._enter_text(detail, line, time)
            case Oversize(size=size, head=head):
                text = f"a line of {size} bytes on stdout, longer than any answer"
                return self._noise(time, head, _must("HV1-T1", text, head, hides=True))
            case Unterminated(line=line):
                return self._enter_fragment(line, time)
            case _:
                return Arrival(time, "none", None, b"")

    def _enter_text(self, detail: str, line: bytes, time: float) -> Arrival:
        found = salvage(line)
        if found is None:
            if self._was_printed(line):
                return self._noise(time, line, _print_leak(line))
            return self._noise(
                time,
                line,
                _must(
                    "HV1-T1",
                    f"a line on stdout is not a JSON object ({detail})",
                    line,
                    hides=True,
                ),
                _must("HV1-T2", "something else than messages on stdout", line),
            )
        if any(self._was_printed(rest) for rest in found.rest):
            extra = [_print_leak(line)]
        elif found.rest:
            extra = [
                _must("HV1-T1", "text and a message share a line of stdout", line),
                _must("HV1-T2", "something else than messages on stdout", line),
            ]
        else:
            extra = [
                _must("HV1-T3", "two messages on one line: no LF between them", line)
            ]
        self._note(*extra)
        arrivals = [self._enter_value(value, line, time) for value in found.values]
        return arrivals[-1]

    def _enter_fragment(self, line: bytes, time: float) -> Arrival:
        if self._was_printed(line):
            return self._noise(time, line, _print_leak(line))
        try:
            value = loads(line)
        except JsonError:
            text = "a fragment without a line feed at the end of stdout"
            return self._noise(time, line, _must("HV1-T2", text, line, hides=True))
        found = _must("HV1-T3", "the last message does not end with a line feed", line)
        self._note(found)
        return self._enter_value(value, line, time, found)

    def _enter_value(
        self, value: Any, line: bytes, time: float, *before: Deviation
    ) -> Arrival:
        if not is_object(value):
            if self._was_printed(line):
                return self._noise(time, line, _print_leak(line))
            text = "a line on stdout is JSON but no object"
            return self._noise(time, line, _must("HV1-T1", text, line, hides=True))
        is_event = _has(value, "event")
        is_final = any(_has(value, key) for key in ("ok", "result", "error"))
        if not is_event and not is_final:
            if self._was_printed(line):
                return self._noise(time, line, _print_leak(line))
            text = "a JSON object on stdout is neither a response nor an event"
            return self._noise(time, line, _must("HV1-T1", text, line, hides=True))
        self.extra_keys.update(value.keys() - _ENVELOPE)
        found = [*before]
        if isinstance(value.get("v"), bool) or value.get("v") != 1:
            shown = value.get("v", "absent")
            found.append(_must("HV1-M1", f"v is {shown!r}, not the integer 1", line))
        if is_event and not _is_final(value):
            arrival = self._enter_event(value, line, time, found, mixed=is_final)
        else:
            arrival = self._enter_response(value, line, time, found, mixed=is_event)
        self._note(*(d for d in arrival.deviations if d not in before))
        return arrival

    def _enter_event(
        self,
        value: dict[str, Any],
        line: bytes,
        time: float,
        found: list[Deviation],
        *,
        mixed: bool,
    ) -> Arrival:
        if mixed:
            text = "an event has ok, result or error beside event"
            found.append(_must("HV1-E1", text, line))
        event = value["event"]
        if not is_object(event) or not isinstance(event.get("type"), str):
            text = "event is not an object with a string type"
            found.append(_must("HV1-E1", text, line))
        elif event["type"] == "part" and "payload" not in event:
            found.append(_must("HV1-E4", "a part event without the key payload", line))
        self.seen["events"] += 1
        if is_object(event) and event.get("type") == "part":
            self.seen["parts"] += 1
        exchange = self._exchange_of_event(value.get("id"), line, found)
        arrival = Arrival(time, "event", value, line, tuple(found), self.seen["frames"])
        if exchange is None:
            self.noise += 1
        else:
            exchange.arrivals.append(arrival)
        return arrival

    def _exchange_of_event(
        self, key: Any, line: bytes, found: list[Deviation]
    ) -> Exchange | None:
        if isinstance(key, str) and key in self.open:
            return self.open[key]
        if isinstance(key, str) and (old := self._known.get(key)) is not None:
            if old.answered:
                text = f"an event for {key!r} after its response"
                found.append(_must("HV1-E2", text, line))
            return None
        text = f"an event whose id {_shown(key)} is that of no request in flight"
        found.append(_must("HV1-E1", text, line, hides=True))
        if len(self.open) == 1:
            return next(iter(self.open.values()))
        return None

    def _enter_response(
        self,
        value: dict[str, Any],
        line: bytes,
        time: float,
        found: list[Deviation],
        *,
        mixed: bool,
    ) -> Arrival:
        if mixed:
            found.append(
                _must("HV1-E1", "one frame is event and response at once", line)
            )
        key = value.get("id")
        exchange = self.open.get(key) if isinstance(key, str) else None
        if exchange is None and self._answers_bad_line(value):
            return self._enter_stray(value, line, time, found)
        found += _shape(value, line)
        self.seen["successes" if value.get("ok") is True else "failures"] += 1
        if exchange is None:
            exchange = self._adopt(key, line, found)
        if exchange is not None:
            found += self._state(exchange, value, line)
        arrival = Arrival(
            time, "response", value, line, tuple(found), self.seen["frames"]
        )
        if exchange is None:
            self.noise += 1
        else:
            exchange.arrivals.append(arrival)
            exchange.answered = True
            exchange.final = line[:SHOWN]
            if value.get("ok") is True:
                self.succeeded.add(exchange.method)
            if self.open.pop(exchange.id, None) is not None:
                self._settle(exchange)
        return arrival

    def _answers_bad_line(self, value: dict[str, Any]) -> bool:
        """Tell whether a response that fits no open request is one to a bad line."""
        key = value.get("id")
        if not self._bad_lines:
            return False
        if key is None or key == "":
            # A failure may be a late one to a bad line of the check before; a success
            # can only answer a bad line of this one.
            if value.get("ok") is False and (self._bad_before or len(self.open) != 1):
                return True
            return self._bad_unanswered > 0
        if isinstance(key, str):
            if key in self._bad_ids or key in self._free_ids:
                return True
            # The id of a line that is not UTF-8 may come back in any disguise.
            return self._bad_unanswered > 0 and key not in self._known
        return any(json_equal(key, bad) for bad in self._bad_values)

    def _enter_stray(
        self, value: dict[str, Any], line: bytes, time: float, found: list[Deviation]
    ) -> Arrival:
        wrong = _shape(value, line)
        self._bad_unanswered = max(0, self._bad_unanswered - 1)
        if value.get("ok") is True and value.get("id") in self._free_ids:
            found += wrong
        elif wrong or value.get("ok") is not False:
            text = "the answer to a bad line is not a failure response"
            found.append(Deviation("HV1-T8", "should", text, _head(line)))
        arrival = Arrival(time, "response", value, line, tuple(found))
        self.strays.append(arrival)
        return arrival

    def _adopt(self, key: Any, line: bytes, found: list[Deviation]) -> Exchange | None:
        """Find whose answer this is although its id is no open request's."""
        only = next(iter(self.open.values())) if len(self.open) == 1 else None
        old = self._known.get(key) if isinstance(key, str) else None
        if old is not None and not old.answered:
            return old
        if old is not None and not _is_for(only, old, line):
            text = f"a second final response for {key!r}"
            found.append(_must("HV1-M3", text, line, about=old.id))
            return None
        if not self.open:
            text = f"a response that answers no request (id {_shown(key)})"
            found.append(_must("HV1-M3", text, line))
            return None
        wanted = f"{only.id[:60]!r}" if only else f"one of {sorted(self.open)[:5]}"
        text = f"the response's id is {_shown(key)}, the request's was {wanted}"
        clause = "HV1-M2"
        if only is not None and only.pieced and not self.wrong_ids:
            # Ids are right elsewhere: it was not read as the one line that it is.
            clause = "HV1-T4"
        elif only is not None:
            self.wrong_ids = True
        about = only.id if only else None
        found.append(_must(clause, text, line, hides=True, about=about))
        return only

    def _state(
        self, exchange: Exchange, value: dict[str, Any], line: bytes
    ) -> list[Deviation]:
        result = value.get("result")
        if value.get("ok") is not True or not is_object(result):
            return []
        state = result.get("state")
        if not exchange.carried_state and exchange.method != "init":
            shape = "absent" if "state" not in result else _type_word(state)
            self.stateless.add(shape)
            return []
        self.seen["stateful"] += 1
        if is_object(state):
            return []
        why = "init" if exchange.method == "init" else "a request that carried state"
        text = f"the response to {why} has no object result.state"
        return [Deviation("HV1-M6", "should", text, _head(line))]

    def _noise(self, time: float, line: bytes, *found: Deviation) -> Arrival:
        self.noise += 1
        self._note(*found)
        return Arrival(time, "none", None, line, found)

    def _note(self, *found: Deviation) -> None:
        room = MOST_DEVIATIONS - len(self.deviations)
        self.deviations += found[: max(0, room)]

    def _was_printed(self, line: bytes) -> bool:
        # A log call puts words of its own before a text; a short text proves nothing.
        return line.strip() in self._printed or any(
            len(text) >= TELLING and text in line for text in self._printed
        )


def _events(decoder: NdjsonDecoder) -> Iterator[Event]:
    """Yield what a decoder has, up to where it needs more."""
    while True:
        event = decoder.next_event()
        if isinstance(event, NeedData | EndOfInput):
            return
        yield event


def _shape(value: dict[str, Any], line: bytes) -> list[Deviation]:
    """Check HV1-M4 and HV1-M5 on a response."""
    ok = value.get("ok")
    if not isinstance(ok, bool):
        text = f"ok is {_shown(ok)}, not a boolean" if _has(value, "ok") else "no ok"
        return [_must("HV1-M4", text, line)]
    found: list[Deviation] = []
    if ok:
        result = value.get("result")
        if not is_object(result) or "value" not in result:
            text = "ok is true, but result is not an object with the key value"
            found.append(_must("HV1-M4", text, line))
        if _has(value, "error"):
            found.append(_must("HV1-M4", "ok is true, and yet there is error", line))
        return found
    error = value.get("error")
    if (
        not is_object(error)
        or not isinstance(error.get("type"), str)
        or not isinstance(error.get("detail"), str)
    ):
        text = "ok is false, but error is not an object with strings type and detail"
        found.append(_must("HV1-M5", text, line))
    elif _has(error, "stack") and not isinstance(error["stack"], str):
        found.append(_must("HV1-M5", "error.stack is not a string", line))
    if _has(value, "result"):
        found.append(_must("HV1-M5", "ok is false, and yet there is result", line))
    return found


def _is_for(only: Exchange | None, old: Exchange, line: bytes) -> bool:
    """Tell whether a response under a finished id is meant for the open request.

    It is where the ids are the same but for case, white space, normal form or length,
    and where a request of the check in hand waits and the answer is a new one.
    """
    if only is None:
        return False
    if _folded(only.id) == _folded(old.id):
        return True
    return not only.id.startswith(OWN_ID) and line[:SHOWN] != old.final


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _is_final(value: dict[str, Any]) -> bool:
    """Tell whether a frame with ``event`` is meant as a response all the same."""
    event = value["event"]
    if is_object(event) and isinstance(event.get("type"), str):
        has_body = is_object(value.get("result")) or is_object(value.get("error"))
        return isinstance(value.get("ok"), bool) and has_body
    return _has(value, "ok")


def _has(value: dict[str, Any], key: str) -> bool:
    return value.get(key) is not None


def _must(
    clause: str,
    text: str,
    line: bytes = b"",
    *,
    hides: bool = False,
    about: str | None = None,
) -> Deviation:
    level: Level = "must"
    return Deviation(clause, level, text, _head(line), hides, about)


def _print_leak(line: bytes) -> Deviation:
    text = "what a tool printed reached stdout"
    return Deviation("HV1-T11", "should", text, _head(line))


def _head(line: bytes) -> str:
    text = line[:SHOWN].decode(errors="backslashreplace")
    return f"{text}…" if len(line) > SHOWN else text


def _shown(key: Any) -> str:
    text = repr(key)
    return text if len(text) <= SHOWN_ID else f"{text[:SHOWN_ID]}…"


def _type_word(value: Any) -> str:
    return "null" if value is None else "present"
