"""A host under test: brought up, spoken to in steps, and started anew where needed.

Theory of operation. ``ensure_up`` starts the host, sends ``init`` and looks for a
control: a plain valid request that it answers with success. From then on the host is
kept for one check after another. A fence is that control sent again; its answer
orders the stream, proves that the host lives, and measures its latency. A host that
does not come up is looked at once more while it is closed, for the faults that make
everything look dead: answers that come only when stdin is closed, or without LF.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, Transcript
from wireproof.line import Cut, Missing, MissingCause, NotUp
from wireproof.patterns import expand, is_array, is_generator, is_object, json_equal
from wireproof.protocols.host_v1._ledger import OWN_ID, Arrival, Exchange
from wireproof.protocols.host_v1._lines import SHOWN
from wireproof.protocols.host_v1._link import CLOSING_SECONDS, HostLink
from wireproof.protocols.host_v1._salvage import salvage
from wireproof.protocols.host_v1._sent import LATE_SECONDS
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wireproof.checks import Settings, Target

FRAME_SECONDS = 0.001
"""Least seconds to allow for each of many frames."""

MOST_FAILED_STARTS = 2
"""Starts that may fail one after the other before the host is given up."""


class HostSession(HostLink):
    """One host, over all its starts.

    Attributes:
        tools: The tool schemas that ``get_tool_schemas`` listed, by name.
        sent: What the check in hand sent, fences aside.
        cut: Whether any of it was sent in pieces.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The host's command.
            settings: The user's options.
            setup: The data of ``host_v1/setup.json``.
        """
        super().__init__(target, settings)
        self.tools: dict[str, Any] = {}
        self.sent: list[bytes] = []
        self.cut = False
        self._setup = setup
        self._failed_starts = 0

    def begin(self) -> None:
        """Begin a check: its own transcript, and nothing left of the one before."""
        self.transcript = Transcript(time.monotonic())
        self._ledger.overdue()
        late = self.patience.clause_limit(LATE_SECONDS)
        self._ledger.forget(time.monotonic(), late)
        self._ledger.noise = 0
        self._delay = 0.0
        self._size = 0
        self._lines = 0
        self.sent = []
        self.cut = False
        self.names = {"state": self.names.get("state", {})}

    def ensure_up(self) -> NotUp | None:
        """Start the host if none is running; return why where it does not come up."""
        if self._given_up is not None:
            return self._given_up
        if self._process is not None and self._is_usable(self._process):
            return None
        return self._start()

    def start_bare(self) -> NotUp | None:
        """Start the host anew and send it nothing, not even ``init``."""
        state = self.names.get("state", {})
        self.discard()
        self.names["state"] = state
        return self._launch()

    def _start(self) -> NotUp | None:
        self.discard()
        if (not_up := self._launch()) is not None:
            return not_up
        not_up = self._bring_up()
        if not_up is None:
            self._failed_starts = 0
            return None
        self._failed_starts += 1
        deviations = (*self._ledger.deviations, *not_up.deviations)
        not_up = NotUp(not_up.text, deviations)
        if self._failed_starts >= MOST_FAILED_STARTS or not self.patience.latency:
            self._given_up = not_up
        return not_up

    def _bring_up(self) -> NotUp | None:
        answer = self._ask("init", self._setup["start"], self.patience.starting())
        self.names["state"] = {}
        if isinstance(answer, Arrival):
            self._take_state(answer)
        elif answer.cause is not MissingCause.TIMEOUT:
            return NotUp(f"no answer to init: {answer.text}")
        first = answer
        if self._control is not None:
            return self._check_control(self._control)
        for control in self._setup["controls"]:
            if self._check_control(control) is None:
                if self._answers_all_alike(first):
                    return NotUp("it gives the same answer to everything")
                self._control = control
                return None
            if isinstance(first, Missing):
                # It said nothing to init and nothing to the first control either.
                return self._diagnose(f"no answer to init: {first.text}")
        return NotUp("it answered no plain valid request with success")

    def _check_control(self, control: Mapping[str, Any]) -> NotUp | None:
        asked = time.monotonic()
        answer = self._ask(
            control["method"], control["params"], self.patience.allowance()
        )
        if isinstance(answer, Missing):
            return NotUp(f"no answer to {control['method']}: {answer.text}")
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

    def _answers_all_alike(self, first: Arrival | Missing) -> bool:
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
        limit = time.monotonic() + self.patience.clause_limit(CLOSING_SECONDS)
        self._pump_until(limit, lambda: process.ended)
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

    def deliver(self, data: bytes, cut: Cut) -> None:
        """Send bytes as one write, or in pieces that the host reads one by one."""
        self._size += len(data)
        self._lines += data.count(b"\n")
        self.sent.append(data)
        self.cut = self.cut or cut is not None
        self._transmit(data, cut)

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove at the end of a check that the host lives, unless it was to end."""
        return None if input_closed else self.fence()

    def declare_delay(self, seconds: float) -> None:
        """Take note of time that tools were asked to take."""
        self._delay += seconds

    def declare_frames(self, count: int) -> None:
        """Take note of frames to come: each may take as long as a trivial exchange."""
        self._delay += count * max(self.patience.quickest, FRAME_SECONDS)

    def _key(self, pattern: Any) -> Any:
        key = pattern.get("id") if is_object(pattern) else None
        return (
            expand(key, self.names)
            if is_generator(key) and "$absent" not in key
            else key
        )

    def await_frame(self, pattern: Any) -> Arrival | Missing:
        """Wait for the next event or the response that the pattern names."""
        key = self._key(pattern)
        exchange = self._ledger.exchange(key) if isinstance(key, str) else None
        if exchange is None:
            return self._await_stray(key)
        wanted = _wanted_event(pattern)

        def look() -> Arrival | Missing | None:
            found = _next(exchange, wanted)
            if found is None and exchange.answered:
                return Missing(MissingCause.REFUSED, "its response had come already")
            return found

        return self._await(look, self._allowance())

    def _await_stray(self, key: Any) -> Arrival | Missing:
        """Wait for a frame that answers no request: a failure without an id."""

        def look() -> Arrival | None:
            for stray in self._ledger.strays:
                if stray.value.get("id") == key:
                    self._ledger.strays.remove(stray)
                    return stray
            return None

        return self._await(look, self._allowance())

    def fence(self) -> Missing | None:
        """Send the control again and wait for its success."""
        if self._control is None:
            return Missing(MissingCause.REFUSED, "no plain valid request succeeds")
        asked = time.monotonic()
        busy = bool(self._ledger.open) or self._delay > 0
        answer = self._ask(
            self._control["method"], self._control["params"], self._allowance()
        )
        if isinstance(answer, Missing):
            return answer
        if answer.value.get("ok") is not True:
            if self._ledger.asked_for("init") and self._lives_after_init():
                return None
            return Missing(MissingCause.REFUSED, "it was answered without success")
        if not busy and not self._size >> 16:
            self.patience.measured(time.monotonic() - asked)
        return None

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

    def _take_state(self, answer: Arrival) -> None:
        result = answer.value.get("result")
        if is_object(result):
            state = result.get("state", result.get("value"))
            self.names["state"] = state if is_object(state) else {}

    def joined_requests_answered(self) -> bool:
        """Send the control twice in one write and see whether both are answered."""
        if self._control is None:
            return True
        keys = [f"{OWN_ID}{self._serial + 1}", f"{OWN_ID}{self._serial + 2}"]
        self._serial += len(keys)
        control = self._control
        params = expand(control["params"], self.names)
        messages = [
            {"v": 1, "id": key, "method": control["method"], "params": params}
            for key in keys
        ]
        self._transmit(b"".join(map(encode, messages)), None, own=True)
        exchanges = [self._ledger.exchange(key) for key in keys]

        def look() -> Arrival | None:
            answers = [one.response for one in exchanges if one is not None]
            return answers[0] if all(answers) else None

        return isinstance(self._look_until(look, self._allowance(), 0.0), Arrival)

    def last_parts(self) -> list[Any]:
        """Return the payloads of the part events of the suite's latest request."""
        exchange = self._ledger.exchange(f"{OWN_ID}{self._serial}")
        return _parts(exchange) if exchange else []

    def await_parts(self, keys: Iterable[str]) -> tuple[dict[str, list[Any]], bool]:
        """Wait until calls have been answered; return what they emitted.

        Args:
            keys: The ids of the calls; those that were never sent are left out.

        Returns:
            The payloads of their part events, by call, and whether all were answered.
        """
        calls = [one for key in keys if (one := self._ledger.exchange(key))]

        def look() -> Arrival | None:
            answers = [one.response for one in calls]
            return answers[0] if all(answers) else None

        complete = bool(calls) and isinstance(
            self._look_until(look, self._allowance(), 0.0), Arrival
        )
        return {one.id: _parts(one) for one in calls}, complete

    def strays(self) -> Sequence[Arrival]:
        """Return the answers to bad lines of this check."""
        return tuple(self._ledger.strays)

    def answer_rank(self, key: str) -> int | None:
        """Return the place of a response among all frames."""
        exchange = self._ledger.exchange(key)
        response = exchange.response if exchange else None
        return response.rank if response else None

    def answered_at(self, key: str) -> float | None:
        """Return when the response of an exchange came."""
        exchange = self._ledger.exchange(key)
        response = exchange.response if exchange else None
        return response.time if response else None

    def first_event_at(self, key: str) -> float | None:
        """Return when the first event of an exchange came."""
        exchange = self._ledger.exchange(key)
        arrivals = exchange.arrivals if exchange else []
        return next((a.time for a in arrivals if a.event_type == "part"), None)

    def close_input(self) -> None:
        """Close the host's stdin."""
        if self._process is not None:
            self._process.close_input()

    def await_exit(self, within: float) -> int | Missing:
        """Wait for the host to exit by itself, and look at the end of its stdout."""
        process = self._process
        if process is None:
            return Missing(MissingCause.EXITED, "it was not running")
        allowed = self.patience.clause_limit(within) + self._delay
        limit = time.monotonic() + allowed
        self._pump_until(limit, lambda: process.exit_status is not None)
        status = process.exit_status
        if status is None:
            self.patience.wasted += allowed
            self.discard()
            return Missing(MissingCause.TIMEOUT, f"still running after {allowed:.1f} s")
        self._book_end()
        return status

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


def _next(exchange: Exchange, wanted: str | None) -> Arrival | None:
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
