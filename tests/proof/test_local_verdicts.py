"""A verdict follows from the check's own conversation: the same check alone, in another
order or in another shard gives the same verdict."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple
from zlib import crc32

import pytest
from tests.proof.proof import Proof, load_proof
from tests.proof.row import Row
from tests.proof.trial import Trial, try_row

from wireproof.checks import Result, Verdict

FOLDERS = ("exec_server", "host_v1")

MOST_ROWS = 20
"""Rows of each protocol that the sweep tries."""

SHARDS = 3

EVERYDAY = (("exec_server", 2, 12), ("host_v1", 1, 32))
"""For each protocol how many rows are tried in every run of the tests, and on what
share of the checks: one in so many."""

MOST_OF_CLAUSE = 4
"""Checks of the row's clause that are run beside these."""

MOST_ALONE = 5
"""Checks that are run alone in every run of the tests."""

LOOKED_AT = frozenset({Verdict.FAILED, Verdict.WARNED, Verdict.NOT_TESTABLE})

EXCLUDED: Mapping[str, str] = {
    r"after|then|once|since|again|anew|behind|next|first|second|third|last|before": (
        "what the subject does depends on what it was sent earlier"
    ),
    r"every|count\w*|number\w*|add up|one-in\w*|many|at-most|beyond a hundred": (
        "what the subject does depends on how many requests came"
    ),
    r"ten|forty|fifty|hundred|thousand|repeat\w*|used|stops?|one-call": (
        "what the subject does depends on how many requests came"
    ),
    r"keeps?|kept|remember\w*|forget\w*|goes on|stays?|state|merges|old\w*|reset": (
        "what the subject does depends on what it kept of earlier requests"
    ),
    r"slow\w*|ms|seconds?|timer|late\w*|sleep\w*|waits?|holds?|flush\w*|time": (
        "what the subject does depends on time"
    ),
    r"flight|together|beside|while|threads?|writes-into|read|reads|pipe|busy|swaps"
    r"|the other calls": (
        "what the subject does depends on how the system cuts and schedules"
    ),
    r"random\w*|chance|hash\w*|uuid": "what the subject does depends on chance",
    r"blocks?|spread": "each start takes seconds, and hundreds of checks are run alone",
    r"copies-v": "only a monitor notices it: no check fails",
}
"""Patterns of words in the name of a row, or in what it does, each with the reason why
such rows need not do the same each time."""


class Finding(NamedTuple):
    """What a check came to: what has to be the same in each run."""

    verdict: str
    clause: str
    kind: str


def why_excluded(row: Row) -> str | None:
    """Return why a row need not do the same each time; None if it does."""
    text = f"{row.name} {row.does}".lower()
    reasons = (
        reason
        for words, reason in EXCLUDED.items()
        if re.search(rf"\b(?:{words})\b", text)
    )
    return next(reasons, None)


def chosen(folder: str, most: int) -> list[str]:
    """Return the names of rows that do the same each time, by a hash of the name."""
    broken = load_proof(folder).broken
    names = [name for name, row in broken.items() if why_excluded(row) is None]
    return sorted(names, key=lambda name: crc32(name.encode()))[:most]


def param(folder: str, name: str, *rest: int) -> object:
    return pytest.param(load_proof(folder), name, *rest, id=f"{folder}-{name}")


def checks_in(trial: Trial) -> list[Result]:
    """Return the results of a run but for those of the monitors."""
    return [result for result in trial.results if not result.by_monitor]


def finding(result: Result) -> Finding:
    clause = result.because or result.clauses[0]
    return Finding(str(result.verdict), clause, result.why.kind if result.why else "")


def assert_the_same_in_parts(
    proof: Proof, row: Row, whole: Trial, most_alone: int | None = None
) -> None:
    """Compare the failures of a run with other runs of the same checks."""
    ids = [result.id for result in checks_in(whole)]
    wanted = {
        result.id: finding(result)
        for result in checks_in(whole)
        if result.verdict in LOOKED_AT
    }
    assert wanted, "the row fails no check"
    problems: list[str] = []

    def compare(how: str, only: Collection[str], *, backwards: bool = False) -> None:
        trial = try_row(proof, row, only=only, backwards=backwards)
        problems.extend(
            f"{result.id} {how}: {found}, in the whole run {wanted[result.id]}"
            for result in checks_in(trial)
            if result.id in wanted and (found := finding(result)) != wanted[result.id]
        )

    compare("in reverse order", ids, backwards=True)
    for number in range(SHARDS):
        compare(f"in shard {number + 1} of {SHARDS}", ids[number::SHARDS])
    for check in list(wanted)[:most_alone]:
        compare("alone", [check])

    assert problems == []


@pytest.mark.parametrize(
    ("proof", "name", "every"),
    [
        param(folder, name, every)
        for folder, most, every in EVERYDAY
        for name in chosen(folder, most)
    ],
)
def test_some_verdicts_do_not_depend_on_the_other_checks(
    proof: Proof, name: str, every: int
) -> None:
    row = proof.broken[name]
    whole = try_row(proof, row, every=every, most=MOST_OF_CLAUSE)

    assert_the_same_in_parts(proof, row, whole, MOST_ALONE)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("proof", "name"),
    [param(folder, name) for folder in FOLDERS for name in chosen(folder, MOST_ROWS)],
)
def test_no_verdict_depends_on_the_other_checks(proof: Proof, name: str) -> None:
    row = proof.broken[name]

    assert_the_same_in_parts(proof, row, try_row(proof, row))


@pytest.mark.parametrize("folder", FOLDERS)
def test_enough_rows_do_the_same_each_time(folder: str) -> None:
    assert len(chosen(folder, MOST_ROWS)) == MOST_ROWS


@pytest.mark.parametrize("words", EXCLUDED)
def test_each_exclusion_excludes_a_row(words: str) -> None:
    rows = [row for folder in FOLDERS for row in load_proof(folder).broken.values()]

    assert any(
        re.search(rf"\b(?:{words})\b", f"{row.name} {row.does}".lower()) for row in rows
    )
