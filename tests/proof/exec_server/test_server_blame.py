from __future__ import annotations

import pytest
from tests.proof.exec_server.proof import PROOF
from tests.proof.trial import try_row

from wireproof.checks import Verdict

TOGETHER = "exec-server/framing/two-in-one-write"
VALUES = "exec-server/places/id"


def test_values_are_not_blamed_on_a_server_that_takes_one_line_of_a_read() -> None:
    trial = try_row(PROOF, PROOF.broken["first-of-a-read"], only=[TOGETHER, VALUES])

    verdicts = {one.id: one.verdict for one in trial.results}
    assert verdicts[TOGETHER] is Verdict.FAILED
    assert verdicts[VALUES] is Verdict.PASSED


@pytest.mark.parametrize(
    ("row", "check", "clause"),
    [
        ("busy-with-the-first", "exec-server/framing/two-in-one-write", "EXEC-S5"),
        ("hides-what-failed", "exec-server/places/message", "EXEC-S15"),
    ],
)
def test_what_a_check_takes_for_granted_is_charged_to_its_own_clause(
    row: str, check: str, clause: str
) -> None:
    trial = try_row(PROOF, PROOF.broken[row], only=[check])
    (result,) = (one for one in trial.results if one.id == check)
    assert (result.verdict, result.clauses[0]) == (Verdict.FAILED, clause)
