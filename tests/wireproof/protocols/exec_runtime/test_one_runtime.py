"""What a check of exec-runtime comes to on one driver: vectors of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.inputs import inputs_of

from wireproof.checks import Result, Settings, Target, Verdict
from wireproof.protocols.exec_runtime import _one_runtime
from wireproof.protocols.exec_runtime._one_runtime import (
    MOST_CONFIRMED,
    Lessons,
    OneRuntime,
)
from wireproof.protocols.exec_runtime._outcome import NotAnswered
from wireproof.protocols.exec_runtime._protocol import PROTOCOL
from wireproof.protocols.exec_runtime._script import Script
from wireproof.subjects import Bridge, DriverFault
from wireproof_vectors import Vector

REFERENCE = (sys.executable, "-m", "wireproof_reference", "exec", "runtime")

BIND = {"op": "bind", "input": {"name": "t", "exec": {}}}

CALL = {"op": "call", "input": {"tool": "t", "args": {"a": 1}}}

RIGHT = {**CALL, "expected": {"$equals": {"a": 1}}}

WRONG = {**CALL, "expected": {"$equals": {"a": 2}}}

# Each call comes to null, but for the first ones; a fault is added where one is named.
DRIVER = """
import json, os, sys, time
ops = ["bind", "call"]
dying = False
for line in sys.stdin:
    if dying:
        os._exit(3)
    asked = json.loads(line)
    value = {"ops": ops} if asked["op"] == "describe" else {"result": None}
    if asked["op"] == "call":
        args = asked["args"]
        value = {"result": {1: {"total": 42}, 2: ["second", None]}.get(args.get("n"))}
        dying = args.get("do") == "exit later"
        if args.get("do") == "exit":
            os._exit(3)
        if args.get("do") == "noise":
            print("a line of a log")
        if args.get("do") == "nan":
            value = {"result": float("nan")}
    print(json.dumps({"id": asked["id"], "ok": True, "value": value}), flush=True)
