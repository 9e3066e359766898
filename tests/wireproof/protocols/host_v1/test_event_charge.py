from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from wireproof.checks import Deviation, Difference
from wireproof.line import Completed, Diverged, Missing, MissingCause
from wireproof.protocols.host_v1._event_charge import (
    Misplaced,
    emitted,
    event_clause,
    is_about_events,
    lacks_an_event,
    misplaced,
    ran_unasked,
    unanswered_clause,
)

E1 = Deviation("HV1-E1", "must", "no type")
PAYLOAD = (Difference("/event/payload/n", 1, 2),)
INSTEAD = (Difference("/event", {"type": "part"}, None),)
WANTED = {"a": [{"a": 1}, {"a": 2}], "b": [{"b": 1}]}
A1, A2, B1, NEW = {"a": 1}, {"a": 2}, {"b": 1}, {"new": 1}


@pytest.mark.parametrize(
    ("a", "b", "clause"),
    [
        ([A1, A2], [B1], None),
        ([A2, A1], [B1], "HV1-E3"),
        ([A1], [B1], "HV1-E3"),
        ([], [B1], "HV1-E3"),
        ([A1, A1, A2], [B1], "HV1-E3"),
        ([A1, A1], [B1], "HV1-E3"),
        ([NEW, A1, A2], [B1], "HV1-E3"),
        ([A1, NEW], [B1], "HV1-E4"),
        ([NEW, NEW], [B1], "HV1-E4"),
        ([A1, None], [B1], "HV1-E4"),
        ([A1], [B1, A2], "HV1-E6"),
        ([A1, B1], [A2], "HV1-E6"),
        ([A1, A2, B1], [B1], "HV1-E6"),
    ],
)
def test_what_differs_decides(a: list[Any], b: list[Any], clause: str | None) -> None:
    assert event_clause(WANTED, {"a": a, "b": b}, {}, complete=True) == clause


@pytest.mark.parametrize(
    ("a", "b", "clause"),
    [
        ([{"n": 2}, {"n": 1}], [{"n": 1}, {"n": 2}], "HV1-E3"),
        ([{"n": 1}], [{"n": 1}, {"n": 2}], None),
        ([{"n": 1}], [{"n": 1}, {"n": 2}, {"n": 2}], None),
        ([], [{"n": 1}, {"n": 2}, {"n": 1}, {"n": 2}], None),
        ([{"n": 1}, NEW], [{"n": 1}, {"n": 2}], "HV1-E4"),
    ],
)
def test_what_several_calls_emit_alike_proves_little(
    a: list[Any], b: list[Any], clause: str | None
) -> None:
    both = [{"n": 1}, {"n": 2}]
    found = event_clause({"a": both, "b": both}, {"a": a, "b": b}, {}, complete=True)
    assert found == clause


@pytest.mark.parametrize(
    ("refused", "clause"), [("a", "HV1-R5"), ("b", "HV1-R5"), ("c", "HV1-E3")]
)
def test_a_call_that_was_answered_with_a_failure_has_lost_no_events(
    refused: str, clause: str
) -> None:
    came: dict[str, list[Any]] = {"a": [A1], "b": [], "c": []}
    wanted = {**WANTED, "c": []}
    found = event_clause(wanted, came, {}, complete=True, refused=[refused])
    assert found == clause


@pytest.mark.parametrize(
    ("came", "found"),
    [
        ({"a": [A1], "b": [A2, B1]}, Misplaced(A2, "b", "a")),
        ({"a": [B1], "b": []}, Misplaced(B1, "a", "b")),
        ({"a": [A1, A2], "b": [B1]}, None),
        ({"a": [NEW], "b": [B1]}, None),
    ],
)
def test_an_event_under_another_id_is_named_with_the_call_that_emits_it(
    came: Any, found: Misplaced | None
) -> None:
    assert misplaced(WANTED, came, {}) == found


def test_of_calls_that_go_on_only_a_foreign_event_tells() -> None:
    assert event_clause(WANTED, {"a": [A2], "b": []}, {}, complete=False) is None
    assert event_clause(WANTED, {"a": [B1]}, {}, complete=False) == "HV1-E6"


def test_the_steps_say_what_each_call_emits() -> None:
    steps: list[dict[str, Any]] = [
        {"send": {"id": "a"}},
        {"expect": {"id": "a", "event": {"type": "part", "payload": {"n": 1}}}},
        {"expect": {"id": "b", "ok": True}},
        {"expect": {"id": "a", "event": {"type": "part"}}},
        {"expect": {"id": "a", "ok": True}},
        {"fence": True},
    ]
    assert emitted(steps) == {"a": [{"n": 1}, {"$save": "anything"}], "b": []}


