"""The ledger of a conversation with a host: what was asked, what came, what is wrong.

Theory of operation. Every byte that is sent passes through ``sent``; a line that is a
request opens an exchange. Every byte that comes passes through ``received``, which
finds the exchange that a message belongs to and checks what must hold of every frame,
whatever the check in hand is about: these are the monitors. What they find is attached
to the arrival. An answer is taken for its request as far as it can be recognised, so
that one fault does not hide the others.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from wireproof.checks import Deviation
from wireproof.line import OWN_ID
from wireproof.patterns import is_object
from wireproof.protocols.host_v1._lines import LineReader, Reading, deviation, head
from wireproof.protocols.host_v1._sent import (
    LATE_SECONDS,
    LINE_LIMIT,
    HostOutgoing,
    SentRequest,
    events_of,
)
from wireproof.protocols.host_v1._shapes import (
    has,
    is_response,
    nulls,
    response_faults,
    shown,
)
from wireproof_reference.framing import Frame, NdjsonDecoder

if TYPE_CHECKING:
    from collections.abc import Sequence

JSON_RPC = "this is JSON-RPC, as MCP servers speak it, not host-v1: "
"""What is said first of a message with the key ``jsonrpc``."""

UNFINISHED_KEPT = 1 << 16
"""Bytes kept of a line in progress."""

MOST_DEVIATIONS = 1_000
"""Deviations kept of one check: a flood must not fill the memory."""

REMEMBERED_IDS = 20_000
"""Finished requests whose ids are known again; older ones are forgotten."""

ID_CLAUSES = frozenset({"HV1-E1", "HV1-M2", "HV1-T4"})
"""What a wrong id is charged to."""

_ENVELOPE = frozenset({"v", "id", "ok", "result", "error", "event"})

Kind = Literal["event", "response", "none"]


@dataclass(frozen=True, slots=True)
class HostArrival:
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
        request: The request.
        arrivals: Its events and responses, in the order in which they came.
        beside: Whether another one was in flight when it was sent.
        answered: Whether its response has come.
        read: How many arrivals the check in hand has looked at.
    """

    request: SentRequest
    beside: bool
    arrivals: list[HostArrival] = field(default_factory=list[HostArrival])
    answered: bool = False
    read: int = 0

    @property
    def id(self) -> str:
        """The request's id."""
        return self.request.id

    @property
    def method(self) -> str:
        """The request's method."""
        return self.request.method

    @property
    def response(self) -> HostArrival | None:
        """The first response, or None while there is none."""
        return next((a for a in self.arrivals if a.kind == "response"), None)


