from __future__ import annotations

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
