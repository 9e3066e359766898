"""What a check of host-client comes to: vectors of its own, on the reference."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.inputs import inputs_of

from wireproof.checks import Result, Settings, Target, Verdict
from wireproof.protocols.host_client._protocol import PROTOCOL
from wireproof.protocols.host_client._suite import ClientSuite
from wireproof.subjects import Bridge
from wireproof_vectors import Vector

STATE = {"n": 0}

START = {"op": "start", "config": {}, "expect": {"state": STATE}}

CALL = {"op": "execute", "tool_name": "t", "arguments": {}}

REFERENCE = (sys.executable, "-m", "wireproof_reference", "host-client")


def vector(
    *,
    host: Sequence[Any] = (),
    ops: Sequence[Any] = (),
    clause: str = "HV1-C2",
    init: Any = None,
    start: Any = START,
    **more: Any,
) -> Vector:
    answered = answer("init", STATE) if init is None else init
    data = {
        "host": [{"read": "init"}, answered, *host, {"await_eof": True}],
        "ops": [start, *ops],
        **more,
    }
    level: Any = more.get("level", "must")
    return Vector(
        "host-client/own/v", "v", (clause,), level, "seed", "client", "own", data
    )


def answer(name: str, value: Any) -> dict[str, Any]:
    result = {"value": value, "state": STATE}
    return {"write": {"v": 1, "id": {"$id_of": name}, "ok": True, "result": result}}


def failure(name: str) -> dict[str, Any]:
    error = {"type": "E", "detail": "no"}
    return {"write": {"v": 1, "id": {"$id_of": name}, "ok": False, "error": error}}


GIVEN = {"chunks": [], "result": 1, "state": {"n": 0}}
"""What execute gives where the host answers 1."""

ANSWERED = vector(
    host=[{"read": "call"}, answer("call", {"success": True, "result": 1})],
    ops=[{**CALL, "expect": {"result": {"success": True}}}],
)


def target(command: tuple[str, ...]) -> Target:
    return Target("host-client", "subject", command, "subject")


@pytest.fixture(scope="module")
def bridge() -> Iterator[Bridge]:
    """Yield the driver of the reference, up for all tests of this module."""
    settings = Settings(Path.cwd(), timeout=3.0)
    bridge = PROTOCOL.bridge(target(REFERENCE), settings)
    yield bridge
    bridge.stop()


def suite_on(bridge: Bridge, *vectors: Vector) -> ClientSuite:
    settings = Settings(Path.cwd(), timeout=3.0, reproduce_options=("--host-client=X",))
    inputs = inputs_of(PROTOCOL, target(bridge.command), settings, vectors)
    return ClientSuite(bridge, inputs)


def try_one(bridge: Bridge, tried: Vector) -> Result:
    suite = suite_on(bridge, tried)
    return suite.run(suite.checks[0])


def test_what_goes_as_it_should_passes(bridge: Bridge) -> None:
    result = try_one(bridge, ANSWERED)
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    assert result.evidence == {"frames": 2, "ops": 2}
    keys = [entry.data.split(b'"')[1] for entry in result.entries]
    assert keys.count(b"v") == 4  # two requests and two answers
    assert keys.count(b"id") == 6  # three ops and what they came to


def test_a_difference_is_shown(bridge: Bridge) -> None:
    wrong = vector(
        host=[{"read": "call"}, answer("call", {"success": True, "result": 1})],
        ops=[{**CALL, "expect": {"result": {"$equals": {"success": True}}}}],
    )
    result = try_one(bridge, wrong)
    assert result.verdict is Verdict.FAILED
    assert result.reason == "in what execute gave, result.result is there, as 1"
    assert [one.where for one in result.differences] == ["/result/result"]
    assert result.reproduce == "pytest host-client/own/v --host-client=X"
    assert result.evidence["outcomes"] == [
        '{"state": {"n": 0}}',
        '{"chunks": [], "result": {"success": true, "result": 1}, "state": {"n": 0}}',
    ]


@pytest.mark.parametrize(
    ("expect", "reason"),
    [
        (
            {"error": {"type": "E"}},
            f"execute gave {json.dumps(GIVEN)} where it has to fail",
        ),
        (
            {"error": {"$absent": True}, "result": 2},
            "in what execute gave, result is 1, not 2",
        ),
    ],
)
def test_what_should_have_failed_is_told_so_and_nothing_else(
    bridge: Bridge, expect: Any, reason: str
) -> None:
    wrong = vector(
        host=[{"read": "call"}, answer("call", 1)],
        ops=[{**CALL, "expect": expect}],
    )
    assert try_one(bridge, wrong).reason == reason


def test_what_the_host_read_is_looked_at_first(bridge: Bridge) -> None:
    wrong = vector(
        host=[{"read": "call"}, answer("call", 1)],
        ops=[{**CALL, "expect": {"result": 2}}],
        requests={"call": {"params": {"tool_name": "u"}}, "never": {}},
    )
    result = try_one(bridge, wrong)
    text = 'of the request that was read as \'call\', params.tool_name is "t", not "u"'
    assert result.reason == text
    assert result.differences[0].where == "/params/tool_name"


def test_a_call_that_hangs_is_given_up(bridge: Bridge) -> None:
    deaf = vector(host=[{"read": "call"}], ops=[{**CALL, "expect": {}}])
    result = try_one(bridge, deaf)
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("the driver gave no answer to execute within ")


def test_a_request_that_never_comes_is_missed(bridge: Bridge) -> None:
    result = try_one(bridge, vector(host=[{"read": "call"}], needs={"parallel": True}))
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("the host waited in vain for the request 'call'; ")
    assert result.reason.endswith('"serial":true')


def test_an_op_that_is_refused_is_the_clients_fault(bridge: Bridge) -> None:
    odd = vector(ops=[{"op": "request", "method": "Odd", "params": {}, "expect": {}}])
    result = try_one(bridge, odd)
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("request was not carried out: LocalProtocolError")


def test_a_start_that_fails_in_a_vector_alone_is_its_clauses_fault(
    bridge: Bridge,
) -> None:
    result = try_one(bridge, vector(init=failure("init")))
    assert (result.verdict, result.clauses) == (Verdict.FAILED, ("HV1-C2",))
    assert result.reason == 'start failed: {"type": "E", "detail": "no"}'


@pytest.mark.parametrize(
    ("detail", "verdict"), [("no", Verdict.PASSED), ("yes", Verdict.FAILED)]
)
def test_a_start_may_have_to_fail(
    bridge: Bridge, detail: str, verdict: Verdict
) -> None:
    start = {**START, "expect": {"error": {"detail": detail}}}
    tried = vector(init=failure("init"), start=start, clause="HV1-C5")
    assert try_one(bridge, tried).verdict is verdict


def test_another_state_than_that_of_init_fails_the_check_that_sees_it(
    bridge: Bridge,
) -> None:
    start = {**START, "expect": {"state": {"n": 1}}}
    found = try_one(bridge, vector(start=start))
    assert (found.verdict, found.because) == (Verdict.FAILED, None)


def test_a_call_must_not_fail_before_its_deadline(bridge: Bridge) -> None:
    hasty = vector(
        clause="HV1-C9",
        host=[{"read": "call"}, failure("call")],
        ops=[{**CALL, "timeout_ms": 10_000, "expect": {"error": {"type": "E"}}}],
    )
    result = try_one(bridge, hasty)
    assert result.verdict is Verdict.FAILED
    assert result.reason == "execute failed before its deadline"


def test_what_is_left_open_is_recorded(bridge: Bridge) -> None:
    record = {"other": {"result": 2}, "one": {"result": 1}, "any": {}}
    tried = vector(
        level="may",
        host=[{"read": "call"}, answer("call", 1)],
        ops=[{**CALL, "expect": {}, "record": record}],
    )
    result = try_one(bridge, tried)
    assert (result.verdict, result.reason) == (Verdict.RECORDED, "one")
    assert result.evidence["recorded"] == {"execute": "one"}


def test_a_defect_of_the_vector_is_an_error_of_the_harness(bridge: Bridge) -> None:
    result = try_one(bridge, vector(host=[{"sing": 1}]))
    assert result.verdict is Verdict.HARNESS_ERROR
    assert result.reason == "unknown step with the keys ['sing']"


def test_an_op_that_is_not_offered_is_not_applicable(bridge: Bridge) -> None:
    result = try_one(bridge, vector(ops=[{"op": "dance", "expect": {}}]))
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason == "it needs the op dance, which is not offered"


def test_the_monitor_has_a_result_of_its_own(bridge: Bridge) -> None:
    suite = suite_on(bridge, ANSWERED)
    suite.run(suite.checks[0])
    (result,) = suite.finish()
    assert (result.id, result.clauses) == ("host-client/monitor/HV1-C1", ("HV1-C1",))
    assert (result.verdict, result.evidence) == (Verdict.PASSED, {"frames": 2})
