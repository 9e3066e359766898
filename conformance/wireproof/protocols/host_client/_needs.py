"""Which clauses a vector for clients relies on beside the one that it tries.

A client that never takes up a new state shows it in vectors about failures as well.
They are then not testable because of that clause, which has vectors of its own. What
a vector relies on stands in it: in the script, the ops, and the patterns. One that
looks for the same state in two requests relies on nobody: the first shows that the
client takes up states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ORDER = (
    "HV1-C11",
    "HV1-C3",
    "HV1-C5",
    "HV1-C2",
    "HV1-C4",
    "HV1-C6",
    "HV1-C1",
    "HV1-C9",
    "HV1-C10",
    "HV1-C7",
    "HV1-C8",
    "HV1-C12",
)
"""From the most basic on: a clause is hidden by none that comes after it."""


def needed_clauses(data: Mapping[str, Any], own: Sequence[str]) -> list[str]:
    """Return the clauses that a vector relies on, the most basic first.

    Args:
        data: The vector as its file has it.
        own: The clauses that it tries.
    """
    last = min(ORDER.index(clause) for clause in own)
    used = _used_by_script(data["host"]) | _used_by_ops(data)
    return [clause for clause in ORDER[:last] if clause in used]


def _used_by_script(script: Sequence[Mapping[str, Any]]) -> set[str]:
    used: set[str] = set()
    unanswered: set[str] = set()
    for step in script:
        match step:
            case {"read": str(name)}:
                unanswered.add(name)
                if len(unanswered) > 1:
                    used.add("HV1-C2")
            case {"write": {"id": {"$id_of": str(name)}, **message}}:
                if "event" in message:
                    used.add("HV1-C3")
                else:
                    unanswered.discard(name)
                if _is_failure(message):
                    used.add("HV1-C5")
            case _:
                pass
    if any("event" not in message for message in strays_of(script)):
        used.add("HV1-C2")
    return used


def strays_of(script: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield what a host writes under an id that no call in flight has (HV1-C8)."""
    unanswered: set[str] = set()
    for step in script:
        match step:
            case {"read": str(name)}:
                unanswered.add(name)
            case {"write": {"id": {"$id_of": str(name)}}} if name in unanswered:
                if "event" not in step["write"]:
                    unanswered.discard(name)
            case {"write": {"id": _}}:
                yield step["write"]
            case _:
                pass


def _is_failure(message: Any) -> bool:
    """Tell whether a call fails, or its tool reports failure."""
    match message:
        case {"ok": False} | {"result": {"value": {"success": False}}}:
            return True
        case _:
            return False


def _used_by_ops(data: Mapping[str, Any]) -> set[str]:
    used: set[str] = set()
    dies = any("exit" in step or "signal" in step for step in data["host"])
    for op in data["ops"]:
        calls = (op, *op.get("calls", ()))
        if not dies and any("timeout_ms" in call for call in calls):
            used.add("HV1-C9")
        if op["op"] != "start" and is_object(op["expect"]) and "state" in op["expect"]:
            used.add("HV1-C4")
        if op["op"] in {"execute", "execute_many"}:
            used.add("HV1-C11")
        if is_object(op["expect"]) and "chunks" in op["expect"]:
            used.add("HV1-C3")
    if len(_requests_with_state(data)) == 1:
        used.add("HV1-C4")
    return used


def _requests_with_state(data: Mapping[str, Any]) -> Sequence[str]:
    requests: Mapping[str, Any] = data.get("requests", {})
    return [
        name
        for name, pattern in requests.items()
        if "state" in pattern.get("params", {})
    ]


def shows_state_taken_up(data: Mapping[str, Any], name: str) -> bool:
    """Tell whether a request is there to show that the client takes up states.

    Args:
        data: The vector as its file has it.
        name: What the request is read as; a later one carries the same state.
    """
    carrying = _requests_with_state(data)
    return name in carrying[:-1]
