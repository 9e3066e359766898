"""What a server answers in a sequence of frames, as the clauses say it.

Theory of operation. An act is a frame of one kind, or a call and what ends it early.
The model goes through acts in order and writes the steps of a vector: what is sent, and
a pattern for what has to come. It knows nothing of any server, only what the clauses
let a client know. Each call carries texts and payloads of its own, so that what belongs
to another call shows. Where a clause leaves a choice the pattern allows each.

The fixed vectors in ``socket_v1/sequences.json`` and the fuzzer's plans are made of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wireproof.judge import MAIN
from wireproof.protocols.socket_v1._acts import (
    CANCELLED_CALLS,
    ENDED_EARLY,
    NEVER_ENDING_MS,
    Act,
    Kind,
)
from wireproof.protocols.socket_v1._asked import asked_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wireproof.protocols.socket_v1._asked import Answers, Pattern

Step = dict[str, Any]

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

_REFUSED: Final[Pattern] = {"type": "error", "code": "PROTOCOL_ERROR"}

_LINES: Final = {
    Kind.BAD_LINE: ('{"type":"list_tools",\n', "SOCK-F4"),
    Kind.BAD_MESSAGE: ('{"type":"no_such_type","protocol":1}\n', "SOCK-M5"),
    Kind.OTHER_PROTOCOL: ('{"type":"list_tools","protocol":2}\n', "SOCK-M2"),
}
"""Lines that are refused, and the clause that says so."""


class Sequence:
    """Writes the steps of a sequence, act by act.

    Attributes:
        steps: The steps so far.
        charged: The clause that wrong answers break to calls that nothing ends early,
            but for the id of a session; None for each its own.
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
        own = (*ENDED_EARLY, Kind.CANCELLED_ELSEWHERE, Kind.SESSION)
        if self.charged is not None and act.kind not in own:
            clause = self.charged
        return {"expect": answer, "clause": clause}

    def _see_it_survive(self, act: Act, clause: str, steps: list[Step]) -> None:
        """Try once by itself what harms a server that does not bear it at all."""
        if act.kind not in self._survived:
            self._survived.add(act.kind)
            self.steps += _on(act.on, [*steps, {"fence": True, "clause": clause}])

    def _called(
        self, act: Act, key: str, own: str, *, together: bool
    ) -> tuple[list[Step], Answers]:
        """Return the steps of a call, and the frames that have to come for it."""
        tool, arguments, more, answers = asked_of(
            act, key, self._session, together=together
        )
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

    def _session(self, on: str) -> Pattern:
        """Return the id of a connection's session, which stays the same."""
        name = f"session of {on}"
        if on in self._sessions:
            return {"$use": name}
        others = [{"$not": {"$use": f"session of {one}"}} for one in self._sessions]
        self._sessions[on] = None
        return {"$save": name, "match": {"$all_of": [{"$type": "string"}, *others]}}


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


def _on(name: str, steps: list[Step]) -> list[Step]:
    if name == MAIN:
        return steps
    return [step if "disconnect" in step else {"on": name, **step} for step in steps]
