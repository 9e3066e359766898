"""A host under test: started, spoken to, and started anew where it has to be.

Theory of operation. ``ensure_up`` starts the host, sends ``init`` and looks for a
control: a plain valid request that it answers with success. From then on the host is
kept for one check after another. A fence is that control sent again; its answer
orders the stream, proves that the host lives, and measures its latency. A host that
does not come up is looked at once more while it is closed, for the one fault that
makes everything look dead: answers that come only when stdin is closed.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wireproof._errors import SubjectStartError
from wireproof._patience import Patience
from wireproof._peer import Cut, Missing, MissingCause
from wireproof._process import SubjectProcess, subject_environment
from wireproof._steps import exit_text
from wireproof._transcript import Transcript
from wireproof._values import expand, is_array, is_generator, is_object
from wireproof._verdicts import Deviation
from wireproof.host_v1._ledger import OWN_ID, SHOWN, Arrival, Exchange, Ledger
from wireproof_reference.framing import JsonError, encode, loads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof._settings import Settings, Target

MOST_FAILED_STARTS = 2
"""Starts that may fail one after the other before the host is given up."""

MOST_NOISE = 5_000
"""Lines that belong to nothing, in one check, before the host counts as flooding."""

CLOSING_SECONDS = 2.0
"""HV1-T9: how long a host may take to exit once its stdin is closed."""

LEAVING_SECONDS = 0.5
"""Most seconds between the end of a host's stdout and its own."""

PIECE_SECONDS = 0.5
"""Most seconds to wait for a host to read one piece of a request."""

QUIET_SECONDS = 0.02
"""How long a host is listened to, once, after its last answer before it is closed."""


@dataclass(frozen=True, slots=True)
class NotUp:
    """The host did not come up.

    Attributes:
        text: Why, as a sentence without a full stop.
        deviations: What was found out about the cause.
    """

    text: str
    deviations: tuple[Deviation, ...] = ()


