"""Runs the suite on a subject, and says where the outcome is not the expected one."""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.proof.forked import forked
from tests.proof.proof import Proof
from tests.proof.row import Row

from wireproof.checks import (
    DEFAULT_FUZZ,
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

PATHS = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
"""What a subject in Python needs to find the packages that these tests found."""

MOST_OF_ITS_CLAUSE = 8
"""So many vectors of the clause that a broken subject breaks are run by default."""

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


def try_out(
    proof: Proof,
    command: Sequence[str],
    *,
    timeout: float | None = None,
    every: int = 1,
    offset: int = 0,
    clause: str = "",
    most: int | None = None,
    shown_by: str = "",
    own: object = None,
    only: Collection[str] | None = None,
    backwards: bool = False,
) -> Trial:
    """Run the vectors on a subject.

    Args:
        proof: The protocol's.
        command: What starts the subject, or the path of its socket.
        timeout: Most seconds to wait for an answer; None for those of the proof.
        every: 1 for each vector, 8 for every eighth.
        offset: Which of the first so many is the first to be run: subjects that are
            tried on a part differ in it, so that they are tried on all between them.
        clause: The vectors of this one are run all the same.
        most: At most so many of them, spread over all; None for each.
        shown_by: This vector is run too.
        own: What the protocol is told of it; None for what it is told of all.
        only: These vectors and no others; None for those that the rest says.
        backwards: Whether the last of them is run first.
    """
    settings = Settings(
        ROOT,
        timeout=timeout or proof.answer_seconds,
        fuzz=0,
        environment=PATHS | MARK,
        own=own or proof.own,
        spare_core=True,
    )
    protocol = protocol_for(proof.option)
    target = Target(protocol.name, " ".join(command), tuple(command), "subject")
    suite = protocol.open(target, settings)
    tried = [check for check in suite.checks if clause in check.clauses]
    tried = tried[:: -(-len(tried) // most)] if tried and most else tried
    wanted = {check.id for check in [*suite.checks[offset % every :: every], *tried]}
    wanted = {*wanted, shown_by} if only is None else {*only}
    chosen = [check for check in suite.checks if check.id in wanted]
    chosen = chosen[::-1] if backwards else chosen
    suite.announce(chosen)
    results = [suite.run(check) for check in chosen]
    return Trial([*results, *suite.finish()], suite.facts())


def try_row(
    proof: Proof,
    row: Row,
    *,
    every: int = 1,
    offset: int = 0,
    most: int | None = None,
    only: Collection[str] | None = None,
    backwards: bool = False,
) -> Trial:
    """Run the vectors on a subject of the tables, started as copies of this process.

    Args:
        proof: The protocol's.
        row: The subject; the vectors of the clause that it breaks are run beside the
            others, and the one that shows it.
        every: As for `try_out`.
        offset: As for `try_out`.
        most: As for `try_out`.
        only: As for `try_out`.
        backwards: As for `try_out`.
    """
    with forked(row.program, row.run):
        return try_out(
            proof,
            row.command,
            every=every,
            offset=offset,
            clause=row.clause,
            most=most,
            shown_by=row.shown_by,
            own=row.own,
            only=only,
            backwards=backwards,
        )


def fuzz_row(proof: Proof, row: Row, seed: int, clause: str | None = None) -> Trial:
    """Run the properties on a subject of the tables, and no vector.

    Args:
        proof: The protocol's.
        row: The subject.
        seed: What the examples come from; as many as a run has them where nothing
            else is asked for.
        clause: Properties of this one alone; None for all.
    """
    settings = Settings(
        ROOT,
        timeout=proof.answer_seconds,
        fuzz=DEFAULT_FUZZ,
        fuzz_seed=seed,
        environment=PATHS | MARK,
        own=row.own or proof.own,
    )
    protocol = protocol_for(proof.option)
    target = Target(protocol.name, " ".join(row.command), row.command, "subject")
    with forked(row.program, row.run):
        suite = protocol.open(target, settings)
        chosen = [
            check
            for check in suite.checks
            if check.kind == "fuzz" and (clause is None or clause in check.clauses)
        ]
        suite.announce(chosen)
        results = [suite.run(check) for check in chosen]
        return Trial([*results, *suite.finish()], suite.facts())


def try_broken(proof: Proof, row: Row, *, every: int, offset: int) -> Trial:
    """Run as many of the vectors on a broken subject as it takes to catch it.

    What is watched in all frames shows in some vectors only, and a clause may have a
    hundred. Where none that shows it is among those that are chosen, all are run.
    """
    trial = try_row(proof, row, every=every, offset=offset, most=MOST_OF_ITS_CLAUSE)
    if row.clause in trial.clauses(Verdict.FAILED):
        return trial
    return try_row(proof, row)


def is_caught(row: Row, trial: Trial) -> bool:
    """Return whether a check of the clause that a subject breaks failed or warned."""
    wanted = Verdict.FAILED if row.level == "must" else Verdict.WARNED
    return row.clause in trial.clauses(wanted)


def complaints(row: Row, results: Iterable[Result]) -> list[str]:
    """Say what a legal subject should not have led to.

    Nothing may fail or be left untested; a warning must be one that its row names, and
    so must the SHOULD be because of which a check cannot be tried.
    """
    return [
        f"{result.id} is {result.verdict} ({result.reason[:150]})"
        for result in results
        if result.verdict not in HARMLESS
        and not (
            result.verdict is Verdict.WARNED
            and not row.warns.keys().isdisjoint(result.clauses)
        )
        and not (
            result.verdict is Verdict.NOT_TESTABLE
            and result.level == "should"
            and result.because in row.warns
        )
    ]
