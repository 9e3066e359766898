"""The vectors of sequences of exec-runtime: what a call comes to, and what comes next.

Right after a call, whatever it comes to, there is a call of the same tool, of another
binding of its program, of another tool of its mode, and of one of the other mode; and
all of them beside it. What they come to the model says.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Many
from typing import Any

from wireproof.protocols.exec_runtime._acts import (
    COSTLY,
    IN_FRONT,
    LINGERS,
    ONCE_KINDS,
    REACHES_NONE,
    SERVER_KINDS,
    SERVING,
    TOOLS,
    WAITED_FOR,
    Act,
    Kind,
)
from wireproof.protocols.exec_runtime._sequences import (
    AMPLE_MS,
    ANYTHING,
    BRIEF_MS,
    CLAUSES,
)
from wireproof.protocols.exec_runtime._sequences import Sequence as Steps

Vector = dict[str, Any]

AFTER: Mapping[str, Many[str]] = {
    "server": ("server", "server-twin", "server-beside", "once"),
    "once": ("once", "once-twin", "once-beside", "server"),
}
"""Who is called right after a call of a tool."""

SPARED = "once-beside"
"""A tool that is not called beside others: they are enough."""

SERVED_AGAIN: Mapping[str, Many[Kind]] = {
    "ends": (Kind.EXIT, Kind.SIGNAL, Kind.HALF),
    "waits": (Kind.HANG, Kind.LATE, Kind.CLOSED),
    "wrong-answers": (
        Kind.NO_JSON,
        Kind.NEITHER,
        Kind.BOTH,
        Kind.BAD_ERROR,
        Kind.WRONG_ID,
    ),
    "stray-lines": IN_FRONT,
    "what-shows-later": LINGERS,
}
"""Faults of a server after each of which calls are served."""

GONE_MS = 5_000
"""How long the processes of a runtime may be there after its end, as elsewhere."""


def vectors() -> list[Vector]:
    """Return the vectors of the group."""
    return [
        *(_after("server", kind) for kind in SERVER_KINDS),
        *(_after("once", kind) for kind in ONCE_KINDS),
        *map(_served_again, SERVED_AGAIN),
        _reads_again(),
        _closes(),
    ]


def _vector(
    name: str,
    title: str,
    clauses: Many[str],
    steps: Many[Any],
    level: Mapping[str, str] | None = None,
) -> Vector:
    return {
        "id": f"exec-runtime/sequences/{name}",
        "title": title,
        "clauses": list(clauses),
        **(level or {}),
        "steps": list(steps),
    }


SHOULD = {"level": "should"}


def _after(tool: str, kind: Kind) -> Vector:
    name = f"after-{tool}-{kind}"
    sequence = Steps(name)
    told = Act(tool, kind)
    follows = [
        one for one in AFTER[tool] if kind not in REACHES_NONE or not TOOLS[one].of
    ]
    beside = [Act(one) for one in follows if one != SPARED]
    if kind is COSTLY:
        sequence.one_by_one([told])
        sequence.together(beside)
    else:
        for one in follows:
            sequence.one_by_one([told, Act(one)])
        sequence.together([told, *beside])
    sequence.one_by_one(map(Act, follows))
    mode = "server" if TOOLS[tool].server else "one-shot tool"
    title = f"{WORDS[kind].format(mode)} leaves no trace in the calls after it."
    steps, clauses = sequence.steps, ["EXEC-R4"]
    if mode == "server" and kind in (*SERVING, COSTLY):
        clauses = list(CLAUSES)
    elif mode == "server" and kind is not Kind.MISSING:
        clauses = ["EXEC-R2", "EXEC-R4"]
        # Another binding of its program has a process of its own, or shares this one.
        starts = {"starts": {"$one_of": [1, 2]}}
        steps.append({"seen": tool, "match": starts, "clause": "EXEC-R2"})
    return _vector(name, title, clauses, steps)


def _served_again(name: str) -> Vector:
    sequence = Steps(f"served-{name}", served_again=True)
    for kind in SERVED_AGAIN[name]:
        acts = [Act("server", kind), *(3 * [Act("server")])]
        sequence.one_by_one(acts)
    words = name.replace("-", " ")
    title = f"Calls are served again after each fault of a server: {words}."
    clauses = ["EXEC-R12"] if name == "stray-lines" else ["EXEC-R11"]
    return _vector(f"served-after-{name}", title, clauses, sequence.steps, SHOULD)


def _reads_again() -> Vector:
    given = {"runtime": "server", "env": ["WP_CITY"], "timeout_ms": AMPLE_MS}
    fault = {"tool": "tool", "args": {"do": "exit", "n": 1}}
    again = {"tool": "tool", "args": {"n": 2}}
    # EXEC-R11 does not demand that a server is started again at all.
    call: dict[str, Any] = {"op": "call", "clause": "EXEC-R11"}
    steps: list[Any] = [
        {"op": "bind", "input": {"name": "tool", "exec": given}},
        {"op": "setenv", "input": {"name": "WP_CITY", "value": None}},
        {**call, "input": fault, "error": {"mentions": []}},
        {**call, "input": again, "expected": {"$equals": again["args"]}},
        {"environment": "tool", "process": 1, "lacks": ["WP_CITY"]},
    ]
    title = "A server that is started again lacks a listed variable that is unset then."
    return _vector("variable-unset-anew", title, ["EXEC-R7"], steps, SHOULD)


def _closes() -> Vector:
    binds: list[Any] = []
    rounds: list[dict[str, list[Any]]] = [{"calls": [], "outcomes": []} for _ in "12"]
    for kind in (Kind.ANSWER, *SERVING):
        limit = BRIEF_MS if kind in WAITED_FOR else AMPLE_MS
        given = {"runtime": "server", "timeout_ms": limit}
        binds.append({"op": "bind", "input": {"name": str(kind), "exec": given}})
        for place, one in enumerate(rounds):
            args = {"do": str(kind) if place == 0 else "answer", "n": str(kind)}
            one["calls"].append({"tool": str(kind), "args": args})
            is_anything = kind is Kind.NEITHER and place == 0
            expected = ANYTHING if is_anything else {"$equals": args}
            outcome: Any = {"expected": expected, "error": {"mentions": []}}
            one["outcomes"].append(outcome)
    calls = [
        {
            "op": "call_many",
            "input": {"calls": one["calls"]},
            "outcomes": one["outcomes"],
            "clause": "EXEC-R11",
        }
        for one in rounds
    ]
    gone = [{"gone": step["input"]["name"], "within_ms": GONE_MS} for step in binds]
    title = "Whatever its servers came to, a runtime that is closed leaves no process."
    steps = [*binds, *calls, {"op": "close"}, *gone]
    return _vector("closes-after-faults", title, ["EXEC-R13"], steps)


WORDS: Mapping[Kind, str] = {
    Kind.ANSWER: "A success of a {}",
    Kind.NULL: "The result null of a {}",
    Kind.FALSE: "The result false of a {}",
    Kind.FAIL: "A failure that a {} reports",
    Kind.STDERR: "A {} that writes to stderr",
    Kind.REFUSED: "A call of a {} whose arguments break the schema",
    Kind.MISSING: "A {} whose command is missing",
    Kind.EXIT: "A {} that exits",
    Kind.EXIT_WITH_RESULT: "A {} that answers and exits with a status",
    Kind.SIGNAL: "A {} that is killed",
    Kind.NOTHING: "A {} that writes nothing",
    Kind.NO_JSON: "A {} that writes no JSON",
    Kind.HALF: "A {} that writes half an answer",
    Kind.TWO: "A {} that writes two answers",
    Kind.NEITHER: "A {} that answers with neither a result nor an error",
    Kind.BOTH: "A {} that answers with a result and an error",
    Kind.BAD_ERROR: "A {} whose error has a wrong type",
    Kind.CLOSED: "A {} that closes its stdout",
    Kind.TWICE: "A {} that answers twice",
    Kind.WRONG_ID: "A {} that answers with another id",
    Kind.OTHER_ID_IN_FRONT: "An answer with another id in front of that of a {}",
    Kind.NOTIFICATION_IN_FRONT: "A notification in front of the answer of a {}",
    Kind.TEXT_IN_FRONT: "A text in front of the answer of a {}",
    Kind.HANG: "A {} that never answers",
    Kind.LATE: "A {} that answers late",
    Kind.LAST: "A {} that answers and exits",
    Kind.FLOOD: "A {} that writes without end",
}
"""What a call comes to, with a gap for the mode of its tool."""