class HostSession:
    """One host, over all its starts.

    Attributes:
        starts: How often it was started.
        names: What ``$use`` may name; ``state`` is the state that ``init`` gave.
        transcript: The traffic of the check in hand.
        tools: The tool schemas that ``get_tool_schemas`` listed, by name.
        checks_served: Checks begun since the last start.
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
        self.target = target
        self.patience = Patience(settings.timeout)
        self.starts = 0
        self.names: dict[str, Any] = {}
        self.tools: dict[str, Any] = {}
        self.checks_served = 0
        self.sent: list[bytes] = []
        self.cut = False
        self.transcript = Transcript(time.monotonic())
        self._settings = settings
        self._setup = setup
        self._process: SubjectProcess | None = None
        self._ledger = Ledger()
        self._last_stderr = ""
        self._failed_starts = 0
        self._given_up: NotUp | None = None
        self._control: Mapping[str, Any] | None = None
        self._serial = 0
        self._delay = 0.0
        self._size = 0
        self._extra_keys: set[str] = set()
        self._stateless: set[str] = set()
        self._succeeded: set[str] = set()
        self._seen: Counter[str] = Counter()

    # --- life

    @property
    def seen(self) -> Counter[str]:
        """How many frames came, and how many of each kind, over all starts."""
        return self._seen + self._ledger.seen

    @property
    def controlled(self) -> bool:
        """Whether a plain valid request was ever answered with success."""
        return self._control is not None

    @property
    def extra_keys(self) -> frozenset[str]:
        """Keys of the host's own that its messages had (HV1-M15)."""
        return frozenset(self._extra_keys | self._ledger.extra_keys)

    @property
    def stateless(self) -> frozenset[str]:
        """How the state looked in answers to requests without one (HV1-M16)."""
        return frozenset(self._stateless | self._ledger.stateless)

    @property
    def deviations(self) -> Sequence[Deviation]:
        """What the monitors found since ``begin``."""
        return tuple(self._ledger.deviations)

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand, the suite's own aside."""
        own = (key for key in self._ledger.asked if not key.startswith(OWN_ID))
        return frozenset(own)

    def has_answered(self, method: str) -> bool:
        """Tell whether a method was ever answered with success."""
        return method in self._succeeded | self._ledger.succeeded

    @property
    def stderr_tail(self) -> str:
        """The end of what the host wrote on stderr."""
        return self._process.stderr_tail() if self._process else self._last_stderr

    def note(self, found: Deviation) -> None:
        """Add a deviation that was found outside the frames."""
        self._ledger.deviations.append(found)

    def begin(self) -> None:
        """Begin a check: its own transcript, and nothing left of the one before."""
        self.transcript = Transcript(time.monotonic())
        self._ledger.overdue()
        self._ledger.forget()
        self._ledger.noise = 0
        self._delay = 0.0
        self._size = 0
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

    def stop(self) -> list[Deviation]:
        """End the host politely, then for good; return what was seen at its end."""
        if self._process is None:
            return []
        self._ledger.forget()
        process = self._process
        if process.exit_status is None and not process.stdout_closed:
            self._pump_until(time.monotonic() + QUIET_SECONDS, lambda: False)
            process.close_input()
            limit = time.monotonic() + self.patience.clause_limit(CLOSING_SECONDS)
            self._pump_until(limit, lambda: process.ended)
        by_itself = process.exit_status is not None
        process.kill()
        if by_itself:
            self._book_end()
        found = list(self._ledger.deviations)
        self._forget_process()
        return found

    def discard(self) -> None:
        """End the host at once; the next check starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._forget_process()

    def _forget_process(self) -> None:
        self._seen += self._ledger.seen
        self._extra_keys |= self._ledger.extra_keys
        self._stateless |= self._ledger.stateless
        self._succeeded |= self._ledger.succeeded
        wrong_ids = self._ledger.wrong_ids
        self._ledger = Ledger()
        self._ledger.wrong_ids = wrong_ids
        if self._process is not None:
            self._last_stderr = self._process.stderr_tail()
        self._process = None

    def _is_usable(self, process: SubjectProcess) -> bool:
        process.pump(0)
        return (
            process.exit_status is None
            and not process.stdout_closed
            and process.input_open
        )

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

    def _launch(self) -> NotUp | None:
        self.starts += 1
        self.checks_served = 0
        try:
            self._process = SubjectProcess(
                self.target.command,
                environment=subject_environment(self._settings.environment),
                folder=self._settings.folder,
                on_stdout=self._received,
                on_stderr=self._note_stderr,
            )
        except SubjectStartError as error:
            self._given_up = NotUp(str(error))
            return self._given_up
        return None

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
        self.patience.measured(time.monotonic() - asked)
        if control["method"] == "get_tool_schemas":
            self.tools = _tool_names(answer.value)
        return None

    def _diagnose(self, text: str) -> NotUp:
        """Close the input of a silent host and see whether it speaks then."""
        process = self._process
        if process is None or process.exit_status is not None:
            return NotUp(text)
        waiting = set(self._ledger.open)
        unfinished = self._ledger.unfinished
        if is_whole_message(unfinished):
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
        self.sent.append(data)
        self.cut = self.cut or cut is not None
        self._transmit(data, cut)

    def _transmit(self, data: bytes, cut: Cut) -> None:
        if self._process is None:
            return
        for piece in _pieces(data, cut):
            self._ledger.sent(piece, cut=cut is not None)
            self.transcript.add(time.monotonic(), "sent", piece)
            self._process.send(piece)
            if cut is not None:
                self._await_consumption(self._process)

    def _await_consumption(self, process: SubjectProcess) -> None:
        limit = time.monotonic() + PIECE_SECONDS
        while not process.input_consumed() and time.monotonic() < limit:
            process.pump(0.0002)
            if process.exit_status is not None:
                return

    def declare_delay(self, seconds: float) -> None:
        """Take note of time that tools were asked to take."""
        self._delay += seconds

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
        limit = self._limit()
        while True:
            found = _next(exchange, wanted)
            if found is not None:
                return found
            if exchange.answered and exchange.read >= len(exchange.arrivals):
                cause = MissingCause.REFUSED
                return Missing(cause, "its response had come already")
            if (missing := self._wait(limit)) is not None:
                return missing

    def _await_stray(self, key: Any) -> Arrival | Missing:
        """Wait for a frame that answers no request: a failure without an id."""
        limit = self._limit()
        while True:
            for stray in self._ledger.strays:
                if stray.value.get("id") == key:
                    self._ledger.strays.remove(stray)
                    return stray
            if (missing := self._wait(limit)) is not None:
                return missing

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
        filled = _with_state(self._control["params"], self.names.get("state", {}))
        lines = [
            encode(
                {"v": 1, "id": key, "method": self._control["method"], "params": filled}
            )
            for key in keys
        ]
        self._transmit(b"".join(lines), None)
        limit = self._limit()
        exchanges = [self._ledger.exchange(key) for key in keys]
        while not all(one is None or one.answered for one in exchanges):
            if self._wait(limit) is not None:
                return False
        return True

    def last_parts(self) -> list[Any]:
        """Return the payloads of the part events of the suite's latest request."""
        exchange = self._ledger.exchange(f"{OWN_ID}{self._serial}")
        arrivals = exchange.arrivals if exchange else []
        return [
            one.value["event"].get("payload")
            for one in arrivals
            if one.event_type == "part"
        ]

    def listen(self, seconds: float) -> None:
        """Take in what comes in the next moment."""
        self._pump_until(time.monotonic() + seconds, lambda: False)

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

    # --- requests of the suite's own

    def request(self, method: str, params: Any) -> Arrival | Missing:
        """Send one request and wait for its response, whatever it says."""
        return self._ask(method, params, self._allowance())

    def _ask(self, method: str, params: Any, seconds: float) -> Arrival | Missing:
        self._serial += 1
        key = f"{OWN_ID}{self._serial}"
        filled = _with_state(params, self.names.get("state", {}))
        message = {"v": 1, "id": key, "method": method, "params": filled}
        self._transmit(encode(message), None)
        exchange = self._ledger.exchange(key)
        limit = time.monotonic() + seconds
        while exchange is not None:
            if exchange.response is not None:
                return exchange.response
            if (missing := self._wait(limit)) is not None:
                return missing
        return Missing(MissingCause.EXITED, "it was not running")

    # --- waiting

    def _allowance(self) -> float:
        return self.patience.allowance(clause_seconds=self._delay, size=self._size)

    def _limit(self) -> float:
        return time.monotonic() + self._allowance()

    def _wait(self, limit: float) -> Missing | None:
        """Take in what comes next; say why where nothing will."""
        process = self._process
        if process is None:
            return Missing(MissingCause.EXITED, "it was not running")
        if self._ledger.noise > MOST_NOISE:
            text = f"more than {MOST_NOISE} lines came that answer nothing"
            self.discard_flooded()
            return Missing(MissingCause.FLOODED, text)
        if process.exit_status is not None:
            self._book_end()
            text = f"the host exited with {exit_text(process.exit_status)}"
            return Missing(MissingCause.EXITED, text)
        if process.stdout_closed:
            # A host that ends closes its pipes a moment before it is gone.
            leaving = time.monotonic() + LEAVING_SECONDS
            self._pump_until(leaving, lambda: process.exit_status is not None)
            self._book_end()
            return Missing(MissingCause.CLOSED, _closed_text(process))
        began = time.monotonic()
        left = limit - began
        if left <= 0:
            spent = self._allowance()
            self.patience.wasted += spent
            return Missing(MissingCause.TIMEOUT, f"no answer within {spent:.1f} s")
        process.pump(left)
        return None

    def discard_flooded(self) -> None:
        """End a host that floods, but keep its books for the check in hand."""
        if self._process is not None:
            self._process.kill()

    def _pump_until(self, limit: float, done: Any) -> None:
        process = self._process
        while process is not None and not done():
            left = limit - time.monotonic()
            if left <= 0 or self._ledger.noise > MOST_NOISE:
                return
            if process.ended:
                return
            process.pump(left)

    def _book_end(self) -> None:
        if not self._ledger.finished:
            self._ledger.ended(time.monotonic())

    def _received(self, data: bytes) -> None:
        moment = time.monotonic()
        for arrival in self._ledger.received(data, moment):
            self.transcript.add(moment, "received", arrival.line)

    def _note_stderr(self, data: bytes) -> None:
        self.transcript.add(time.monotonic(), "stderr", data)


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


def _closed_text(process: SubjectProcess) -> str:
    if process.exit_status is None:
        return "the host closed its stdout"
    return f"the host exited with {exit_text(process.exit_status)}"


def _wanted_event(pattern: Any) -> str | None:
    if not is_object(pattern) or "event" not in pattern:
        return None
    event = pattern["event"]
    found = event.get("type", "part") if is_object(event) else "part"
    return found if isinstance(found, str) else "part"


def _with_state(params: Any, state: Any) -> Any:
    if params == {"$use": "state"}:
        return state
    if is_object(params):
        return {key: _with_state(value, state) for key, value in params.items()}
    return params


def _pieces(data: bytes, cut: Cut) -> list[bytes]:
    if cut is None:
        return [data]
    if cut == "every-byte":
        return [data[i : i + 1] for i in range(len(data))]
    edges = [0, *sorted(cut), len(data)]
    pieces = [data[a:b] for a, b in pairwise(edges)]
    return [piece for piece in pieces if piece]


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


def is_whole_message(data: bytes) -> bool:
    """Tell whether bytes are one complete JSON object."""
    try:
        return is_object(loads(data))
    except JsonError:
        return False
