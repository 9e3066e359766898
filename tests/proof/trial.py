"""Runs the suite on a subject, and says where the outcome is not the expected one."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.proof.row import Row

from wireproof.checks import (
    Check,
    Result,
    Settings,
    SubjectFacts,
    Target,
    Verdict,
    is_conformant,
)
from wireproof.protocols import protocol_for

ROOT = Path(__file__).parents[2]

HARMLESS = frozenset({Verdict.PASSED, Verdict.RECORDED, Verdict.NOT_APPLICABLE})
BROKEN_VERDICTS = frozenset({Verdict.FAILED, Verdict.WARNED})

ANSWER_SECONDS = 2.0
"""Longest wait for an answer: a subject that gives none must not take a minute."""

PATHS = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
"""What a subject in Python needs to find the packages that these tests found."""

MARK = {"WIREPROOF_PROOF": uuid.uuid4().hex}
"""A variable by which the subjects of this process, and theirs, are known."""


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


def try_checks(
    option: str,
    command: Sequence[str],
    *,
    timeout: float | None,
    folder: Path,
    choose: Callable[[Sequence[Check]], Iterable[Check]],
) -> Trial:
    """Run vectors on a subject.

    Args:
        option: The protocol, by its option: `host` or `socket`.
        command: What starts it, or the path of its socket.
        timeout: Most seconds to wait for an answer; None for the suite's own limits.
        folder: Where it is started.
        choose: Which of the checks are run.
    """
    settings = Settings(folder, timeout=timeout, fuzz=0, environment=PATHS | MARK)
    protocol = protocol_for(option)
    target = Target(protocol.name, " ".join(command), tuple(command), "subject")
    suite = protocol.open(target, settings)
    chosen = list(choose(suite.checks))
    suite.announce(chosen)
    results = [suite.run(check) for check in chosen]
    return Trial([*results, *suite.finish()], suite.facts())


def surprises(row: Row, results: Iterable[Result]) -> list[str]:
    """Say what a broken subject should not have led to.

    Its own clause must be broken in some check; every check that is broken, or that
    is not testable, must be so because of that clause or one that its row allows.
    """
    wanted = Verdict.FAILED if row.level == "must" else Verdict.WARNED
    blamed = {row.clause, *row.allows}
    found: list[str] = []
    caught = False
    for result in results:
        caught = caught or (row.clause in result.clauses and result.verdict is wanted)
        if result.verdict in HARMLESS:
            continue
        if result.verdict in BROKEN_VERDICTS and blamed.intersection(result.clauses):
            continue
        if result.verdict is Verdict.NOT_TESTABLE and result.because in blamed:
            continue
        found.append(f"{result.id} is {result.verdict} ({result.reason[:150]})")
    if not caught:
        found.insert(0, f"no check of {row.clause} is {wanted}")
    return found


def complaints(row: Row, results: Iterable[Result]) -> list[str]:
    """Say what a legal subject should not have led to.

    Nothing may fail or be left untested; a warning must be one that its row names.
    """
    return [
        f"{result.id} is {result.verdict} ({result.reason[:150]})"
        for result in results
        if result.verdict not in HARMLESS
        and not (
            result.verdict is Verdict.WARNED
            and not row.allows.keys().isdisjoint(result.clauses)
        )
    ]
