from __future__ import annotations

import pytest
from tests.proof.host_v1.table import BROKEN
from tests.proof.trial import ROOT

from wireproof.checks import Settings, Target, Verdict
from wireproof.fuzzing import Act
from wireproof.protocols.host_v1._protocol import HostProtocol
from wireproof.protocols.host_v1._sequence_plans import Group, SequencePlan
from wireproof.run import EngineSuite


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("payload-changed-beside-a-call", "HV1-E4"),
        ("swaps-events-beside-a-call", "HV1-E3"),
    ],
)
def test_events_of_fuzzed_calls_are_charged_by_what_differs(
    name: str, clause: str
) -> None:
    target = Target("host-v1", name, BROKEN[name].command, "subject")
    suite = HostProtocol().open(target, Settings(ROOT, fuzz=1))
    assert isinstance(suite, EngineSuite)
    (check,) = (c for c in suite.checks if c.id == "host-v1/fuzz/sequences")
    streams = (Act("stream", {"parts": 3}), Act("stream", {"parts": 1}))
    plan = SequencePlan((Group(streams, together=True, one_write=True),))

    result = suite.attempt(check, plan.steps("x")).result
    suite.finish()

    assert (result.verdict, result.clauses) == (Verdict.FAILED, (clause,)), result
