"""Carry out the steps of one vector of a line protocol.

The interpreter knows steps and patterns; what a frame is, and whose it is, the peer
knows. Its outcome says what happened, not yet what it means for a clause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wireproof.checks import Deviation, Difference, VectorDefect, Words
from wireproof.line._peer import Cut, Frame, Missing, MissingCause, Peer
from wireproof.patterns import (
    Mismatch,
    difference_of,
    exit_text,
    expand,
    in_words,
    is_array,
    is_object,
    match,
    raw_bytes,
)
from wireproof_reference.framing import encode

Step = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Held:
    """Every step went as it should.

    Attributes:
        recorded: What was recorded, by the name of the exchange.
        frames: How many frames were compared with a pattern.
    """

    recorded: Mapping[str, str]
    frames: int


@dataclass(frozen=True, slots=True)
class Broke:
    """A step did not go as it should.

    Attributes:
        text: What happened, in a sentence without a full stop.
        clause: The clause that this step is charged to where it is not the vector's.
        missing: Why a frame did not come; None where one came and differs.
        differences: Where it differs.
        deviations: What the monitors found in the frame that differs.
        at_fence: Whether it is the plain valid request at the end that failed.
        recorded: What was recorded until then.
        about_time: Whether a slower attempt may tell something else.
        displaced: Whether the response came where an event was expected.
    """

    text: str
    clause: str | None = None
    missing: Missing | None = None
    differences: tuple[Difference, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    at_fence: bool = False
    recorded: Mapping[str, str] = field(default_factory=dict[str, str])
    about_time: bool = False
    displaced: bool = False


ON_A_CONNECTION = frozenset(
    {
        "send",
        "send_many",
        "send_raw",
        "expect",
        "expect_optional",
        "expect_closed",
        "fence",
        "close_input",
        "poll",
    }
)
"""Steps that are left out where the subject chose to close the connection."""


def run_steps(
    peer: Peer, steps: Sequence[Step], *, time_scale: int = 1
) -> Held | Broke:
    """Carry out steps, and a fence after them unless stdin was closed.

    Args:
        peer: The conversation.
        steps: The steps as the vector has them.
        time_scale: Factor for the times that tools are asked to take.

    Raises:
        VectorDefect: If a step cannot be carried out as it is written.
    """
    run = _Run(peer, time_scale)
    for step in steps:
        if (broke := run.step(step)) is not None:
            return broke
    missing = peer.final_fence(input_closed=run.input_closed)
    if missing is not None:
        text = f"afterwards a plain valid request was not answered: {missing.text}"
        return Broke(text, missing=missing, at_fence=True, recorded=run.recorded)
    return Held(run.recorded, run.frames)


class _Run:
    """The state of one run through a vector's steps."""

    def __init__(self, peer: Peer, time_scale: int) -> None:
        self.peer = peer
        self.time_scale = time_scale
        self.recorded: dict[str, str] = {}
        self.frames = 0
        self.input_closed = False

    def step(self, step: Step) -> Broke | None:
        cut: Cut = step.get("cut")
        there = self.peer.turn_to(step.get("on"))
        if not there and not ON_A_CONNECTION.isdisjoint(step):
            return None
        match step:
            case {"send": message}:
                self._send([message], cut, waits=step.get("waits", True))
            case {"send_many": [*messages]}:
                self._send(messages, cut, waits=step.get("waits", True))
            case {"send_raw": [*pieces]}:
                self.peer.deliver(raw_bytes(pieces), cut)
            case {"expect": pattern, "times": int(times)}:
                return self._expect_many(pattern, times, step)
            case {"expect": pattern}:
                return self._expect(pattern, step)
            case {"expect_optional": pattern}:
                return self._expect_optional(pattern, step)
            case {"order": [*keys]}:
                return self._order(keys)
            case {"gap": {"id": str(key), "at_least_ms": int(least)}}:
                return self._gap(key, least * self.time_scale / 1000)
            case {"fence": _}:
                return self._fence(step)
            case {"close_input": _}:
                self.peer.close_input()
                self.input_closed = True
            case {"expect_exit": {"status": int(status), "within_ms": int(within)}}:
                return self._exit(status, within / 1000)
            case {"restart": _}:
                if (missing := self.peer.restart()) is not None:
                    text = f"it did not start again: {missing.text}"
                    return Broke(text, step.get("clause"), missing)
                self.input_closed = False
            case _:
                return self.peer.own_step(step, self.time_scale)
        return None

    def _send(self, messages: Sequence[Any], cut: Cut, *, waits: bool = True) -> None:
        data = b""
        for template in messages:
            message = expand(template, self.peer.names, time_scale=self.time_scale)
            if waits:
                self.peer.declare_delay(asked_delay(message))
            data += encode(message)
        self.peer.deliver(data, cut)

    def _expect(self, pattern: Any, step: Step) -> Broke | None:
        arrival = self.peer.await_frame(pattern)
        clause = step.get("clause")
        if isinstance(arrival, Missing):
            if step.get("or") == "closed" and arrival.cause is MissingCause.CLOSED:
                self.peer.take_closing()
                return None
            text = f"what was expected did not come: {arrival.text}"
            nothing = Words(f"nothing ({arrival.text})")
            wanted = Difference("", in_words(pattern), nothing)
            return Broke(text, clause, arrival, (wanted,), recorded=self.recorded)
        self.frames += 1
        if (broke := self._compare(pattern, arrival, clause)) is not None:
            return broke
        if step.get("or") == "closed":
            self.peer.take_refusal()
        choices: Mapping[str, Any] = step.get("record", {})
        if choices:
            self.recorded[_key(pattern)] = next(
                (
                    label
                    for label, choice in choices.items()
                    if match(choice, arrival.value, self.peer.names, {}) is None
                ),
                "other",
            )
        return None

    def _expect_many(self, pattern: Any, times: int, step: Step) -> Broke | None:
        self.peer.declare_frames(times)
        for _ in range(times):
            if (broke := self._expect(pattern, step)) is not None:
                return broke
        return None

    def _compare(
        self, pattern: Any, arrival: Frame, clause: str | None
    ) -> Broke | None:
        saved: dict[str, Any] = {}
        miss = match(pattern, arrival.value, self.peer.names, saved)
        if miss is None:
            self.peer.names.update(saved)
            return None
        return Broke(
            _difference_text(pattern, arrival.value, miss),
            clause,
            None,
            (difference_of(miss),),
            arrival.deviations,
            recorded=self.recorded,
            displaced=_is_displaced(pattern, arrival.value),
        )

    def _expect_optional(self, pattern: Any, step: Step) -> Broke | None:
        if (broke := self._fence(step)) is not None:
            return broke
        for stray in self.peer.strays():
            self.frames += 1
            if (broke := self._compare(pattern, stray, step.get("clause"))) is not None:
                return broke
        return None

    def _fence(self, step: Step) -> Broke | None:
        missing = self.peer.fence()
        if missing is None:
            return None
        text = f"a plain valid request was not answered: {missing.text}"
        return Broke(
            text, step.get("clause"), missing, at_fence=True, recorded=self.recorded
        )

    def _order(self, keys: Sequence[str]) -> Broke | None:
        ranks = {key: self.peer.answer_rank(key) for key in keys}
        known = {key: rank for key, rank in ranks.items() if rank is not None}
        if len(known) < len(keys):
            raise VectorDefect("order names an exchange whose answer was not expected")
        actual = sorted(known, key=lambda key: known[key])
        if actual == list(keys):
            return None
        text = "the responses did not come in the order that they should"
        wanted = Difference("order", list(keys), actual)
        return Broke(text, differences=(wanted,), about_time=True)

    def _gap(self, key: str, least: float) -> Broke | None:
        first, last = self.peer.first_event_at(key), self.peer.answered_at(key)
        if first is None or last is None:
            raise VectorDefect("gap names an exchange without an event or a response")
        if last - first >= least:
            return None
        text = "the first event came no earlier than the response"
        wanted = Words(f"at least {least * 1000:.0f} ms before the response")
        found = Words(f"{(last - first) * 1000:.1f} ms before it")
        shown = Difference("first event", wanted, found)
        return Broke(text, differences=(shown,), about_time=True)

    def _exit(self, status: int, within: float) -> Broke | None:
        found = self.peer.await_exit(within)
        if isinstance(found, Missing):
            wanted = Difference("exit", Words(f"status {status}"), Words(found.text))
            return Broke(f"it did not exit: {found.text}", None, found, (wanted,))
        if found == status:
            return None
        text = f"it exited with {exit_text(found)}"
        return Broke(text, differences=(Difference("exit status", status, found),))


