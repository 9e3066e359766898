"""A check is not testable only for a reason in its own conversation.

Either the subject was not up, or a step of the check that comes before its question did
not go as expected. The failure of another check is never a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from tests.proof.proof import load_proof
from tests.proof.trial import Trial, try_out, try_row

from wireproof.checks import Result, Verdict
from wireproof.judge import Reason
from wireproof_vectors import load_vectors

PROOF = load_proof("exec_server")

ROWS = (
    "begins-anew-at-the-limit",
    "counts-anew",
    "falsy-is-nothing",
    "pieces-are-lines",
)
"""Rows on which a few checks are not testable, each for another kind of step."""

NULL = "false"

OF_NULL = ("exec-server/calls/print", "exec-server/ids/one")
"""Checks that are run on a subject that does not come up."""

NOT_UP = frozenset(
    {
        "not-started",
        "exited-at-start",
        "silent-at-start",
        "control-refused",
        "held-back",
    }
)
"""Kinds of reason that say that a subject did not come up."""


@cache
def vectors() -> Mapping[str, Any]:
    return {vector.id: vector.data for vector in load_vectors(PROOF.protocol)}


def named_in(value: Any) -> Iterator[str]:
    """Yield the clauses that steps name, at any depth of a vector."""
    if isinstance(value, dict):
        if isinstance(value.get("clause"), str):
            yield value["clause"]
        yield from (one for inner in value.values() for one in named_in(inner))
    elif isinstance(value, list):
        yield from (one for inner in value for one in named_in(inner))


def problem_of(result: Result) -> str | None:
    """Return why a result may not be "not testable"; None if its reason is sound."""
    why = result.why
    if not isinstance(why, Reason):
        return f"{result.id} gives no reason"
    if why.clause in result.clauses:
        return f"{result.id} is about {why.clause}, which it says hides it"
    if result.because is None:
        # `because` is None only if the subject was not up.
        asked = [e for e in result.entries if e.direction == "sent" and not e.own]
        if why.kind in NOT_UP and not asked:
            return None
        return f"{result.id} was not tried, but its subject was up ({why.kind})"
    if result.because != why.clause:
        return f"{result.id} names {result.because}, its reason {why.clause}"
    if why.clause not in named_in(vectors()[result.id]):
        return f"{result.id} has no step about {why.clause} ({why.kind})"
    return None


def untried(trial: Trial) -> list[Result]:
    """Return the results of the checks, not of monitors, that were not testable."""
    return [
        result
        for result in trial.results
        if result.verdict is Verdict.NOT_TESTABLE and not result.by_monitor
    ]


@pytest.mark.parametrize("name", ROWS)
def test_a_check_is_not_testable_only_for_what_its_own_conversation_shows(
    name: str,
) -> None:
    found = untried(try_row(PROOF, PROOF.broken[name]))

    assert found, "the row leaves no check untried: choose another one"
    assert [problem for one in found if (problem := problem_of(one))] == []


def test_a_subject_that_does_not_come_up_is_the_reason_in_each_check() -> None:
    command = PROOF.nulls.commands[NULL]
    found = untried(try_out(PROOF, command, timeout=1.0, only=OF_NULL))

    assert [one.id for one in found] == [*OF_NULL]
    assert [problem for one in found if (problem := problem_of(one))] == []
