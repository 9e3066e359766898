from __future__ import annotations

from tests.proof.tool_contract.proof import PROOF
from tests.proof.tool_contract.table import BROKEN
from tests.proof.trial import try_out

from wireproof.checks import Verdict

ABORT = "tool-contract/abort"


def test_where_no_abort_reaches_a_tool_what_waits_for_one_rests_on_that() -> None:
    names = {f"{ABORT}/{name}" for name in ("reaches-the-tool", "stays-aborted")}
    others = {f"{ABORT}/next-turn", "tool-contract/sequences/around-abort"}

    trial = try_out(PROOF, BROKEN["abort-reaches-nobody"].driver, only=names | others)

    found = {one.id: one for one in trial.results}
    assert found[f"{ABORT}/reaches-the-tool"].verdict is Verdict.FAILED
    rests = {one.id for one in trial.results if one.because == "TOOL-X9"}
    assert rests == {f"{ABORT}/stays-aborted", "tool-contract/sequences/around-abort"}
    assert found[f"{ABORT}/next-turn"].verdict in {Verdict.PASSED, Verdict.FAILED}