"""


def vector(*steps: Any, clause: str = "EXEC-R8", level: Any = "must") -> Vector:
    data = {"steps": [BIND, *steps]}
    return Vector("own/v", "v", (clause,), level, "seed", "runtime", "own", data)


def opened(command: tuple[str, ...]) -> Bridge:
    target = Target("exec-runtime", "r", command, "subject")
    return PROTOCOL.bridge(target, Settings(Path.cwd(), timeout=4.0))


@pytest.fixture(scope="module")
def reference() -> Iterator[Bridge]:
    bridge = opened(REFERENCE)
    yield bridge
    bridge.stop()


@pytest.fixture
def odd() -> Iterator[Bridge]:
    bridge = opened((sys.executable, "-I", "-S", "-c", DRIVER))
    yield bridge
    bridge.stop()


def runtime_on(
    bridge: Bridge, *vectors: Vector, lessons: Lessons | None = None
) -> OneRuntime:
    target = Target("exec-runtime", "r", bridge.command, "subject")
    settings = Settings(
        Path.cwd(), timeout=4.0, reproduce_options=("--exec-runtime=r",)
    )
    inputs = inputs_of(PROTOCOL, target, settings, vectors)
    return OneRuntime(bridge, inputs, frozenset({"WP_A"}), lessons or Lessons())


def try_one(bridge: Bridge, tried: Vector) -> Result:
    return runtime_on(bridge, tried).run(PROTOCOL.check(tried))


def test_what_goes_as_it_should_passes(reference: Bridge) -> None:
    result = try_one(reference, vector(RIGHT))
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    assert result.evidence == {"processes": 1}


@pytest.mark.parametrize(
    ("level", "verdict"),
    [("must", Verdict.FAILED), ("should", Verdict.WARNED)],
)
def test_a_difference_breaks_the_clause_as_its_level_has_it(
    reference: Bridge, level: str, verdict: Verdict
) -> None:
    result = try_one(reference, vector({**WRONG, "error": {}}, level=level))
    assert result.verdict is verdict
    assert result.reason == "in the result of the call, a is 1, not 2"
    assert result.reproduce == "pytest own/v --exec-runtime=r"
    assert '"requests": [{"args": {"a": 1}}]' in result.evidence["tools"]


def test_what_the_tools_saw_stands_in_the_traffic_of_a_failure(
    reference: Bridge,
) -> None:
    result = try_one(reference, vector(WRONG))
    told = [entry.text() for entry in result.entries]
    times = [entry.time for entry in result.entries]
    assert times == sorted(times)
    asked = next(n for n, text in enumerate(told) if '"op":"call"' in text)
    answered = next(n for n, text in enumerate(told) if '"result"' in text)
    saw = [text for text in told[asked:] if text.startswith("(t")]
    # It answers what is whole, perhaps before it reads the end.
    first, read, *rest, last = saw
    assert first == "(t was started with no variables)"
    assert read == '(t read {"args":{"a":1}}⏎)'
    assert '(t wrote {"result":{"a":1}}⏎)' in rest
    # On a busy machine its end is not seen yet.
    assert last in {"(t ended by itself)", "(t still runs)"}
    assert asked < told.index(saw[0]) < answered


def test_what_the_tools_saw_is_no_traffic_of_a_check_that_passes(
    reference: Bridge,
) -> None:
    result = try_one(reference, vector(RIGHT))
    assert result.verdict is Verdict.PASSED
    assert not any(entry.text().startswith("(t") for entry in result.entries)


def test_a_step_may_belong_to_another_clause(reference: Bridge) -> None:
    step = {**WRONG, "clause": "EXEC-R4", "failure": "nothing comes back"}
    result = try_one(reference, vector(step))
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "EXEC-R4")
    assert result.reason == (
        "not testable because of EXEC-R4: "
        "nothing comes back: in the result of the call, a is 1, not 2"
    )


def test_what_may_be_either_is_recorded(reference: Bridge) -> None:
    step = {**CALL, "record": {"itself": {"result": {"a": 1}}}}
    result = try_one(reference, vector(step, level="may"))
    assert (result.verdict, result.reason) == (Verdict.RECORDED, "itself")
    assert result.evidence["recorded"] == {"call": "itself"}


def test_a_runtime_that_is_closed_is_started_anew(reference: Bridge) -> None:
    before = reference.starts
    try_one(reference, vector(RIGHT, {"op": "close"}))
    assert try_one(reference, vector(RIGHT)).verdict is Verdict.PASSED
    assert reference.starts == before + 1


def test_what_fails_for_want_of_time_is_tried_again_more_slowly(
    reference: Bridge,
) -> None:
    bind = {
        "op": "bind",
        "input": {"name": "slow", "exec": {"timeout_ms": 200}},
        "plays": [[{"delay_ms": 10}, {"write": {"error": "too late"}}]],
    }
    call = {"op": "call", "input": {"tool": "slow", "args": {}}, "expected": 2}
    tried = vector(bind, call)
    runtime = runtime_on(reference, tried)
    result = runtime.run(PROTOCOL.check(tried))
    # What warms the runtime up, its control, and the check three times.
    assert runtime.processes == 2 + 2 + 3
    sent = [entry.data for entry in result.entries if b"timeout_ms" in entry.data]
    assert result.verdict is Verdict.FAILED
    assert [b'"timeout_ms":200' in one for one in sent] == [True]


def test_what_other_drivers_saw_is_no_matter_of_time_is_not_waited_for_again(
    reference: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_one_runtime, "QUICK_SECONDS", 0.0)
    call = {"op": "call", "input": {"tool": "t", "args": {}}, "expected": 2}
    fails = {
        "op": "bind",
        "input": {"name": "t", "exec": {}},
        "plays": [[{"write": {"error": "no"}}]],
    }
    tried = vector(fails, call)
    runtime = runtime_on(reference, tried, lessons=Lessons(MOST_CONFIRMED))
    assert runtime.run(PROTOCOL.check(tried)).verdict is Verdict.FAILED
    # What warms the runtime up, its control, and the check once.
    assert runtime.processes == 2 + 2 + 1


@pytest.mark.parametrize(("limit", "speeds"), [(1_900, 3), (2_000, 2), (4_000, 2)])
def test_a_call_with_an_ample_limit_is_tried_again_once(
    reference: Bridge, limit: int, speeds: int
) -> None:
    call = {"op": "call", "input": {"tool": "t", "args": {}}, "expected": 2}
    fails = {
        "op": "bind",
        "input": {"name": "t", "exec": {"timeout_ms": limit}},
        "plays": [[{"write": {"error": "no"}}]],
    }
    other = {"op": "bind", "input": {"name": "u", "exec": {"timeout_ms": 5_000}}}
    tried = vector(fails, other, call)
    runtime = runtime_on(reference, tried)
    result = runtime.run(PROTOCOL.check(tried))
    assert result.verdict is Verdict.FAILED
    # What warms the runtime up, its control, and the check at each speed.
    assert runtime.processes == 2 + 2 + speeds


def test_a_mistake_of_the_suite_is_an_error_of_the_harness(
    reference: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = vector(RIGHT)
    runtime = runtime_on(reference, tried)
    assert runtime.run(PROTOCOL.check(tried)).verdict is Verdict.PASSED

    def fail(script: Script) -> Any:
        raise RuntimeError("a mistake of the suite")

    monkeypatch.setattr(Script, "play", fail)
    result = runtime.run(PROTOCOL.check(tried))
    assert result.verdict is Verdict.HARNESS_ERROR
    assert result.reason.endswith("RuntimeError: a mistake of the suite\n")
    monkeypatch.undo()
    assert runtime.run(PROTOCOL.check(tried)).verdict is Verdict.PASSED


def test_an_op_that_is_not_offered_is_not_applicable(odd: Bridge) -> None:
    result = try_one(odd, vector({"op": "close"}))
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason == "it needs the op close, which is not offered"
    assert runtime_on(odd).facts().level == "wire"


def test_a_driver_that_does_not_come_up_is_not_testable() -> None:
    result = try_one(opened(("false",)), vector(RIGHT))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason == "the driver ended with status 1 at describe"


def asks(what: str, **more: Any) -> dict[str, Any]:
    asked = {"tool": "t", "args": {"do": what}}
    return {"op": "call", "input": asked, "error": {"mentions": []}, **more}


@pytest.mark.parametrize(
    ("step", "verdict", "reason"),
    [
        (asks("exit"), Verdict.FAILED, "the runtime ended with status 3 at call"),
        (
            asks("noise"),
            Verdict.NOT_TESTABLE,
            "the driver's answer to call is no JSON (Expecting value: line 1 column 1 ",
        ),
        (
            asks("nan", relayed=True),
            Verdict.FAILED,
            "the runtime's answer to call is no JSON (NaN is not JSON)",
        ),
    ],
)
def test_what_a_driver_does_instead_of_an_answer_is_charged_or_not(
    odd: Bridge, step: Any, verdict: Verdict, reason: str
) -> None:
    result = try_one(odd, vector(step))
    assert (result.verdict, result.reason[: len(reason)]) == (verdict, reason)


@pytest.fixture
def null() -> Iterator[Bridge]:
    code = DRIVER.replace('args.get("n")', "None")
    bridge = opened((sys.executable, "-I", "-S", "-c", code))
    yield bridge
    bridge.stop()


@pytest.mark.parametrize(
    ("clause", "expected", "verdict"),
    [
        ("EXEC-R8", None, Verdict.NOT_TESTABLE),
        ("EXEC-R4", None, Verdict.NOT_TESTABLE),
        ("EXEC-R4", 1, Verdict.FAILED),
    ],
)
def test_nothing_passes_where_no_plain_call_succeeds(
    null: Bridge, clause: str, expected: Any, verdict: Verdict
) -> None:
    step = {**CALL, "expected": {"$equals": expected}}
    assert try_one(null, vector(step, clause=clause)).verdict is verdict


def test_a_runtime_is_full_without_the_optional_ops(reference: Bridge) -> None:
    runtime = runtime_on(reference, tried := vector(RIGHT))
    runtime.run(PROTOCOL.check(tried))
    runtime.offered -= {"load", "setenv", "set_default_timeout"}
    assert runtime.facts().level == "full"
    runtime.offered -= {"call_many"}
    assert runtime.facts().level == "wire"


@pytest.mark.parametrize(
    ("cause", "step", "is_so"),
    [("died", 1, True), ("died", 2, False), ("hung", 1, False)],
)
def test_what_ends_before_any_call_may_end_of_a_former_check(
    cause: Any, step: int, *, is_so: bool
) -> None:
    outcome = NotAnswered(DriverFault(cause, "it ended"), step)
    assert _one_runtime.died_idle(outcome, [BIND, BIND, CALL]) is is_so


def test_an_end_that_comes_later_is_charged_to_the_check_that_asked_for_it(
    odd: Bridge,
) -> None:
    later = {"op": "call", "input": {"tool": "t", "args": {"do": "exit later"}}}
    asks = replace(vector({**later, "expected": None}, clause="EXEC-R4"), id="own/asks")
    tried = vector({**CALL, "expected": None})
    suite = runtime_on(odd, asks, tried)
    first, second = (suite.run(PROTOCOL.check(one)) for one in (asks, tried))
    assert first.verdict is Verdict.PASSED
    assert (second.id, second.verdict) == ("own/v", Verdict.FAILED)
    assert second.clauses == ("EXEC-R4",)
    assert second.reason == (
        "the runtime ended with status 3 at bind, before it was asked to call: "
        "own/asks ended it"
    )
    assert second.reproduce is not None
    assert "own/asks own/v" in second.reproduce
    assert suite.run(PROTOCOL.check(tried)).verdict is Verdict.PASSED
