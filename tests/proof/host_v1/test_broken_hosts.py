from __future__ import annotations

import pytest
from tests.proof.host_v1.table import BROKEN
from tests.proof.trial import ROOT

from wireproof.checks import Settings, Target, Verdict
from wireproof.protocols.host_v1._fuzz_plans import _stream
from wireproof.protocols.host_v1._plan import Plan
from wireproof.protocols.host_v1._protocol import HostProtocol
from wireproof.protocols.host_v1._suite import HostSuite


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
    target = Target("host-v1", name, BROKEN[name].command, "subject")
    suite = HostProtocol().open(target, Settings(ROOT, timeout=2.0, fuzz=1))
    assert isinstance(suite, HostSuite)
    (check,) = (c for c in suite.checks if c.id == "host-v1/fuzz/sequences")
    streams = (_stream([{"call": "a", "n": n} for n in range(3)]), _stream([{"n": 1}]))
    one, two, *expects = Plan(streams, together=True).steps("x")
    both = {"send_many": [one["send"], two["send"]]}

    result = suite.attempt(check, [both, *expects]).result
    suite.finish()

    assert (result.verdict, result.clauses) == (Verdict.FAILED, (clause,))
