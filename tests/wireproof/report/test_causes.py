"""Causes: what failures have in common, and in which order they are told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof.checks import ClauseText, Difference, Entry, Result, Verdict
from wireproof.report import Cause, explain
from wireproof_vectors import load_clauses

CLAUSES = (
    ClauseText("X-1", "must", "seed", "a line is JSON."),
    ClauseText("X-2", "must", "seed", "it answers.", rests_on=("X-1",)),
    ClauseText("X-3", "must", "seed", "it counts.", rests_on=("X-2",)),
    ClauseText("X-4", "should", "seed", "it is quick.", rests_on=("X-1",)),
    ClauseText("X-5", "must", "seed", "it ends."),
)

TRACE = """Traceback (most recent call last):
  File "host.py", line 7, in answer
    key = message["id"]
KeyError: 'id'
"""


def failed(name: str, clause: str, kind: str = "mismatch", **more: Any) -> Result:
    fields: dict[str, Any] = {
        "level": "must",
        "verdict": Verdict.FAILED,
        "key": (kind, clause, ""),
        "reason": f"{kind} in {clause}",
        "reproduce": "printf x | ./host",
    }
    return Result(f"x/a/{name}", (clause,), source="seed", **(fields | more))


def warned(name: str, clause: str, **more: Any) -> Result:
    return failed(name, clause, level="should", verdict=Verdict.WARNED, **more)


def untried(name: str, because: str, **more: Any) -> Result:
    given: dict[str, Any] = {"verdict": Verdict.NOT_TESTABLE, "because": because}
    return failed(name, "X-3", **(given | more))


def names(cause: Cause) -> list[str]:
    return [one.id.removeprefix("x/a/") for one in cause.results]


def test_failures_with_one_key_are_one_cause() -> None:
    found = [failed("a", "X-1"), failed("b", "X-1"), failed("c", "X-1", "no-answer")]
    causes = explain(found, CLAUSES)
    assert [(one.clauses, names(one)) for one in causes] == [
        (["X-1"], ["a", "b"]),
        (["X-1"], ["c"]),
    ]


def test_what_a_cause_rests_on_comes_first_and_has_it_below() -> None:
    found = [failed("c", "X-3"), failed("b", "X-2"), failed("e", "X-5")]
    first, *others = explain(found, CLAUSES)
    assert (first.clauses, names(first)) == (["X-5"], ["e"])
    (second,) = others
    assert second.clauses == ["X-2"]
    assert [one.clauses for one in second.under] == [["X-3"]]
    assert [one.id for one in second.resting] == ["x/a/c"]


def test_all_that_rests_on_a_cause_is_below_it_near_and_far() -> None:
    found = [failed("c", "X-3"), failed("b", "X-2"), failed("a", "X-1")]
    (cause,) = explain(found, CLAUSES)
    assert [one.clauses for one in cause.under] == [["X-2"], ["X-3"]]


def test_a_broken_must_is_below_no_warning() -> None:
    should = ClauseText("X-6", "should", "seed", "it is kind.")
    must = ClauseText("X-7", "must", "seed", "it is true.", rests_on=("X-6",))
    found = [warned("a", "X-6"), failed("b", "X-7")]
    causes = explain(found, (should, must))
    assert [one.clauses for one in causes] == [["X-7"], ["X-6"]]


def test_what_is_broken_as_a_must_comes_before_what_is_warned_of() -> None:
    causes = explain([warned("a", "X-4"), failed("b", "X-3")], CLAUSES)
    assert [one.verdict for one in causes] == [Verdict.FAILED, Verdict.WARNED]


def test_what_a_subject_does_in_any_check_is_one_cause_of_several_clauses() -> None:
    ended: dict[str, Any] = {
        "key": ("exited", "", "3"),
        "reason": "the subject exited with status 3 before it answered",
        "ended": "the subject exited with status 3",
    }
    found = [failed("a", "X-1", **ended), warned("b", "X-4", **ended)]
    (cause,) = explain(found, CLAUSES)
    assert cause.clauses == ["X-1", "X-4"]
    assert cause.text == "the subject exited with status 3"
    assert cause.verdict is Verdict.FAILED


def test_an_exception_that_broken_checks_share_is_their_cause() -> None:
    data = TRACE.encode()
    raised: dict[str, Any] = {
        "entries": [Entry(0.0, "stderr", data, len(data))],
        "stderr": TRACE,
    }
    found = [failed("a", "X-1", **raised), failed("b", "X-2", **raised)]
    found += [failed("c", "X-3", "no-answer", **raised)]
    (cause,) = explain(found, CLAUSES)
    assert cause.text == "KeyError: 'id'"
    assert cause.raised is not None
    assert cause.raised.where == 'File "host.py", line 7, in answer'
    passed = failed("d", "X-1", verdict=Verdict.PASSED, key=(), **raised)
    assert all(one.raised is None for one in explain([*found, passed], CLAUSES))


def test_a_monitor_stands_with_the_check_in_which_it_saw_its_clause_broken() -> None:
    seen: dict[str, Any] = {"by_monitor": True, "first_in": "x/a/a"}
    found = [failed("a", "X-2"), failed("m", "X-2", "wrong-id", **seen)]
    (cause,) = explain(found, CLAUSES)
    assert names(cause) == ["a", "m"]
    elsewhere = [failed("a", "X-2"), failed("m", "X-1", "wrong-id", **seen)]
    assert [names(one) for one in explain(elsewhere, CLAUSES)] == [["m"]]
    assert [one.clauses for one in explain(elsewhere, CLAUSES)[0].under] == [["X-2"]]


def test_the_failure_that_is_surely_seen_again_by_itself_shows_a_cause() -> None:
    by_suite = f"pytest {'x/a/a'} --host=./host"
    found = [
        failed("m", "X-1", by_monitor=True),
        failed("a", "X-1", reproduce=by_suite),
        failed("b", "X-1", evidence={"alone": "it did not fail alone"}),
        failed("c", "X-1"),
    ]
    (cause,) = explain(found, CLAUSES)
    assert names(cause) == ["c", "a", "b", "m"]


def test_what_could_not_be_tried_stands_with_the_cause_of_it() -> None:
    found = [failed("b", "X-2"), untried("h", "X-2"), untried("i", "X-5")]
    first, last = explain(found, CLAUSES)
    assert [one.id for one in first.untried] == ["x/a/h"]
    assert (last.verdict, last.clauses) == (Verdict.NOT_TESTABLE, ["X-5"])


def test_of_a_subject_that_does_not_come_up_there_is_one_cause() -> None:
    silent: dict[str, Any] = {"key": ("silent-at-start", "X-2", "")}
    silent["verdict"] = Verdict.NOT_TESTABLE
    found = [failed(name, "X-3", **silent) for name in "abc"]
    (cause,) = explain(found, CLAUSES)
    assert (cause.clauses, names(cause)) == ([], ["a", "b", "c"])


@pytest.mark.parametrize(
    ("reason", "is_one"),
    [("call {} was answered with a failure: no room", True), ("{} is null", False)],
)
def test_a_failure_in_place_of_success_is_one_cause_whatever_the_clause(
    reason: str, *, is_one: bool
) -> None:
    """Results of the engine that gives no keys are told apart by what they say."""
    found = [
        failed("a", "X-1", key=(), reason=reason.format("echo")),
        failed("b", "X-2", key=(), reason=reason.format("count")),
    ]
    causes = explain(found, ())
    assert len(causes) == (1 if is_one else 2)


@pytest.mark.parametrize(
    ("values", "count"),
    [
        # Three checks of two clauses fail with one value.
        ([("a", "X-1", "date"), ("b", "X-2", "date"), ("c", "X-2", "date")], 1),
        # Two are too few.
        ([("a", "X-1", "date"), ("b", "X-5", "date")], 2),
        # It is hardly the value.
        ([(name, f"X-{n}", "date, zero") for n, name in ((1, "a"), (5, "b"))], 2),
    ],
)
def test_a_value_that_checks_of_several_clauses_fail_with_is_one_cause(
    values: list[tuple[str, str, str]], count: int
) -> None:
    found = [failed(n, c, evidence={"values": value}) for n, c, value in values]
    assert len(explain(found, CLAUSES)) == count


def test_what_differs_tells_apart_a_success_that_is_due_from_a_failure() -> None:
    due = [Difference("/ok", expected=True, actual=False)]
    none = [Difference("/ok", expected=False, actual=True)]
    found = [
        failed("a", "X-1", key=(), differences=due),
        failed("b", "X-1", key=(), differences=none),
    ]
    assert len(explain(found, ())) == 2


RESULTS = st.lists(
    st.builds(
        lambda number, clause, kind, verdict, because: failed(
            str(number),
            f"X-{clause}",
            kind,
            verdict=verdict,
            because=f"X-{because}" if verdict is Verdict.NOT_TESTABLE else None,
        ),
        st.integers(0, 99),
        st.integers(1, 6),
        st.sampled_from(["mismatch", "no-answer", "wrong-id"]),
        st.sampled_from(Verdict),
        st.integers(1, 6),
    ),
    max_size=12,
    unique_by=lambda one: one.id,
)


def all_in(causes: Any) -> list[str]:
    return [one.id for cause in causes for one in (*cause.results, *cause.untried)] + [
        name for cause in causes for name in all_in(cause.under)
    ]


@given(RESULTS)
def test_each_failure_is_told_once_whatever_the_order(found: list[Result]) -> None:
    told = {Verdict.FAILED, Verdict.WARNED, Verdict.NOT_TESTABLE}
    causes = explain(found, CLAUSES)
    assert sorted(all_in(causes)) == sorted(
        one.id for one in found if one.verdict in told
    )
    again = explain(found[::-1], CLAUSES)
    assert sorted(map(sorted, map(names, again))) == sorted(
        map(sorted, map(names, causes))
    )


@pytest.mark.parametrize("protocol", ["exec-server", "host-v1"])
def test_clauses_of_the_new_engine_rest_on_others_and_in_no_circle(
    protocol: str,
) -> None:
    clauses = {clause.id: clause for clause in load_clauses(protocol)}
    assert any(clause.rests_on for clause in clauses.values())
    order: list[str] = []
    while waiting := [name for name in clauses if name not in order]:
        ready = [n for n in waiting if {*clauses[n].rests_on} <= {*order}]
        assert ready, waiting
        order += ready