class HostLedger:
    """The ledger of one started host.

    Attributes:
        open: The exchanges without a response, by id.
        strays: Answers to bad lines, oldest first, since the last ``forget``.
        deviations: What the monitors found since the last ``forget``.
        seen: How many frames have come, and how many of each kind.
        noise: How many lines came that belong to nothing.
        extra_keys: Names of keys beside those of the protocol (HV1-M15).
        nulls: Keys whose null was taken for their absence.
        stateless: How the state looked in answers to requests without one (HV1-M16).
        finished: Whether the end of stdout has been booked.
        succeeded: The methods that were ever answered with success.
        requests: How many requests were sent.
        wrong_ids: Whether a response to a whole request ever had a wrong id.
        reads_as_one: Whether requests that came together were ever answered as one.
    """

    def __init__(self) -> None:
        """Open an empty ledger."""
        self.open: dict[str, Exchange] = {}
        self.strays: list[HostArrival] = []
        self.deviations: list[Deviation] = []
        self.seen: Counter[str] = Counter()
        self.noise = 0
        self.extra_keys: set[str] = set()
        self.nulls: set[str] = set()
        self.stateless: set[str] = set()
        self.finished = False
        self.succeeded: set[str] = set()
        self.requests = 0
        self.wrong_ids = False
        self.reads_as_one = False
        self._known: dict[str, Exchange] = {}
        self._recent: list[Exchange] = []
        self._reader = LineReader()
        self._outgoing = HostOutgoing(self._reader.printed)
        self._incoming = NdjsonDecoder(LINE_LIMIT, blank_lines="report")
        self._unfinished = bytearray()

    # --- what is sent

    def sent(self, data: bytes, time: float, *, cut: bool = False) -> None:
        """Book bytes that go to the host.

        Args:
            data: The bytes, or one piece of them.
            time: When, in seconds on the clock of the run.
            cut: Whether they are a piece that the host may read by itself.
        """
        for request in self._outgoing.send(data, time, cut=cut):
            exchange = Exchange(request, beside=bool(self.open))
            self.requests += 1
            self.open[request.id] = exchange
            self._known.pop(request.id, None)
            self._recent.append(exchange)

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        return self._outgoing.midline

    def exchange(self, request_id: str) -> Exchange | None:
        """Return the latest exchange with this id, or None."""
        return self.open.get(request_id) or self._known.get(request_id)

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

    def overdue(self) -> None:
        """Leave the exchanges that nobody waits for; late answers are still theirs."""
        for request_id in list(self.open):
            self._settle(self.open.pop(request_id))

    def forget(self, time: float, late: float = LATE_SECONDS) -> None:
        """Begin a new check: what was found before has been reported.

        Args:
            time: When it begins.
            late: How many seconds late an answer to a bad line may be.
        """
        self.deviations.clear()
        self.strays.clear()
        self._outgoing.begin(time, late)
        self._reader.printed.begin()
        for exchange in self._recent:
            exchange.arrivals.clear()
        self._recent = list(self.open.values())

    def _settle(self, exchange: Exchange) -> None:
        self._known[exchange.id] = exchange
        if len(self._known) > REMEMBERED_IDS:
            del self._known[next(iter(self._known))]

    # --- what is received

    def received(self, data: bytes, time: float) -> list[HostArrival]:
        """Take bytes from the host's stdout; return what arrived with them."""
        self._incoming.receive_data(data)
        self._keep_unfinished(data)
        return self._take(time)

    def ended(self, time: float) -> list[HostArrival]:
        """Take note that the host's stdout has come to its end."""
        self.finished = True
        self._incoming.receive_eof()
        return [*self._take(time), *self.settle_text(time)]

    def settle_text(self, time: float) -> list[HostArrival]:
        """Book the lines whose case was open, now that nothing follows them."""
        return [
            arrival
            for reading in self._reader.give_up()
            for arrival in self._enter(reading, time)
        ]

    @property
    def pending(self) -> int:
        """How many bytes of a line have come whose line feed has not."""
        return self._incoming.pending

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line whose line feed has not come."""
        return bytes(self._unfinished)

    def note(self, *found: Deviation) -> None:
        """Add deviations, as far as there is room for them."""
        room = MOST_DEVIATIONS - len(self.deviations)
        self.deviations += found[: max(0, room)]

    def _take(self, time: float) -> list[HostArrival]:
        found: list[HostArrival] = []
        for event in events_of(self._incoming):
            self.seen["frames"] += isinstance(event, Frame)
            for reading in self._reader.read(event):
                found += self._enter(reading, time)
        return found

    def _keep_unfinished(self, data: bytes) -> None:
        newline = data.rfind(b"\n")
        if newline != -1:
            self._unfinished.clear()
        room = UNFINISHED_KEPT - len(self._unfinished)
        self._unfinished += data[newline + 1 : newline + 1 + room]

    def _enter(self, reading: Reading, time: float) -> list[HostArrival]:
        self.note(*reading.found)
        if not reading.messages:
            self.noise += 1
            return [HostArrival(time, "none", None, reading.line, reading.found)]
        before = reading.found if reading.altered else ()
        return [
            self._enter_message(message, reading.line, time, before)
            for message in reading.messages
        ]

    def _enter_message(
        self,
        value: dict[str, Any],
        line: bytes,
        time: float,
        before: Sequence[Deviation],
    ) -> HostArrival:
        found: list[Deviation] = []
        self.extra_keys.update(value.keys() - _ENVELOPE)
        self.nulls.update(nulls(value))
        if isinstance(value.get("v"), bool) or value.get("v") != 1:
            version = shown(value["v"]) if "v" in value else "absent"
            other = JSON_RPC if "jsonrpc" in value and "v" not in value else ""
            text = f"{other}v is {version}, not the integer 1"
            found.append(deviation("HV1-M1", text, line))
        event = has(value, "event")
        final = any(has(value, key) for key in ("ok", "result", "error"))
        if event and final:
            text = "an event has ok, result or error beside event"
            found.append(deviation("HV1-E1", text, line))
        if event and not is_response(value):
            kind: Kind = "event"
            exchange = self._event_for(value, line, found)
            if before:
                # Bytes that were lost in it may have been those of its id.
                found[:] = [one for one in found if not one.hides]
        else:
            kind = "response"
            exchange = self._response_for(value, line, time, found)
        if before:
            # Bytes that were lost in it may have been those of its id.
            found[:] = [one for one in found if one.clause not in ID_CLAUSES]
        self.note(*found)
        everything = (*before, *found)
        arrival = HostArrival(time, kind, value, line, everything, self.seen["frames"])
        if exchange is not None:
            exchange.arrivals.append(arrival)
            if kind == "response":
                self._close(exchange, arrival)
        elif kind == "response" and self._is_stray(value, time):
            if self._outgoing.answered(time):
                self.strays.append(arrival)
        else:
            self.noise += 1
        return arrival

    def _event_for(
        self, value: dict[str, Any], line: bytes, found: list[Deviation]
    ) -> Exchange | None:
        event, key = value["event"], value.get("id")
        self.seen["events"] += 1
        if not is_object(event) or not isinstance(event.get("type"), str):
            text = "event is not an object with a string type"
            found.append(deviation("HV1-E1", text, line))
        elif event["type"] == "part":
            self.seen["parts"] += 1
            if "payload" not in event:
                text = "a part event without the key payload"
                found.append(deviation("HV1-E4", text, line))
        if isinstance(key, str) and key in self.open:
            return self.open[key]
        if isinstance(key, str) and self._outgoing.waits_for(key):
            return None
        if isinstance(key, str) and (old := self._known.get(key)) is not None:
            if old.answered:
                text = f"an event for {shown(key)} after its response"
                found.append(deviation("HV1-E2", text, line))
            return None
        if isinstance(key, str) and key and self._outgoing.names_right(key):
            # A lenient reader found a request in a line that is none.
            return None
        text = f"an event whose id {shown(key)} is that of no request in flight"
        found.append(deviation("HV1-E1", text, line, hides=True))
        return self._only_open()

    def _only_open(self) -> Exchange | None:
        """Return the exchange that waits for its answer, if it is exactly one."""
        return next(iter(self.open.values())) if len(self.open) == 1 else None

    def _read_as_one(self) -> bool:
        """Tell whether requests in flight were read as one bad line.

        The ids of the suite's own are right where one is asked at a time.
        """
        return (
            self.reads_as_one
            or all(key.startswith(OWN_ID) for key in self.open)
            or any(one.request.pieced for one in self.open.values())
        )

    def _is_stray(self, value: dict[str, Any], time: float) -> bool:
        key = value.get("id")
        if isinstance(key, str) and key in self.open:
            return False
        # The empty id is that of a request or of none (HV1-T8).
        if isinstance(key, str) and key and key in self._known:
            return self._outgoing.waits_for(key)
        only = self._only_open()
        return self._outgoing.may_answer(value, time, only.request if only else None)

    def _response_for(
        self, value: dict[str, Any], line: bytes, time: float, found: list[Deviation]
    ) -> Exchange | None:
        key = value.get("id")
        exchange = self.open.get(key) if isinstance(key, str) else None
        if exchange is None and self._is_stray(value, time):
            found += self._stray_faults(value, line)
            return None
        found += response_faults(value, line)
        self.seen["successes" if value.get("ok") is True else "failures"] += 1
        if exchange is None:
            exchange = self._adopt(key, line, found)
        if exchange is not None:
            found += self._state_faults(exchange, value, line)
        return exchange

    def _stray_faults(self, value: dict[str, Any], line: bytes) -> list[Deviation]:
        wrong = response_faults(value, line)
        key = value.get("id")
        if self._outgoing.is_free(key):
            return wrong
        if wrong or value.get("ok") is not False:
            text = "the answer to a bad line is not a failure response"
        elif not self._outgoing.names_right(key):
            text = f"the answer to a bad line has an id of its own, {shown(key)}"
        else:
            return []
        return [Deviation("HV1-T8", "should", text, head(line))]

    def _close(self, exchange: Exchange, arrival: HostArrival) -> None:
        exchange.answered = True
        self._outgoing.passed(exchange.request.behind, arrival.time)
        if arrival.value.get("ok") is True:
            self.succeeded.add(exchange.method)
        if self.open.pop(exchange.id, None) is not None:
            self._settle(exchange)

    def _adopt(self, key: Any, line: bytes, found: list[Deviation]) -> Exchange | None:
        """Find whose answer this is although its id is no open request's."""
        only = self._only_open()
        old = self._known.get(key) if isinstance(key, str) else None
        if old is not None and not old.answered:
            return old
        if old is not None and not _is_for(only, old):
            text = f"a second final response for {shown(key)}"
            found.append(deviation("HV1-M3", text, line, about=old.id))
            return None
        if not self.open:
            text = f"a response that answers no request (id {shown(key)})"
            found.append(deviation("HV1-M3", text, line))
            return None
        wanted = shown(only.id) if only else f"one of {shown(sorted(self.open)[:5])}"
        text = f"the response's id is {shown(key)}, the request's was {wanted}"
        clause = "HV1-M2"
        if only is not None and only.request.pieced and not self.wrong_ids:
            # Ids are right elsewhere: it was not read as the one line that it is.
            clause = "HV1-T4"
        elif only is not None:
            self.wrong_ids = True
        elif not key and not self.wrong_ids and self._read_as_one():
            text = f"requests that came together were answered as one: {text}"
            clause = "HV1-T4"
            self.reads_as_one = True
        about = only.id if only else None
        found.append(deviation(clause, text, line, hides=True, about=about))
        return only

    def _state_faults(
        self, exchange: Exchange, value: dict[str, Any], line: bytes
    ) -> list[Deviation]:
        result = value.get("result")
        if value.get("ok") is not True or not is_object(result):
            return []
        state = result.get("state")
        if not exchange.request.carried_state and exchange.method != "init":
            seen = "null" if state is None else "present"
            self.stateless.add(seen if "state" in result else "absent")
            return []
        self.seen["stateful"] += 1
        if is_object(state):
            return []
        why = "init" if exchange.method == "init" else "a request that carried state"
        text = f"the response to {why} has no object result.state"
        return [
            Deviation(
                "HV1-M6",
                "should",
                text,
                head(line),
                about=exchange.id,
                where="/result/state",
            ),
        ]


def _is_for(only: Exchange | None, old: Exchange) -> bool:
    """Tell whether a response under a finished id is meant for the open request.

    It is where the ids are the same but for case, white space or normal form.
    """
    return only is not None and _folded(only.id) == _folded(old.id)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
