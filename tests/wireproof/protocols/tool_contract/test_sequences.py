"""The model of sequences says of each turn what the clauses say of it."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.tool_contract._acts import OF_CALLS, Kind
from wireproof.protocols.tool_contract._sequence_plans import Group, SequencePlan
from wireproof.protocols.tool_contract._sequences import Mode, Sequence
from wireproof_vectors import check_vectors

TOLD_101 = {"currentTurn": 101, "messageCount": 202, "sessionId": "s-101"}
TURN_101 = {"ok": True, "value": {"$json_text": TOLD_101}}
ENDED = {"ok": True, "value": "ended"}
FAILED = {"ok": False, "code": "execution_failed", "error": {"$type": "string"}}
REFUSED = {"ok": False, "code": "not_available", "error": {"$type": "string"}}
STALE = {"ok": False, "code": "STALE_WRITE", "error": {"$type": "string"}}


def steps_of(*kinds: Kind) -> list[dict[str, Any]]:
    """Return the steps after that which registers the tools."""
    sequence = Sequence("s")
    sequence.one_by_one(kinds)
    return sequence.steps[1:]


def results(step: dict[str, Any]) -> list[Any]:
    return [one["result"] for one in step["expected"]["results"]]


def test_a_plain_call_tells_the_number_of_its_turn() -> None:
    sequence = Sequence("a-b")
    sequence.one_by_one([Kind.ANSWER])
    registered, turn = sequence.steps

    (tool,) = registered["input"]["tools"]
    assert tool["name"] == "a_b_answer"
    assert tool["steps"] == [{"return_context": list(TOLD_101)}]
    assert turn == {
        "op": "execute_parallel",
        "input": {
            "calls": [{"toolCallId": "t101-0", "name": "a_b_answer", "args": {}}],
            "context": TOLD_101,
        },
        "expected": {"results": [{"toolCallId": "t101-0", "result": TURN_101}]},
        "clause": "TOOL-C1",
    }


@pytest.mark.parametrize(
    ("kind", "result", "clause"),
    [
        (Kind.FAIL, "input_invalid", "TOOL-R5"),
        (Kind.THROW, "execution_failed", "TOOL-R2"),
        (Kind.THROWN_VALUE, "execution_failed", "TOOL-R2"),
        (Kind.UNKNOWN, "not_available", "TOOL-X4"),
        (Kind.LEFT_OUT, "not_available", "TOOL-X4"),
        (Kind.UNAVAILABLE, "not_available", "TOOL-X5"),
    ],
)
def test_what_does_not_succeed_fails_with_its_code(
    kind: Kind, result: str, clause: str
) -> None:
    sequence = Sequence("s")
    sequence.one_by_one([kind])
    step = sequence.steps[-1]

    assert results(step)[0]["code"] == result
    assert step["clause"] == clause


def test_a_tool_is_available_while_its_file_is_there() -> None:
    kinds = (Kind.AVAILABLE, Kind.AVAILABLE, Kind.UNAVAILABLE)
    came, first, second, went, third = steps_of(*kinds)

    assert came == {"file": "key", "write": "here"}
    assert went == {"file": "key", "remove": True}
    assert results(first) == [ENDED]
    assert second["clause"] == "TOOL-X5"
    assert results(third) == [REFUSED]


def test_a_listing_has_the_tools_that_are_available_by_name() -> None:
    kinds = (Kind.LISTING, Kind.THROW, Kind.AVAILABLE, Kind.LISTING)
    *_, listing = steps_of(*kinds)
    first = steps_of(*kinds)[0]

    assert first["expected"] == [{"name": "s_throw"}]
    assert listing["expected"] == [{"name": "s_available"}, {"name": "s_throw"}]


def test_nonsense_has_a_result_of_a_known_shape() -> None:
    (turn,) = steps_of(Kind.NONSENSE)

    shapes = results(turn)[0]["$one_of"]
    assert [one["ok"] for one in shapes] == [True, False]
    assert turn["clause"] == "TOOL-R3"


def test_calls_with_a_small_budget_together_hold_no_more_than_it() -> None:
    (turn,) = steps_of(Kind.SHARE)

    assert results(turn) == [{"ok": True}, {"ok": True}]
    assert turn["input"]["context"]["resultBudgetChars"] == 80
    assert turn["expected"]["held"] == {"$schema": {"maximum": 80}}


def test_a_turn_that_is_called_off_first_runs_or_does_not() -> None:
    (turn,) = steps_of(Kind.CALLED_OFF)

    assert results(turn) == [{"$one_of": [{"ok": True}, FAILED]}]
    assert turn["input"]["context"]["abortAfterMs"] == 0


def test_events_are_those_of_the_turn_alone() -> None:
    (turn,) = steps_of(Kind.PROGRESS)

    event, ended = turn["expected"]["log"]
    assert event["toolCallId"] == ended["toolCallId"] == "t101-0"


# --- effects and files


def test_only_what_runs_in_earnest_has_an_effect() -> None:
    dry, none, _, one, _, still, _, two = steps_of(
        Kind.DRY_RUN, Kind.EFFECT, Kind.DRY_RUN, Kind.EFFECT
    )

    assert dry["input"]["context"]["dryRun"] is True
    assert none["expected"] == {"$absent": True}
    assert (one["expected"], still["expected"], two["expected"]) == ("!", "!", "!!")


def test_a_write_to_a_file_that_others_have_changed_since_is_stale() -> None:
    _, read, changed, write, seen = steps_of(Kind.STALE_WRITE)

    assert read["expected"]["readMtimes"]["$save"] == "read-1"
    assert changed["mtime_ms"] != 1_700_000_010_000
    assert write["input"]["context"]["readMtimes"] == {"$use": "read-1"}
    assert results(write) == [STALE]
    assert seen["expected"] == changed["write"]


def test_a_write_right_after_a_read_succeeds() -> None:
    _, _, write, seen = steps_of(Kind.READ, Kind.WRITE)

    assert results(write) == [ENDED]
    assert seen["expected"] == "written by the tool"


@pytest.mark.parametrize("kind", [Kind.WRITE, Kind.STALE_WRITE, Kind.UNREAD_WRITE])
def test_after_a_write_the_file_is_read_again_before_the_next(kind: Kind) -> None:
    steps = steps_of(Kind.READ, kind, Kind.WRITE)
    reads = [step for step in steps if "s_read" in str(step.get("input"))]

    assert len(reads) == 2


@pytest.mark.parametrize(
    ("kind", "told"), [(Kind.UNREAD_WRITE, {}), (Kind.UNWATCHED_WRITE, None)]
)
def test_a_write_without_a_record_is_not_stale(kind: Kind, told: Any) -> None:
    _, _, _, write, _ = steps_of(Kind.READ, kind)

    assert write["input"]["context"].get("readMtimes") == told
    assert results(write) == [ENDED]


def test_a_write_after_one_that_was_refused_has_a_clause_of_its_own() -> None:
    turns = [one for one in steps_of(Kind.STALE_WRITE, Kind.WRITE) if "op" in one]

    assert [step["clause"] for step in turns] == [
        *("TOOL-C4", "TOOL-C2"),
        *("TOOL-C4", "TOOL-C3"),
    ]


# --- reducers


def test_a_reducer_reduces_until_it_is_removed() -> None:
    kinds = (Kind.REDUCER_ADDED, Kind.REDUCED, Kind.REDUCER_REMOVED, Kind.REDUCED)
    added, reduced, removed, plain = steps_of(*kinds)

    assert added["input"]["reduce"] == {"append": " by reducer-1"}
    value = {"ok": True, "value": "ended by reducer-1"}
    assert (results(reduced), reduced["clause"]) == ([value], "TOOL-D1")
    assert removed["input"] == {"handle": {"$use": "reducer-1"}}
    assert plain["clause"] == "TOOL-D4"


def test_a_reducer_that_throws_leaves_the_result() -> None:
    _, reduced = steps_of(Kind.REDUCER_THROWS, Kind.REDUCED)

    assert (results(reduced), reduced["clause"]) == ([ENDED], "TOOL-D2")


def test_a_second_reducer_is_refused_and_the_first_stays() -> None:
    _, refused, reduced = steps_of(Kind.REDUCER_REFUSED, Kind.REDUCED)

    assert (refused["error"], refused["clause"]) == ({"mentions": []}, "TOOL-D3")
    assert results(reduced) == [{"ok": True, "value": "ended by reducer-1"}]
    assert reduced["clause"] == "TOOL-D3"


def test_a_reducer_that_is_removed_again_takes_no_other_with_it() -> None:
    kinds = (Kind.REMOVED_AGAIN, Kind.REDUCER_ADDED, Kind.REMOVED_AGAIN, Kind.REDUCED)
    *_, again, reduced = steps_of(*kinds)

    assert again["input"] == {"handle": {"$use": "reducer-1"}}
    assert results(reduced)[0]["value"] == "ended by reducer-2"


# --- turns with several calls


ANSWER = {"ok": True, "value": {"$contains": "currentTurn"}}
ANY = {"ok": {"$type": "boolean"}}


@pytest.mark.parametrize(
    ("mode", "wanted"),
    [
        (Mode.PLAIN, [ANSWER, {"ok": False}, {"ok": False}, {"ok": True}]),
        (Mode.DRY_RUN, [ANY, ANY, ANY, ANY]),
        (Mode.CALLED_OFF, [ANY, ANY, ANY, ANY]),
        (Mode.LEFT_OUT, [REFUSED, REFUSED, REFUSED, REFUSED]),
    ],
)
def test_each_call_of_a_batch_comes_to_its_own(mode: Mode, wanted: list[Any]) -> None:
    sequence = Sequence("s")
    sequence.together([Kind.ANSWER, Kind.THROW, Kind.UNKNOWN, Kind.LONG], mode)

    assert results(sequence.steps[-1]) == wanted


def test_what_is_drawn_can_be_saved_as_a_vector() -> None:
    groups = (Group(tuple(Kind)), *(Group(OF_CALLS, mode) for mode in Mode))
    vector: Any = {
        "id": "tool-contract/fuzz-found/one",
        "title": "Found by fuzzing: one.",
        "clauses": ["TOOL-X3"],
        "steps": SequencePlan(groups).steps("x"),
    }
    check_vectors(
        {
            "schema": "wireproof-vectors/1",
            "protocol": "tool-contract",
            "group": "fuzz-found",
            "kind": "operation",
            "vectors": [vector],
        }
    )
