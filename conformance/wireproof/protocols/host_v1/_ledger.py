"""The ledger of a conversation with a host: what was asked, what came, what is wrong.

Theory of operation. Every byte that is sent passes through ``sent``; a line that is a
request opens an exchange. Every byte that comes passes through ``received``, which
finds the exchange that a message belongs to and checks what must hold of every frame,
whatever the check in hand is about: these are the monitors. What they find is attached
to the arrival.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line import Reading, events_of, head, must
from wireproof.patterns import is_object
from wireproof.protocols.host_v1._correlation import Correlation
from wireproof.protocols.host_v1._exchanges import (
    Exchange,
    Exchanges,
    HostArrival,
    Kind,
)
from wireproof.protocols.host_v1._lines import HostReader
from wireproof.protocols.host_v1._sent import (
    LATE_SECONDS,
    LINE_LIMIT,
    HostOutgoing,
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

ID_CLAUSES = frozenset({"HV1-E1", "HV1-M2", "HV1-T4"})
"""What a wrong id is charged to."""

_ENVELOPE = frozenset({"v", "id", "ok", "result", "error", "event"})


class HostLedger:
    """The ledger of one started host.

    Attributes:
        exchanges: What was asked, and what came for it.
        correlation: How messages are brought to exchanges.
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
    """

    def __init__(self) -> None:
        """Open an empty ledger."""
        self.exchanges = Exchanges()
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
        self._reader = HostReader()
        self._outgoing = HostOutgoing(self._reader.printed)
        self.correlation = Correlation(self.exchanges, self._outgoing)
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
            self.requests += 1
            self.exchanges.add(request)

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand, the suite's own aside."""
        return self.exchanges.asked

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        return self._outgoing.midline

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
        self.exchanges.forget()

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
        if not reading.values:
            self.noise += 1
            return [HostArrival(time, "none", None, reading.line, reading.found)]
        before = reading.found if reading.altered else ()
        return [
            self._enter_message(message, reading.line, time, before)
            for message in reading.values
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
            found.append(must("HV1-M1", text, line))
        event = has(value, "event")
        final = any(has(value, key) for key in ("ok", "result", "error"))
        if event and final:
            text = "an event has ok, result or error beside event"
            found.append(must("HV1-E1", text, line))
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
        elif kind == "response" and self.correlation.is_stray(value, time):
            if self._outgoing.answered(time):
                self.strays.append(arrival)
        else:
            self.noise += 1
        return arrival

    def _event_for(
        self, value: dict[str, Any], line: bytes, found: list[Deviation]
    ) -> Exchange | None:
        event = value["event"]
        self.seen["events"] += 1
        if not is_object(event) or not isinstance(event.get("type"), str):
            text = "event is not an object with a string type"
            found.append(must("HV1-E1", text, line))
        elif event["type"] == "part":
            self.seen["parts"] += 1
            if "payload" not in event:
                text = "a part event without the key payload"
                found.append(must("HV1-E4", text, line))
        return self.correlation.of_event(value.get("id"), line, found)

    def _response_for(
        self, value: dict[str, Any], line: bytes, time: float, found: list[Deviation]
    ) -> Exchange | None:
        key = value.get("id")
        exchange = self.exchanges.open.get(key) if isinstance(key, str) else None
        if exchange is None and self.correlation.is_stray(value, time):
            found += self._stray_faults(value, line)
            return None
        found += response_faults(value, line)
        self.seen["successes" if value.get("ok") is True else "failures"] += 1
        if exchange is None:
            exchange = self.correlation.of_response(key, line, found)
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
        self._outgoing.passed(exchange.request.behind, arrival.time)
        if arrival.value.get("ok") is True:
            self.succeeded.add(exchange.method)
        self.exchanges.close(exchange)

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
