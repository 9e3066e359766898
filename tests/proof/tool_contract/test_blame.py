from __future__ import annotations

from tests.proof.tool_contract.proof import PROOF
from tests.proof.tool_contract.table import BROKEN
from tests.proof.trial import try_out

from wireproof.checks import Verdict

ABORT = "tool-contract/abort"


def test_a_registry_deaf_to_the_abort_fails_each_check_that_waits_for_it() -> None:
    names = ("reaches-the-tool", "stays-aborted", "next-turn")
    wanted = [f"{ABORT}/{name}" for name in names]

    trial = try_out(PROOF, BROKEN["abort-reaches-nobody"].driver, only=set(wanted))

    found = {one.id: one for one in trial.results}
    assert [found[one].verdict for one in wanted[:2]] == [Verdict.FAILED] * 2
    assert found[wanted[2]].verdict in {Verdict.PASSED, Verdict.FAILED}
