"""What is wrong with what a client did: as the judge asks, without any client."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from wireproof.checks import VectorDefect
from wireproof.judge import Look
from wireproof.protocols.host_client._conduct import CLIENT
from wireproof.protocols.host_client._reading import look

INIT = {"id": "1", "method": "init"}

CALL = {"id": "2", "method": "execute_tool"}

EXECUTE = {"op": "execute", "expect": {"result": 1}}

LIMITED = {"op": "execute", "timeout_ms": 100, "expect": {"error": {}}}


def answered(value: Any, op: str = "execute", **more: Any) -> dict[str, Any]:
    act = {"op": op, "ended": "answered", "text": "", "seconds": 0.2, "status": None}
    return {**act, "left": False, "value": value, **more}


def seen_of(*acts: Any, **more: Any) -> dict[str, Any]:
    usual = {"starts": 1, "taken": {"init": INIT, "call": CALL}, "answered": True}
    hosts = {"exited": False, "stuck": "", "defect": "", "kinds": {}, "faults": []}
    found = {"acts": list(acts), "unsettled": False, "ended": False}
    return {**usual, **hosts, **found, **more}


def kind_of(ops: Sequence[Any], seen: Any, **more: Any) -> str:
    data = {"host": [{"read": "init"}, {"read": "call"}], "ops": ops, **more}
    found = look({CLIENT: data}, seen, {})
    return found.kind if isinstance(found, Look) else ""


FAILED = answered({"error": {"type": "E"}})

RIGHT = answered({"result": 1})

UNREAD = {"init": INIT}


@pytest.mark.parametrize(
    ("ops", "seen", "kind"),
    [
        ([EXECUTE], seen_of(RIGHT), ""),
        ([EXECUTE], seen_of(answered({"result": 2})), "op-differs"),
        ([EXECUTE], seen_of(FAILED), "op-failed"),
        (
            [{"op": "execute", "expect": {"error": {}}}],
            seen_of(RIGHT),
            "op-has-to-fail",
        ),
        ([EXECUTE], seen_of(answered(None, ended="silent")), "op-unanswered"),
        ([EXECUTE], seen_of({**answered(0), "error": "Error: no"}), "op-refused"),
        ([EXECUTE], seen_of(answered({"result": 1}, left=True)), "host-left"),
        ([LIMITED], seen_of(FAILED), ""),
        ([LIMITED], seen_of(answered({"error": {}}, seconds=0.04)), "op-failed-early"),
        ([EXECUTE], seen_of(RIGHT, starts=0), "no-host"),
        ([EXECUTE], seen_of(RIGHT, stuck="init has no id"), "host-stuck"),
        ([EXECUTE], seen_of(RIGHT, taken=UNREAD), "request-missing"),
        ([EXECUTE], seen_of(RIGHT, unsettled=True), "script-unsettled"),
        # A client may end its host at a deadline, and what comes after may fail too.
        ([LIMITED, EXECUTE], seen_of(FAILED, FAILED, ended=True), ""),
        ([LIMITED, EXECUTE], seen_of(FAILED, FAILED), "op-failed"),
        (
            [LIMITED, EXECUTE],
            seen_of(FAILED, FAILED, ended=True, exited=True),
            "op-failed",
        ),
    ],
)
def test_what_a_client_did_is_right_or_of_one_kind(
    ops: Sequence[Any], seen: Any, kind: str
) -> None:
    assert kind_of(ops, seen) == kind


def test_what_the_host_read_is_looked_at_before_what_the_ops_came_to() -> None:
    requests = {"call": {"method": "get_tags"}, "never": {}}
    seen = seen_of(answered({"result": 2}))
    assert kind_of([EXECUTE], seen, requests=requests) == "request-differs"


@pytest.mark.parametrize(("again", "applies"), [("1", False), ("2", True)])
def test_an_answer_to_an_earlier_call_with_an_id_used_again_says_nothing(
    again: str, *, applies: bool
) -> None:
    twice = [{"write": {"id": {"$id_of": "init"}, "ok": True}}] * 2
    data = {"host": [{"read": "init"}, *twice], "ops": [EXECUTE]}
    taken = {"init": INIT, "call": {**CALL, "id": again}}
    found = look({CLIENT: data}, seen_of(RIGHT, taken=taken), {})
    assert isinstance(found, Look) is not applies
    if isinstance(found, Look):
        assert (found.kind, found.applies) == ("id-used-again", False)


def test_a_defect_of_the_vector_is_one() -> None:
    with pytest.raises(VectorDefect, match="unknown step"):
        kind_of([EXECUTE], seen_of(RIGHT, defect="unknown step"))
