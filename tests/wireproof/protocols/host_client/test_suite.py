from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Self

import anyio
import pytest
from tests.broken.client_driver import ClientDriver

from wireproof.checks import Result, Verdict
from wireproof.protocols.host_client._conduct import OpenClient
from wireproof.protocols.host_client._suite import ClientSuite
from wireproof.subjects import Patience
from wireproof.subjects._patience import BUDGET_SECONDS
from wireproof_reference.host_v1 import HostClient
from wireproof_vectors import Vector, load_vectors

STATE = {"n": 0}

START = {"op": "start", "config": {}, "expect": {"state": STATE}}

CALL = {"op": "execute", "tool_name": "t", "arguments": {}}


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
    clauses = (clause,)
    return Vector("host-v1/own/v", "v", clauses, "must", "seed", "client", "own", data)


def answer(name: str, value: Any) -> dict[str, Any]:
    result = {"value": value, "state": STATE}
    return {"write": {"v": 1, "id": {"$id_of": name}, "ok": True, "result": result}}


ANSWERED = vector(
    host=[{"read": "call"}, answer("call", {"success": True, "result": 1})],
    ops=[{**CALL, "expect": {"result": {"success": True}}}],
)


def reference() -> ClientDriver:
    return ClientDriver(HostClient)


def brief_patience() -> Patience:
    patience = Patience(None)
    patience.spent = BUDGET_SECONDS
    return patience


def try_one(tried: Vector, open_client: OpenClient = reference) -> Result:
    suite = ClientSuite(open_client, vectors=[tried], patience=brief_patience())
    return suite.run(suite.checks[0])


class Idle:
    """A client that does nothing and gives the same for every op."""

    start: Any
    close: Any

    def __init__(self, gives: Any) -> None:
        self.gives = gives

    def __getattr__(self, name: str) -> Any:
        async def op(*arguments: Any) -> Any:
            await anyio.lowlevel.checkpoint()
            return self.gives

        return op


@asynccontextmanager
async def idle(gives: Any) -> AsyncIterator[Any]:
    yield Idle(gives)


@asynccontextmanager
async def starter(gives: Any) -> AsyncIterator[Any]:
    """Give a client that starts the host, and is idle after that."""
    async with reference() as driver:
        client = Idle(gives)
        client.start = driver.start
        client.close = driver.close
        yield client


def test_what_goes_as_it_should_passes() -> None:
    result = try_one(ANSWERED)
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    assert result.evidence == {"frames": 2, "ops": 2}
    assert [entry.direction for entry in result.entries] == [
        "received",
        "sent",
        "received",
        "sent",
    ]


@pytest.mark.parametrize("gives", [None, {}, {"state": STATE}, {"error": {}}])
def test_a_client_that_does_nothing_passes_nothing(gives: Any) -> None:
    suite = ClientSuite(lambda: idle(gives))
    results = [*map(suite.run, suite.checks), *suite.finish()]
    assert {result.verdict for result in results} == {Verdict.NOT_TESTABLE}
    assert results[0].reason == "the control failed: the client did not start the host"
    assert results[-1].reason == "no init was answered"


def test_a_client_that_only_starts_passes_what_only_starts() -> None:
    names = [
        "host-v1/client-requests/init-request",
        "host-v1/client-responses/late-answer",
        "host-v1/client-responses/deadline",
        "host-v1/client-responses/call-after-death",
    ]
    suite = ClientSuite(
        lambda: starter({"error": {"type": "E", "detail": "77 out of cheese"}}),
        vectors=[one for one in load_vectors("host-v1") if one.id in names],
        patience=brief_patience(),
    )
    results = map(suite.run, suite.checks)
    assert [one.id for one in results if one.verdict is Verdict.PASSED] == names[:1]


def test_a_difference_is_shown() -> None:
    wrong = vector(
        host=[{"read": "call"}, answer("call", {"success": True, "result": 1})],
        ops=[{**CALL, "expect": {"result": {"$equals": {"success": True}}}}],
    )
    result = try_one(wrong)
    assert result.verdict is Verdict.FAILED
    assert result.reason == "execute came to something else than it should"
    (difference,) = result.differences
    assert (difference.where, difference.expected) == ("/result/result", "no such key")
    assert result.evidence["outcomes"] == [
        '{"state": {"n": 0}}',
        '{"chunks": [], "result": {"success": true, "result": 1}, "state": {"n": 0}}',
    ]


def test_what_the_host_read_is_looked_at_first() -> None:
    wrong = vector(
        host=[{"read": "call"}, answer("call", 1)],
        ops=[{**CALL, "expect": {"result": 2}}],
        requests={"call": {"params": {"tool_name": "u"}}, "never": {}},
    )
    result = try_one(wrong)
    assert result.reason == 'the request that was read as "call" differs'
    assert result.differences[0].where == "/params/tool_name"


def test_a_request_that_never_comes_is_missed() -> None:
    silent = vector(host=[{"read": "call"}], ops=[])
    result = try_one(silent)
    assert result.verdict is Verdict.FAILED
    assert result.reason == 'the host waited in vain for the request "call"'


