"""What a server answers in a sequence of lines, as the clauses say it.

Theory of operation. An act is a line of one kind: a call of a tool, or something that
is no valid request. The model goes through acts in order and writes the steps of a
vector: what is sent, and a pattern for what has to come. It knows nothing of any
server, only what the clauses let a client know. Each call carries a text of its own, so
that what belongs to another call shows. Lines that are no request may be answered or
not; what follows them has to be answered all the same.

The fixed vectors in ``exec_server/sequences.json`` and the fuzzer's plans are made of
it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

Step = dict[str, Any]
Pattern = dict[str, Any]


class Kind(StrEnum):
    """What is sent in one act."""

    CALL = "call"
    ECHO = "success"
    NULL = "null-result"
    FALSE = "false-result"
    COUNT = "count"
    FAIL = "failure"
    THROW = "throw"
    SLEEP = "sleep"
    PRINT = "print"
    STDERR = "stderr"
    UNKNOWN_METHOD = "unknown-method"
    BAD_PARAMS = "bad-params"
    NO_METHOD = "no-method"
    BAD_LINE = "bad-line"
    BLANK_LINE = "blank-line"
    NOTIFICATION = "notification"
    BATCH = "batch"


TOOL_KINDS: Final = (
    Kind.ECHO,
    Kind.NULL,
    Kind.FALSE,
    Kind.COUNT,
    Kind.FAIL,
    Kind.THROW,
    Kind.SLEEP,
    Kind.PRINT,
    Kind.STDERR,
)
"""Kinds that take the conformance toolset."""

LINE_KINDS: Final = (
    Kind.CALL,
    Kind.UNKNOWN_METHOD,
    Kind.BAD_PARAMS,
    Kind.NO_METHOD,
    Kind.BAD_LINE,
    Kind.BLANK_LINE,
    Kind.NOTIFICATION,
    Kind.BATCH,
)
"""Kinds that any server can be sent."""

TOOLS: Final = (
    "conformance_counter",
    "conformance_echo",
    "conformance_fail",
    "conformance_print",
    "conformance_return",
    "conformance_sleep",
    "conformance_stderr",
    "conformance_throw",
)

CLAUSES: Final = ("EXEC-S2", "EXEC-S4", "EXEC-S7", "EXEC-S14", "EXEC-S15")
"""What a sequence may be charged to."""

RESULT: Final[Pattern] = {
    "result": {"$type": ["null", "boolean", "number", "string", "array", "object"]}
}
"""Any success."""

ANSWER: Final[Pattern] = {"$one_of": [{"error": {"$not": None}}, RESULT]}
"""Any response: whether such a request succeeds no MUST says."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line.

    Attributes:
        kind: What is sent.
        own_id: The request's id where that is what is tried.
        value: What an echo is given beside its call's id, written like a message; None
            for the id alone.
        by: What a count adds.
        total: What the counter is after it, where that is known.
    """

    kind: Kind
    own_id: Any = None
    value: Any = None
    by: int = 3
    total: int | None = None


class Sequence:
    """Writes the steps of a sequence, act by act.

    Attributes:
        steps: The steps so far.
    """

    def __init__(self, prefix: str) -> None:
        """Begin with nothing.

        Args:
            prefix: Begins the ids of the requests.
        """
        self.steps: list[Step] = []
        self._prefix = prefix
        self._number = 0
        self._survived: set[Kind] = set()

    def one_by_one(self, acts: Iterable[Act]) -> None:
        """Add acts, each of which begins when the one before has been answered."""
        for act in acts:
            send, expects = self._act(act)
            self.steps += [send, *expects]

    def together(self, acts: Iterable[Act]) -> None:
        """Add acts that all begin before the first answer is awaited."""
        pairs = [self._act(act) for act in acts]
        self.steps += [send for send, _ in pairs]
        self.steps += [step for _, expects in pairs for step in expects]

    def _act(self, act: Act) -> tuple[Step, list[Step]]:
        self._number += 1
        key: Any = f"{self._prefix}-{self._number}"
        if act.own_id is not None:
            key = act.own_id
        line = self._line(act.kind, key)
        if line is not None:
            self._see_it_survive(act.kind)
            return {"send_raw": [{"text": line}]}, []
        method, params, answer, clause = self._asked(act, f"{self._prefix}-{key}")
        request = {"jsonrpc": "2.0", "id": key, "method": method, "params": params}
        return {"send": request}, [{"expect": {"id": key, **answer}, "clause": clause}]

    def _line(self, kind: Kind, key: Any) -> str | None:
        """Return a line that is no request with an id, or None."""
        params: dict[str, Any] = {"args": {}}
        call = {"jsonrpc": "2.0", "method": "execute", "params": params}
        match kind:
            case Kind.NO_METHOD:
                nothing: dict[str, Any] = {}
                bare: Any = {"jsonrpc": "2.0", "id": f"{key}-none", "params": nothing}
                return _text(bare)
            case Kind.BAD_LINE:
                return '{"jsonrpc":"2.0","id":\n'
            case Kind.BLANK_LINE:
                return "\n"
            case Kind.NOTIFICATION:
                return _text(call)
            case Kind.BATCH:
                return _text([{**call, "id": f"{key}-{n}"} for n in range(2)])
            case _:
                return None

    def _see_it_survive(self, kind: Kind) -> None:
        """Try once by itself what harms a server that does not bear it at all."""
        if kind not in self._survived:
            self._survived.add(kind)
            line = self._line(kind, f"{self._prefix}-before")
            self.steps += [
                {"send_raw": [{"text": line}]},
                {"fence": True, "clause": "EXEC-S7"},
            ]

    def _asked(self, act: Act, own: str) -> tuple[str, Any, Pattern, str]:
        """Return the method and the params of a request, its answer, and its clause."""
        match act.kind:
            case Kind.CALL:
                return "execute", {"args": {"$use": "args"}}, RESULT, "EXEC-S2"
            case Kind.UNKNOWN_METHOD:
                return "conformance_no_such_method", {}, ANSWER, "EXEC-S2"
            case Kind.BAD_PARAMS:
                return "execute", [own], ANSWER, "EXEC-S2"
            case _:
                tool, arguments, answer, clause = _called(act, own)
                call: Any = {"tool": f"conformance_{tool}", "arguments": arguments}
                return "execute", {"args": call}, answer, clause


def _called(act: Act, own: str) -> tuple[str, dict[str, Any], Pattern, str]:
    """Return a tool, its arguments, what comes of them, and the clause of that."""
    message = f"no {own}."
    match act.kind:
        case Kind.NULL:
            return "return", {"value": None}, {"result": None}, "EXEC-S15"
        case Kind.FALSE:
            return "return", {"value": False}, {"result": False}, "EXEC-S15"
        case Kind.COUNT:
            total = {"$type": "integer"} if act.total is None else act.total
            done = {"result": {"counter": total}}
            return "counter", {"by": act.by}, done, "EXEC-S2"
        case Kind.FAIL:
            failed = {"error": {"message": message}}
            return "fail", {"message": message}, failed, "EXEC-S4"
        case Kind.THROW:
            thrown = {"error": {"code": {"$type": "integer"}}}
            return "throw", {"message": message}, thrown, "EXEC-S14"
        case Kind.SLEEP:
            return "sleep", {"ms": 2}, {"result": {"slept_ms": 2}}, "EXEC-S2"
        case Kind.PRINT:
            return "print", {"text": own}, {"result": {"printed": True}}, "EXEC-S2"
        case Kind.STDERR:
            return "stderr", {"size": 80}, {"result": {"written": 80}}, "EXEC-S2"
        case _:
            value: Any = own
            if act.value is not None:
                value = {"of": own, "value": act.value}
            done = {"result": {"value": {"$equals": value}}}
            clause = "EXEC-S2" if act.value is None else "EXEC-S15"
            return "echo", {"value": value}, done, clause


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
