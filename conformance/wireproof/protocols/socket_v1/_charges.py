"""Which clause a failure is charged to by what came, where its step knows but its own.

Theory of operation. A step knows the first frame that differs. What else came, and what
was asked on other connections, may tell whose fault that is: an event with the payload
of another call came under the wrong id (SOCK-C1), or on the wrong connection (SOCK-C9).
A call that nobody on its connection cancelled, and somebody on another did, was reached
by that cancel (SOCK-X4). A server that was seen to bear no closing of a connection
(SOCK-C12) and is at its end after one has not been asked too much since.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.line import owes_answer
from wireproof.patterns import is_object, match
from wireproof.protocols.socket_v1._transport import MAIN
from wireproof.protocols.socket_v1._validation import (
    VALIDATES,
    ended_without_deadline,
    refused_though_valid,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from wireproof.line import Diverged
    from wireproof.protocols.socket_v1._ledger import SocketArrival

    Steps = Sequence[Mapping[str, Any]]

RESOLVES, FAILS = "SOCK-X1", "SOCK-X2"
"""The clauses by which a call that is cancelled is resolved, and as a failure."""

REFUSES, ECHOES = "SOCK-M5", "SOCK-M6"
"""The clauses by which a malformed message is refused, and with its id."""

EXPIRES = "SOCK-X5"
"""The clause by which a call has the deadline that it was given."""

CLOSING = "SOCK-C12"
"""The clause by which a server bears that connections are closed."""

ASTRAY = "SOCK-C9"
"""The clause by which what belongs to a call comes on its own connection."""


def charged_clause(
    outcome: Diverged,
    steps: Steps,
    came: Mapping[str, Sequence[SocketArrival]],
    broken: Collection[str],
) -> str | None:
    """Return the clause that a failure is charged to; None for that of its step.

    Args:
        outcome: How a step diverged.
        steps: What was carried out.
        came: What came, by the connection.
        broken: The clauses that were seen not to hold.
    """
    done = steps[: outcome.step]
    if (
        CLOSING in broken
        and any("disconnect" in step for step in done)
        and _has_ended(outcome)
    ):
        return CLOSING
    failed = None if outcome.step is None else steps[outcome.step]
    if failed is not None and _is_of_another_cancel(failed, done, came):
        return "SOCK-X4"
    if failed is not None and _is_foreign_result(failed, outcome, steps, came):
        return ASTRAY
    if outcome.missing is None or outcome.missing.ended is None:
        return foreign_event_clause(steps, came)
    return None


def _has_ended(outcome: Diverged) -> bool:
    """Tell whether the server was at its end, by what it said or by its silence."""
    if outcome.missing is not None:
        return outcome.missing.ended is not None
    return any(one.actual == "RUNTIME_SHUTTING_DOWN" for one in outcome.differences)


def _is_of_another_cancel(
    step: Mapping[str, Any], done: Steps, came: Mapping[str, Sequence[SocketArrival]]
) -> bool:
    """Tell whether a call was cancelled, though on another connection alone."""
    key, name = _awaited(step), _connection_of(step)
    if key is None:
        return False
    cancelled = {"requestId": key, "result": {"error": {"code": "CANCELLED"}}}
    if all(match(cancelled, one.value, {}, {}) for one in came.get(name, ())):
        return False
    cancelling = _cancelling(key, done)
    return bool(cancelling) and name not in cancelling


def refusal_of(
    outcome: Diverged, steps: Steps, came: Mapping[str, Sequence[SocketArrival]]
) -> tuple[str, str] | None:
    """Say of the call that failed that it was refused, or ended, without a cause.

    Its schema allows what it was given, or nobody has set a deadline.

    Args:
        outcome: How a step diverged.
        steps: What was carried out.
        came: What came, by the connection.

    Returns:
        The clause and the text; None where it was not.
    """
    found = _answered_call(outcome, steps, came)
    if found is None:
        return None
    if refused := refused_though_valid(*found):
        return VALIDATES, refused
    undue = ended_without_deadline(*found)
    return (EXPIRES, undue) if undue else None


def _answered_call(
    outcome: Diverged, steps: Steps, came: Mapping[str, Sequence[SocketArrival]]
) -> tuple[Mapping[str, Any], Any] | None:
    """Return the call that a step waited for, and its answer; None where none came."""
    step = None if outcome.step is None else steps[outcome.step]
    if step is None or (key := _awaited(step)) is None or owes_answer(outcome):
        # What came under its id before answers another call.
        return None
    done, name = steps[: outcome.step], _connection_of(step)
    calls = [
        message
        for one in done
        if _connection_of(one) == name
        for message in _sent(one)
        if message.get("requestId") == key and message.get("type") == "tool_call"
    ]
    answers = [one.value for one in came.get(name, ()) if one.key == key]
    return (calls[-1], answers[-1]) if calls and answers else None


def leaves_unresolved(outcome: Diverged, steps: Steps) -> bool:
    """Tell whether a call was not answered that its connection has cancelled."""
    if outcome.step is None:
        return False
    step = steps[outcome.step]
    key = _awaited(step)
    if key is None or step["expect"].get("type") != "tool_result":
        return False
    here = _connection_of(step) in _cancelling(key, steps[: outcome.step])
    return here and owes_answer(outcome)


def leaves_unrefused(outcome: Diverged) -> bool:
    """Tell whether what came is not the error that was due, whatever its id."""
    return any(one.where in {"/type", "/code"} for one in outcome.differences)


def _cancelling(key: str, done: Steps) -> set[str]:
    """Return the connections on which a call of this id was cancelled."""
    return {
        _connection_of(one)
        for one in done
        for message in _sent(one)
        if message.get("type") == "cancel_tool_call" and message.get("requestId") == key
    }


def _is_foreign_result(
    step: Mapping[str, Any],
    outcome: Diverged,
    steps: Steps,
    came: Mapping[str, Sequence[SocketArrival]],
) -> bool:
    """Tell whether a result that stood where an event was to come is another call's.

    It is one that a call of the same id on another connection waits for.

    Args:
        step: What was expected of a call, and did not come.
        outcome: How it diverged.
        steps: What was carried out, and what was to be.
        came: What came, by the connection.
    """
    key, name = _awaited(step), _connection_of(step)
    own: list[Any] = []
    others: list[Any] = []
    for one in steps:
        match one:
            case {"expect": {"type": "tool_result"} as wanted} if _awaited(one) == key:
                (own if _connection_of(one) == name else others).append(wanted)
            case _:
                pass
    results = (
        frame.value
        for frame in came.get(name, ())
        if frame.key == key and frame.kind == "tool_result"
    )
    fits_another = (one for one in results if _fits(one, others))
    mistaken = any(not _fits(one, own) for one in fits_another)
    return outcome.displaced and bool(own) and mistaken


def _fits(value: Any, patterns: Sequence[Any]) -> bool:
    return any(match(one, value, {}, {}) is None for one in patterns)


def foreign_event_clause(
    steps: Steps, came: Mapping[str, Sequence[SocketArrival]]
) -> str | None:
    """Return the clause that an event breaks with the payload of another call.

    Args:
        steps: What was carried out; its streams say what each call emits.
        came: What came, by the connection.
    """
    return next((clause for _, clause in foreign_events(steps, came)), None)


def foreign_events(
    steps: Steps, came: Mapping[str, Sequence[SocketArrival]]
) -> Iterator[tuple[SocketArrival, str]]:
    """Yield each event with the payload of another call, and the clause it breaks.

    Args:
        steps: What was carried out; its streams say what each call emits.
        came: What came, by the connection.
    """
    owners: dict[str, set[tuple[str, str]]] = {}
    for owner, parts in _emitted(steps):
        for part in parts:
            owners.setdefault(_as_text(part), set()).add(owner)
    for name, frames in came.items():
        for frame in frames:
            found = owners.get(_payload_text(frame))
            if found and (name, frame.key) not in found:
                here = any(owner == name for owner, _ in found)
                yield frame, "SOCK-C1" if here else ASTRAY


def _emitted(steps: Steps) -> Iterator[tuple[tuple[str, str], Sequence[Any]]]:
    """Yield each stream, by its connection and id, with what it emits."""
    for step in steps:
        for message in _sent(step):
            match message:
                case {
                    "requestId": str(key),
                    "toolName": "conformance_stream",
                    "arguments": {"parts": [*parts]},
                }:
                    yield (_connection_of(step), key), parts
                case _:
                    pass


def _payload_text(frame: SocketArrival) -> str:
    """Return the text of the element that an event of a stream stands for, if any."""
    match frame.value:
        case {
            "type": "tool_event",
            "event": {"kind": "progress", "message": str(text)},
        }:
            try:
                return _as_text(json.loads(text))
            except (ValueError, RecursionError):
                return ""
        case _:
            return ""


def _as_text(value: Any) -> str:
    """Return a text that is the same for equal values.

    One that has a spelling of its own, such as an exponent, is equal to nothing.
    """
    return json.dumps(value, sort_keys=True, default=str)


def _awaited(step: Mapping[str, Any]) -> str | None:
    """Return the id of the call that a step expects a frame of, if it expects one."""
    match step:
        case {"expect": {"requestId": str(key)}}:
            return key
        case _:
            return None


def _connection_of(step: Mapping[str, Any]) -> str:
    name = step.get("on", MAIN)
    return name if isinstance(name, str) else MAIN


def _sent(step: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the messages that a step sends."""
    sent = [step.get("send"), *step.get("send_many", ())]
    return [message for message in sent if is_object(message)]
