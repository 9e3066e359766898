"""What a registry's turns come to in a sequence, as the clauses say it.

Theory of operation. An act is a turn, or something that is done to the registry between
two turns. The model goes through acts in order and writes the steps of a vector: the
tools that are called, the files that others write, and what each turn has to come to.
It knows nothing of any registry, only what the clauses let a caller know: whether a
tool is available (the model sees to its file), which reducer a tool has and which were
removed, and when the file was read last. All else a turn comes to by itself, whatever
was before it. Each turn has a number of its own, which a plain call gives back, so that
what belongs to another turn shows. What a turn comes to is told no more exactly than
its own clause says it: other vectors are about the rest.

The fixed vectors in ``tool_contract/sequences.json`` and the fuzzer's plans are made of
it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from wireproof.protocols.tool_contract._acts import (
    EFFECTS,
    ENDED,
    FAILURE,
    KEY,
    OF_REDUCERS,
    OF_THE_FILE,
    STRUCTURED,
    Kind,
)
from wireproof.protocols.tool_contract._file_acts import FileActs
from wireproof.protocols.tool_contract._reducer_acts import ReducerActs
from wireproof.protocols.tool_contract._turns import Turns

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as Many

    from wireproof.protocols.tool_contract._turns import Pattern, Step

SHARE: Final = 40
"""Characters for each call of a turn with a small budget: less than the long text
has."""

ABORT_AFTER_MS: Final = 5

HELD_MS: Final = 1_000
"""How long an abort may take, but for what a busy machine adds."""

EXECUTION_FAILED: Final[Pattern] = {
    "ok": False,
    "code": "execution_failed",
    "error": {"$type": "string"},
}
NOT_AVAILABLE: Final[Pattern] = {
    "ok": False,
    "code": "not_available",
    "error": {"$type": "string"},
}
CUT: Final[Pattern] = {"ok": True, "value": {"$contains": "[truncated"}}
"""The long text, cut. Where it is cut, and how it is marked, is tested elsewhere."""
KNOWN_SHAPE: Final[Pattern] = {
    "$one_of": [
        {"ok": True, "value": {"$type": "string"}},
        {"ok": False, "error": {"$type": "string"}, "code": {"$type": "string"}},
    ]
}
ANY_RESULT: Final[Pattern] = {"ok": {"$type": "boolean"}}


class Mode(StrEnum):
    """What a turn is like in which several calls stand."""

    PLAIN = "plain"
    DRY_RUN = "dry-run"
    CALLED_OFF = "called-off"
    LEFT_OUT = "left-out"


_CONTEXT: Final[dict[Mode, Pattern]] = {
    Mode.PLAIN: {},
    Mode.DRY_RUN: {"dryRun": True},
    Mode.CALLED_OFF: {"abortAfterMs": 0},
    Mode.LEFT_OUT: {},
}

MODE_CLAUSES: Final[dict[Mode, str]] = {
    Mode.PLAIN: "TOOL-X3",
    Mode.DRY_RUN: "TOOL-X8",
    Mode.CALLED_OFF: "TOOL-X9",
    Mode.LEFT_OUT: "TOOL-X4",
}
"""What a turn with several calls is charged to."""


class Sequence:
    """Writes the steps of a sequence, act by act."""

    def __init__(self, prefix: str) -> None:
        """Begin with nothing.

        Args:
            prefix: Begins the names of the tools.
        """
        self._turns = Turns(prefix)
        self._file = FileActs(self._turns)
        self._reducer = ReducerActs(self._turns)
        self._gated = False
        self._effects = 0

    @property
    def steps(self) -> list[Step]:
        """The steps so far: the tools, and what is asked of them."""
        tools = list(self._turns.tools.values())
        names = [tool["name"] for tool in tools]
        listed = {"registered": names}
        register = {"op": "register", "input": {"tools": tools}, "expected": listed}
        return [*([register] if tools else []), *self._finished()]

    def one_by_one(self, kinds: Iterable[Kind]) -> None:
        """Add acts, each of which begins when the one before has come to its end."""
        for kind in kinds:
            self._add(kind)

    def together(self, kinds: Many[Kind], mode: Mode = Mode.PLAIN) -> None:
        """Add one turn in which all of these are called.

        Args:
            kinds: Of ``OF_CALLS``.
            mode: What the turn is like.
        """
        calls = [self._turns.call(kind, place) for place, kind in enumerate(kinds)]
        results = [{"result": self._in_mode(kind, mode)} for kind in kinds]
        more: Pattern = {"allowedTools": []} if mode is Mode.LEFT_OUT else {}
        self._turns.execute(calls, results, MODE_CLAUSES[mode], _CONTEXT[mode], more)

    # --- what is asked

    def _finished(self) -> list[Step]:
        """Return the steps, the listings among them with the tools of all of them."""
        tools = self._turns.tools.items()
        names = sorted((tool["name"], kind is Kind.AVAILABLE) for kind, tool in tools)
        found: list[Step] = []
        for step in self._turns.steps:
            if step.get("op") == "definitions":
                there = step["expected"]
                listed = [{"name": one} for one, gated in names if there or not gated]
                found.append({**step, "expected": listed})
            else:
                found.append(step)
        return found

    def _see_to_gate(self, *, there: bool) -> None:
        if there != self._gated:
            there_or_not = {"write": "here"} if there else {"remove": True}
            self._turns.steps.append({"file": KEY, **there_or_not})
            self._gated = there

    # --- what comes of it

    def _add(self, kind: Kind) -> None:
        match kind:
            case Kind.LEFT_OUT:
                call = self._turns.call(kind)
                other = {"allowedTools": [f"{self._turns.prefix}_other"]}
                wanted = {"result": NOT_AVAILABLE}
                self._turns.execute([call], [wanted], "TOOL-X4", more=other)
            case Kind.AVAILABLE | Kind.UNAVAILABLE:
                self._see_to_gate(there=kind is Kind.AVAILABLE)
                result: Pattern = ENDED if self._gated else NOT_AVAILABLE
                self._turns.alone(kind, "TOOL-X5", result)
            case Kind.SHARE:
                calls = [self._turns.call(Kind.LONG), self._turns.call(Kind.ANSWER, 1)]
                both: list[Pattern] = [{"result": {"ok": True}}] * 2
                budget = {"resultBudgetChars": 2 * SHARE}
                held = {"$schema": {"maximum": 2 * SHARE}}
                self._turns.execute(calls, both, "TOOL-B1", budget, held=held)
            case Kind.LONG:
                self._turns.alone(kind, "TOOL-B3", CUT, {"resultBudgetChars": SHARE})
            case Kind.EMPTY:
                self._turns.execute([], [], "TOOL-X10")
            case Kind.LISTING:
                # Which tools there are in the end is not known yet.
                self._turns.steps.append(
                    {
                        "op": "definitions",
                        "input": {},
                        "expected": self._gated,
                        "clause": "TOOL-X12",
                    }
                )
            case Kind.CALLED_OFF:
                either: Pattern = {"$one_of": [{"ok": True}, EXECUTION_FAILED]}
                self._turns.alone(kind, "TOOL-X9", either, {"abortAfterMs": 0})
            case Kind.ABORT:
                either = {"$one_of": [ENDED, EXECUTION_FAILED]}
                after = {"abortAfterMs": ABORT_AFTER_MS}
                step = self._turns.alone(kind, "TOOL-X9", either, after)
                step["limit_ms"] = HELD_MS
            case Kind.PROGRESS:
                call = self._turns.call(kind)
                told = {"message": "begun"}
                own = {"toolCallId": call["toolCallId"]}
                log = [{**own, "event": told}, {**own, "result": True}]
                self._turns.execute([call], [{"result": ENDED}], "TOOL-P5", log=log)
            case Kind.DRY_RUN | Kind.EFFECT:
                self._effect(kind)
            case _ if kind in OF_THE_FILE:
                self._file.add(kind)
            case _ if kind in OF_REDUCERS:
                self._reducer.add(kind)
            case _:
                found, clause = self._by_itself(kind)
                call = self._turns.call(kind)
                wanted = {"toolCallId": call["toolCallId"], **found}
                self._turns.execute([call], [wanted], clause)

    def _by_itself(self, kind: Kind) -> tuple[Pattern, str]:
        """Return what a call comes to, and the clause that says so."""
        match kind:
            case Kind.ANSWER:
                return {"result": self._turns.of_turn()}, "TOOL-C1"
            case Kind.STRUCTURED:
                return {"result": dict(STRUCTURED)}, "TOOL-R4"
            case Kind.UNTRUSTED:
                wrapper = {"inside": {"$contains": "from the web"}}
                wrapped = {"wrappers": 1, "tags": 0, "wrapper": wrapper}
                no_stage = {"modelText": {"$absent": True}}
                return {"$one_of": [wrapped, no_stage]}, "TOOL-U1"
            case Kind.FAIL:
                return {"result": dict(FAILURE)}, "TOOL-R5"
            case Kind.THROW:
                result = {"ok": False, "code": "execution_failed", "error": "no luck"}
                return {"result": result}, "TOOL-R2"
            case Kind.THROWN_VALUE:
                return {"result": EXECUTION_FAILED}, "TOOL-R2"
            case Kind.NONSENSE:
                return {"result": KNOWN_SHAPE}, "TOOL-R3"
            case _:
                return {"result": NOT_AVAILABLE}, "TOOL-X4"

    def _in_mode(self, kind: Kind, mode: Mode) -> Pattern:
        """Return what a call comes to in a turn with others."""
        if mode is Mode.LEFT_OUT:
            return NOT_AVAILABLE
        if mode is not Mode.PLAIN or kind is Kind.NONSENSE:
            return ANY_RESULT
        if kind is Kind.ANSWER:
            return {"ok": True, "value": {"$contains": "currentTurn"}}
        if kind is Kind.STRUCTURED:
            return {"ok": True, "value": STRUCTURED["value"]}
        return {"ok": kind in (Kind.LONG, Kind.UNTRUSTED)}

    def _effect(self, kind: Kind) -> None:
        if kind is Kind.EFFECT:
            self._turns.alone(kind, "TOOL-X8", ENDED)
            self._effects += 1
        else:
            self._turns.alone(kind, "TOOL-X8", ANY_RESULT, {"dryRun": True})
        wanted: Any = self._effects * "!" or {"$absent": True}
        seen = {"file": EFFECTS, "expected": wanted, "clause": "TOOL-X8"}
        self._turns.steps.append(seen)


def clauses_of(steps: Iterable[Step]) -> list[str]:
    """Return the clauses that steps are charged to, in the order of the steps."""
    return list(dict.fromkeys(step["clause"] for step in steps if "clause" in step))