@pytest.mark.parametrize(
    ("clauses", "outcome", "about"),
    [
        (("HV1-E3",), Completed({}, 1), False),
        (("HV1-E3",), Diverged("differs"), True),
        (("HV1-E6",), Diverged("differs"), True),
        (("HV1-E2",), Diverged("differs"), False),
        (("HV1-E2",), Diverged("differs", differences=PAYLOAD), True),
        (("HV1-R12",), Diverged("differs", differences=INSTEAD), False),
        (("HV1-M13", "HV1-E3"), Diverged("differs"), False),
        (("HV1-M13", "HV1-E3"), Diverged("differs", "HV1-E3"), True),
        (("HV1-E3",), Diverged("differs", "HV1-M2", differences=PAYLOAD), False),
        (("HV1-R5",), Diverged("differs", "HV1-R5", intruding=True), True),
        (("HV1-E3",), Diverged("differs", deviations=(E1,)), False),
        (("HV1-E3",), Diverged("gone", None, Missing(MissingCause.EXITED, "")), False),
    ],
)
def test_only_a_failure_about_events_is_looked_into(
    clauses: tuple[str, ...], outcome: Completed | Diverged, *, about: bool
) -> None:
    assert is_about_events(clauses, outcome) is about


def test_a_response_in_the_place_of_an_event_lacks_one() -> None:
    assert lacks_an_event(Diverged("differs", differences=INSTEAD))
    assert not lacks_an_event(Diverged("differs", differences=PAYLOAD))


def test_an_event_of_which_nothing_is_wanted_claims_no_payload() -> None:
    wanted = emitted(
        [
            {"expect": {"id": "a", "event": {"type": "part"}}},
            {"expect": {"id": "b", "event": {"type": "part", "payload": {"b": 1}}}},
        ]
    )
    came = {"a": [A1], "b": [NEW]}
    assert event_clause(wanted, came, {}, complete=True) == "HV1-E4"


def send(key: str) -> dict[str, Any]:
    return {"send": {"id": key}}


def expect(key: str) -> dict[str, Any]:
    return {"expect": {"id": key}}


TIMEOUT = Missing(MissingCause.TIMEOUT, "no answer within 5.0 s")


@pytest.mark.parametrize(
    ("steps", "clause"),
    [
        ([send("a"), expect("a")], "HV1-M3"),
        ([send("a"), expect("a"), expect("a")], "HV1-M3"),
        ([send("a"), expect("a"), send("b"), expect("b")], "HV1-M3"),
        ([send("a"), send("b"), expect("a")], "HV1-M13"),
        ([send("a"), send("b"), expect("a"), expect("b")], "HV1-M13"),
        ([{"send_many": [{"id": "a"}, {"id": "b"}]}, expect("a")], "HV1-M13"),
        ([{"send_many": [{"id": "a"}]}, expect("a")], "HV1-M3"),
        ([send("a"), {"send_raw": []}, send("b"), expect("b")], "HV1-M13"),
    ],
)
def test_a_call_without_an_answer_is_charged_by_what_was_asked_beside_it(
    steps: list[Any], clause: str
) -> None:
    last = len(steps) - 1
    outcome = Diverged("nothing", clause="HV1-E3", missing=TIMEOUT, step=last)
    assert unanswered_clause(outcome, steps) == clause
    assert unanswered_clause(replace(outcome, clause="HV1-R5"), steps) == clause


@pytest.mark.parametrize(
    "outcome",
    [
        Completed({}, 1),
        Diverged("differs", clause="HV1-E3", step=1),
        Diverged("differs", clause="HV1-R5", step=1),
        Diverged("nothing", clause="HV1-R7", missing=TIMEOUT, step=1),
        Diverged("nothing", missing=TIMEOUT, step=1),
        Diverged("nothing", clause="HV1-E3", missing=TIMEOUT),
        Diverged(
            "over",
            clause="HV1-E3",
            missing=Missing(MissingCause.REFUSED, "its response had come already"),
            step=1,
        ),
    ],
)
def test_what_is_no_owed_answer_to_a_call_keeps_its_clause(outcome: Any) -> None:
    assert unanswered_clause(outcome, [send("a"), expect("a")]) is None


def stream(key: str, arguments: Any) -> dict[str, Any]:
    params = {"tool_name": "conformance_stream", "arguments": arguments}
    return {"send": {"id": key, "params": params}}


REFUSED: dict[str, Any] = {"expect": {"id": "a", "ok": False}}


@pytest.mark.parametrize(
    ("steps", "came", "ran"),
    [
        ([stream("a", {"parts": [A1]}), REFUSED], [A1], True),
        ([stream("a", [{"parts": [A1], "delay_ms": 0}]), REFUSED], [A1], True),
        ([stream("a", [[A1], 0]), REFUSED], [A1], True),
        ([stream("a", '{"parts": [{"a": 1}]}'), REFUSED], [A1], True),
        ([stream("a", "parts"), REFUSED], [A1], False),
        ([stream("a", {"parts": [A1]}), REFUSED], [NEW], False),
        ([stream("a", {"parts": [A1]}), REFUSED], [], False),
        ([stream("a", {"parts": []}), REFUSED], [A1], False),
        ([send("a"), REFUSED], [A1], False),
        (
            [
                stream("a", {"parts": [A1]}),
                {"expect": {"id": "a", "event": {"type": "part", "payload": A1}}},
                REFUSED,
            ],
            [A1, A1],
            False,
        ),
    ],
)
def test_an_event_that_was_asked_for_and_not_due_shows_that_the_tool_ran(
    steps: list[dict[str, Any]], came: list[Any], *, ran: bool
) -> None:
    assert ran_unasked(steps, emitted(steps), {"a": came}) is ran
