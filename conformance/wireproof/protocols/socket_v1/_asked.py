"""What each kind of call asks of a server, and the frames that have to come for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from wireproof.protocols.socket_v1._acts import NEVER_ENDING_MS, Act, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

Pattern = dict[str, Any]
Answers = list[tuple[Pattern, str]]
"""Patterns of frames in order, each with the clause that a wrong one breaks."""

Asked: TypeAlias = tuple[str, dict[str, Any], dict[str, Any], Answers]
"""A tool, its arguments, what else the message has, and each answer."""

IGNORING_MS: Final = 5_000
"""Milliseconds of a sleep that ignores its end, and goes on beside what follows."""

ELSEWHERE_MS: Final = 30
"""Milliseconds of a sleep that a cancel of another connection finds in flight."""


def asked_of(
    act: Act, key: str, session: Callable[[str], Pattern], *, together: bool
) -> Asked:
    """Return what a call asks, and each answer.

    Args:
        act: The call.
        key: What shows in its answers that they are its own.
        session: Gives the pattern of the id of a connection's session.
        together: Whether it begins before the calls around it have been answered.
    """
    message = f"no {key}.{act.text}"
    match act.kind:
        case Kind.ECHO:
            value = key if act.value is None else {"call": key, "value": act.value}
            clause = "SOCK-C8" if together else "SOCK-C4"
            clause = clause if act.value is None else "SOCK-C11"
            done = _success({"value": {"$equals": value}})
            return "echo", {"value": value}, {}, [(done, clause)]
        case Kind.COUNT:
            done = _success({"counter": {"$type": "integer"}})
            return "counter", {"by": act.by}, {}, [(done, "SOCK-C4")]
        case Kind.FAIL:
            failed = _failure({"code": act.code, "message": message})
            chosen = {"message": message, "code": act.code}
            return "fail", chosen, {}, [(failed, "SOCK-C5")]
        case Kind.DETAILS:
            details = {"of": key} if act.value is None else act.value
            error = {"message": message, "details": {"$equals": details}}
            arguments = {"message": message, "details": details}
            return "fail", arguments, {}, [(_failure(error), "SOCK-C14")]
        case Kind.THROW:
            error = {"code": "TOOL_FAILED", "message": {"$contains": message}}
            return "throw", {"message": message}, {}, [(_failure(error), "SOCK-C5")]
        case Kind.STREAM:
            return "stream", *_streamed(act, key)
        case Kind.SLEEP:
            done = _success({"slept_ms": act.ms})
            return "sleep", {"ms": act.ms}, {}, [(done, "SOCK-C4")]
        case Kind.ENVELOPE:
            envelope = {"ok": True, "content": key, "meta": {"of": key}}
            done = {"type": "tool_result", "result": envelope}
            return "envelope", {"envelope": envelope}, {}, [(done, "SOCK-C4")]
        case Kind.CONTEXT:
            return "context", {}, {}, [(_success({"caller": "cli"}), "SOCK-I1")]
        case Kind.SESSION:
            info = {"clientInfo": {"caller": "cli"}}
            done = _success({"sessionId": session(act.on)})
            return "context", {}, info, [(done, "SOCK-I2")]
        case Kind.CLAIM:
            info = {"clientInfo": {"caller": act.caller}}
            stands = act.caller in {"cli", "plugin"}
            seen = act.caller if stands else {"$one_of": ["cli", "plugin"]}
            done = _success({"caller": seen})
            # SOCK-I5, by which it is open to a plugin, is no MUST.
            denied = _failure({"code": "PERMISSION_DENIED"})
            answer = {"$one_of": [done, denied], "type": "tool_result"}
            return "context", {}, info, [(answer, "SOCK-I1")]
        case Kind.UNKNOWN_TOOL:
            failed = _failure({"code": "UNKNOWN_TOOL"})
            return "no_such_tool", {"value": key}, {}, [(failed, "SOCK-C6")]
        case Kind.INVALID:
            failed = _failure({"code": "VALIDATION_ERROR"})
            # What a schema requires is the server's to say; an integer is one in all.
            return "sleep", {"ms": "soon"}, {}, [(failed, "SOCK-C6")]
        case Kind.DENIED:
            path = {"$join": [{"$use": "scratch"}, f"/{key}"]}
            # A server that was granted it runs it.
            return (
                "privileged",
                {"path": path},
                {},
                [({"type": "tool_result"}, "SOCK-C1")],
            )
        case _:
            return _ended_early(act, key)


def _ended_early(act: Act, key: str) -> Asked:
    arguments: dict[str, Any] = {"ms": NEVER_ENDING_MS}
    if act.ignores:
        arguments = {"ms": IGNORING_MS, "ignore_cancel": True}
    cancelled = (_failure({"code": "CANCELLED"}), "SOCK-X1")
    match act.kind:
        case Kind.CANCELLED:
            # One that does not ignore its signal returns at it.
            failed: Pattern = {"type": "tool_result", "result": {"ok": False}}
            answer = cancelled if act.ignores else (failed, "SOCK-X2")
            return "sleep", arguments, {}, [answer]
        case Kind.CANCELLED_WAIT:
            return "wait", {}, {}, [cancelled]
        case Kind.CANCELLED_STREAM:
            stream = Act(act.kind, parts=2, delay_ms=IGNORING_MS)
            arguments, more, (begun, *_) = _streamed(stream, key)
            return "stream", arguments, more, [begun, cancelled]
        case Kind.CANCELLED_ELSEWHERE:
            done = _success({"slept_ms": ELSEWHERE_MS})
            return "sleep", {"ms": ELSEWHERE_MS}, {}, [(done, "SOCK-X4")]
        case _:
            late = _failure({"code": "TIMEOUT"})
            arguments["ms"] = min(arguments["ms"], act.longest_ms)
            return "sleep", arguments, {"timeoutMs": 3}, [(late, "SOCK-X5")]


def _streamed(act: Act, key: str) -> tuple[dict[str, Any], dict[str, Any], Answers]:
    more = {} if act.value is None else {"value": act.value}
    parts = [{"call": key, "n": n, **more} for n in range(act.parts)]
    events: Answers = [
        (
            {
                "type": "tool_event",
                "event": {
                    "kind": "progress",
                    "message": {"$json_text": {"$equals": part}},
                },
            },
            "SOCK-E2",
        )
        for part in parts
    ]
    arguments: dict[str, Any] = {"parts": parts}
    if act.delay_ms:
        arguments["delay_ms"] = act.delay_ms
    return arguments, {}, [*events, (_success({"count": act.parts}), "SOCK-E2")]


def _success(content: Any) -> Pattern:
    return {"type": "tool_result", "result": {"ok": True, "content": content}}


def _failure(error: Pattern) -> Pattern:
    return {"type": "tool_result", "result": {"ok": False, "error": error}}
