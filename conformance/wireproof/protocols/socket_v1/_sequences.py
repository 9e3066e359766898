"""What a server answers in a sequence of frames, as the clauses say it.

Theory of operation. An act is a frame of one kind, or a call and what ends it early.
The model goes through acts in order and writes the steps of a vector: what is sent, and
a pattern for what has to come. It knows nothing of any server, only what the clauses
let a client know. Each call carries texts and payloads of its own, so that what belongs
to another call shows. Where a clause leaves a choice the pattern allows each.

The fixed vectors in ``socket_v1/sequences.json`` and the fuzzer's plans are made of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from wireproof.protocols.socket_v1._transport import MAIN

if TYPE_CHECKING:
    from collections.abc import Iterable

Step = dict[str, Any]
Pattern = dict[str, Any]
Answers = list[tuple[Pattern, str]]
"""Patterns of frames in order, each with the clause that a wrong one breaks."""


class Kind(StrEnum):
    """What is sent in one act."""

    ECHO = "success"
    COUNT = "count"
    FAIL = "failure"
    DETAILS = "failure-with-details"
    THROW = "throw"
    STREAM = "stream"
    SLEEP = "sleep"
    ENVELOPE = "envelope"
    CONTEXT = "context"
    SESSION = "session"
    CLAIM = "claim"
    UNKNOWN_TOOL = "unknown-tool"
    INVALID = "invalid-arguments"
    DENIED = "privileged"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    GONE = "connection-gone"
    STRAY_CANCEL = "stray-cancel"
    CANCELLED_WAIT = "cancelled-wait"
    CANCELLED_STREAM = "cancelled-stream"
    CANCELLED_ELSEWHERE = "cancelled-elsewhere"
    LISTING = "listing"
    BAD_LINE = "bad-line"
    BAD_MESSAGE = "bad-message"
    OTHER_PROTOCOL = "other-protocol"


CANCEL_KINDS: Final = (
    Kind.CANCELLED_WAIT,
    Kind.CANCELLED_STREAM,
    Kind.CANCELLED_ELSEWHERE,
)
"""The kinds that only sequences of cancels have."""

KINDS: Final = tuple(kind for kind in Kind if kind not in CANCEL_KINDS)
"""The kinds in sequences of everything."""

CANCELLED_CALLS: Final = (Kind.CANCELLED, *CANCEL_KINDS[:2])
"""Calls that are cancelled as soon as they have begun."""

ENDED_EARLY: Final = (*CANCELLED_CALLS, Kind.EXPIRED)
"""Calls whose tools may go on after their results."""

TOOLS: Final = (
    "conformance_context",
    "conformance_counter",
    "conformance_echo",
    "conformance_envelope",
    "conformance_fail",
    "conformance_privileged",
    "conformance_sleep",
    "conformance_stream",
    "conformance_throw",
)

CLAUSES: Final = (
    *("SOCK-C1", "SOCK-C2", "SOCK-C4", "SOCK-C5", "SOCK-C6", "SOCK-C8", "SOCK-C9"),
    *("SOCK-C12", "SOCK-C14", "SOCK-E2", "SOCK-L1", "SOCK-X1", "SOCK-X2", "SOCK-X3"),
    *("SOCK-X4", "SOCK-X5", "SOCK-I1", "SOCK-I2", "SOCK-F4", "SOCK-M2", "SOCK-M5"),
)
"""What a sequence may be charged to."""

NEVER_ENDING_MS: Final = 60_000
"""Milliseconds of a sleep that something else ends in time."""

IGNORING_MS: Final = 5_000
"""Milliseconds of a sleep that ignores its end, and goes on beside what follows."""

ELSEWHERE_MS: Final = 30
"""Milliseconds of a sleep that a cancel of another connection finds in flight."""

_REFUSED: Final[Pattern] = {"type": "error", "code": "PROTOCOL_ERROR"}

_LINES: Final = {
    Kind.BAD_LINE: ('{"type":"list_tools",\n', "SOCK-F4"),
    Kind.BAD_MESSAGE: ('{"type":"no_such_type","protocol":1}\n', "SOCK-M5"),
    Kind.OTHER_PROTOCOL: ('{"type":"list_tools","protocol":2}\n', "SOCK-M2"),
}
"""Lines that are refused, and the clause that says so."""


@dataclass(frozen=True, slots=True)
class Act:
    """One frame, or a call and what ends it.

    Attributes:
        kind: What is sent.
        on: The connection.
        own_id: The call's id where that is what is tried.
        by: What a count adds.
        parts: How many payloads a stream emits.
        delay_ms: Milliseconds that it waits after each.
        ms: Milliseconds that a sleep takes.
        value: What an echo is given, a payload has beside its call's id, or a failure
            has as its details, written like a message; None for the id alone.
        text: What the message of a failure or a throw ends with.
        code: The code of a failure.
        caller: Whom a claim names.
        longest_ms: Most milliseconds that a call runs on beyond its deadline.
        ignores: Whether the tool of a call that ends early ignores its signal.
    """

    kind: Kind
    on: str = MAIN
    own_id: str | None = None
    by: int = 3
    parts: int = 2
    delay_ms: int = 0
    ms: int = 2
    value: Any = None
    text: str = ""
    code: str = "VALIDATION_ERROR"
    caller: str = "plugin"
    longest_ms: int = NEVER_ENDING_MS
    ignores: bool = False


class Sequence:
    """Writes the steps of a sequence, act by act.

    Attributes:
        steps: The steps so far.
        charged: The clause that wrong answers break to calls that nothing ends early;
            None for each its own, empty for those of the check.
    """

    def __init__(self, prefix: str) -> None:
        """Begin with nothing.

        Args:
            prefix: Begins the ids of the calls.
        """
        self.steps: list[Step] = []
        self.charged: str | None = None
        self._prefix = prefix
        self._number = 0
        self._finished: dict[str, str] = {}
        self._sessions: dict[str, None] = {}
        self._survived: set[Kind] = set()

    def one_by_one(self, acts: Iterable[Act]) -> None:
        """Add acts, each of which begins when the one before has been answered."""
        for act in acts:
            send, expects = self._act(act, together=False)
            self.steps += [*send, *expects]

    def together(self, acts: Iterable[Act]) -> None:
        """Add acts that all begin before the first answer is awaited."""
        pairs = [self._act(act, together=True) for act in acts]
        self.steps += [step for send, _ in pairs for step in send]
        self.steps += [step for _, expects in pairs for step in expects]

    def beside_one(self, acts: Iterable[Act], on: str) -> None:
        """Add acts one by one while a call runs that is cancelled after them.

        Args:
            acts: The acts.
            on: The connection of the call.
        """
        call, expects = self._act(Act(Kind.CANCELLED, on), together=True)
        *begin, cancel = call
        self.steps += begin
        for act in acts:
            send, wanted = self._act(act, together=True)
            self.steps += [*send, *wanted]
        self.steps += [cancel, *expects]

    def end(self) -> None:
        """See that nothing else came; a stray cancel may be told to be one."""
        names = dict.fromkeys(step.get("on", MAIN) for step in self.steps)
        gone = {step["disconnect"] for step in self.steps if "disconnect" in step}
        for name in names:
            if name not in gone:
                last: Step = {"expect_optional": {"type": "error"}, "clause": "SOCK-X3"}
                self.steps += _on(name, [last])

    def _act(self, act: Act, *, together: bool) -> tuple[list[Step], list[Step]]:
        self._number += 1
        key = f"{self._prefix}-{self._number}"
        own = key if act.own_id is None else act.own_id
        if act.kind in _LINES:
            line, clause = _LINES[act.kind]
            send: list[Step] = [{"send_raw": [{"text": line}]}]
            answers: Answers = [(_REFUSED, clause)]
            refused: Step = {"expect": _REFUSED, "clause": clause}
            self._see_it_survive(act, clause, [*send, refused])
        elif act.kind is Kind.LISTING:
            send = [{"send": {"type": "list_tools", "protocol": 1}}]
            tools = {"type": "tools_list", "tools": {"$type": "array"}}
            answers = [(tools, "SOCK-L1")]
        elif act.kind is Kind.STRAY_CANCEL:
            unknown = f"{key}-unknown"
            finished = unknown if together else self._finished.get(act.on, unknown)
            send, answers = [{"send": _cancel(finished)}], []
            before = f"{key}-before"
            self._see_it_survive(act, "SOCK-X3", [{"send": _cancel(before)}])
        elif act.kind is Kind.GONE:
            before = f"{key}-before"
            self._see_it_survive(act, "SOCK-C12", _gone(before, before))
            return _gone(key, own), []
        else:
            send, answers = self._called(act, key, own, together=together)
            self._finished[act.on] = own
        expects = [self._expect(act, answer, clause) for answer, clause in answers]
        return _on(act.on, send), _on(act.on, expects)

    def _expect(self, act: Act, answer: Pattern, clause: str) -> Step:
        own = (*ENDED_EARLY, Kind.CANCELLED_ELSEWHERE)
        if self.charged is not None and act.kind not in own:
            clause = self.charged
        return {"expect": answer, **({"clause": clause} if clause else {})}

    def _see_it_survive(self, act: Act, clause: str, steps: list[Step]) -> None:
        """Try once by itself what harms a server that does not bear it at all."""
        if act.kind not in self._survived:
            self._survived.add(act.kind)
            self.steps += _on(act.on, [*steps, {"fence": True, "clause": clause}])

    def _called(
        self, act: Act, key: str, own: str, *, together: bool
    ) -> tuple[list[Step], Answers]:
        """Return the steps of a call, and the frames that have to come for it."""
        tool, arguments, more, answers = self._asked(act, key, together=together)
        call = {
            "type": "tool_call",
            "protocol": 1,
            "requestId": own,
            "toolName": f"conformance_{tool}",
            "arguments": arguments,
            **more,
        }
        send: Step = {"send": call}
        found: Answers = [
            ({"requestId": own, **answer}, clause) for answer, clause in answers
        ]
        if act.kind in ENDED_EARLY:
            send["waits"] = False
        if act.kind is Kind.CANCELLED_STREAM:
            begun: Step = {"expect": found.pop(0)[0], "clause": "SOCK-E2"}
            return [send, begun, {"send": _cancel(own)}], found
        if act.kind in CANCELLED_CALLS:
            return [send, {"send": _cancel(own)}], found
        if act.kind is Kind.CANCELLED_ELSEWHERE:
            stray: Step = {"send": _cancel(own), "on": f"beside {act.on}"}
            return [send, stray], found
        return [send], found

    def _asked(
        self, act: Act, key: str, *, together: bool
    ) -> tuple[str, dict[str, Any], dict[str, Any], Answers]:
        """Return a tool, its arguments, what else is asked, and each answer."""
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
                done = _success({"sessionId": self._session(act.on)})
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
                return "sleep", {}, {}, [(failed, "SOCK-C6")]
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
                return self._ended_early(act, key)

    def _ended_early(
        self, act: Act, key: str
    ) -> tuple[str, dict[str, Any], dict[str, Any], Answers]:
        arguments: dict[str, Any] = {"ms": NEVER_ENDING_MS}
        if act.ignores:
            arguments = {"ms": IGNORING_MS, "ignore_cancel": True}
        cancelled = (_failure({"code": "CANCELLED"}), "SOCK-X1")
        match act.kind:
            case Kind.CANCELLED:
                return "sleep", arguments, {}, [cancelled]
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
                answer = _failure({"code": "TIMEOUT"})
                arguments["ms"] = min(arguments["ms"], act.longest_ms)
                return "sleep", arguments, {"timeoutMs": 3}, [(answer, "SOCK-X5")]

    def _session(self, on: str) -> Pattern:
        """Return the id of a connection's session, which stays the same."""
        name = f"session of {on}"
        if on in self._sessions:
            return {"$use": name}
        others = [{"$not": {"$use": f"session of {one}"}} for one in self._sessions]
        self._sessions[on] = None
        return {"$save": name, "match": {"$all_of": [{"$type": "string"}, *others]}}


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


def _gone(name: str, key: str) -> list[Step]:
    """Return the steps of a call whose connection is closed while it runs."""
    call = {
        "type": "tool_call",
        "protocol": 1,
        "requestId": key,
        "toolName": "conformance_sleep",
        "arguments": {"ms": NEVER_ENDING_MS},
    }
    return [{"send": call, "waits": False, "on": name}, {"disconnect": name}]


def _cancel(key: str) -> dict[str, Any]:
    return {"type": "cancel_tool_call", "protocol": 1, "requestId": key}


def _success(content: Any) -> Pattern:
    return {"type": "tool_result", "result": {"ok": True, "content": content}}


def _failure(error: Pattern) -> Pattern:
    return {"type": "tool_result", "result": {"ok": False, "error": error}}


def _on(name: str, steps: list[Step]) -> list[Step]:
    if name == MAIN:
        return steps
    return [step if "disconnect" in step else {"on": name, **step} for step in steps]
