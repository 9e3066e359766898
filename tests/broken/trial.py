"""Runs the suite on a subject, and says where the outcome is not the expected one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.broken.subject import Subject

from wireproof._protocols import protocol_for
from wireproof._settings import Settings, Target
from wireproof._suite import SubjectFacts
from wireproof._verdicts import Result, Verdict, is_conformant

ROOT = Path(__file__).parents[2]
HOST = Path(__file__).with_name("host.py")

HARMLESS = frozenset({Verdict.PASSED, Verdict.RECORDED, Verdict.NOT_APPLICABLE})
BROKEN_VERDICTS = frozenset({Verdict.FAILED, Verdict.WARNED})

ANSWER_SECONDS = 2.0
"""Longest wait for an answer: a subject that gives none must not take a minute."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What the suite found out about a subject.

    Attributes:
        results: A result for each check and monitor.
        facts: What is known of the subject beside them.
    """

    results: Sequence[Result]
    facts: SubjectFacts

    @property
    def conformant(self) -> bool:
        """Whether the suite calls the subject conformant."""
        return is_conformant(self.results)

    def clauses(self, *verdicts: Verdict) -> set[str]:
        """Return the clauses of the results with one of these verdicts."""
        return {
            clause
            for result in self.results
            if result.verdict in verdicts
            for clause in result.clauses
        }


def command_of(subject: Subject) -> tuple[str, ...]:
    """Return the command that starts a host of the tables."""
    table = "broken" if subject.clause else "legal"
    return (sys.executable, str(HOST), table, subject.name)


def try_out(
    command: Sequence[str],
    *,
    timeout: float | None = ANSWER_SECONDS,
    folder: Path = ROOT,
    every: int = 1,
) -> Trial:
    """Run the vectors on a subject.

    Args:
        command: What starts it.
        timeout: Most seconds to wait for an answer; None for the suite's own limits.
        folder: Where it is started.
        every: 1 for each vector, 6 for every sixth.
    """
    settings = Settings(folder, timeout=timeout, fuzz=0)
    target = Target("host-v1", " ".join(command), tuple(command), "subject")
    suite = protocol_for("host").open(target, settings)
    results = [suite.run(check) for check in suite.checks[::every]]
    return Trial([*results, *suite.finish()], suite.facts())


def surprises(subject: Subject, results: Iterable[Result]) -> list[str]:
    """Say what a broken subject should not have led to.

    Its own clause must be broken in some check; every check that is broken, or that
    is not testable, must be so because of that clause or one that its row allows.
    """
    wanted = Verdict.FAILED if subject.level == "must" else Verdict.WARNED
    blamed = {subject.clause, *subject.allows}
    found: list[str] = []
    caught = False
    for result in results:
        caught = caught or (
            subject.clause in result.clauses and result.verdict is wanted
        )
        if result.verdict in HARMLESS:
            continue
        if result.verdict in BROKEN_VERDICTS and blamed.intersection(result.clauses):
            continue
        if result.verdict is Verdict.NOT_TESTABLE and result.because in blamed:
            continue
        found.append(f"{result.id} is {result.verdict} ({result.reason[:150]})")
    if not caught:
        found.insert(0, f"no check of {subject.clause} is {wanted}")
    return found


def complaints(subject: Subject, results: Iterable[Result]) -> list[str]:
    """Say what a legal subject should not have led to.

    Nothing may fail or be left untested; a warning must be one that its row names.
    """
    return [
        f"{result.id} is {result.verdict} ({result.reason[:150]})"
        for result in results
        if result.verdict not in HARMLESS
        and not (
            result.verdict is Verdict.WARNED
            and not subject.allows.keys().isdisjoint(result.clauses)
        )
    ]
