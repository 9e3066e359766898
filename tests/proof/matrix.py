"""The published matrix: what the suite said of each subject that has to conform.

It is kept as data, a line for each check: ``reports/PROTOCOL-matrix.json``. Tables and
the page are made of it. Fuzzing is off, so that it depends on nothing but the checks.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.conforming_subjects import SHIPPED, Subject
from tests.proof.proof import Proof
from tests.proof.tables import REPORTS
from tests.proof.trial import ROOT

from wireproof.checks import Check, Result, Settings, SubjectFacts, Verdict
from wireproof.protocols import protocol_for
from wireproof.reporting import SubjectReport, monitor_id
from wireproof_vectors import load_clauses

LETTERS = {
    "p": Verdict.PASSED,
    "r": Verdict.RECORDED,
    "w": Verdict.WARNED,
    "a": Verdict.NOT_APPLICABLE,
    "f": Verdict.FAILED,
    "t": Verdict.NOT_TESTABLE,
    "e": Verdict.HARNESS_ERROR,
}
"""What stands for each verdict in the file; ``-`` where a subject was not tried."""

UNTRIED = "-"

Kind = Literal["shipped", "legal"]


@dataclass(frozen=True, slots=True)
class Tried:
    """What the suite said of one subject.

    Attributes:
        name: The subject's.
        kind: A program that the project ships, or a variant of the reference that
            chooses otherwise where the clauses leave a choice.
        does: What it does otherwise; empty for a program that is shipped.
        level: The level at which it was tried: ``wire`` or ``full``.
        verdicts: The verdict of each check and monitor, by id.
    """

    name: str
    kind: Kind
    does: str
    level: Literal["wire", "full"]
    verdicts: Mapping[str, Verdict]


def matrix_file(protocol: str) -> Path:
    """Return where the matrix of a protocol is."""
    return REPORTS / f"{protocol}-matrix.json"


def checks_of(proof: Proof) -> Sequence[Check]:
    """Return the checks that there are, in their order; none is fuzzed."""
    settings = Settings(ROOT, fuzz=0, own=proof.own)
    return protocol_for(proof.option).checks(settings)


def ids_of(proof: Proof, tried: Iterable[Tried]) -> Sequence[str]:
    """Return the ids of all checks, in their order, and of the monitors that spoke.

    Some have a word to say of what is broken only.
    """
    spoke = {name for one in tried for name in one.verdicts}
    checks = [check.id for check in checks_of(proof)]
    return [*checks, *(name for name in monitors_of(proof) if name in spoke)]


def monitors_of(proof: Proof) -> Mapping[str, str]:
    """Return the clauses that are watched in all frames, by the ids of monitors."""
    return {
        monitor_id(proof.protocol, clause.id): clause.id
        for clause in load_clauses(proof.protocol)
        if clause.monitored and not clause.withdrawn
    }


def shipped_of(proof: Proof) -> Mapping[str, Subject]:
    """Return the programs of a protocol that the project ships, by name."""
    return {name: one for name, one in SHIPPED.items() if one.option == proof.option}


def read_matrix(protocol: str) -> Sequence[Tried]:
    """Return what the file of a protocol holds; nothing where there is none."""
    path = matrix_file(protocol)
    if not path.exists():
        return []
    document: Any = json.loads(path.read_text())
    return [
        Tried(
            **subject,
            verdicts={
                name: LETTERS[letters[place]]
                for name, letters in document["checks"].items()
                if letters[place] != UNTRIED
            },
        )
        for place, subject in enumerate(document["subjects"])
    ]


def matrix_text(proof: Proof, tried: Sequence[Tried]) -> str:
    """Return the file of a protocol."""
    letter_of = {verdict: letter for letter, verdict in LETTERS.items()}
    subjects = [
        {"name": one.name, "kind": one.kind, "does": one.does, "level": one.level}
        for one in tried
    ]
    checks = [
        f"{json.dumps(name)}: "
        + json.dumps(
            "".join(
                letter_of[one.verdicts[name]] if name in one.verdicts else UNTRIED
                for one in tried
            )
        )
        for name in ids_of(proof, tried)
    ]
    legend = {letter: verdict.value for letter, verdict in LETTERS.items()}
    return (
        f'{{\n"protocol": {json.dumps(proof.protocol)},\n'
        f'"verdicts": {json.dumps(legend)},\n'
        f'"subjects": [\n {_lines(map(json.dumps, subjects))}\n],\n'
        f'"checks": {{\n {_lines(checks)}\n}}\n}}\n'
    )


def _lines(texts: Iterable[str]) -> str:
    return ",\n ".join(texts)


def lacking(proof: Proof, known: Tried | None) -> Collection[str]:
    """Return the checks of which a matrix does not have a subject's verdict."""
    ids = [check.id for check in checks_of(proof)]
    return [name for name in ids if known is None or name not in known.verdicts]


def report_of(proof: Proof, tried: Sequence[Tried]) -> Sequence[SubjectReport]:
    """Return a matrix as what reports are made of, with the catalogue there is."""
    checks = checks_of(proof)
    monitors = monitors_of(proof)
    protocol = protocol_for(proof.option)
    levels = {clause.id: clause for clause in protocol.clauses()}
    # Most subjects have the same verdict of a check: what is told of it is made once.
    of_check = {
        (check.id, verdict): Result(
            check.id,
            check.clauses,
            # Only what a SHOULD prevents may be not testable here: see test_reports.
            "should" if verdict is Verdict.NOT_TESTABLE else check.level,
            check.source,
            verdict,
            title=check.title,
        )
        for check in checks
        for verdict in {one.verdicts.get(check.id) for one in tried}
        if verdict is not None
    }
    of_monitor = {
        (name, verdict): Result(
            name,
            (clause,),
            levels[clause].level,
            levels[clause].source,
            verdict,
            title=f"A monitor of {clause}, which watches all frames.",
            by_monitor=True,
        )
        for name, clause in monitors.items()
        for verdict in {one.verdicts.get(name) for one in tried}
        if verdict is not None
    }
    found: list[SubjectReport] = []
    for one in tried:
        results = [
            made[name, one.verdicts[name]]
            for made, names in (
                (of_check, [check.id for check in checks]),
                (of_monitor, monitors),
            )
            for name in names
            if name in one.verdicts
        ]
        facts = SubjectFacts(one.level, 0, 0, (), 0, 0.0)
        ran = sum(not result.by_monitor for result in results)
        found.append(
            SubjectReport(
                proof.protocol,
                one.name,
                one.name,
                facts,
                results,
                protocol.clauses(),
                ran,
                len(checks),
            )
        )
    return found
