from __future__ import annotations

import pytest
from tests.proof.forked import forked
from tests.proof.host_v1.proof import PROOF
from tests.proof.trial import complaints, try_out

from wireproof.run import LIMITS


def test_every_start_of_a_slow_host_has_the_time_of_a_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It takes five times as long to start as any other answer may take.
    short = LIMITS["answer"]._replace(floor=0.3, cap=0.3)
    monkeypatch.setitem(LIMITS, "answer", short)
    row = PROOF.legal["starts-slowly"]

    with forked(row.program, row.run):
        trial = try_out(PROOF, row.command, every=1_000, clause="HV1-R1")

    assert complaints(row, trial.results) == []
    assert trial.conformant
