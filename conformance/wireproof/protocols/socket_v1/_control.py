"""The search for a control: a plain valid request that a server answers with success.

It is sought once, on the first connection of the first server; from then on the one
that was found is asked for at each start, and at the end of each check.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from wireproof.line import Missing, NotUp
from wireproof.patterns import is_array, is_object
from wireproof.protocols.socket_v1._frames import succeeded, tools_by_name
from wireproof.protocols.socket_v1._ledger import SocketArrival

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.protocols.socket_v1._requests import SocketRequests

NO_SUCH_TOOL = "wireproof_no_such_tool"
"""A tool that no server has."""

SLOW_CONTROL_SECONDS = 0.2
"""Latency of a control from which on another one is looked for: it is asked for at the
end of each check."""


def find_control(
    session: SocketRequests,
    controls: Sequence[Mapping[str, Any]],
    known: Mapping[str, Any] | None,
) -> Mapping[str, Any] | NotUp:
    """Ask a server that was just reached for a control, and take in its tools.

    Args:
        session: What asks; its connection in hand is the first.
        controls: The requests that may serve as one.
        known: The one that a server answered before it, or None.

    Returns:
        The control that it answers, or why it answers none.
    """
    for control in controls if known is None else [known]:
        asked = time.monotonic()
        answer = session.ask_first(control)
        seconds = time.monotonic() - asked
        if isinstance(answer, Missing):
            text = f"no answer to {control['type']}: {answer.text}"
            session.tools = session.tools or _tools_named(session)
            return NotUp(text, ended=answer.ended)
        if not succeeded(answer):
            continue
        if answer.kind == "tools_list":
            session.tools = tools_by_name(answer.value["tools"])
        if known is None and _answers_all_alike(session, answer):
            return NotUp("it gives the same answer to everything")
        slow = known is None and seconds > SLOW_CONTROL_SECONDS
        quicker = _quicker(session, controls, seconds) if slow else None
        if quicker is not None and answer.kind == "tools_list":
            # A first listing may have taken longer than any later one.
            session.lists_slowly = quicker["type"] != control["type"]
        return quicker or control
    return NotUp("it answered no plain valid request with success")


def _tools_named(session: SocketRequests) -> dict[str, Any]:
    """Return the tools of a listing that came in a frame of another type."""
    for ledger in session.ledgers:
        for frame in ledger.frames:
            tools = frame.value.get("tools") if is_object(frame.value) else None
            if is_array(tools):
                return tools_by_name(tools)
    return {}


def _quicker(
    session: SocketRequests, controls: Sequence[Mapping[str, Any]], seconds: float
) -> Mapping[str, Any] | None:
    """Return a control that is answered in much less time, or None."""
    called = {"type": "tool_call", "protocol": 1, "toolName": session.allowed_tool}
    for control in (*controls, called):
        # The first request of all may have taken longer than any later one.
        if control.get("toolName") in (*session.tools, None):
            asked = time.monotonic()
            answer = session.ask(control)
            quick = time.monotonic() - asked < seconds / 2
            if quick and isinstance(answer, SocketArrival) and succeeded(answer):
                return control
    return None


def _answers_all_alike(session: SocketRequests, answer: SocketArrival) -> bool:
    """Tell whether what a server is asked makes no difference to its answer."""
    other = session.ask({"type": "tool_call", "protocol": 1, "toolName": NO_SUCH_TOOL})
    if isinstance(other, SocketArrival):
        # Where the listing fails, both are results; that of no tool is a failure.
        return other.kind == answer.kind and succeeded(other)
    waiting = (frame for ledger in session.ledgers for frame in ledger.frames)
    return any(not one.taken and one.kind == answer.kind for one in waiting)
