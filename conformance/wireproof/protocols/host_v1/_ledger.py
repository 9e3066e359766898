"""The ledger of a conversation with a host: what was asked, what came, what is wrong.

A message is brought to the exchange that it belongs to, as far as that can be told, and
looked at for what must hold of every frame.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from wireproof.checks import Deviation
from wireproof.line import OWN_ID, LineLedger, head, must
from wireproof.patterns import is_object
from wireproof.protocols.host_v1._correlation import Correlation
from wireproof.protocols.host_v1._exchanges import HostArrival, HostExchange
from wireproof.protocols.host_v1._lines import NOT_UTF8, HostReader
from wireproof.protocols.host_v1._sent import (
    LATE_SECONDS,
    LINE_LIMIT,
    HostOutgoing,
    SentRequest,
)
from wireproof.protocols.host_v1._shapes import (
    has,
    is_response,
    nulls,
    response_faults,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.line import Reading

JSON_RPC = "this is JSON-RPC, as MCP servers speak it, not host-v1: "
"""What is said first of a message with the key ``jsonrpc``."""

GIVEN_BACK = (
    ": it may be a byte that was sent and no UTF-8; refuse such a line, or read the "
    "byte as U+FFFD"
)
"""What is said after it of a line that is not UTF-8, where such bytes were sent."""

ID_CLAUSES = frozenset({"HV1-E1", "HV1-M2", "HV1-T4"})
"""What a wrong id is charged to."""

_ENVELOPE = frozenset({"v", "id", "ok", "result", "error", "event"})


class HostLedger(LineLedger[SentRequest, HostArrival]):
    """The ledger of one started host.

    Attributes:
        correlation: How messages are brought to exchanges.
        extra_keys: Names of keys beside those of the protocol (HV1-M15).
        nulls: Keys whose null was taken for their absence.
        stateless: How the state looked in answers to requests without one (HV1-M16).
        succeeded: The methods that were ever answered with success.
    """

    def __init__(self) -> None:
        """Open an empty ledger."""
        reader = HostReader()
        super().__init__(reader, LINE_LIMIT, is_own=_is_own)
        self.extra_keys: set[str] = set()
        self.nulls: set[str] = set()
        self.stateless: set[str] = set()
        self.succeeded: set[str] = set()
        self._printed = reader.printed
        self._outgoing = HostOutgoing(reader.printed)
        self.correlation = Correlation(self.exchanges, self._outgoing)

    def learn_from(self, former: HostLedger) -> None:
        """Take over what the ledger of the process before tells of the host itself."""
        learnt, before = self.correlation, former.correlation
        learnt.wrong_ids = before.wrong_ids
        learnt.reads_as_one = before.reads_as_one
        self._outgoing.odd_states = former._outgoing.odd_states

    @property
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""
        return self._outgoing.midline

    @property
    def ambiguous(self) -> bool:
        """Whether an answer to a bad line may be one to a line of this check."""
        return self._outgoing.ambiguous

    def forget(self, time: float, late: float = LATE_SECONDS) -> None:
        """Begin a new check: what was found before has been reported.

        Args:
            time: When it begins.
            late: How many seconds late an answer to a bad line may be.
        """
        super().forget(time)
        self.correlation.misdirected = 0
        self._outgoing.begin(time, late)
        self._printed.begin()

    @property
    def misdirected(self) -> int:
        """How many responses of the check in hand answer none of the requests."""
        return self.correlation.misdirected

    def _read_sent(self, data: bytes, time: float, *, cut: bool) -> list[SentRequest]:
        return self._outgoing.send(data, time, cut=cut)

    def _enter(self, reading: Reading, time: float) -> list[HostArrival]:
        reading = self._without_quotes(reading)
        if self._outgoing.undecodable:
            reading = replace(reading, found=tuple(map(_given_back, reading.found)))
        self.note(*reading.found)
        if not reading.values:
            self.noise += 1
            return [HostArrival(time, "none", None, reading.line, reading.found)]
        before = reading.found if reading.altered else ()
        return [
            self._enter_message(message, reading.line, time, before)
            for message in reading.values
        ]

    def _answers(self, value: Any) -> bool:
        key = value.get("id") if is_object(value) else None
        return isinstance(key, str) and self.exchanges.get(key) is not None

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
            kind: Literal["event", "response"] = "event"
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
    ) -> HostExchange | None:
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
    ) -> HostExchange | None:
        key = value.get("id")
        exchange = self.exchanges.open.get(key) if isinstance(key, str) else None
        if exchange is None and self.correlation.is_stray(value, time):
            if not self._outgoing.waiting:
                # No bad line of this check waits: requests do that it may be meant for.
                self.correlation.takes_for_astray()
            found += self._stray_faults(value, line)
            return None
        found += response_faults(value, line)
        self.seen["successes" if value.get("ok") is True else "failures"] += 1
        if exchange is None:
            exchange = self.correlation.of_response(value, line, found)
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
            if value.get("ok") is False and wrong:
                text += f": {wrong[0].text}"
        elif not self._outgoing.names_right(key):
            text = f"the answer to a bad line has an id that no line had, {shown(key)}"
        else:
            return []
        return [Deviation("HV1-T8", "should", text, head(line))]

    def _close(self, exchange: HostExchange, arrival: HostArrival) -> None:
        self._outgoing.passed(exchange.request.behind, arrival.time)
        if arrival.value.get("ok") is True:
            self.succeeded.add(exchange.request.method)
        self.exchanges.close(exchange)

    def _state_faults(
        self, exchange: HostExchange, value: dict[str, Any], line: bytes
    ) -> list[Deviation]:
        result = value.get("result")
        if value.get("ok") is not True or not is_object(result):
            return []
        state = result.get("state")
        if not exchange.request.carried_state and exchange.request.method != "init":
            seen = "null" if state is None else "present"
            self.stateless.add(seen if "state" in result else "absent")
            return []
        self.seen["stateful"] += 1
        if is_object(state):
            self._outgoing.gave(state)
            return []
        why = (
            "init"
            if exchange.request.method == "init"
            else "a request that carried state"
        )
        text = f"the response to {why} has no object result.state"
        return [
            Deviation(
                "HV1-M6",
                "should",
                text,
                head(line),
                about=exchange.key,
                where="/result/state",
            ),
        ]


def _is_own(key: str) -> bool:
    return key.startswith(OWN_ID)


def _given_back(found: Deviation) -> Deviation:
    """Say of bytes that are not UTF-8 that they may be those that were sent."""
    if found.text != NOT_UTF8:
        return found
    return replace(found, text=f"{found.text}{GIVEN_BACK}")
