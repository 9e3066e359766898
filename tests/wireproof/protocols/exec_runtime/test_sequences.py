"""The model of sequences says of each call what the clauses say of it."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.exec_runtime._acts import (
    ONCE_KINDS,
    SERVER_KINDS,
    TOOLS,
    Act,
    Kind,
)
from wireproof.protocols.exec_runtime._sequence_plans import Group, SequencePlan
from wireproof.protocols.exec_runtime._sequences import Sequence
from wireproof_vectors import check_vectors, load_setup

FAILS: dict[str, Any] = {"mentions": []}


def calls_of(*acts: Act, served_again: bool = False) -> list[dict[str, Any]]:
    sequence = Sequence("s", served_again=served_again)
    sequence.one_by_one(acts)
    return [step for step in sequence.steps if step["op"] == "call"]


def own(place: int) -> dict[str, Any]:
    return {"$equals": {"n": f"s-{place}"}}


def test_a_call_of_a_sound_tool_comes_to_its_own_answer() -> None:
    [call] = calls_of(Act("once"))

    assert call == {
        "op": "call",
        "input": {"tool": "once", "args": {"n": "s-1"}},
        "expected": own(1),
        "clause": "EXEC-R4",
    }


def test_after_a_fault_a_server_may_fail_or_give_the_own_answer() -> None:
    _, call = calls_of(Act("server", Kind.EXIT), Act("server"))

    assert (call["expected"], call["error"]) == (own(2), FAILS)
    assert call["clause"] == "EXEC-R11"


@pytest.mark.parametrize("tool", ["server-beside", "once", "once-twin"])
def test_after_a_fault_of_a_server_all_other_tools_answer(tool: str) -> None:
    _, call = calls_of(Act("server", Kind.HANG), Act(tool))

    assert (call["expected"], call["clause"]) == (own(2), "EXEC-R4")
    assert "error" not in call


def test_another_binding_of_the_program_may_share_the_process_that_went_wrong() -> None:
    _, call = calls_of(Act("server", Kind.TWICE), Act("server-twin"))

    assert (call["error"], call["clause"]) == (FAILS, "EXEC-R11")


@pytest.mark.parametrize("kind", ONCE_KINDS)
def test_no_call_of_a_one_shot_tool_changes_what_comes_next(kind: Kind) -> None:
    _, call = calls_of(Act("once", kind), Act("once-beside"))

    assert (call["expected"], call["clause"]) == (own(2), "EXEC-R4")


@pytest.mark.parametrize("kind", [Kind.NULL, Kind.FALSE, Kind.FAIL, Kind.STDERR])
def test_what_is_no_fault_leaves_a_server_as_it_was(kind: Kind) -> None:
    _, call = calls_of(Act("server", kind), Act("server"))

    assert "error" not in call


def test_a_failure_that_a_tool_reports_has_its_text() -> None:
    [call] = calls_of(Act("server", Kind.FAIL))

    assert call["input"]["args"]["text"] == "no s-1."
    assert call["error"] == {"mentions": ["no s-1."]}


@pytest.mark.parametrize(
    ("kind", "clause"),
    [(Kind.EXIT, "EXEC-R11"), (Kind.OTHER_ID_IN_FRONT, "EXEC-R12")],
)
def test_a_fresh_process_serves_the_call_after_a_fault(kind: Kind, clause: str) -> None:
    _, call = calls_of(Act("server", kind), Act("server"), served_again=True)

    assert (call["expected"], call["clause"]) == (own(2), clause)
    assert "error" not in call


@pytest.mark.parametrize("kind", [Kind.TWICE, Kind.LAST])
def test_what_shows_with_the_next_call_may_fail_that_one_alone(kind: Kind) -> None:
    acts = (Act("server", kind), Act("server"), Act("server"))
    _, first, second = calls_of(*acts, served_again=True)

    assert (first["error"], "error" in second) == (FAILS, False)


@pytest.mark.parametrize(
    "between",
    [Act("server-twin"), Act("server-twin", Kind.EXIT), Act("server", Kind.REFUSED)],
)
def test_what_one_process_holds_shows_with_the_next_call_that_it_gets(
    between: Act,
) -> None:
    acts = (Act("server", Kind.TWICE), between, Act("server"), Act("server"))
    calls = [one for one in calls_of(*acts, served_again=True) if one["op"] == "call"]

    assert ["error" in one for one in calls[2:]] == [True, False]


def test_calls_beside_a_fault_of_their_server_may_fail() -> None:
    sequence = Sequence("s", served_again=True)
    sequence.together([Act("server"), Act("server", Kind.EXIT), Act("once")])

    beside, _, once = sequence.steps[-1]["outcomes"]
    assert beside == {"expected": own(1), "error": FAILS, "clause": "EXEC-R11"}
    assert once == {"expected": own(3), "clause": "EXEC-R4"}


def test_a_tool_without_its_command_fails_whatever_it_is_told() -> None:
    _, call = calls_of(Act("server", Kind.MISSING), Act("server"))

    assert (call["error"], call["clause"]) == (FAILS, "EXEC-R18")


def test_a_limit_is_short_where_a_runtime_may_wait_in_vain() -> None:
    sequence = Sequence("s", brief_ms=7)
    sequence.one_by_one([Act("server-twin", Kind.HANG), Act("once")])
    bound = {step["input"]["name"]: step for step in sequence.steps[:3]}

    assert bound["server"]["input"]["exec"] == {"runtime": "server", "timeout_ms": 7}
    assert bound["server-twin"]["of"] == "server"
    assert bound["once"]["input"]["exec"] == {"timeout_ms": 5_000}


@pytest.mark.parametrize(
    ("mode", "kinds"), [("exec", ONCE_KINDS), ("server", SERVER_KINDS)]
)
def test_each_kind_that_a_tool_is_told_has_a_script(
    mode: str, kinds: tuple[Kind, ...]
) -> None:
    does: Any = load_setup("exec-runtime")["does"]
    untold = {Kind.REFUSED, Kind.MISSING}

    assert set(map(str, set(kinds) - untold)) <= does[mode].keys()


@pytest.mark.parametrize("served_again", [False, True])
def test_what_is_drawn_can_be_saved_as_a_vector(served_again: bool) -> None:  # noqa: FBT001 - a parameter
    acts = tuple(Act(tool, Kind.STDERR, {"$literal": ["$x"]}) for tool in TOOLS)
    plan = SequencePlan((Group(acts), Group(acts, together=True)), served_again)
    vector: Any = {
        "id": "exec-runtime/fuzz-found/one",
        "title": "Found by fuzzing: one.",
        "clauses": ["EXEC-R11"],
        "steps": plan.steps("x"),
    }
    check_vectors(
        {
            "schema": "wireproof-vectors/1",
            "protocol": "exec-runtime",
            "group": "fuzz-found",
            "kind": "runtime",
            "vectors": [vector],
        }
    )
