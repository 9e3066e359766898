"""A host under test: brought up, spoken to in steps, and started anew where needed.

Theory of operation. A host that was launched is sent ``init`` and asked for a control.
One that does not come up is looked at once more while it is closed, for the faults that
make everything look dead: answers that come only when stdin is closed, or without LF.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line import Cut, Missing, MissingCause, NotUp
from wireproof.patterns import expand, is_array, is_generator, is_object, json_equal
from wireproof.protocols.host_v1._ledger import Exchange, HostArrival
from wireproof.protocols.host_v1._lines import SHOWN
from wireproof.protocols.host_v1._salvage import salvage
from wireproof.protocols.host_v1._sent import LATE_SECONDS
from wireproof.protocols.host_v1._transport import (
    CLOSING_SECONDS,
    NUDGED_SECONDS,
    PROVEN_LINGERING,
    HostTransport,
)
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class HostSession(HostTransport):
    """One host, over all its starts; ``state`` among the names is that of ``init``."""

    def begin(self) -> None:
        """Begin a check: its own transcript, and nothing left of the one before."""
        state = self.names.get("state", {})
        super().begin()
        self.names = {"state": state}
        self._ledger.overdue()
        late = self.patience.clause_limit(LATE_SECONDS)
        self._ledger.forget(time.monotonic(), late)
        self._ledger.noise = 0
        self._size = 0
        self._lines = 0

    def start_bare(self) -> NotUp | None:
        """Start the host anew and send it nothing, not even ``init``."""
        state = self.names.get("state", {})
        self.discard()
        self.names["state"] = state
        return self.launch_unasked()

    def _bring_up(self) -> NotUp | None:
        answer = self._ask("init", self._setup["start"], self.patience.starting())
        self.names["state"] = {}
        if isinstance(answer, HostArrival):
            self._take_state(answer)
        elif answer.cause is not MissingCause.TIMEOUT:
            return NotUp(f"no answer to init: {answer.text}", ended=answer.ended)
        first = answer
        # The time of a start is spent once: one that is up answers this soon.
        seconds = NUDGED_SECONDS if isinstance(first, Missing) else None
        if self._control is not None:
            return self._check_control(self._control, seconds)
        why = NotUp("")
        for control in self._setup["controls"]:
            not_up = self._check_control(control, seconds)
            if not_up is None:
                if self._answers_all_alike(first):
                    return NotUp("it gives the same answer to everything")
                self._control = control
                return None
            if isinstance(first, Missing):
                # It said nothing to init and nothing to the first control either.
                waited = first.text.removeprefix("no answer ")
                return self._diagnose(f"no answer to init {waited} (--subject-timeout)")
            why = why if why.text else not_up
        if isinstance(first, HostArrival) and first.value.get("ok") is True:
            text = f"init was answered with success, but then: {why.text}"
            return NotUp(text, why.deviations, ended=why.ended)
        return NotUp("it answered no plain valid request with success")

    def _check_control(
        self, control: Mapping[str, Any], seconds: float | None
    ) -> NotUp | None:
        """Ask for a control, and wait for it as long as usual or so many seconds."""
        asked = time.monotonic()
        usual = self.patience.allowance()
        allowed = usual if seconds is None else min(seconds, usual)
        answer = self._ask(control["method"], control["params"], allowed)
        if isinstance(answer, Missing):
            text = f"no answer to {control['method']}: {answer.text}"
            if answer.cause is not MissingCause.EXITED or not self._ledger.succeeded:
                return NotUp(text, ended=answer.ended)
            # It has come up, and then left a plain valid request without a response.
            lost = Deviation("HV1-M3", "must", text, hides=True)
            return NotUp(text, (lost,), ended=answer.ended)
        if answer.value.get("ok") is not True:
            return NotUp(f"{control['method']} was answered without success")
        if not _is_plausible(control["method"], answer.value):
            return NotUp(f"{control['method']} was answered with another kind of value")
        self.patience.measured(time.monotonic() - asked)
        if control["method"] == "get_tool_schemas":
            self.tools = _tool_names(answer.value)
        return None

    @property
    def control_method(self) -> str | None:
        """The method of the plain valid request that was found to succeed."""
        return self._control["method"] if self._control else None

    def _answers_all_alike(self, first: HostArrival | Missing) -> bool:
        """Tell whether what a host is asked makes no difference to its answer.

        Args:
            first: Its answer to ``init``, which is not sent again for this.
        """
        if isinstance(first, Missing) or first.value.get("ok") is not True:
            return False
        wanted = {**first.value, "id": None}
        asked = [one for one in self._setup["controls"] if one["method"] != "init"]
        for one in (*asked, self._setup["answers"]["unknown_method"]):
            answer = self._ask(one["method"], one["params"], self.patience.allowance())
            if isinstance(answer, Missing):
                return False
            if not json_equal(wanted, {**answer.value, "id": None}):
                return False
        return True

    def _diagnose(self, text: str) -> NotUp:
        """Close the input of a silent host and see whether it speaks then."""
        process = self._process
        if process is None or process.exit_status is not None:
            return NotUp(text)
        waiting = set(self._ledger.open)
        unfinished = self._ledger.unfinished
        if salvage(unfinished) is not None:
            lost = Deviation(
                "HV1-T3",
                "must",
                "a message was written without the line feed that ends it",
                unfinished[:SHOWN].decode(errors="backslashreplace"),
                hides=True,
            )
            return NotUp(f"{text}; a message came without its line feed", (lost,))
        process.close_input()
        self.listen(self.patience.clause_limit(CLOSING_SECONDS))
        if process.exit_status is None:
            self._lingering = PROVEN_LINGERING
        if not waiting - set(self._ledger.open):
            return NotUp(text)
        held = Deviation(
            "HV1-T5",
            "must",
            "the answer came only when stdin was closed: it was not flushed",
            hides=True,
        )
        return NotUp(f"{text}; it came when stdin was closed", (held,))

    # --- the peer's side of steps

    def _transmit_step(self, data: bytes, cut: Cut) -> None:
        self._size += len(data)
        self._lines += data.count(b"\n")
        self._transmit(data, cut)

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove at the end of a check that the host lives, unless it was to end."""
        return None if input_closed else self.fence_unless_fenced()

    def _key(self, pattern: Any) -> Any:
        key = pattern.get("id") if is_object(pattern) else None
        return (
            expand(key, self.names)
            if is_generator(key) and "$absent" not in key
            else key
        )

    def await_frame(self, pattern: Any) -> HostArrival | Missing:
        """Wait for the next event or the response that the pattern names."""
        key = self._key(pattern)
        exchange = self._ledger.exchange(key) if isinstance(key, str) else None
        if exchange is None:
            return self._await_stray(key)
        wanted = _wanted_event(pattern)

        def look() -> HostArrival | Missing | None:
            found = _next(exchange, wanted)
            if found is None and exchange.answered:
                return Missing(MissingCause.REFUSED, "its response had come already")
            return found

        # Of many frames most are there: what one may take is not worked out for them.
        found = look()
        return self._await(look, self._allowance()) if found is None else found

    def _await_stray(self, key: Any) -> HostArrival | Missing:
        """Wait for a frame that answers no request: a failure without an id."""

        def look() -> HostArrival | None:
            for stray in self._ledger.strays:
                if stray.value.get("id") == key:
                    self._ledger.strays.remove(stray)
                    return stray
            return None

        return self._await(look, self._allowance())

    def _stream_mark(self) -> tuple[str, int]:
        return "stdout", self._ledger.seen["frames"]

    def _owes_nothing(self) -> bool:
        return not self._ledger.open

    def _is_idle(self) -> bool:
        return not self._ledger.open and not self._delay and not self._size >> 16

    def _ask_control(self, control: Mapping[str, Any]) -> HostArrival | Missing:
        return self._ask(control["method"], control["params"], self._allowance())

    def _succeeded(self, answer: HostArrival) -> bool:
        return answer.value.get("ok") is True

    def _survives_refusal(self) -> bool:
        # A host may take the state of an earlier init for a thing of the past.
        return self._ledger.asked_for("init") and self._lives_after_init()

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

    def _take_state(self, answer: HostArrival) -> None:
        result = answer.value.get("result")
        if is_object(result):
            state = result.get("state", result.get("value"))
            self.names["state"] = state if is_object(state) else {}

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
        exchanges = [self._ledger.exchange(key) for key in keys]

        def look() -> HostArrival | None:
            answers = [one.response for one in exchanges if one is not None]
            return answers[0] if answers and all(answers) else None

        return isinstance(self._look_until(look, self._allowance(), 0.0), HostArrival)

    def last_parts(self) -> list[Any]:
        """Return the payloads of the part events of the suite's latest request."""
        exchange = self._ledger.exchange(self.last_id)
        return _parts(exchange) if exchange else []

    def await_parts(self, keys: Iterable[str]) -> tuple[dict[str, list[Any]], bool]:
        """Wait until calls have been answered; return what they emitted.

        Args:
            keys: The ids of the calls; those that were never sent are left out.

        Returns:
            The payloads of their part events, by call, and whether all were answered.
        """
        calls = [one for key in keys if (one := self._ledger.exchange(key))]

        def look() -> HostArrival | None:
            answers = [one.response for one in calls]
            return answers[0] if all(answers) else None

        complete = bool(calls) and isinstance(
            self._look_until(look, self._allowance(), 0.0), HostArrival
        )
        return {one.id: _parts(one) for one in calls}, complete

    def strays(self) -> Sequence[HostArrival]:
        """Return the answers to bad lines of this check."""
        return tuple(self._ledger.strays)

    def _final(self, key: str) -> HostArrival | None:
        exchange = self._ledger.exchange(key)
        return exchange.response if exchange else None

    def _first_event(self, key: str) -> HostArrival | None:
        exchange = self._ledger.exchange(key)
        arrivals = exchange.arrivals if exchange else []
        return next((one for one in arrivals if one.event_type == "part"), None)

    def close_input(self) -> None:
        """Close the host's stdin."""
        if self._process is not None:
            self._process.close_input()

    def restart(self) -> Missing | None:
        """Start the host anew."""
        self.discard()
        if (not_up := self._start()) is None:
            return None
        return Missing(MissingCause.EXITED, not_up.text)


