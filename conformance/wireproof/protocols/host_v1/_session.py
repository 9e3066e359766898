"""A host under test: spoken to in steps, and started anew where a check asks for it.

Theory of operation. One host serves one check after another. What a step waits for is
looked for in the exchange that it names: frames of others may come between. The state
that ``init`` gave goes along with every request, from one check to the next.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line import Missing, MissingCause, NotUp
from wireproof.patterns import expand, is_generator, is_object
from wireproof.protocols.host_v1._sent import LATE_SECONDS
from wireproof.protocols.host_v1._start import HostStart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.protocols.host_v1._exchanges import HostArrival, HostExchange


class HostSession(HostStart):
    """One host, over all its starts; ``state`` among the names is that of ``init``."""

    def begin(self) -> None:
        """Begin a check: its own transcript, and nothing left of the one before."""
        state = self.names.get("state", {})
        super().begin()
        self.names = {"state": state}

    def _new_check(self) -> None:
        late = self.patience.clause_limit(LATE_SECONDS)
        self._ledger.forget(time.monotonic(), late)

    @property
    def ambiguous(self) -> bool:
        """Whether an answer to a bad line may be one to a line of this check."""
        return self._ledger.ambiguous

    def start_bare(self) -> NotUp | None:
        """Start the host anew and send it nothing, not even ``init``."""
        state = self.names.get("state", {})
        self.discard()
        self.names["state"] = state
        return self.launch_unasked()

    # --- the peer's side of steps

    def _key(self, pattern: Any) -> Any:
        key = pattern.get("id") if is_object(pattern) else None
        return (
            expand(key, self.names)
            if is_generator(key) and "$absent" not in key
            else key
        )

    def await_frame(self, pattern: Any) -> HostArrival | Missing:
        """Wait for the next event or the response that the pattern names."""
        keys = _choices(pattern) or [self._key(pattern)]
        exchange = next(filter(None, map(self._exchange_of, keys)), None)
        if exchange is None:
            return self._await(lambda: self._stray_of(keys), self._allowance())
        wanted = _wanted_event(pattern)

        def look() -> HostArrival | Missing | None:
            found = _next(exchange, wanted)
            if found is None and len(keys) > 1:
                found = self._stray_of(keys)
            if found is None and exchange.answered:
                return Missing(MissingCause.REFUSED, "its response had come already")
            return found

        # Of many frames most are there: what one may take is not worked out for them.
        found = look()
        return self._await(look, self._allowance()) if found is None else found

    def _stray_of(self, keys: Sequence[Any]) -> HostArrival | None:
        """Take a frame that answers no request: a failure with one of these ids."""
        wanted = [None if is_object(key) else key for key in keys]
        for stray in self._ledger.strays:
            if stray.value.get("id") in wanted:
                self._ledger.strays.remove(stray)
                return stray
        return None

    def _ask_control(self, control: Mapping[str, Any]) -> HostArrival | Missing:
        return self._ask(control["method"], control["params"], self._allowance())

    def _succeeded(self, answer: HostArrival) -> bool:
        return answer.value.get("ok") is True

    def _survives_refusal(self) -> bool:
        # A host may take the state of an earlier init for a thing of the past.
        return self._has_asked("init") and self._lives_after_init()

    def _lives_after_init(self) -> bool:
        """Try the control with a new state, where a check has sent ``init`` itself."""
        answer = self._ask("init", self._setup["start"], self._allowance())
        if isinstance(answer, Missing) or self._control is None:
            return False
        self._take_state(answer)
        control = self._control
        again = self._ask(control["method"], control["params"], self._allowance())
        if isinstance(again, Missing) or again.value.get("ok") is not True:
            return False
        text = "a state obtained before a second init is no longer accepted"
        self.note(Deviation("HV1-R13", "should", text))
        return True

    def _first_event(self, key: str) -> HostArrival | None:
        exchange = self._ledger.exchanges.get(key)
        arrivals = exchange.arrivals if exchange else []
        return next((one for one in arrivals if one.event_type == "part"), None)


def _next(exchange: HostExchange, wanted: str | None) -> HostArrival | None:
    """Return the next arrival that a check looks at, skipping events of other types.

    Where the response is wanted, a part event is looked at all the same: the tool
    emitted more than it should, or ran where it should not. No tool runs at ``init``:
    what is emitted there is the host's own.
    """
    usual = None if exchange.request.method == "init" else "part"
    while exchange.read < len(exchange.arrivals):
        arrival = exchange.arrivals[exchange.read]
        exchange.read += 1
        if arrival.kind == "response" or arrival.event_type == (wanted or usual):
            return arrival
    return None


def _choices(pattern: Any) -> Sequence[Any]:
    """Return the ids of which any will do; none where the pattern has no choice."""
    match pattern:
        case {"id": {"$one_of": [*keys]}}:
            return keys
        case _:
            return ()


def _wanted_event(pattern: Any) -> str | None:
    if not is_object(pattern) or "event" not in pattern:
        return None
    event = pattern["event"]
    found = event.get("type", "part") if is_object(event) else "part"
    return found if isinstance(found, str) else "part"
