"""Requests of the suite's own to a host, and how long answers are waited for.

Theory of operation. An answer that does not come is asked after once: a host that does
not flush gives it together with the next one. Where a host has left a few requests
unanswered, they are waited for briefly (``_silences``).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line import Missing, MissingCause
from wireproof.patterns import expand, is_object
from wireproof.protocols.host_v1._exchanges import Exchange, HostArrival
from wireproof.protocols.host_v1._silences import Silences
from wireproof.protocols.host_v1._transport import HostTransport
from wireproof.subjects import Patience
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from wireproof.checks import Settings, Target

NUDGED_SECONDS = 1.0
"""How long an answer that did not come is waited for after one more request."""

PROMPT_SECONDS = 0.02
"""An answer that comes so soon after one more request was ready before it."""

PROMPT_LATENCIES = 5
"""The same, in latencies of a trivial exchange."""

PROVEN_HELD_BACK = 2
"""Answers held back after which a host is no longer waited for in full."""

HELD_BACK_SECONDS = 0.03
"""How long a host that is known to hold answers back is waited for before that."""

BUDGET_SECONDS = 15.0
"""What may be spent on answers that never came before all waits are short."""


class HostRequests(HostTransport):
    """What the suite itself asks one host, over all its starts.

    Attributes:
        silences: What it has left unanswered.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet."""
        super().__init__(target, settings, setup)
        self.patience = Patience(settings.timeout, budget=BUDGET_SECONDS)
        self.silences = Silences()
        self._held_back = 0
        self._held_lines = 0

    def request(self, method: str, params: Any) -> HostArrival | Missing:
        """Send one request and wait for its response, whatever it says."""
        return self._ask(method, params, self._allowance())

    def _ask(self, method: str, params: Any, seconds: float) -> HostArrival | Missing:
        exchange = self._open_own(method, params)
        if exchange is None:
            return Missing(MissingCause.EXITED, "it was not running")
        return self._await(lambda: exchange.response, seconds)

    def _open_own(self, method: str, params: Any) -> Exchange | None:
        key = self._own_id()
        filled = _with_state(params, self.names.get("state", {}))
        message = {"v": 1, "id": key, "method": method, "params": filled}
        self._transmit(encode(message), None, own=True)
        return self._ledger.exchanges.get(key)

    def joined_requests_answered(self, count: int) -> bool:
        """Send the control so often in one write and see whether all are answered."""
        if self._control is None:
            return True
        keys = [self._own_id() for _ in range(count)]
        control = self._control
        params = expand(control["params"], self.names)
        messages = [
            {"v": 1, "id": key, "method": control["method"], "params": params}
            for key in keys
        ]
        self._transmit(b"".join(map(encode, messages)), None, own=True)
        exchanges = [self._ledger.exchanges.get(key) for key in keys]

        def look() -> HostArrival | None:
            answers = [one.response for one in exchanges if one is not None]
            return answers[0] if answers and all(answers) else None

        return isinstance(self._look_until(look, self._allowance(), 0.0), HostArrival)

    def last_parts(self) -> list[Any]:
        """Return the payloads of the part events of the suite's latest request."""
        exchange = self._ledger.exchanges.get(self.last_id)
        return _parts(exchange) if exchange else []

    def await_parts(self, keys: Iterable[str]) -> tuple[dict[str, list[Any]], bool]:
        """Wait until calls have been answered; return what they emitted.

        Args:
            keys: The ids of the calls; those that were never sent are left out.

        Returns:
            The payloads of their part events, by call, and whether all were answered.
        """
        calls = [one for key in keys if (one := self._ledger.exchanges.get(key))]

        def look() -> HostArrival | None:
            answers = [one.response for one in calls]
            return answers[0] if all(answers) else None

        complete = bool(calls) and isinstance(
            self._look_until(look, self._allowance(), 0.0), HostArrival
        )
        return {one.id: _parts(one) for one in calls}, complete

    # --- waiting

    def _load(self) -> tuple[int, int]:
        return self._size, self._lines

    def _allowance(self) -> float:
        usual = super()._allowance()
        if self._answers:
            return usual
        # It may still be starting, whatever it is asked first.
        return max(usual, self.patience.starting())

    def _await(
        self, look: Callable[[], HostArrival | Missing | None], seconds: float
    ) -> HostArrival | Missing:
        """Wait until ``look`` finds something.

        Args:
            look: Returns what was waited for, or None while it is not there.
            seconds: Most seconds to wait.
        """
        if self._holds_back:
            found = self._look_until(look, min(self._ready(), seconds), 0.0)
            if not (isinstance(found, Missing) and found.timed_out):
                return found
            late, _ = self._nudge(look)
            if late is not None:
                return late
        began = time.monotonic() if self._answers else None
        if (brief := self._brief()) is not None and brief < seconds:
            found = self._look_until(look, brief)
            if not (isinstance(found, Missing) and found.timed_out):
                return self._in_time(found, began)
            late, answers = self._nudge(look)
            if late is not None:
                return late
            if answers or self.silences.expected:
                # It has time for what was asked later, or for nothing, as before.
                self.silences.add(control_answered=bool(answers), brief=True)
                return found
        found = self._look_until(look, seconds)
        if not (isinstance(found, Missing) and found.timed_out):
            return self._in_time(found, began)
        late, answers = self._nudge(look)
        if late is not None:
            return late
        if answers is not None:
            self.silences.add(control_answered=answers, brief=False)
        return found

    @property
    def _holds_back(self) -> bool:
        """Whether an answer is asked after before it is waited for in full."""
        if self._held_back >= PROVEN_HELD_BACK:
            return True
        # What takes one line from each read and is still starting would be sent two.
        return self._held_lines >= PROVEN_HELD_BACK and self._answers

    def _in_time(
        self, found: HostArrival | Missing, began: float | None
    ) -> HostArrival | Missing:
        """Take note of how long an answer took; the first of a host says nothing."""
        if isinstance(found, HostArrival) and began is not None:
            self.patience.came_after(found.time - began - self._work_seconds())
        return found

    @property
    def _answers(self) -> bool:
        """Whether the latest host has answered anything yet."""
        return self._ledger.seen["frames"] > 0

    def _brief(self) -> float | None:
        """Return the seconds for a host that leaves requests unanswered, or None."""
        least = self.silences.limit()
        if least is None or not self._answers:
            # One that has answered nothing may still be starting.
            return None
        return self.patience.brief(least) + self._work_seconds()

    def _ready(self) -> float:
        """Return the seconds after which an answer is asked after, if in vain so far.

        It is waited for in full all the same where asking does not bring it.
        """
        usual = max(HELD_BACK_SECONDS, PROMPT_LATENCIES * self.patience.latency)
        return usual + self._work_seconds()

    def _nudge(
        self, look: Callable[[], HostArrival | Missing | None]
    ) -> tuple[HostArrival | None, bool | None]:
        """Send the control; what comes with its answer was held back until then.

        Returns:
            What came, or None, and whether the control is answered; None where that
            is not known.
        """
        if self._control is None or self.patience.shortened or self._ledger.midline:
            return None, None
        if self.silences.is_deaf:
            return None, False
        control = self._control
        nudged = time.monotonic()
        nudge = self._open_own(control["method"], control["params"])
        if nudge is None:
            return None, None
        found: HostArrival | Missing | None = None

        def either() -> HostArrival | Missing | None:
            nonlocal found
            found = found or look()
            return found or nudge.response

        self._look_until(either, NUDGED_SECONDS)
        found = found or look()
        if found is None or isinstance(found, Missing):
            return None, nudge.answered
        waited = found.time - nudged
        if waited > max(PROMPT_SECONDS, PROMPT_LATENCIES * self.patience.latency):
            # It was late, not held back: a host that is slow gets its time.
            self.silences.forget()
            return found, nudge.answered
        shown = found.line[:300].decode(errors="backslashreplace")
        self.note(self._held_back_deviation(found.value.get("id"), shown))
        return found, nudge.answered

    def _held_back_deviation(self, key: Any, shown: str) -> Deviation:
        """Return what an answer that came with the next one is charged to."""
        exchange = self._ledger.exchanges.get(key) if isinstance(key, str) else None
        joined = exchange is not None and (exchange.request.pieced or exchange.beside)
        if joined and not self._held_back:
            # Answers are flushed elsewhere: it was not read as the line that it is.
            self._held_lines += 1
            text = "the answer came only when more was sent: the line was held back"
            return Deviation("HV1-T4", "must", text, shown, hides=True)
        self._held_back += 1
        text = "the answer came only with the next one: it was not flushed"
        return Deviation("HV1-T5", "must", text, shown, hides=True)


def _parts(exchange: Exchange) -> list[Any]:
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
