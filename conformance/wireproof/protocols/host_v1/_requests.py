"""Requests of the suite's own to a host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.line import CUT_LETTERS, NUDGED_SECONDS, in_letters
from wireproof.patterns import expand, is_object, match, written
from wireproof.protocols.host_v1._exchanges import HostArrival, HostExchange
from wireproof.protocols.host_v1._transport import HostTransport
from wireproof.subjects import KNOWN_LATENCIES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from wireproof.line import Missing


LATE_EVENTS_SECONDS = 0.25
"""How long events are waited for that should have come before the response."""

PROVEN_LOST = 3
"""Times that they were waited for and none came, after which they are waited for
briefly: they are lost, not late."""

LATE_EVENTS_BRIEFLY = 0.03
"""How long they are waited for then."""

CALLED = {"ok": True, "result": {"value": {"success": True}}}
"""What holds of the answer to a call whose tool succeeded (HV1-R5)."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What calls emitted.

    Attributes:
        came: The payloads of their part events, by call.
        complete: Whether all calls were answered.
        refused: Those that were answered with another thing than a success.
    """

    came: Mapping[str, Sequence[Any]]
    complete: bool
    refused: Collection[str]


class HostRequests(HostTransport):
    """What the suite itself asks one host, over all its starts."""

    _lost: int = 0
    """Times that late events were waited for and none came, since the last that did."""

    def _comes_back_whole(self) -> bool:
        """Tell whether an id comes back whole, each letter of which came in pieces."""
        if self._control is None or self._ledger.midline or self.silences.is_deaf:
            return False
        key = self._own_id() + CUT_LETTERS
        data = written({**self._own_request(self._control), "id": key})
        with self._uncharged():
            self._transmit(data, in_letters(data), own=True)
            exchange = self._exchange_of(key)
            limit = self.patience.clause_limit(NUDGED_SECONDS)
            self.wait_for(lambda: exchange is None or exchange.answered or None, limit)
        response = None if exchange is None else exchange.response
        return response is not None and response.value.get("id") == key

    def request(self, method: str, params: Any) -> HostArrival | Missing:
        """Send one request and wait for its response, whatever it says."""
        return self._ask(method, params, self._allowance())

    def _ask(self, method: str, params: Any, seconds: float) -> HostArrival | Missing:
        control = {"method": method, "params": params}
        return self._answer_to(self._open_control(control), seconds)

    def _own_request(self, control: Mapping[str, Any]) -> Mapping[str, Any]:
        filled = _with_state(control["params"], self.names.get("state", {}))
        key = self._own_id()
        return {"v": 1, "id": key, "method": control["method"], "params": filled}

    def controls_answered(self, count: int) -> bool:
        """Send the control so often in one write and see whether all are answered."""
        if self._control is None:
            return True
        return self.joined_requests_answered([self._control] * count)

    def joined_requests_answered(self, requests: Sequence[Mapping[str, Any]]) -> bool:
        """Send requests in one write and see whether all are answered.

        Args:
            requests: The method and the params of each.
        """
        keys = [self._own_id() for _ in requests]
        messages = [
            {
                "v": 1,
                "id": key,
                "method": one["method"],
                "params": expand(one["params"], self.names),
            }
            for key, one in zip(keys, requests, strict=True)
        ]
        self._transmit(b"".join(map(written, messages)), None, own=True)
        exchanges = [self._ledger.exchanges.get(key) for key in keys]

        def look() -> HostArrival | None:
            answers = [one.response for one in exchanges if one is not None]
            return answers[0] if answers and all(answers) else None

        work = self.patience.work_seconds(0.0, 0, len(requests))
        allowed = self._allowance() + work
        return isinstance(self._look_until_idle(look, allowed), HostArrival)

    def listen_for_late_events(self) -> None:
        """Wait for events that should have come before their response."""
        patience, before = self.patience, self._late_events()
        if self._lost < PROVEN_LOST:
            self.listen(patience.brief(LATE_EVENTS_SECONDS))
        else:
            self.listen(patience.brief(LATE_EVENTS_BRIEFLY, KNOWN_LATENCIES))
        self._lost = 0 if self._late_events() > before else self._lost + 1

    def _late_events(self) -> int:
        return sum(one.clause == "HV1-E2" for one in self.deviations)

    def last_parts(self) -> list[Any]:
        """Return the payloads of the part events of the suite's latest request."""
        exchange = self._ledger.exchanges.get(self.last_id)
        return _parts(exchange) if exchange else []

    def await_parts(self, wanted: Mapping[str, Sequence[Any]]) -> Parts:
        """Wait until calls have been answered; return what they emitted.

        Events that are lacking then may yet come, which is another fault than to be
        lost.

        Args:
            wanted: What each call emits, by its id; those that were never sent are left
                out.
        """
        calls = [one for key in wanted if (one := self._ledger.exchanges.get(key))]

        def look() -> HostArrival | None:
            answers = [one.response for one in calls]
            return answers[0] if all(answers) else None

        complete = bool(calls) and isinstance(
            self._look_unless_astray(look, self._allowance(), 0.0), HostArrival
        )
        if complete and any(len(_parts(one)) < len(wanted[one.key]) for one in calls):
            self.listen_for_late_events()
        return Parts(
            {one.key: _parts(one) for one in calls},
            complete,
            {one.key for one in calls if complete and not _is_success(one)},
        )


def _is_success(exchange: HostExchange) -> bool:
    """Tell whether a call was answered with what its tool returned."""
    answer = exchange.response
    return answer is not None and match(CALLED, answer.value, {}, {}) is None


def _parts(exchange: HostExchange) -> list[Any]:
    """Return the payloads of the part events of a call; None where one has none."""
    return [
        one.value["event"].get("payload")
        for one in exchange.arrivals
        if one.event_type == "part"
    ]


def _with_state(params: Any, state: Any) -> Any:
    if params == {"$use": "state"}:
        return state
    if is_object(params):
        return {key: _with_state(value, state) for key, value in params.items()}
    return params