def test_a_call_that_hangs_is_given_up() -> None:
    deaf = vector(host=[{"read": "call"}], ops=[{**CALL, "expect": {}}])
    result = try_one(deaf)
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("execute did not come to an end in ")


def test_an_op_that_raises_is_the_clients_fault() -> None:
    odd = vector(ops=[{"op": "request", "method": "Odd", "params": {}, "expect": {}}])
    result = try_one(odd)
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("request raised RuntimeError: the method 'Odd'")


def test_a_start_that_fails_is_a_missing_control() -> None:
    failure = {"type": "E", "detail": "no"}
    failed = {"v": 1, "id": {"$id_of": "init"}, "ok": False, "error": failure}
    refused = vector(init={"write": failed})
    result = try_one(refused)
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason == f"the control failed: start failed: {failure}"
    assert result.because is None


@pytest.mark.parametrize(
    ("pattern", "verdict"),
    [
        ({"error": {"detail": {"$contains": "no"}}}, Verdict.PASSED),
        ({"error": {"detail": "yes"}}, Verdict.FAILED),
    ],
)
def test_a_start_may_have_to_fail(pattern: Any, verdict: Verdict) -> None:
    failure = {"type": "E", "detail": "no"}
    failed = {"v": 1, "id": {"$id_of": "init"}, "ok": False, "error": failure}
    start = {**START, "expect": pattern}
    result = try_one(vector(init={"write": failed}, start=start, clause="HV1-C5"))
    assert result.verdict is verdict
    assert result.clauses == ("HV1-C5",)


def test_another_state_than_that_of_init_is_charged_to_its_clause() -> None:
    start = {**START, "expect": {"state": {"n": 1}}}
    hidden, own = (vector(start=start, clause=c) for c in ("HV1-C2", "HV1-C4"))
    assert try_one(hidden).verdict is Verdict.NOT_TESTABLE
    assert try_one(hidden).because == "HV1-C4"
    assert try_one(own).verdict is Verdict.FAILED


def test_a_call_must_not_fail_before_its_deadline() -> None:
    refused = {"v": 1, "id": {"$id_of": "call"}, "ok": False}
    hasty = vector(
        clause="HV1-C9",
        host=[
            {"read": "call"},
            {"write": {**refused, "error": {"type": "E", "detail": "d"}}},
        ],
        ops=[{**CALL, "timeout_ms": 10_000, "expect": {"error": {"type": "E"}}}],
    )
    result = try_one(hasty)
    assert result.verdict is Verdict.FAILED
    assert result.reason == "execute failed before its deadline"


@pytest.mark.parametrize(
    ("broken", "defect"),
    [
        (vector(ops=[{"op": "dance", "expect": {}}]), "no client has an op such as"),
        (vector(host=[{"sing": 1}]), "unknown step with the keys ['sing']"),
    ],
)
def test_a_defect_of_the_vector_is_an_error_of_the_harness(
    broken: Vector, defect: str
) -> None:
    result = try_one(broken)
    assert result.verdict is Verdict.HARNESS_ERROR
    assert result.reason.startswith(defect)


class TwiceStarted(ClientDriver):
    async def start(self, command: list[str], config: dict[str, Any]) -> Any:
        await super().start(command, config)
        return await super().start(command, config)


def test_a_second_host_has_no_part_to_play() -> None:
    result = try_one(ANSWERED, lambda: TwiceStarted(HostClient))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert "exited with status 70" in result.reason


class Unstarted(ClientDriver):
    async def start(self, command: list[str], config: dict[str, Any]) -> Any:
        await super().start(command, config)
        raise RuntimeError("no start")


def test_a_start_that_raises_is_a_missing_control() -> None:
    result = try_one(ANSWERED, lambda: Unstarted(HostClient))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason == "the control failed: start raised RuntimeError: no start"


class Unopened(ClientDriver):
    async def __aenter__(self) -> Self:
        raise RuntimeError("no adapter")


def test_a_fault_of_the_adapter_is_an_error_of_the_harness() -> None:
    result = try_one(ANSWERED, lambda: Unopened(HostClient))
    assert result.verdict is Verdict.HARNESS_ERROR
    assert "RuntimeError: no adapter" in result.reason


def test_a_check_is_carried_out_once() -> None:
    opened: list[ClientDriver] = []

    def open_client() -> ClientDriver:
        opened.append(reference())
        return opened[-1]

    suite = ClientSuite(open_client, vectors=[ANSWERED])
    assert suite.run(suite.checks[0]) is suite.run(suite.checks[0])
    assert len(opened) == 1


def test_the_monitor_has_a_result_of_its_own() -> None:
    suite = ClientSuite(reference, vectors=[ANSWERED])
    suite.run(suite.checks[0])
    (result,) = suite.finish()
    assert (result.id, result.clauses) == ("host-v1/monitor/HV1-C1", ("HV1-C1",))
    assert (result.verdict, result.evidence) == (Verdict.PASSED, {"frames": 2})
