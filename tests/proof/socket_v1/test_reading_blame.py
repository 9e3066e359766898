"""What a server leaves out because of how it reads is charged to that."""

from __future__ import annotations

import pytest
from tests.proof.socket_v1.proof import PROOF
from tests.proof.trial import try_row

from wireproof.checks import Verdict

# Its lines come in one write, so that no chance decides what a read gives.
TOGETHER = "socket-v1/framing/bad-line-between-calls"
LONG = "socket-v1/framing/one-mebibyte"


@pytest.mark.parametrize(
    ("row", "check", "told"),
    [
        ("a-read-is-a-line", TOGETHER, "does not answer both"),
        ("a-read-is-a-line", LONG, "that comes in two pieces"),
        ("a-read-is-whole-lines", LONG, "that comes in two pieces"),
    ],
)
def test_another_clause_is_not_failed_for_it(row: str, check: str, told: str) -> None:
    trial = try_row(PROOF, PROOF.broken[row], only=[check])
    (result,) = (one for one in trial.results if one.id == check)
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "SOCK-F2")
    assert told in result.reason


@pytest.mark.parametrize(
    ("row", "check", "verdict"),
    [
        ("drops-the-rest-of-a-read", TOGETHER, Verdict.FAILED),
        ("limit-of-64-kib", "socket-v1/framing/one-mebibyte", Verdict.WARNED),
    ],
)
def test_one_that_reads_well_is_charged_with_the_clause_of_the_check(
    row: str, check: str, verdict: Verdict
) -> None:
    trial = try_row(PROOF, PROOF.broken[row], only=[check])
    (result,) = (one for one in trial.results if one.id == check)
    assert (result.verdict, result.because) == (verdict, None)
