"""Which clause a check is charged to, on a runtime that is told what they come to."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
from wireproof.protocols.exec_runtime._protocol import PROTOCOL
from wireproof.protocols.exec_runtime._suite import RuntimeSuite
from wireproof_vectors import Vector

TARGET = Target("exec-runtime", "r", ("r",), "subject")

CALL = {"op": "call", "input": {"tool": "t", "args": {}}, "expected": 1}

FAILED, PASSED = Verdict.FAILED, Verdict.PASSED


def vector(name: str, clause: str, level: Any = "must", **step: Any) -> Vector:
    bound: Any = {"op": "bind", "input": {"name": "t", "exec": {}}, "plays": []}
    steps = [bound, {**CALL, **step}]
    return Vector(
        name, name, (clause,), level, "seed", "runtime", "own", {"steps": steps}
    )


class Told:
    """A runtime whose checks come to what they are told, and the order of them."""

    def __init__(self, verdicts: Mapping[str, Verdict]) -> None:
        self.verdicts = verdicts
        self.ran: list[str] = []
        self.processes = 3
        self.transcript = Transcript(0.0)
        self.finished = False
        self.starts = 1
        self._lock = threading.Lock()

    def run(self, check: Check) -> Result:
        with self._lock:
            self.ran.append(check.id)
        return Result(
            check.id,
            check.clauses,
            check.level,
            check.source,
            self.verdicts.get(check.id, PASSED),
            "its reason",
        )

    def finish(self) -> list[Result]:
        self.finished = True
        return []

    def facts(self) -> SubjectFacts:
        return SubjectFacts("full", self.starts, 0, (), 0, 2.0)


def suite_on(told: Any, *vectors: Vector, beside: int = 1) -> RuntimeSuite:
    inputs = inputs_of(PROTOCOL, TARGET, Settings(Path.cwd()), vectors)
    return RuntimeSuite(inputs, lambda: told, beside)


def test_a_check_keeps_its_verdict_whatever_else_fails() -> None:
    told = Told({"digits": FAILED, "limit": FAILED})
    suite = suite_on(told, vector("digits", "EXEC-R3"), vector("limit", "EXEC-R8"))

    alone = suite.run(suite.checks[1])
    assert told.ran == ["limit"]
    suite.run(suite.checks[0])

    assert (alone.verdict, alone.clauses) == (FAILED, ("EXEC-R8",))
    assert (alone.because, alone.reason) == (None, "its reason")


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
