"""What a check of exec-runtime comes to on a driver that runs: vectors of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.inputs import inputs_of

from wireproof.checks import Result, Settings, Suite, Target, Verdict
from wireproof.protocols.exec_runtime._protocol import PROTOCOL
from wireproof_vectors import Vector

REFERENCE = (sys.executable, "-m", "wireproof_reference", "exec", "runtime")

BIND = {"op": "bind", "input": {"name": "t", "exec": {}}}

CALL = {"op": "call", "input": {"tool": "t", "args": {"a": 1}}}

RIGHT = {**CALL, "expected": {"$equals": {"a": 1}}}

WRONG = {**CALL, "expected": {"$equals": {"a": 2}}}

# Each call comes to null, but for the first ones; a fault is added if one is named.
DRIVER = """
import json, os, sys
ops = ["bind", "call"]
for line in sys.stdin:
    asked = json.loads(line)
    value = {"ops": ops} if asked["op"] == "describe" else {"result": None}
    if asked["op"] == "call":
        args = asked["args"]
        value = {"result": {1: {"total": 42}, 2: ["second", None]}.get(args.get("n"))}
        if args.get("do") == "exit":
            os._exit(3)
        if args.get("do") == "noise":
            print("a line of a log")
        if args.get("do") == "nan":
            value = {"result": float("nan")}
    print(json.dumps({"id": asked["id"], "ok": True, "value": value}), flush=True)