def asked_delay(message: Any) -> float:
    """Return the seconds for which a message asks tools to wait."""
    if is_object(message):
        total = 0.0
        for key, value in message.items():
            if key == "ms" and isinstance(value, int | float):
                total += value / 1000
            elif key == "delay_ms" and isinstance(value, int | float):
                parts = message.get("parts")
                total += value / 1000 * (len(parts) if is_array(parts) else 1)
            elif is_object(value):
                total += asked_delay(value)
        return total
    return 0.0


def _key(pattern: Any) -> str:
    keys = ("id", "requestId", "type")
    key = (
        next((pattern[k] for k in keys if k in pattern), "")
        if is_object(pattern)
        else ""
    )
    return key if isinstance(key, str) else str(key)


def _is_displaced(pattern: Any, value: Any) -> bool:
    return (
        is_object(pattern)
        and is_object(value)
        and "event" in pattern
        and "event" not in value
    )


def _difference_text(pattern: Any, value: Any, miss: Mismatch) -> str:
    if _is_displaced(pattern, value):
        return "the response came where an event was expected"
    if is_object(pattern) and is_object(value) and "event" in value.keys() - pattern:
        return "an event came where the response was expected"
    place = miss.path or "the frame itself"
    return f"a frame differs from what was expected at {place}"