def _parts(exchange: Exchange) -> list[Any]:
    """Return the payloads of the part events of a call; None where one has none."""
    return [
        one.value["event"].get("payload")
        for one in exchange.arrivals
        if one.event_type == "part"
    ]


def _next(exchange: Exchange, wanted: str | None) -> HostArrival | None:
    """Return the next arrival that a check looks at, skipping events of other types.

    Where the response is wanted, a part event is looked at all the same: the tool
    emitted more than it should, or ran where it should not.
    """
    while exchange.read < len(exchange.arrivals):
        arrival = exchange.arrivals[exchange.read]
        exchange.read += 1
        if arrival.kind == "response" or arrival.event_type == (wanted or "part"):
            return arrival
    return None


def _wanted_event(pattern: Any) -> str | None:
    if not is_object(pattern) or "event" not in pattern:
        return None
    event = pattern["event"]
    found = event.get("type", "part") if is_object(event) else "part"
    return found if isinstance(found, str) else "part"


def _is_plausible(method: str, response: Mapping[str, Any]) -> bool:
    """Tell whether a success holds the kind of value that its method answers with."""
    result = response.get("result")
    if not is_object(result) or "value" not in result:
        return False
    match method:
        case "get_tool_schemas":
            return is_array(result["value"])
        case "init":
            return is_object(result["value"])
        case _:
            return True


def _tool_names(response: Mapping[str, Any]) -> dict[str, Any]:
    result = response.get("result")
    listed = result.get("value") if is_object(result) else None
    found: dict[str, Any] = {}
    for schema in listed if is_array(listed) else []:
        if is_object(schema):
            for holder in (schema, schema.get("function"), schema.get("custom")):
                name = holder.get("name") if is_object(holder) else None
                if isinstance(name, str):
                    found.setdefault(name, schema)
    return found
