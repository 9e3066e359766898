"""Which clause a check is charged to, on a runtime that is told what they come to."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.inputs import inputs_of

from wireproof.checks import (
    Check,
    Result,
    Settings,
    SubjectFacts,
    Target,
    Transcript,
    Verdict,
)
from wireproof.protocols.exec_runtime import _suite
from wireproof.protocols.exec_runtime._one_runtime import EARLY
from wireproof.protocols.exec_runtime._protocol import PROTOCOL
from wireproof.protocols.exec_runtime._suite import RuntimeSuite
from wireproof_vectors import Vector

TARGET = Target("exec-runtime", "r", ("r",), "subject")

CALL = {"op": "call", "input": {"tool": "t", "args": {}}, "expected": 1}

FAILED, WARNED, PASSED = Verdict.FAILED, Verdict.WARNED, Verdict.PASSED

UNTESTABLE = Verdict.NOT_TESTABLE


def vector(name: str, clause: str, level: Any = "must", **step: Any) -> Vector:
    bound: Any = {"op": "bind", "input": {"name": "t", "exec": {}}, "plays": []}
    steps = [bound, {**CALL, **step}]
    return Vector(
        name, name, (clause,), level, "seed", "runtime", "own", {"steps": steps}
    )


class Told:
    """A runtime whose checks come to what they are told, and the order of them."""

    def __init__(self, verdicts: Mapping[str, Verdict], *, control: str = "") -> None:
        self.verdicts = verdicts
        self.control = control
        self.charged: dict[str, str] = {}
        self.because: dict[str, str] = {}
        self.overlapping: set[str] = set()
        self.early: set[str] = set()
        self.ran: list[str] = []
        self.processes = 3
        self.transcript = Transcript(0.0)
        self.finished = False
        self.starts = 1
        self._lock = threading.Lock()

    def run(self, check: Check) -> Result:
        with self._lock:
            self.ran.append(check.id)
        result = Result(
            check.id,
            check.clauses,
            check.level,
            check.source,
            self.verdicts.get(check.id, PASSED),
            "its reason",
        )
        if (clause := self.charged.get(check.id)) is not None:
            return replace(result, clauses=(clause,))
        if (hidden_by := self.because.get(check.id)) is not None:
            reason = f"not testable because of {hidden_by}: its reason"
            return replace(result, because=hidden_by, reason=reason)
        if check.id == self.control:
            return replace(result, evidence={"control": "failed"})
        if check.id in self.overlapping:
            return replace(result, evidence={"overlapping": 2})
        if check.id in self.early:
            return replace(result, evidence={EARLY: "it failed after 1 ms"})
        return result

    def finish(self) -> list[Result]:
        self.finished = True
        return []

    def facts(self) -> SubjectFacts:
        return SubjectFacts("full", self.starts, 0, (), 0, 2.0)


def suite_on(told: Any, *vectors: Vector, beside: int = 1) -> RuntimeSuite:
    inputs = inputs_of(PROTOCOL, TARGET, Settings(Path.cwd()), vectors)
    return RuntimeSuite(inputs, lambda: told, beside)


def last_of(told: Told, *vectors: Vector) -> Result:
    """Return what the last of some checks comes to, which alone is asked for."""
    suite = suite_on(told, *vectors)
    return suite.run(suite.checks[-1])


def test_a_check_is_not_testable_where_a_clause_that_it_relies_on_is_broken() -> None:
    told = Told({"digits": FAILED, "limit": FAILED})
    found = last_of(told, vector("digits", "EXEC-R3"), vector("limit", "EXEC-R8"))
    assert (found.verdict, found.because) == (UNTESTABLE, "EXEC-R3")
    assert found.reason == "not testable because of EXEC-R3: its reason"


def test_what_a_step_is_charged_to_is_due_to_what_is_more_basic() -> None:
    told = Told({"arguments": FAILED, "sequence": FAILED})
    charged = replace(vector("sequence", "EXEC-R4"), clauses=("EXEC-R3", "EXEC-R4"))
    told.charged = {"sequence": "EXEC-R4"}
    found = last_of(told, vector("arguments", "EXEC-R3"), charged)
    assert (found.verdict, found.because) == (UNTESTABLE, "EXEC-R3")


def test_a_check_that_another_clause_hides_is_due_to_one_more_basic_still() -> None:
    told = Told({"digits": FAILED, "limit": UNTESTABLE})
    told.because = {"limit": "EXEC-R5"}
    found = last_of(told, vector("digits", "EXEC-R3"), vector("limit", "EXEC-R8"))
    assert (found.verdict, found.because) == (UNTESTABLE, "EXEC-R3")
    assert found.reason == "not testable because of EXEC-R3: its reason"


def test_a_check_is_due_to_none_that_is_less_basic_than_what_hides_it() -> None:
    told = Told({"failures": FAILED, "limit": UNTESTABLE})
    told.because = {"limit": "EXEC-R4"}
    bound: Any = {"name": "t", "exec": {}}
    exits: Any = {"op": "bind", "input": bound, "plays": [[{"exit": 3}]]}
    limit = replace(vector("limit", "EXEC-R8"), data={"steps": [exits]})
    found = last_of(told, vector("failures", "EXEC-R5"), limit)
    assert (found.verdict, found.because) == (UNTESTABLE, "EXEC-R4")


def test_the_should_part_of_a_clause_hides_nothing() -> None:
    told = Told({"digits": WARNED, "schema": WARNED})
    found = last_of(
        told,
        vector("arguments", "EXEC-R3"),
        vector("digits", "EXEC-R3", "should"),
        vector("schema", "EXEC-Y4", "should"),
    )
    assert (found.verdict, found.because) == (WARNED, None)
    assert told.ran == ["schema", "arguments"]


def test_a_clause_that_is_no_must_may_hide_others() -> None:
    told = Told({"stray": WARNED, "beside": WARNED})
    steps = {"op": "call_many", "outcomes": []}
    found = last_of(
        told,
        vector("stray", "EXEC-R16", "should"),
        vector("beside", "EXEC-Y4", "should", **steps),
    )
    assert (found.verdict, found.because) == (UNTESTABLE, "EXEC-R16")


def beside_others(told: Told) -> Result:
    """Return what a sequence comes to whose calls of one server are lost together."""
    told.overlapping = {"together", "sequence"}
    return last_of(
        told,
        vector("alone", "EXEC-R4"),
        vector("together", "EXEC-R16", "should"),
        vector("sequence", "EXEC-R4"),
    )


def test_a_result_that_is_lost_beside_others_alone_is_due_to_their_overlapping() -> (
    None
):
    found = beside_others(Told({"together": WARNED, "sequence": FAILED}))
    assert (found.verdict, found.clauses) == (WARNED, ("EXEC-R16",))


def test_a_result_that_is_lost_alone_too_is_not_due_to_overlapping() -> None:
    verdicts = {"alone": FAILED, "together": WARNED, "sequence": FAILED}
    found = beside_others(Told(verdicts))
    assert (found.verdict, found.clauses) == (FAILED, ("EXEC-R4",))


def test_overlapping_is_blamed_where_its_own_checks_show_it() -> None:
    found = beside_others(Told({"sequence": FAILED}))
    assert (found.verdict, found.clauses) == (FAILED, ("EXEC-R4",))


@pytest.mark.parametrize(
    ("early", "because"),
    [
        ({"limit", "result"}, "EXEC-R19"),
        ({"result"}, None),
        ({"limit"}, None),
    ],
)
def test_a_call_that_is_not_given_its_time_is_due_to_the_clause_of_limits(
    early: set[str], because: str | None
) -> None:
    told = Told({"limit": FAILED, "result": FAILED})
    told.early = early
    found = last_of(told, vector("limit", "EXEC-R19"), vector("result", "EXEC-R4"))
    assert found.because == because


def test_a_limit_that_fails_calls_at_once_is_due_to_nothing_more_basic() -> None:
    told = Told({"result": FAILED, "limit": FAILED})
    told.early = {"limit", "result"}
    expected = {"expected": 1}
    found = last_of(
        told, vector("result", "EXEC-R4"), vector("limit", "EXEC-R19", **expected)
    )
    assert (found.verdict, found.clauses) == (FAILED, ("EXEC-R19",))
    # What fails without a limit as well is no matter of limits.
    told.early = {"limit"}
    found = last_of(
        told, vector("result", "EXEC-R4"), vector("limit", "EXEC-R19", **expected)
    )
    assert found.because == "EXEC-R4"


def test_what_passes_relies_on_nothing() -> None:
    told = Told({"digits": FAILED})
    found = last_of(told, vector("digits", "EXEC-R3"), vector("limit", "EXEC-R8"))
    assert found.verdict is PASSED
    assert told.ran == ["limit"]


def test_a_check_is_carried_out_once_however_often_it_is_needed() -> None:
    told = Told({"first": FAILED, "second": FAILED})
    suite = suite_on(
        told,
        vector("arguments", "EXEC-R3"),
        vector("first", "EXEC-R8"),
        vector("second", "EXEC-R8"),
    )
    verdicts = [suite.run(check).verdict for check in suite.checks[1:]]
    suite.run(suite.checks[0])
    assert verdicts == [FAILED, FAILED]
    assert told.ran == ["first", "arguments", "second"]


def test_plain_calls_that_fail_are_due_to_a_basic_clause_that_fails_alone() -> None:
    told = Told({"results": FAILED, "limit": UNTESTABLE}, control="limit")
    found = last_of(told, vector("results", "EXEC-R4"), vector("limit", "EXEC-R8"))
    assert (found.verdict, found.because) == (UNTESTABLE, "EXEC-R4")


def test_no_clause_is_blamed_where_plain_calls_fail_and_nothing_else() -> None:
    told = Told({"limit": UNTESTABLE}, control="limit")
    found = last_of(told, vector("results", "EXEC-R4"), vector("limit", "EXEC-R8"))
    assert (found.verdict, found.because) == (UNTESTABLE, None)


def test_no_more_is_tried_for_blame_than_there_is_time_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_suite, "BLAME_SECONDS", 0.0)
    told = Told({"results": FAILED, "limit": UNTESTABLE}, control="limit")
    found = last_of(told, vector("results", "EXEC-R4"), vector("limit", "EXEC-R8"))
    assert (found.verdict, found.because) == (UNTESTABLE, None)
    assert told.ran == ["limit"]


def test_what_was_asked_for_is_looked_at_however_little_time_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_suite, "BLAME_SECONDS", 0.0)
    told = Told({"results": FAILED, "limit": FAILED})
    suite = suite_on(told, vector("results", "EXEC-R4"), vector("limit", "EXEC-R8"))
    suite.announce(suite.checks)
    assert suite.run(suite.checks[1]).because == "EXEC-R4"


def test_what_is_announced_is_carried_out_beside_each_other() -> None:
    met = threading.Barrier(2, timeout=20)

    class Meeting(Told):
        def run(self, check: Check) -> Result:
            met.wait()
            return super().run(check)

    told = Meeting({})
    suite = suite_on(told, vector("a", "EXEC-R3"), vector("b", "EXEC-R3"), beside=2)
    suite.announce(suite.checks)
    assert [suite.run(check).verdict for check in suite.checks] == [PASSED, PASSED]
    suite.finish()
    assert told.finished


def test_what_is_known_of_the_drivers_is_added_up() -> None:
    suite = suite_on(Told({}), beside=2)
    facts = suite.facts()
    assert (facts.starts, facts.tools_started, facts.latency_ms) == (2, 6, 2.0)
