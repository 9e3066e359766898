"""Which clauses a vector for runtimes relies on beside the one that it tries.

A runtime that loses results shows it in vectors about limits as well. They are then
not testable because of that clause, which has vectors of its own. What a vector relies
on stands in it: in its bindings, its scripts and what it expects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array
from wireproof.protocols.exec_runtime._call_outcome import GAVE_A_RESULT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wireproof.protocols.exec_runtime._outcome import Differs

ORDER = (
    "EXEC-R1",
    "EXEC-R2",
    "EXEC-R3",
    "EXEC-R4",
    "EXEC-R17",
    "EXEC-R5",
    "EXEC-R14",
    "EXEC-R6",
    "EXEC-R19",
    "EXEC-R8",
    "EXEC-R9",
    "EXEC-R11",
    "EXEC-R12",
    "EXEC-R16",
)
"""From the most basic on: a clause is hidden by none that comes after it.

A clause that is not named hides none, and may be hidden by all of these.
"""

BASIC = ("EXEC-R1", "EXEC-R2", "EXEC-R3", "EXEC-R4")
"""What a plain call rests on: tried where no plain call succeeds, too."""

SHORT_CALLS = 4
"""Calls that a check of such a clause makes at most then: what comes of more after the
first failed costs a limit each and tells the same."""

LONG_TEXT = 10_000
"""Characters on stderr from which on a vector relies on its being read."""


def is_short(steps: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether steps make few calls, those side by side counted one by one."""
    calls = 0
    for step in steps:
        if step.get("op") == "call_many":
            calls += len(step["input"]["calls"])
        calls += step.get("op") == "call"
    return calls <= SHORT_CALLS


def needed_clauses(data: Mapping[str, Any], own: Sequence[str]) -> list[str]:
    """Return the clauses that a vector relies on, the most basic first.

    Args:
        data: The vector as its file has it.
        own: The clauses that it tries.
    """
    places = [ORDER.index(clause) for clause in own if clause in ORDER]
    last = min(places, default=len(ORDER))
    used = set(_used(data["steps"]))
    return [clause for clause in ORDER[:last] if clause in used]


def _used(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    is_closed = False
    for step in steps:
        match step:
            case {"op": "bind", "input": {"exec": bound}}:
                yield from _used_by_binding(bound, step.get("plays", []))
            case {"op": "load", "input": {"config": {"spec": {"tools": tools}}}} if (
                "error" not in step
            ):
                plays: Mapping[str, Any] = step.get("plays", {})
                for name, tool in tools.items():
                    yield from _used_by_binding(tool["exec"], plays.get(name, []))
            case {"seen": _, "match": {"processes": [*processes]}}:
                if any("args" in process for process in processes):
                    yield "EXEC-R17"
            case {"environment": _}:
                yield "EXEC-R6"
            case {"op": "close"}:
                is_closed = True
            case {"gone": _} if not is_closed:
                yield "EXEC-R9"
            case {"op": "call_many"}:
                yield from ("EXEC-R3", "EXEC-R4", "EXEC-R16")
                if any("error" in outcome for outcome in step["outcomes"]):
                    yield "EXEC-R5"
            case {"op": "call"}:
                if "expected" in step:
                    yield from ("EXEC-R3", "EXEC-R4")
                elif step.get("error", {}).get("mentions"):
                    # Tools tell in errors what they were given.
                    yield "EXEC-R3"
                if "limit_ms" in step:
                    yield "EXEC-R8"
            case _:
                pass


def _used_by_binding(bound: Mapping[str, Any], plays: Any) -> Iterator[str]:
    yield "EXEC-R2" if bound.get("runtime") == "server" else "EXEC-R1"
    for play in plays if is_array(plays) else [plays["as"]]:
        yield from _used_by_script(play, bound)


def _used_by_script(
    script: Sequence[Mapping[str, Any]], bound: Mapping[str, Any]
) -> Iterator[str]:
    for step in script:
        match step:
            case {"exit": int(status)} if status or bound.get("runtime") == "server":
                yield "EXEC-R5"
            case {"signal": _} | {"write_raw": _} | {"close": "stdout"}:
                yield "EXEC-R5"
            case {"write": {"error": _, "result": _}}:
                yield "EXEC-R5"
            case {"write": {"error": _}}:
                yield "EXEC-R4"
            case {"hang": _}:
                if "timeout_ms" in bound:
                    yield "EXEC-R8"
            case {"delay_ms": _}:
                if "timeout_ms" in bound:
                    yield "EXEC-R19"
            case {"stderr": {"times": int(times)}} if times >= LONG_TEXT:
                yield "EXEC-R14"
            case _:
                pass


def held_clauses(steps: Sequence[Mapping[str, Any]], outcome: Differs) -> set[str]:
    """Return clauses that a vector relies on and that held in it, though it failed.

    Args:
        steps: Its steps.
        outcome: What one of them came to.
    """
    found = {"EXEC-R8" for step in steps[: outcome.step] if "limit_ms" in step}
    if outcome.text == GAVE_A_RESULT:
        # None was lost, whatever else becomes of results.
        found.add("EXEC-R4")
    return found
