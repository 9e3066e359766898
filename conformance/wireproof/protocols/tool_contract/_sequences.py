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
    CALLED,
    EFFECTS,
    ENDED,
    FAILURE,
    FILE,
    KEY,
    LONG_TEXT,
    STRUCTURED,
    WRITTEN,
    Kind,
    tool_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Sequence as Many

Step = dict[str, Any]
Pattern = dict[str, Any]

FIRST_TURN: Final = 101
"""Three digits each: none of so few numbers is a part of another."""

FIRST_MTIME_MS: Final = 1_700_000_000_000
"""The file is as old as this, so that no write of a tool gives it the same time."""

SHARE: Final = 40
"""Characters for each call of a turn with a small budget: less than the long text has,
and more than any other."""

ABORT_AFTER_MS: Final = 5

HELD_MS: Final = 1_000
"""How long an abort may take, but for what a busy machine adds."""

CALLED_OFF_FAILURE: Final[Pattern] = {
    "ok": False,
    "code": "execution_failed",
    "error": {"$type": "string"},
}
NOT_AVAILABLE: Final[Pattern] = {
    "ok": False,
    "code": "not_available",
    "error": {"$type": "string"},
}
STALE: Final[Pattern] = {
    "ok": False,
    "code": "STALE_WRITE",
    "error": {"$type": "string"},
}
CUT: Final[Pattern] = {
    "ok": True,
    "value": {"$all_of": [{"$contains": LONG_TEXT[:10]}, {"$not": LONG_TEXT}]},
}
"""The long text, cut. How it is cut, and marked, is no matter of what was before."""
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


class _Record(StrEnum):
    """What the registry knows of the file's time."""

    NONE = "none"
    FRESH = "fresh"
    UNSURE = "unsure"
    """A write may have renewed the record, or not (TOOL-C5)."""


