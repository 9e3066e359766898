"""Has a client carry out the ops of a vector, and keeps what each came to.

The driver carries out one op after the other; the scripted host that the client starts
reports to a thread meanwhile. A vector is one step: its ops and what its hosts play
belong together. Nothing here waits for ever, and nothing is judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wireproof.bridge import BridgeOps
from wireproof.patterns import expand, is_array, is_object
from wireproof.protocols.host_client._hosts import notes_of, seen_by
from wireproof.subjects import ScriptedPeer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.run import Hands

    Step = Mapping[str, Any]

CLIENT = "client"
"""The key of the step that a vector is."""

MEANT_TO_EXPIRE_MS = 10_000
"""A vector's deadline up to here is meant to expire; a longer one must not."""

STARTING_SECONDS = 5.0
"""What ``start`` may take beside the usual: two processes come up in it."""

SETTLED_SECONDS = 5.0
"""How long the host is waited for to have read what it was sent."""

CLOSING_SECONDS = 2.0
"""How long a host is waited for after ``close``: what a client sent last shows then."""

CLOSE_SECONDS = 10.0
"""How long ``close`` may give a host that does not end by itself (HV1-C12)."""

ENDING_SECONDS = 0.25
"""How long a host is waited for that may be ended at a deadline."""

BY_ITSELF: Final[Mapping[str, Any]] = {
    "get_tool_schemas": [],
    "get_config_schema": {"type": "object"},
    "get_ui_elements": [],
    "get_tags": [],
    "required_tags": [],
}
"""What a client may want to know of a host beside what it was told to ask."""

_NOT_ARGUMENTS = frozenset({"op", "expect", "record"})


def deadline_of(op: Mapping[str, Any]) -> float:
    """Return the seconds after which a call of an op is meant to expire; 0 if none."""
    calls: Sequence[Mapping[str, Any]] = (op, *op.get("calls", ()))
    given: list[int] = [call.get("timeout_ms", 0) for call in calls]
    return max(ms for ms in (0, *given) if ms <= MEANT_TO_EXPIRE_MS) / 1000


class ClientOps(BridgeOps):
    """The ops of a client's driver, and the hosts that the client starts.

    Attributes:
        closes: Whether the driver offers ``close``.
        tells: Whether what the hosts saw is told for the traffic.
    """

    closes = False
    tells = True

    def carry_out(self, step: Step, hands: Hands) -> dict[str, Any]:
        """Carry out a vector of kind ``client``; return what it saw, as JSON.

        Returns:
            The ``acts``, each as `Told.seen` has it, with whether the host was ``left``
            by an op that closes it; whether the script waited in vain for the client
            (``unsettled``); whether the host was gone before the client was asked to
            close it (``ended``); and what the hosts saw.
        """
        data: Mapping[str, Any] = step[CLIENT]
        bears = {"bears": _unasked(data["ops"])}
        scripts = [[bears, *data[key]] for key in ("host", "again") if key in data]
        acts: list[dict[str, Any]] = []
        unsettled = False
        with ScriptedPeer(scripts) as peer:
            for op in data["ops"]:
                acts.append(self._act(op, peer, hands))
                if _is_last(acts[-1]) or not peer.playings:
                    break
            else:
                # A request may still be on its way; closing may kill the host first.
                unsettled = not peer.await_settled(hands.seconds(SETTLED_SECONDS))
                if unsettled:
                    hands.in_vain()
            has_deadline = any("calls" in op and deadline_of(op) for op in data["ops"])
            if peer.playings and has_deadline:
                # HV1-C9: a host that is ended at the deadline of one call is gone a
                # moment after all have failed.
                peer.await_over(ENDING_SECONDS)
            ended = bool(peer.playings) and peer.playings[0].over
            if any("await_close" in one for one in data["host"]):
                # What it was sent is still on its way; nothing depends on it any more.
                peer.let_go()
            last = acts[-1]
            is_over = last["ended"] != "answered" or last["op"] == "close"
            if self.closes and not is_over:
                # HV1-C12 has vectors of its own; nothing is made of a failure here.
                hands.carry(self.request("close", {}), CLOSE_SECONDS)
                if peer.playings and not peer.await_over(hands.seconds(0.0)):
                    # No clause says that close ends the host.
                    hands.in_vain()
            seen = seen_by(peer.playings)
            if self.tells and self.sink is not None:
                for note in notes_of(peer.playings):
                    self.sink.noted(note)
        choices = [
            [act["op"], op["record"], act.get("value")]
            for op, act in zip(data["ops"], acts, strict=False)
            if "record" in op
        ]
        found = {"acts": acts, "unsettled": unsettled, "ended": ended}
        return {**seen, **found, "choices": choices}

    def _act(
        self, op: Mapping[str, Any], peer: ScriptedPeer, hands: Hands
    ) -> dict[str, Any]:
        given = {key: value for key, value in op.items() if key not in _NOT_ARGUMENTS}
        arguments: dict[str, Any] = expand(given, {})
        starts, closes = op["op"] == "start", op["op"] == "close"
        extra = CLOSE_SECONDS if closes else deadline_of(op)
        if starts:
            arguments["command"] = peer.command
            extra = hands.seconds(STARTING_SECONDS)
        told = self.told(
            op["op"], hands.carry(self.request(op["op"], arguments), extra)
        )
        left = closes and bool(peer.playings) and not peer.await_over(CLOSING_SECONDS)
        seen = {**told.seen, "left": left}
        if "value" in seen:
            seen["value"] = _plain(seen["value"])
        return seen


def _is_last(act: Mapping[str, Any]) -> bool:
    """Return whether nothing more can be asked of the client after an op."""
    value = act.get("value")
    failed = is_object(value) and "error" in value
    return "value" not in act or (act["op"] == "start" and failed)


def _plain(value: Any) -> Any:
    """Return outcomes without errors that are null, which count as absent."""
    if is_array(value):
        return [_plain(one) for one in value]
    if not is_object(value) or value.get("error", "") is not None:
        return value
    return {key: each for key, each in value.items() if key != "error"}


def _unasked(ops: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the methods that a client may ask for by itself, with what they give.

    Those that an op of the vector asks for are for its script to answer.
    """
    requests = [one for op in ops for one in (op, *op.get("requests", ()))]
    asked = {one.get("method") for one in requests}
    return {name: value for name, value in BY_ITSELF.items() if name not in asked}
