"""Have a client carry out the ops of a vector, and keep what each came to.

The driver carries out one op after the other; the scripted host that the client starts
reports to a thread meanwhile. Nothing here waits for ever, and nothing is judged.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from wireproof.patterns import expand, is_array, is_object
from wireproof.subjects import DriverFault, Op, Playing, ScriptedPeer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.subjects import Bridge, Outcome

MEANT_TO_EXPIRE_MS = 10_000
"""A vector's deadline up to here is meant to expire; a longer one must not."""

PLAIN_STEPS = frozenset({"read", "match", "write", "await_eof"})
"""What a scripted host does that answers at once, if it answers."""

STARTING_SECONDS = 5.0
"""What ``start`` may take beside the usual: two processes come up in it."""

LATER_STARTING_SECONDS = 1.0
"""The same at least, once a start of a client hung that is known to start hosts."""

KNOWN_STARTS = 3
"""Starts that tell how long it takes to start one."""

SLOWEST_START_FACTOR = 20.0
"""How many times the slowest of them it has then."""

CLOSING_SECONDS = 2.0
"""How long a host is waited for after ``close``: what a client sent last shows then."""

CLOSE_SECONDS = 10.0
"""How long ``close`` may give a host that does not end by itself (HV1-C12)."""

BY_ITSELF: Final[Mapping[str, Any]] = {
    "get_tool_schemas": [],
    "get_config_schema": {"type": "object"},
    "get_ui_elements": [],
    "get_tags": [],
    "required_tags": [],
}
"""What a client may want to know of a host beside what it was told to ask."""

ENDING_SECONDS = 0.25
"""How long a host is waited for that may be ended at a deadline."""

LINGERING_SECONDS = 0.05
"""The same, for a client that has let a host live on before."""

_NOT_ARGUMENTS = frozenset({"op", "expect", "record"})


@dataclass(frozen=True, slots=True)
class Act:
    """One op that a client was asked to carry out.

    Attributes:
        op: The op as the vector has it.
        outcome: What the driver answered, or what it did instead.
        seconds: How long it took.
        left: Whether the host was still there a moment after this op closed it.
    """

    op: Mapping[str, Any]
    outcome: Outcome
    seconds: float
    left: bool = False

    @property
    def value(self) -> Any:
        """What the op came to; None where it did not return a value.

        An error that is null counts as absent, as anywhere.
        """
        if isinstance(self.outcome, DriverFault):
            return None
        value = self.outcome.value
        if is_array(value):
            return [_without_null_error(one) for one in value]
        return _without_null_error(value)

    @property
    def problem(self) -> str:
        """Why it returned no value, in a sentence; empty where it did."""
        if isinstance(self.outcome, DriverFault):
            return self.outcome.text
        if not self.outcome.ok:
            return f"{self.op['op']} was not carried out: {self.outcome.refusal}"
        return ""

    @property
    def last(self) -> bool:
        """Whether nothing more can be asked of the client."""
        failed = is_object(self.value) and "error" in self.value
        return bool(self.problem) or (self.op["op"] == "start" and failed)


def _without_null_error(outcome: Any) -> Any:
    if not is_object(outcome) or outcome.get("error", "") is not None:
        return outcome
    return {key: each for key, each in outcome.items() if key != "error"}


@dataclass(frozen=True, slots=True)
class Conduct:
    """What a client did in one vector.

    Attributes:
        playings: What each host that it started reported.
        acts: The ops that it was asked to carry out.
        unsettled: Whether the script waited in vain for the client.
        ended: Whether the host was gone before the client was asked to close it.
    """

    playings: Sequence[Playing]
    acts: list[Act] = field(default_factory=list[Act])
    unsettled: bool = False
    ended: bool = False


class Pace:
    """How long the hosts of one client are waited for, as learnt in the run.

    Attributes:
        starting: Most seconds that ``start`` may take beside the usual.
        closing: Most seconds to wait for the end of a host that was closed.
    """

    def __init__(self) -> None:
        """Begin with a client that starts hosts and ends them."""
        self.starting = STARTING_SECONDS
        self.closing = CLOSING_SECONDS
        self._starts = 0
        self._slowest_start = 0.0

    def started(self, act: Act) -> None:
        """Take note of how long a start took, or that it never ended."""
        if not act.last:
            self._starts += 1
            self._slowest_start = max(self._slowest_start, act.seconds)
            return
        hung = isinstance(act.outcome, DriverFault) and act.outcome.cause == "hung"
        if hung and self._starts >= KNOWN_STARTS:
            learnt = SLOWEST_START_FACTOR * self._slowest_start
            self.starting = min(self.starting, max(LATER_STARTING_SECONDS, learnt))

    def closed(self, *, ended: bool) -> None:
        """Take note of whether a host had ended in time."""
        if not ended:
            # No clause says that close ends the host, so it is not waited for again.
            self.closing = LINGERING_SECONDS


