"""The model of sequences says of each act what the clauses say of it."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.fuzzing import Act, Sequence
from wireproof.protocols.socket_v1._sequence_plans import Group, SequencePlan
from wireproof.protocols.socket_v1._sequences import MODEL, beside_one, end


def steps_of(*acts: Act) -> list[dict[str, Any]]:
    sequence = Sequence(MODEL, "s")
    sequence.one_by_one(acts)
    return sequence.steps


@pytest.mark.parametrize(
    ("kind", "code", "clause"),
    [
        ("failure", "VALIDATION_ERROR", "SOCK-C5"),
        ("throw", "TOOL_FAILED", "SOCK-C5"),
        ("unknown-tool", "UNKNOWN_TOOL", "SOCK-C6"),
        ("invalid-arguments", "VALIDATION_ERROR", "SOCK-C6"),
        ("expired", "TIMEOUT", "SOCK-X5"),
        ("cancelled-wait", "CANCELLED", "SOCK-X1"),
    ],
)
def test_a_call_that_fails_has_its_code(kind: str, code: str, clause: str) -> None:
    *_, answer = steps_of(Act(kind))

    assert answer["expect"]["result"]["error"]["code"] == code
    assert answer["clause"] == clause


def test_a_cancelled_sleep_that_returns_must_not_succeed() -> None:
    *_, returns = steps_of(Act("cancelled"))
    *_, ignores = steps_of(Act("cancelled", {"ignores": True}))

    assert returns["expect"]["result"] == {"ok": False}
    assert (returns["clause"], ignores["clause"]) == ("SOCK-X2", "SOCK-X1")


@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        ("bad-line", "SOCK-F4"),
        ("bad-message", "SOCK-M5"),
        ("other-protocol", "SOCK-M2"),
    ],
)
def test_a_line_that_is_no_frame_gets_an_error(kind: str, clause: str) -> None:
    line, answer, fence, again, last = steps_of(Act(kind))

    assert (line, answer) == (again, last)
    assert answer == {
        "expect": {"type": "error", "code": "PROTOCOL_ERROR"},
        "clause": clause,
    }
    assert fence == {"fence": True, "clause": clause}


def test_a_cancelled_call_is_cancelled_as_soon_as_it_is_sent() -> None:
    call, cancel, _ = steps_of(Act("cancelled"))

    assert call["send"]["requestId"] == cancel["send"]["requestId"] == "s-1"
    assert call["waits"] is False


def test_a_stray_cancel_names_the_call_that_was_answered_last() -> None:
    *_, cancel = steps_of(Act("success"), Act("stray-cancel"))

    assert cancel["send"]["requestId"] == "s-1"


def test_a_server_is_seen_to_bear_a_stray_cancel_before_anything_rests_on_it() -> None:
    before, fence, *_ = steps_of(Act("stray-cancel"))

    assert before["send"]["requestId"] == "s-1-before"
    assert fence == {"fence": True, "clause": "SOCK-X3"}


def test_the_session_of_a_connection_stays_the_same_and_is_no_other_s() -> None:
    _, first, _, second, _, other = steps_of(
        Act("session"), Act("session"), Act("session", {"on": "b"})
    )

    assert [
        step["expect"]["result"]["content"]["sessionId"]
        for step in (first, second, other)
    ] == [
        {"$save": "session of main", "match": {"$all_of": [{"$type": "string"}]}},
        {"$use": "session of main"},
        {
            "$save": "session of b",
            "match": {
                "$all_of": [{"$type": "string"}, {"$not": {"$use": "session of main"}}]
            },
        },
    ]


def test_acts_beside_a_call_are_answered_while_it_runs() -> None:
    sequence = Sequence(MODEL, "s")
    beside_one(sequence, [Act("success")], "main")

    begun, echo, echoed, cancel, cancelled = sequence.steps
    assert begun["send"]["requestId"] == cancel["send"]["requestId"] == "s-1"
    assert echo["send"]["requestId"] == echoed["expect"]["requestId"] == "s-2"
    assert echoed["clause"] == "SOCK-C8"
    assert cancelled["expect"]["result"] == {"ok": False}


def test_a_cancel_of_another_connection_leaves_the_call_to_run() -> None:
    call, cancel, expect = steps_of(Act("cancelled-elsewhere"))

    assert cancel["on"] == "beside main"
    assert cancel["send"]["requestId"] == call["send"]["requestId"]
    assert expect["expect"]["result"]["ok"] is True
    assert expect["clause"] == "SOCK-X4"


def test_a_stream_is_cancelled_behind_its_first_event() -> None:
    call, event, cancel, expect = steps_of(Act("cancelled-stream"))

    assert event["expect"]["type"] == "tool_event"
    assert cancel["send"]["requestId"] == call["send"]["requestId"]
    assert expect["expect"]["result"]["error"] == {"code": "CANCELLED"}


def test_a_connection_that_closes_leaves_a_call_behind() -> None:
    *_, call, closing = steps_of(Act("connection-gone"))

    assert (call["on"], call["send"]["arguments"]) == ("s-1", {"ms": 60000})
    assert closing == {"disconnect": "s-1"}


def test_a_charged_clause_is_not_that_of_a_call_that_ends_early() -> None:
    sequence = Sequence(MODEL, "s")
    sequence.charged = "SOCK-C9"
    sequence.one_by_one([Act("success"), Act("expired")])

    assert [step["clause"] for step in sequence.steps if "expect" in step] == [
        "SOCK-C9",
        "SOCK-X5",
    ]


def test_every_connection_that_is_left_is_looked_at_in_the_end() -> None:
    sequence = Sequence(MODEL, "s")
    sequence.together(
        [Act("success"), Act("connection-gone"), Act("success", {"on": "b"})]
    )
    end(sequence)

    assert [
        step.get("on", "main") for step in sequence.steps if "expect_optional" in step
    ] == ["main", "b"]


def test_calls_together_are_numbered_alike_on_every_connection() -> None:
    acts = (Act("success"), Act("success"), Act("success", {"on": "b"}))
    group = Group(acts, together=True, same_ids=True)
    steps = SequencePlan((group,)).steps("p")

    assert [step["send"]["requestId"] for step in steps if "send" in step] == [
        *("p-group-0-1", "p-group-0-2", "p-group-0-1")
    ]


def test_calls_one_by_one_have_one_id() -> None:
    group = Group((Act("success"), Act("throw")), same_ids=True)
    steps = SequencePlan((group,)).steps("p")

    assert [step["send"]["requestId"] for step in steps if "send" in step] == [
        *("p-group-0-0", "p-group-0-0")
    ]


@pytest.mark.parametrize(("charged", "carried"), [("SOCK-C9", False), (None, True)])
def test_what_is_charged_to_one_clause_carries_nothing_that_fails_by_itself(
    *, charged: str | None, carried: bool
) -> None:
    acts = (
        Act("success", {"value": {"$literal": 6.329e25}}),
        Act("failure", {"text": "drawn"}),
    )
    text = str(SequencePlan((Group(acts),), charged).steps("p"))
    assert ("6.329" in text) is carried
    assert ("drawn" in text) is carried
