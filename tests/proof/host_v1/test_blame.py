from __future__ import annotations

from tests.proof.forked import forked
from tests.proof.host_v1.proof import PROOF
from tests.proof.trial import try_out

from wireproof.checks import Verdict


def test_the_answer_to_a_fence_is_not_held_against_a_check_of_another_answer() -> None:
    row = PROOF.broken["no-state-of-a-listing"]

    with forked(row.program, row.run):
        trial = try_out(PROOF, row.command, every=1_000, clause="HV1-M6")

    warned = {one.id for one in trial.results if one.verdict is Verdict.WARNED}
    assert warned == {
        "host-v1/messages/state-from-get-tool-schemas",
        "host-v1/monitor/HV1-M6",
    }


def test_a_host_that_ends_after_a_few_requests_is_charged_with_one_clause() -> None:
    row = PROOF.broken["ends-after-four"]

    with forked(row.program, row.run):
        trial = try_out(PROOF, row.command, only={"host-v1/sequences/after-success"})

    assert trial.clauses(Verdict.FAILED) == {"HV1-M3"}


def test_what_came_in_the_place_of_an_answer_is_kept_with_the_failure() -> None:
    row = PROOF.broken["refuses-16-kib"]
    name = "host-v1/transport/mebibyte-in-and-out"

    with forked(row.program, row.run):
        trial = try_out(PROOF, row.command, only={name})

    (found,) = (one for one in trial.results if one.id == name)
    assert found.evidence["line"].startswith('{"v":1,"id":null,"ok":false')
