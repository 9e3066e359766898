from __future__ import annotations

from tests.proof.exec_runtime.proof import PROOF
from tests.proof.trial import try_row

from wireproof.checks import Verdict

BESIDE = "exec-runtime/concurrency/server-own-answers"


def test_requests_that_are_no_lines_are_no_matter_of_what_runs_beside() -> None:
    trial = try_row(PROOF, PROOF.broken["writes-into-each-other"], only=[BESIDE])

    (result,) = (one for one in trial.results if one.id == BESIDE)
    assert (result.verdict, result.clauses) == (Verdict.FAILED, ("EXEC-R2",))
    assert result.level == "must"
    assert result.reason.startswith("a server was sent a line that is no request, ")
