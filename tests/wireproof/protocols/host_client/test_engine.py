"""What a check of host-client comes to: vectors of its own, on clients that run."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.inputs import inputs_of

from wireproof.checks import Result, Settings, Suite, Target, Verdict
from wireproof.protocols.host_client._protocol import PROTOCOL
from wireproof_vectors import Vector

STATE = {"n": 0}

START = {"op": "start", "config": {}, "expect": {"state": STATE}}

CALL = {"op": "execute", "tool_name": "t", "arguments": {}}

REFERENCE = (sys.executable, "-m", "wireproof_reference", "host-client")

Try = Callable[[Vector], Result]


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
"""What execute gives if the host answers 1."""

ANSWERED = vector(
    host=[{"read": "call"}, answer("call", {"success": True, "result": 1})],
    ops=[{**CALL, "expect": {"result": {"success": True}}}],
)


def suite_of(command: tuple[str, ...], *vectors: Vector) -> Suite:
    target = Target("host-client", "X", command, "subject")
    settings = Settings(Path.cwd(), timeout=3.0, reproduce_options=("--host-client=X",))
    return PROTOCOL.bind(inputs_of(PROTOCOL, target, settings, vectors))


@pytest.fixture
def tried() -> Iterator[Try]:
    suites: list[Suite] = []

    def run(one: Vector) -> Result:
        suites.append(suite_of(REFERENCE, one))
        return suites[-1].run(suites[-1].checks[0])

    yield run
    for suite in suites:
        suite.finish()


def test_what_goes_as_it_should_passes(tried: Try) -> None:
    result = tried(ANSWERED)
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    told = [entry.text() for entry in result.entries]
    assert sum(one.startswith("(the host read") for one in told) == 2
    assert sum(one.startswith("(the host wrote") for one in told) == 2


def test_a_difference_is_shown(tried: Try) -> None:
    wrong = vector(
        host=[{"read": "call"}, answer("call", {"success": True, "result": 1})],
        ops=[{**CALL, "expect": {"result": {"$equals": {"success": True}}}}],
    )
    result = tried(wrong)
    assert result.verdict is Verdict.FAILED
    assert result.reason == "in what `execute` came to, result.result is there, as 1"
    assert [one.where for one in result.differences] == ["/result/result"]
    assert result.reproduce == "pytest host-client/own/v --host-client=X"


@pytest.mark.parametrize(
    ("expect", "reason"),
    [
        (
            {"error": {"type": "E"}},
            f"`execute` has to fail, and came to {json.dumps(GIVEN)}",
        ),
        (
            {"error": {"$absent": True}, "result": 2},
            "in what `execute` came to, result is 1, not 2",
        ),
    ],
)
def test_what_should_have_failed_is_told_so_and_nothing_else(
    tried: Try, expect: Any, reason: str
) -> None:
    wrong = vector(
        host=[{"read": "call"}, answer("call", 1)],
        ops=[{**CALL, "expect": expect}],
    )
    assert tried(wrong).reason == reason


def test_a_call_that_hangs_is_given_up(tried: Try) -> None:
    result = tried(vector(host=[{"read": "call"}], ops=[{**CALL, "expect": {}}]))
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("`execute` was not answered within ")


def test_a_request_that_never_comes_is_missed(tried: Try) -> None:
    result = tried(vector(host=[{"read": "call"}], needs={"parallel": True}))
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("the host waited in vain for the request 'call'; ")
    assert result.reason.endswith('"serial":true')


def test_an_op_that_is_refused_is_the_clients_fault(tried: Try) -> None:
    odd = vector(ops=[{"op": "request", "method": "Odd", "params": {}, "expect": {}}])
    result = tried(odd)
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("`request` was refused: LocalProtocolError")


def test_a_start_that_fails_in_a_vector_alone_is_its_clauses_fault(tried: Try) -> None:
    result = tried(vector(init=failure("init")))
    assert (result.verdict, result.clauses) == (Verdict.FAILED, ("HV1-C2",))
    assert result.reason == '`start` failed: {"type": "E", "detail": "no"}'


@pytest.mark.parametrize(
    ("detail", "verdict"), [("no", Verdict.PASSED), ("yes", Verdict.FAILED)]
)
def test_a_start_may_have_to_fail(tried: Try, detail: str, verdict: Verdict) -> None:
    start = {**START, "expect": {"error": {"detail": detail}}}
    found = tried(vector(init=failure("init"), start=start, clause="HV1-C5"))
    assert found.verdict is verdict


def test_what_is_left_open_is_recorded(tried: Try) -> None:
    record = {"other": {"result": 2}, "one": {"result": 1}, "any": {}}
    result = tried(
        vector(
            level="may",
            host=[{"read": "call"}, answer("call", 1)],
            ops=[{**CALL, "expect": {}, "record": record}],
        )
    )
    assert result.verdict is Verdict.RECORDED
    assert result.evidence["recorded"] == {"execute": "one"}


def test_a_defect_of_the_vector_is_an_error_of_the_harness(tried: Try) -> None:
    result = tried(vector(host=[{"sing": 1}]))
    assert result.verdict is Verdict.HARNESS_ERROR
    assert result.reason == "unknown step with the keys ['sing']"


def test_an_op_that_is_not_offered_is_not_applicable(tried: Try) -> None:
    result = tried(vector(ops=[{"op": "dance", "expect": {}}]))
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason == "it needs the op dance, which is not offered"


def test_the_monitor_has_a_result_of_its_own() -> None:
    suite = suite_of(REFERENCE, ANSWERED)
    suite.run(suite.checks[0])
    (result,) = suite.finish()
    assert (result.id, result.clauses) == ("host-client/monitor/HV1-C1", ("HV1-C1",))
    assert (result.verdict, result.evidence) == (Verdict.PASSED, {"frames": 2})
