"""What a runtime's calls come to in a sequence, as the clauses say it.

Theory of operation. An act is a call of a tool that is told what to do. The model goes
through acts in order and writes the steps of a vector: the bindings of the tools that
are called, the calls, and what each has to come to. It knows nothing of any runtime,
only what the clauses let a caller know. A one-shot tool has no state. A server is sound
until it has gone wrong; from then on EXEC-R11 lets each of its calls fail, with its own
answer or a clear failure and nothing else, while the calls of all other tools come to
their own answers as ever. Two bindings of one program may share its process: what one
has done wrong the other may fail by. Each call carries a text of its own, so that what
belongs to another call shows.

The fixed vectors in ``exec_runtime/sequences.json`` and the fuzzer's plans are made of
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wireproof.protocols.exec_runtime._acts import (
    COSTLY,
    IN_FRONT,
    LINGERS,
    REACHES_NONE,
    SERVING,
    TOOLS,
    WAITED_FOR,
    Act,
    Kind,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as Many

Step = dict[str, Any]
Pattern = dict[str, Any]

AMPLE_MS: Final = 5_000
"""Limit of calls that come to their end at once."""

BRIEF_MS: Final = 400
"""Limit of a tool that a runtime may have to wait for in vain."""

FAILS: Final[Pattern] = {"error": {"mentions": []}}
"""Any failure with a text."""

ANYTHING: Final[Pattern] = {
    "$type": ["null", "boolean", "number", "string", "array", "object"]
}
"""Any value."""

SCHEMA: Final[Pattern] = {"type": "object", "properties": {"n": {"type": "string"}}}
"""The schema of a tool that is given arguments which break it."""

CLAUSES: Final = ("EXEC-R11", "EXEC-R4")
"""What a sequence at level MUST may be charged to."""


class Sequence:
    """Writes the steps of a sequence, act by act."""

    def __init__(
        self, prefix: str, *, served_again: bool = False, brief_ms: int = BRIEF_MS
    ) -> None:
        """Begin with nothing.

        Args:
            prefix: Begins the texts of the calls.
            served_again: Whether a fresh process has to serve the calls after a fault,
                as EXEC-R11 and R12 have it at level SHOULD.
            brief_ms: Limit of a tool that is waited for in vain.
        """
        self._prefix = prefix
        self._served_again = served_again
        self._brief_ms = brief_ms
        self._number = 0
        self._acts: list[Act] = []
        self._calls: list[Step] = []
        self._faults: dict[str, Kind] = {}
        # Of each program the tools whose process may still hold what no call has read.
        self._lingering: dict[str, set[str]] = {}

    @property
    def steps(self) -> list[Step]:
        """The steps so far: what is bound, and the calls."""
        used = dict.fromkeys(act.tool for act in self._acts)
        owners = dict.fromkeys(map(_program, used))
        return [*map(self._bind, dict.fromkeys((*owners, *used))), *self._calls]

    def one_by_one(self, acts: Iterable[Act]) -> None:
        """Add calls, each of which begins when the one before has come to its end."""
        for act in acts:
            self._acts.append(act)
            asked = self._asked(act)
            outcome = self._outcome(act, asked["args"])
            self._note(act)
            self._calls.append({"op": "call", "input": asked, **outcome})

    def together(self, acts: Many[Act]) -> None:
        """Add calls that are started together."""
        self._acts += acts
        asked = [self._asked(act) for act in acts]
        amid = {_program(act.tool) for act in acts if _goes_wrong(act)}
        outcomes = [
            self._outcome(act, one["args"], amid=_program(act.tool) in amid)
            for act, one in zip(acts, asked, strict=True)
        ]
        # Whichever comes last: what a runtime may find out only then counts.
        for act in sorted(acts, key=lambda one: one.kind in LINGERS):
            self._note(act)
        given = {"calls": asked}
        self._calls.append({"op": "call_many", "input": given, "outcomes": outcomes})

    # --- what is asked

    def _bind(self, tool: str) -> Step:
        bound = TOOLS[tool]
        program = [act for act in self._acts if _program(act.tool) == _program(tool)]
        waits = any(act.kind in WAITED_FOR for act in program)
        given: Pattern = {"runtime": "server"} if bound.server else {}
        given["timeout_ms"] = self._brief_ms if waits else AMPLE_MS
        step: Step = {"op": "bind", "input": {"name": tool, "exec": given}}
        kinds = {act.kind for act in program}
        if Kind.REFUSED in kinds:
            step["input"]["parameters"] = SCHEMA
        if Kind.MISSING in kinds:
            step |= {"program": "missing", "error": {"mentions": []}}
        elif bound.of:
            step["of"] = bound.of
        return step

    def _asked(self, act: Act) -> dict[str, Any]:
        self._number += 1
        own = f"{self._prefix}-{self._number}"
        args: dict[str, Any] = {"n": own}
        if act.value is not None:
            args["value"] = act.value
        if act.kind is Kind.REFUSED:
            args = {"n": [own]}
        elif act.kind not in (Kind.ANSWER, *REACHES_NONE):
            args = {"do": str(act.kind), **args}
        if act.kind is Kind.FAIL:
            args["text"] = f"no {own}."
        return {"tool": act.tool, "args": args}

    # --- what comes of it

    def _note(self, act: Act) -> None:
        """Keep in mind what a call leaves behind."""
        program = _program(act.tool)
        lingering = self._lingering.setdefault(program, set())
        if act.kind not in REACHES_NONE:
            # Another binding may have a process of its own, which holds nothing.
            lingering.discard(act.tool)
        if _goes_wrong(act):
            self._faults[program] = act.kind
            if act.kind in LINGERS:
                lingering.add(act.tool)

    def _outcome(
        self, act: Act, args: dict[str, Any], *, amid: bool = False
    ) -> Pattern:
        """Return what a call may come to, and the clause that says so.

        Args:
            act: The call.
            args: Its arguments.
            amid: Whether its server goes wrong while it is in flight.
        """
        program = _program(act.tool)
        if any(one.kind is Kind.MISSING and one.tool == program for one in self._acts):
            return {**FAILS, "clause": "EXEC-R18"}
        outcome = _alone(act, args)
        fault = self._faults.get(program)
        lingers = bool(self._lingering.get(program))
        if amid or lingers or (fault is not None and not self._served_again):
            return {**outcome, **FAILS, "clause": "EXEC-R11"}
        if fault is not None and "error" not in outcome:
            clause = "EXEC-R12" if fault in IN_FRONT else "EXEC-R11"
            return {**outcome, "clause": clause}
        return outcome


def _alone(act: Act, args: dict[str, Any]) -> Pattern:
    """Return what a call of a sound tool comes to, and the clause that says so."""
    own: Pattern = {"expected": {"$equals": args}}
    match act.kind:
        case Kind.ANSWER | Kind.TWICE | Kind.LAST:
            return {**own, "clause": "EXEC-R4"}
        case Kind.NULL:
            return {"expected": None, "clause": "EXEC-R4"}
        case Kind.FALSE:
            return {"expected": False, "clause": "EXEC-R4"}
        case Kind.FAIL:
            return {"error": {"mentions": [args["text"]]}, "clause": "EXEC-R4"}
        case Kind.STDERR:
            return {**own, "clause": "EXEC-R14"}
        case Kind.REFUSED:
            return {**own, **FAILS, "clause": "EXEC-Y4"}
        case Kind.FLOOD:
            return {**FAILS, "clause": "EXEC-R15"}
        case Kind.HANG | Kind.LATE:
            return {**FAILS, "clause": "EXEC-R8"}
        case kind if kind in IN_FRONT:
            return {**own, **FAILS, "clause": "EXEC-R11"}
        case Kind.NEITHER:
            # EXEC-R5: that it is a failure is a SHOULD.
            return {"expected": ANYTHING, **FAILS, "clause": "EXEC-R11"}
        case _:
            server = TOOLS[act.tool].server
            return {**FAILS, "clause": "EXEC-R11" if server else "EXEC-R5"}


def _goes_wrong(act: Act) -> bool:
    return TOOLS[act.tool].server and act.kind in (*SERVING, COSTLY)


def _program(tool: str) -> str:
    """Return the tool whose program a tool is bound to."""
    return TOOLS[tool].of or tool
