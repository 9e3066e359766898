"""What is wrong with what a step saw of a runtime and its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.bridge import refused, unanswered
from wireproof.checks import Difference, VectorDefect, Words
from wireproof.judge import Look
from wireproof.patterns import difference_of, expand, is_array, is_object, match
from wireproof.protocols.exec_runtime._call_outcome import look_at_call

if TYPE_CHECKING:
    from collections.abc import Mapping

    Step = Mapping[str, Any]
    Seen = Mapping[str, Any]

MOST_GROWN = 192
"""Mebibytes by which a runtime may grow while 256 are written to it: what it holds is
bounded if it is less, whatever its bound is (EXEC-R15)."""


def look(step: Step, seen: Seen, names: Mapping[str, Any]) -> Look | dict[str, Any]:
    """Return what is wrong with what a step saw, as `Rules.look` has it."""
    return _look(step, seen) or {}


def _look(step: Step, seen: Seen) -> Look | None:
    if not seen:
        # It is about a tool that could not be bound, which has been judged.
        return None
    match step:
        case {"op": str()}:
            return _look_at_op(step, seen)
        case {"seen": _, "match": pattern}:
            miss = match(pattern, seen["tool"], {}, {})
            fields = {"miss": miss, "where": miss.path} if miss else {}
            return (
                Look("tool-saw", fields, (difference_of(miss),), of_pace=True)
                if miss
                else None
            )
        case {"environment": _}:
            return _look_at_environment(expand(step, {}), seen)
        case {"gone": _}:
            return _look_at_rest(seen)
        case {"reaped": _}:
            if not seen["started"]:
                return Look("tool-not-started", {})
            is_left = seen["is_left"]
            return Look("tool-not-reaped", {}, of_pace=True) if is_left else None
        case {"descriptors": int(more)}:
            is_more = seen["now"] > seen["before"] + more
            return Look("descriptors-grown", {**seen}) if is_more else None
        case _:
            raise VectorDefect(f"unknown step with the keys {sorted(step)}")


# --- ops


def _look_at_op(step: Step, seen: Seen) -> Look | None:
    relays = bool(step.get("bounded") or step.get("relayed"))
    if found := unanswered(seen, relays=relays):
        return found
    match step["op"]:
        case "bind" if "error" in seen and "error" in step:
            # EXEC-R18: a runtime may look for the command before any call.
            return look_at_call(step, {"error": seen["error"]})
        case "load":
            return look_at_call(step, told_of_load(seen))
        case _ if "error" in seen:
            return refused(seen)
        case "call":
            found = look_at_call(step, seen["value"])
        case "call_many":
            found = _look_at_many(step, seen["value"])
        case _:
            return None
    return found or _look_at_bounds(seen)


def told_of_load(seen: Seen) -> dict[str, Any]:
    """Return what a file came to, as a call does; with what the driver said."""
    if "error" in seen:
        return {"error": seen["error"]}
    value = seen["value"]
    if is_object(value):
        # EXEC-Y3: said in the warnings, or on stderr.
        value = {**value, "said": seen["said"]}
    return {"result": value}


def _look_at_many(step: Step, value: Any) -> Look | None:
    expectations = step["outcomes"]
    if not is_array(value) or len(value) != len(expectations):
        wanted = Words(f"{len(expectations)} outcomes")
        return Look("outcomes", {}, (Difference("", wanted, value),))
    for expectation, one in zip(expectations, value, strict=True):
        if found := look_at_call(expectation, one):
            return found._replace(clause=expectation.get("clause", ""))
    return None


def _look_at_bounds(seen: Seen) -> Look | None:
    """Return how a call has taken too long, or too much."""
    allowed, took = seen["allowed"], seen["seconds"]
    if seen["is_limited"] and (seen["let_go"] or took > allowed):
        wanted = Words(f"an outcome within {allowed * 1000:.0f} ms")
        found = Words(f"one after {took * 1000:.0f} ms, when the tool was let go")
        fields = {key: seen[key] for key in ("op", "limit", "allowed")}
        shown = (Difference("time", wanted, found),)
        return Look("call-late", fields, shown, of_pace=True)
    if seen["grown"] > MOST_GROWN:
        wanted = Words(f"at most {MOST_GROWN} MiB more")
        shown = (Difference("memory", wanted, Words(f"{seen['grown']} MiB more")),)
        return Look("memory-grown", {}, shown)
    return None


# --- tools


def _look_at_environment(step: Step, seen: Seen) -> Look | None:
    """Hold the variables that a process was started with to a step.

    It has those with a value that the step says, lacks others, and has none of the
    runtime's own that the binding does not list.
    """
    if not seen["started"]:
        wanted = Words("one more process of the tool")
        shown = (Difference("", wanted, seen["processes"]),)
        return None if "optional" in step else Look("tool-not-started", {}, shown)
    values, listed = seen["values"], seen["listed"]
    for name, value in step.get("has", {}).items():
        if values.get(name) != value:
            found = values.get(name, Words("no such variable"))
            shown = (Difference(name, value, found),)
            return Look("variable-value", {"name": name, "where": name}, shown)
    for name in step.get("lacks", ()):
        if name in values:
            wanted = Words("no such variable")
            shown = (Difference(name, wanted, values[name]),)
            return Look("variable-set", {"name": name, "where": name}, shown)
    if seen["others"]:
        wanted = Words(f"{', '.join(listed) or 'none'}, and PATH at most")
        shown = (Difference("the environment", wanted, seen["all"]),)
        return Look("variables-unlisted", {"names": seen["others"]}, shown)
    return None


def _look_at_rest(seen: Seen) -> Look | None:
    """Return what is left of a tool that has to be gone."""
    if not seen["started"]:
        return Look("tool-not-started", {})
    if not seen["left"]:
        return None
    wanted = Words(f"no process of it after {seen['seconds']:.1f} s")
    shown = (Difference("processes", wanted, Words("still running")),)
    return Look("tool-left", {**seen}, shown, of_pace=True)