"""

ODD = (sys.executable, "-I", "-S", "-c", DRIVER)

NULL = (sys.executable, "-I", "-S", "-c", DRIVER.replace('args.get("n")', "None"))

Try = Callable[..., Result]


def vector(*steps: Any, clause: str = "EXEC-R8", level: Any = "must") -> Vector:
    data = {"steps": [BIND, *steps]}
    return Vector("own/v", "v", (clause,), level, "seed", "runtime", "own", data)


def suite_of(command: tuple[str, ...], *vectors: Vector) -> Suite:
    target = Target("exec-runtime", "r", command, "subject")
    settings = Settings(
        Path.cwd(), timeout=4.0, reproduce_options=("--exec-runtime=r",)
    )
    return PROTOCOL.bind(inputs_of(PROTOCOL, target, settings, vectors))


@pytest.fixture
def tried() -> Iterator[Try]:
    suites: list[Suite] = []

    def run(one: Vector, command: tuple[str, ...] = REFERENCE) -> Result:
        suite = suite_of(command, one)
        suites.append(suite)
        return suite.run(PROTOCOL.check(one))

    yield run
    for suite in suites:
        suite.finish()


def test_what_goes_as_it_should_passes(tried: Try) -> None:
    result = tried(vector(RIGHT))
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")


@pytest.mark.parametrize(
    ("level", "verdict"), [("must", Verdict.FAILED), ("should", Verdict.WARNED)]
)
def test_a_difference_breaks_the_clause_as_its_level_has_it(
    tried: Try, level: str, verdict: Verdict
) -> None:
    result = tried(vector({**WRONG, "error": {}}, level=level))
    assert result.verdict is verdict
    assert result.reason == "in the result of the call, a is 1, not 2"
    assert result.reproduce == "pytest own/v --exec-runtime=r"


def test_what_the_tools_saw_stands_in_the_traffic(tried: Try) -> None:
    result = tried(vector(WRONG))
    told = [entry.text() for entry in result.entries]
    times = [entry.time for entry in result.entries]
    assert times == sorted(times)
    # Before it come the calls of the control.
    told = told[-1 - next(n for n, one in enumerate(told[::-1]) if '"bind"' in one) :]
    saw = [text for text in told if text.startswith("(t")]
    # It answers what is whole, perhaps before it reads the end.
    assert saw[0] == "(t was started with no variables)"
    assert saw[1] == '(t read {"args":{"a":1}}⏎)'
    assert '(t wrote {"result":{"a":1}}⏎)' in saw
    asked = next(n for n, text in enumerate(told) if '"op":"call"' in text)
    answered = next(n for n, text in enumerate(told) if '"value":{"result"' in text)
    assert asked < told.index(saw[0]) < answered


def test_a_step_may_belong_to_another_clause(tried: Try) -> None:
    step = {**WRONG, "clause": "EXEC-R4", "failure": "nothing comes back"}
    result = tried(vector(step))
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "EXEC-R4")
    assert result.reason == (
        "not testable because of EXEC-R4: "
        "nothing comes back: in the result of the call, a is 1, not 2"
    )


@pytest.mark.parametrize(("value", "label"), [(1, "itself"), (2, "other")])
def test_what_may_be_either_is_recorded(tried: Try, value: int, label: str) -> None:
    step = {**CALL, "record": {"itself": {"result": {"a": value}}}}
    result = tried(vector(step, level="may"))
    assert result.verdict is Verdict.RECORDED
    assert result.evidence["recorded"] == {"call": label}


def test_a_runtime_that_is_closed_is_started_anew() -> None:
    closing, plain = vector(RIGHT, {"op": "close"}), vector(RIGHT)
    suite = suite_of(REFERENCE, closing)
    verdicts = [suite.run(PROTOCOL.check(one)).verdict for one in (closing, plain)]
    suite.finish()
    assert verdicts == [Verdict.PASSED, Verdict.PASSED]
    assert suite.facts().starts == 2


@pytest.mark.parametrize(("limit", "second"), [(200, 1_000), (4_000, 10_000)])
def test_a_call_that_fails_is_tried_again_with_a_longer_limit(
    tried: Try, limit: int, second: int
) -> None:
    bind = {
        "op": "bind",
        "input": {"name": "slow", "exec": {"timeout_ms": limit}},
        "plays": [[{"delay_ms": 1}, {"write": {"error": "too late"}}]],
    }
    call = {"op": "call", "input": {"tool": "slow", "args": {}}, "expected": 2}
    result = tried(vector(bind, call))
    assert (result.verdict, result.evidence["tries"]) == (Verdict.FAILED, 2)
    sent = [entry.data for entry in result.entries if b"timeout_ms" in entry.data]
    assert [f'"timeout_ms":{second}'.encode() in one for one in sent] == [True]


def test_a_call_whose_tool_has_to_be_let_go_is_late(tried: Try) -> None:
    bind = {
        "op": "bind",
        "input": {"name": "u", "exec": {"timeout_ms": 60_000}},
        "plays": [[{"hang": True}]],
    }
    given = {"tool": "u", "args": {}}
    call = {"op": "call", "input": given, "error": {"mentions": []}, "limit_ms": 50}
    result = tried(vector(bind, call))
    assert result.verdict is Verdict.FAILED
    assert "went on after its limit of" in result.reason


def test_a_tool_that_had_to_be_refused_is_not_called(tried: Try) -> None:
    bind = {
        "op": "bind",
        "input": {"name": "u", "exec": {"timeout_ms": -1}},
        "error": {"mentions": []},
    }
    call = {"op": "call", "input": {"tool": "u", "args": {}}, "error": {"mentions": []}}
    result = tried(vector(bind, call))
    assert result.verdict is Verdict.PASSED
    assert not any(b'"op":"call","tool":"u' in one.data for one in result.entries)


def test_a_script_that_cannot_be_played_is_a_fault_of_the_vector(tried: Try) -> None:
    bind = {"op": "bind", "input": {"name": "u", "exec": {}}, "plays": [[{"sing": 1}]]}
    call = {"op": "call", "input": {"tool": "u", "args": {}}, "record": {"none": {}}}
    result = tried(vector(bind, call))
    assert result.verdict is Verdict.HARNESS_ERROR
    assert "unknown step of a tool" in result.reason


def test_an_op_that_is_not_offered_is_not_applicable(tried: Try) -> None:
    result = tried(vector({"op": "close"}), ODD)
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason == "it needs the op close, which is not offered"


def test_a_driver_that_does_not_come_up_is_not_testable(tried: Try) -> None:
    result = tried(vector(RIGHT), ("false",))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason == (
        "the subject exited with status 1 before it answered anything"
    )


def asks(what: str, **more: Any) -> dict[str, Any]:
    asked = {"tool": "t", "args": {"do": what}}
    return {"op": "call", "input": asked, "error": {"mentions": []}, **more}


@pytest.mark.parametrize(
    ("step", "verdict", "reason"),
    [
        (
            asks("exit"),
            Verdict.FAILED,
            "the subject exited with status 3 and did not answer `call`",
        ),
        (
            asks("noise"),
            Verdict.NOT_TESTABLE,
            "what came for `call` is no answer of the bridge: a line of a log",
        ),
        (
            asks("nan", relayed=True),
            Verdict.FAILED,
            "what came for `call` is no answer of the bridge: {",
        ),
    ],
)
def test_what_a_driver_does_instead_of_an_answer_is_charged_or_not(
    tried: Try, step: Any, verdict: Verdict, reason: str
) -> None:
    result = tried(vector(step), ODD)
    assert result.verdict is verdict
    assert result.reason.replace('"', "").startswith(reason)


@pytest.mark.parametrize(
    ("clause", "expected", "verdict", "reason"),
    [
        ("EXEC-R8", None, Verdict.NOT_TESTABLE, "no plain call of a one-shot tool"),
        ("EXEC-R4", 1, Verdict.FAILED, "in the result of the call"),
    ],
)
def test_a_check_of_what_a_plain_call_rests_on_is_tried_though_none_succeeds(
    tried: Try, clause: str, expected: Any, verdict: Verdict, reason: str
) -> None:
    step = {**CALL, "expected": {"$equals": expected}}
    result = tried(vector(step, clause=clause), NULL)
    assert result.verdict is verdict
    assert result.reason.startswith(reason)
