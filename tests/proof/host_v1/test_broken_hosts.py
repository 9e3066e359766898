from __future__ import annotations

import pytest
from tests.proof.host_v1.table import BROKEN
from tests.proof.host_v1.trial import (
    ANSWER_SECONDS,
    ROOT,
    command_of,
    surprises,
    try_out,
)

from wireproof.checks import Settings, Target, Verdict
from wireproof.protocols.host_v1._fuzz_plans import _stream
from wireproof.protocols.host_v1._plan import Plan
from wireproof.protocols.host_v1._protocol import HostProtocol
from wireproof.protocols.host_v1._suite import HostSuite
from wireproof_vectors import load_clauses

HOST_SIDE = ("HV1-T", "HV1-M", "HV1-E", "HV1-R", "HV1-O")


FIRST = {subject.clause: name for name, subject in reversed(BROKEN.items())}
"""For each clause the first host that breaks it: every run of the tests tries it whole.

The others are tried in the sweep.
"""

FURTHER = [name for name in BROKEN if name not in FIRST.values()]


def assert_charged_rightly(name: str) -> None:
    subject = BROKEN[name]

    trial = try_out(command_of(subject))

    assert surprises(subject, trial.results) == []
    assert trial.conformant is (subject.level == "should")


@pytest.mark.parametrize("name", FIRST.values())
def test_a_broken_host_is_charged_with_the_clause_that_it_breaks(name: str) -> None:
    assert_charged_rightly(name)


@pytest.mark.sweep
@pytest.mark.parametrize("name", FURTHER)
def test_a_further_broken_host_is_charged_with_nothing_else(name: str) -> None:
    assert_charged_rightly(name)


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("payload-changed-beside-a-call", "HV1-E4"),
        ("swaps-events-beside-a-call", "HV1-E3"),
        ("last-call-gets-all", "HV1-E6"),
    ],
)
def test_events_of_fuzzed_calls_are_charged_by_what_differs(
    name: str, clause: str
) -> None:
    target = Target("host-v1", name, command_of(BROKEN[name]), "subject")
    suite = HostProtocol().open(target, Settings(ROOT, timeout=ANSWER_SECONDS, fuzz=1))
    assert isinstance(suite, HostSuite)
    (check,) = (c for c in suite.checks if c.id == "host-v1/fuzz/sequences")
    streams = (_stream([{"call": "a", "n": n} for n in range(3)]), _stream([{"n": 1}]))
    one, two, *expects = Plan(streams, together=True).steps("x")
    both = {"send_many": [one["send"], two["send"]]}

    result = suite.attempt(check, [both, *expects]).result
    suite.finish()

    assert (result.verdict, result.clauses) == (Verdict.FAILED, (clause,))


def test_every_clause_that_can_be_broken_has_a_broken_host() -> None:
    clauses = {
        clause.id
        for clause in load_clauses("host-v1")
        if clause.id.startswith(HOST_SIDE) and clause.level != "may"
    }

    assert clauses == {subject.clause for subject in BROKEN.values()}


def test_no_row_allows_its_own_clause() -> None:
    own = [name for name, one in BROKEN.items() if one.clause in one.allows]

    assert own == []


def test_every_row_allows_clauses_of_the_catalogue_only() -> None:
    known = {clause.id for clause in load_clauses("host-v1")}
    allowed = {clause for one in BROKEN.values() for clause in one.allows}

    assert allowed <= known
