"""Several subjects of one command, told what their checks come to."""

from __future__ import annotations

import threading
from collections.abc import Sequence
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
from wireproof.protocols import protocol_for
from wireproof.run import SideBySide
from wireproof_vectors import Vector

PROTOCOL: Any = protocol_for("exec-runtime")

TARGET = Target("exec-runtime", "r", ("r",), "subject")


def vector(name: str) -> Vector:
    return Vector(name, name, ("C",), "must", "seed", "runtime", "own", {"steps": []})


class Told:
    """A subject on which every check passes."""

    def __init__(self, *, starts: int = 1, at_end: Sequence[Result] = ()) -> None:
        self.ran: list[str] = []
        self.announced: list[str] = []
        self.transcript = Transcript(0.0)
        self.is_finished = False
        self.starts = starts
        self.at_end = at_end

    def announce(self, checks: Sequence[Check]) -> None:
        self.announced += [check.id for check in checks]

    def run(self, check: Check) -> Result:
        self.ran.append(check.id)
        return Result(
            check.id, check.clauses, check.level, check.source, Verdict.PASSED
        )

    def finish(self) -> Sequence[Result]:
        self.is_finished = True
        return self.at_end

    def facts(self) -> SubjectFacts:
        facts = SubjectFacts("full", self.starts, 0, (), 0, 2.0 * self.starts)
        return replace(facts, tools_started=3)


def suite_on(told: Sequence[Any], *names: str) -> tuple[SideBySide, list[str]]:
    ended: list[str] = []
    vectors = [vector(name) for name in names]
    inputs = inputs_of(PROTOCOL, TARGET, Settings(Path.cwd()), vectors)
    return SideBySide(inputs, told, lambda: ended.append("end")), ended


def test_what_is_announced_is_carried_out_beside_each_other() -> None:
    met = threading.Barrier(2, timeout=20)

    class Meeting(Told):
        def run(self, check: Check) -> Result:
            met.wait()
            return super().run(check)

    told = [Meeting(), Meeting()]
    suite, ended = suite_on(told, "a", "b")
    suite.announce(suite.checks)
    verdicts = [suite.run(check).verdict for check in suite.checks]
    suite.finish()
    assert verdicts == [Verdict.PASSED, Verdict.PASSED]
    assert sorted(one for each in told for one in each.ran) == ["a", "b"]
    assert all(one.is_finished for one in told)
    assert ended == ["end"]


def test_what_was_not_announced_is_carried_out_on_the_first() -> None:
    told = [Told(), Told()]
    suite, _ = suite_on(told, "a")
    assert suite.run(suite.checks[0]).verdict is Verdict.PASSED
    assert [one.ran for one in told] == [["a"], []]


def test_a_check_that_is_no_vector_waits_until_no_other_is_carried_out() -> None:
    go_on = threading.Event()

    class Waiting(Told):
        def run(self, check: Check) -> Result:
            if check.kind == "vector":
                assert go_on.wait(20)
            return super().run(check)

    told = [Waiting()]
    suite, _ = suite_on(told, "a")
    fuzzed = replace(suite.checks[0], id="f", kind="fuzz")
    suite.announce([*suite.checks, fuzzed])
    assert told[0].announced == ["f"]
    threading.Timer(0.0, go_on.set).start()
    suite.run(fuzzed)
    assert told[0].ran == ["a", "f"]


def test_checks_that_nobody_waits_for_are_not_carried_out() -> None:
    told = [Told()]
    suite, _ = suite_on(told, "a", "b")
    suite.announce(suite.checks)
    suite.finish()
    assert told[0].ran == []


@pytest.mark.parametrize(
    ("first", "second"),
    [(Verdict.PASSED, Verdict.FAILED), (Verdict.FAILED, Verdict.PASSED)],
)
def test_of_two_results_of_one_id_the_one_that_fails_counts(
    first: Verdict, second: Verdict
) -> None:
    told = [
        Told(at_end=[Result("x/driver", (), "must", "seed", verdict)])
        for verdict in (first, second)
    ]
    suite, _ = suite_on(told)
    assert [one.verdict for one in suite.finish()] == [Verdict.FAILED]


def test_what_is_known_of_the_subjects_is_added_up() -> None:
    suite, _ = suite_on([Told(), Told(starts=2)])
    facts = suite.facts()
    assert (facts.starts, facts.tools_started, facts.latency_ms) == (3, 6, 4.0)