def deadline_of(op: Mapping[str, Any]) -> float:
    """Return the seconds after which a call of an op is meant to expire; 0 if none."""
    calls: Sequence[Mapping[str, Any]] = (op, *op.get("calls", ()))
    given: list[int] = [call.get("timeout_ms", 0) for call in calls]
    return max(ms for ms in (0, *given) if ms <= MEANT_TO_EXPIRE_MS) / 1000


def carry_out(
    bridge: Bridge,
    data: Mapping[str, Any],
    *,
    pace: Pace,
    closes: bool = True,
) -> Conduct:
    """Carry out a vector of kind ``client``.

    Args:
        bridge: The driver, which is up.
        data: The vector as its file has it.
        pace: How long the host is waited for.
        closes: Whether the driver offers ``close``.

    Raises:
        VectorDefect: If an op cannot be carried out as it is written.
    """
    bears = {"bears": _unasked(data["ops"])}
    scripts = [[bears, *data[key]] for key in ("host", "again") if key in data]
    # A host that dies, floods or is slow tells nothing of a trivial exchange.
    plain = all(step.keys() <= PLAIN_STEPS for step in data["host"])
    acts: list[Act] = []
    unsettled = ended = False
    with ScriptedPeer(scripts) as peer:
        for op in data["ops"]:
            acts.append(_act(bridge, op, peer, pace, measured=plain))
            if acts[-1].last or not peer.playings:
                break
        else:
            # A request may still be on its way; closing may kill the host first.
            unsettled = not peer.await_settled(bridge.patience.allowance())
            if unsettled:
                bridge.patience.spent += bridge.patience.allowance()
        if peer.playings and any(
            "calls" in op and deadline_of(op) for op in data["ops"]
        ):
            # HV1-C9: a host that is ended at the deadline of one call is gone a moment
            # after all have failed; where the next call is made later, that was seen.
            peer.await_over(ENDING_SECONDS)
        ended = bool(peer.playings) and peer.playings[0].over
        if any("await_close" in step for step in data["host"]):
            # What it was sent is still on its way; nothing depends on it any more.
            peer.let_go()
        told = isinstance(acts[-1].outcome, DriverFault) or acts[-1].op["op"] == "close"
        if closes and not told:
            # HV1-C12 has vectors of its own; nothing is made of a failure here.
            bridge.ask(Op("close", {}), seconds=CLOSE_SECONDS)
            if peer.playings:
                pace.closed(ended=peer.await_over(pace.closing))
        return Conduct(peer.playings, acts, unsettled, ended)


def _unasked(ops: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the methods that a client may ask for by itself, with what they give.

    Those that an op of the vector asks for are for its script to answer.
    """
    requests = [one for op in ops for one in (op, *op.get("requests", ()))]
    asked = {one.get("method") for one in requests}
    return {name: value for name, value in BY_ITSELF.items() if name not in asked}


def _act(
    bridge: Bridge,
    op: Mapping[str, Any],
    peer: ScriptedPeer,
    pace: Pace,
    *,
    measured: bool,
) -> Act:
    given = {key: value for key, value in op.items() if key not in _NOT_ARGUMENTS}
    arguments: dict[str, Any] = expand(given, {})
    starts = op["op"] == "start"
    closes = op["op"] == "close"
    extra = pace.starting if starts else CLOSE_SECONDS * closes or deadline_of(op)
    if starts:
        arguments["command"] = peer.command
    began = time.monotonic()
    # A start is that of a process: no trivial exchange.
    trivial = measured and not starts and not closes and not deadline_of(op)
    outcome = bridge.ask(Op(op["op"], arguments), seconds=extra, measured=trivial)
    took = time.monotonic() - began
    left = closes and bool(peer.playings) and not peer.await_over(CLOSING_SECONDS)
    act = Act(op, outcome, took, left)
    if starts:
        pace.started(act)
    return act