class Sequence:
    """Writes the steps of a sequence, act by act."""

    def __init__(self, prefix: str) -> None:
        """Begin with nothing.

        Args:
            prefix: Begins the names of the tools.
        """
        self._prefix = prefix.replace("-", "_")
        self._steps: list[Step] = []
        self._tools: dict[Kind, Pattern] = {}
        self._turn = FIRST_TURN
        self._gated = False
        self._reducer = ""
        self._throws = False
        self._second = False
        self._removed = ""
        self._reducers = 0
        self._record = _Record.NONE
        self._records = 0
        self._changes = 0
        self._refused = False
        self._effects = 0

    @property
    def steps(self) -> list[Step]:
        """The steps so far: the tools, and what is asked of them."""
        tools = list(self._tools.values())
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
        calls = [self._call(kind, place) for place, kind in enumerate(kinds)]
        results = [{"result": self._in_mode(kind, mode)} for kind in kinds]
        more: Pattern = {"allowedTools": []} if mode is Mode.LEFT_OUT else {}
        self._execute(calls, results, MODE_CLAUSES[mode], _CONTEXT[mode], more)

    # --- what is asked

    def _finished(self) -> list[Step]:
        """Return the steps, the listings among them with the tools of all of them."""
        names = sorted(
            (tool["name"], kind is Kind.AVAILABLE) for kind, tool in self._tools.items()
        )
        found: list[Step] = []
        for step in self._steps:
            if step.get("op") == "definitions":
                there = step["expected"]
                listed = [{"name": one} for one, gated in names if there or not gated]
                found.append({**step, "expected": listed})
            else:
                found.append(step)
        return found

    def _name(self, kind: Kind) -> str:
        tool = CALLED[kind]
        if tool not in self._tools:
            name = f"{self._prefix}_{tool.replace('-', '_')}"
            self._tools[tool] = tool_of(tool, name)
        name = self._tools[tool]["name"]
        return str(name)

    def _call(self, kind: Kind, place: int = 0) -> Pattern:
        unknown = f"{self._prefix}_no_such_tool"
        name = unknown if kind is Kind.UNKNOWN else self._name(kind)
        return {"toolCallId": f"t{self._turn}-{place}", "name": name, "args": {}}

    def _execute(
        self,
        calls: Many[Pattern],
        results: Many[Pattern],
        clause: str,
        context: Pattern | None = None,
        more: Pattern | None = None,
        **expected: Any,
    ) -> Step:
        told = {**self._told(), **(context or {})}
        step: Step = {
            "op": "execute_parallel",
            "input": {"calls": list(calls), "context": told, **(more or {})},
            "expected": {"results": list(results), **expected},
            "clause": clause,
        }
        self._steps.append(step)
        self._turn += 1
        return step

    def _alone(
        self, kind: Kind, clause: str, result: Pattern, context: Pattern | None = None
    ) -> Step:
        """Add a turn with one call."""
        call = self._call(kind)
        wanted = {"toolCallId": call["toolCallId"], "result": result}
        return self._execute([call], [wanted], clause, context)

    def _told(self) -> Pattern:
        """Return what each turn is told that tells it from others."""
        turn = self._turn
        return {"currentTurn": turn, "messageCount": 2 * turn, "sessionId": f"s-{turn}"}

    def _of_turn(self) -> Pattern:
        return {"ok": True, "value": {"$json_text": self._told()}}

    def _see_to_gate(self, *, there: bool) -> None:
        if there != self._gated:
            there_or_not = {"write": "here"} if there else {"remove": True}
            self._steps.append({"file": KEY, **there_or_not})
            self._gated = there

    # --- what comes of it

    def _add(self, kind: Kind) -> None:
        match kind:
            case Kind.LEFT_OUT:
                call = self._call(kind)
                other = {"allowedTools": [f"{self._prefix}_other"]}
                wanted = {"result": NOT_AVAILABLE}
                self._execute([call], [wanted], "TOOL-X4", more=other)
            case Kind.AVAILABLE | Kind.UNAVAILABLE:
                self._see_to_gate(there=kind is Kind.AVAILABLE)
                result: Pattern = ENDED if self._gated else NOT_AVAILABLE
                self._alone(kind, "TOOL-X5", result)
            case Kind.SHARE:
                calls = [self._call(Kind.LONG), self._call(Kind.ANSWER, 1)]
                shares: list[Pattern] = [{"result": CUT}, {"result": {"ok": True}}]
                budget = {"resultBudgetChars": 2 * SHARE}
                self._execute(calls, shares, "TOOL-B1", budget)
            case Kind.LONG:
                self._alone(kind, "TOOL-B3", CUT, {"resultBudgetChars": SHARE})
            case Kind.EMPTY:
                self._execute([], [], "TOOL-X10")
            case Kind.LISTING:
                # Which tools there are in the end is not known yet.
                self._steps.append(
                    {
                        "op": "definitions",
                        "input": {},
                        "expected": self._gated,
                        "clause": "TOOL-X12",
                    }
                )
            case Kind.CALLED_OFF:
                either: Pattern = {"$one_of": [{"ok": True}, CALLED_OFF_FAILURE]}
                self._alone(kind, "TOOL-X9", either, {"abortAfterMs": 0})
            case Kind.ABORT:
                either = {"$one_of": [ENDED, CALLED_OFF_FAILURE]}
                after = {"abortAfterMs": ABORT_AFTER_MS}
                step = self._alone(kind, "TOOL-X9", either, after)
                step["limit_ms"] = HELD_MS
            case Kind.PROGRESS:
                call = self._call(kind)
                told = {"message": "begun"}
                own = {"toolCallId": call["toolCallId"]}
                log = [{**own, "event": told}, {**own, "result": True}]
                self._execute([call], [{"result": ENDED}], "TOOL-P5", log=log)
            case Kind.DRY_RUN | Kind.EFFECT:
                self._effect(kind)
            case (
                Kind.READ
                | Kind.WRITE
                | Kind.STALE_WRITE
                | Kind.UNREAD_WRITE
                | Kind.UNWATCHED_WRITE
            ):
                self._of_file(kind)
            case (
                Kind.REDUCER_ADDED
                | Kind.REDUCER_THROWS
                | Kind.REDUCER_REFUSED
                | Kind.REDUCER_REMOVED
                | Kind.REMOVED_AGAIN
                | Kind.REDUCED
            ):
                self._of_reducer(kind)
            case _:
                found, clause = self._by_itself(kind)
                call = self._call(kind)
                wanted = {"toolCallId": call["toolCallId"], **found}
                self._execute([call], [wanted], clause)

    def _by_itself(self, kind: Kind) -> tuple[Pattern, str]:
        """Return what a call comes to, and the clause that says so."""
        match kind:
            case Kind.ANSWER:
                return {"result": self._of_turn()}, "TOOL-C1"
            case Kind.STRUCTURED:
                return {"result": dict(STRUCTURED)}, "TOOL-R4"
            case Kind.UNTRUSTED:
                inside = {"$contains": "from the web"}
                wrapper = {"before": "", "inside": inside}
                return {"tags": 2, "wrapper": wrapper}, "TOOL-U1"
            case Kind.FAIL:
                return {"result": dict(FAILURE)}, "TOOL-R5"
            case Kind.THROW:
                result = {"ok": False, "code": "execution_failed", "error": "no luck"}
                return {"result": result}, "TOOL-R2"
            case Kind.THROWN_VALUE:
                return {"result": CALLED_OFF_FAILURE}, "TOOL-R2"
            case Kind.NONSENSE:
                return {"result": CALLED_OFF_FAILURE}, "TOOL-R3"
            case _:
                return {"result": NOT_AVAILABLE}, "TOOL-X4"

    def _in_mode(self, kind: Kind, mode: Mode) -> Pattern:
        """Return what a call comes to in a turn with others."""
        if mode is Mode.LEFT_OUT:
            return NOT_AVAILABLE
        if mode is not Mode.PLAIN:
            return ANY_RESULT
        if kind is Kind.ANSWER:
            return {"ok": True, "value": {"$contains": "currentTurn"}}
        if kind is Kind.STRUCTURED:
            return {"ok": True, "value": STRUCTURED["value"]}
        return {"ok": kind in (Kind.LONG, Kind.UNTRUSTED)}

    def _effect(self, kind: Kind) -> None:
        if kind is Kind.EFFECT:
            self._alone(kind, "TOOL-X8", ENDED)
            self._effects += 1
        else:
            self._alone(kind, "TOOL-X8", ANY_RESULT, {"dryRun": True})
        wanted: Any = self._effects * "!" or {"$absent": True}
        seen = {"file": EFFECTS, "expected": wanted, "clause": "TOOL-X8"}
        self._steps.append(seen)

    # --- the file

    def _of_file(self, kind: Kind) -> None:
        match kind:
            case Kind.READ:
                self._read()
            case Kind.WRITE:
                if self._record is not _Record.FRESH:
                    self._read()
                # That a refused write is followed by one that succeeds is TOOL-C3.
                clause = "TOOL-C3" if self._refused else "TOOL-C2"
                self._write(kind, clause, {"readMtimes": self._known()})
            case Kind.STALE_WRITE:
                if self._record is not _Record.FRESH:
                    self._read()
                text = self._change()
                told = {"readMtimes": self._known()}
                self._alone(kind, "TOOL-C2", STALE, told)
                self._see_file(text, "TOOL-C2")
                self._refused = True
                self._record = _Record.UNSURE
            case Kind.UNREAD_WRITE:
                self._change()
                self._write(kind, "TOOL-C3", {"readMtimes": {}})
            case _:
                self._change()
                self._write(kind, "TOOL-C2", {})

    def _known(self) -> Pattern:
        return {"$use": f"read-{self._records}"} if self._records else {}

    def _read(self) -> None:
        if not self._changes:
            self._change()
        told = {"readMtimes": self._known()}
        self._records += 1
        turn = self._turn
        step = self._alone(Kind.READ, "TOOL-C4", ENDED, told)
        seen = {"$somewhere": {"readAtTurn": turn}}
        kept = {"$save": f"read-{self._records}", "match": seen}
        step["expected"]["readMtimes"] = kept
        self._record = _Record.FRESH

    def _write(self, kind: Kind, clause: str, context: Pattern) -> None:
        self._alone(kind, clause, ENDED, context)
        self._see_file(WRITTEN, clause)
        self._record = _Record.UNSURE

    def _change(self) -> str:
        """Write the file as somebody else does; return its text."""
        self._changes += 1
        text = f"change {self._changes}"
        at = FIRST_MTIME_MS + 1_000 * self._changes
        self._steps.append({"file": FILE, "write": text, "mtime_ms": at})
        return text

    def _see_file(self, text: str, clause: str) -> None:
        self._steps.append({"file": FILE, "expected": text, "clause": clause})

    # --- the reducer

    def _of_reducer(self, kind: Kind) -> None:
        match kind:
            case Kind.REDUCER_ADDED | Kind.REDUCER_THROWS:
                if self._reducer:
                    self._remove()
                self._register(throws=kind is Kind.REDUCER_THROWS)
            case Kind.REDUCER_REFUSED:
                if not self._reducer:
                    self._register()
                self._second = True
                asked = {"toolName": self._name(Kind.REDUCED), "reduce": _append("2nd")}
                self._steps.append(
                    {
                        "op": "register_reducer",
                        "input": asked,
                        "error": {"mentions": []},
                        "clause": "TOOL-D3",
                    }
                )
            case Kind.REDUCER_REMOVED:
                if not self._reducer:
                    self._register()
                self._remove()
            case Kind.REMOVED_AGAIN:
                if not self._removed:
                    if not self._reducer:
                        self._register()
                    self._remove()
                self._unregister(self._removed)
            case _:
                self._alone(kind, *self._reduced())

    def _reduced(self) -> tuple[str, Pattern]:
        if self._reducer and not self._throws:
            value = f"{ENDED['value']} by {self._reducer}"
            # One that was removed before may have taken this one with it.
            clause = "TOOL-D4" if self._removed else "TOOL-D1"
            clause = "TOOL-D3" if self._second else clause
            return clause, {"ok": True, "value": value}
        if self._reducer:
            return "TOOL-D2", ENDED
        return "TOOL-D4" if self._removed else "TOOL-D1", ENDED

    def _register(self, *, throws: bool = False) -> None:
        self._reducers += 1
        self._reducer = f"reducer-{self._reducers}"
        self._throws, self._second = throws, False
        does = {"throw": "no"} if throws else _append(f"by {self._reducer}")
        # After a removal the name is free: that the one removed is gone is TOOL-D4.
        clause = "TOOL-D4" if self._removed else "TOOL-D1"
        self._steps.append(
            {
                "op": "register_reducer",
                "input": {"toolName": self._name(Kind.REDUCED), "reduce": does},
                "expected": {"handle": {"$save": self._reducer}},
                "clause": clause,
            }
        )

    def _remove(self) -> None:
        self._unregister(self._reducer)
        self._removed, self._reducer = self._reducer, ""

    def _unregister(self, handle: str) -> None:
        self._steps.append(
            {
                "op": "unregister_reducer",
                "input": {"handle": {"$use": handle}},
                "expected": {"removed": {"$type": "boolean"}},
                "clause": "TOOL-D4",
            }
        )


def clauses_of(steps: Iterable[Step]) -> list[str]:
    """Return the clauses that steps are charged to, in the order of the steps."""
    return list(dict.fromkeys(step["clause"] for step in steps if "clause" in step))


def _append(text: str) -> Pattern:
    return {"append": f" {text}"}
