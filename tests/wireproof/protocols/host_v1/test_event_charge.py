from __future__ import annotations

from typing import Any

import pytest

from wireproof.checks import Deviation, Difference
from wireproof.line import Completed, Diverged, Missing, MissingCause
from wireproof.protocols.host_v1._event_charge import (
    emitted,
    event_clause,
    is_about_events,
)

E1 = Deviation("HV1-E1", "must", "no type")
PAYLOAD = (Difference("/event/payload/n", 1, 2),)
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


def test_an_event_of_which_nothing_is_wanted_claims_no_payload() -> None:
    wanted = emitted(
        [
            {"expect": {"id": "a", "event": {"type": "part"}}},
            {"expect": {"id": "b", "event": {"type": "part", "payload": {"b": 1}}}},
        ]
    )
    came = {"a": [A1], "b": [NEW]}
    assert event_clause(wanted, came, {}, complete=True) == "HV1-E4"
