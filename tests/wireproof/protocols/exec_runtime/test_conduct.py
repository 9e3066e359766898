"""What a driver is asked for each step, and what its answers come to."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import VectorDefect
from wireproof.operations import AsExpected
from wireproof.protocols.exec_runtime import _conduct
from wireproof.protocols.exec_runtime._conduct import Conduct
from wireproof.protocols.exec_runtime._outcome import (
    Differs,
    NotAnswered,
    StepsOutcome,
)
from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
from wireproof.subjects import Answer, DriverFault, Op, Patience
from wireproof_vectors import load_setup

BIND = {"op": "bind", "input": {"name": "t", "exec": {}}}

CALL: dict[str, Any] = {"op": "call", "input": {"tool": "t", "args": {"a": 1}}}

REFUSAL = {"type": "Error", "detail": "no sh here"}

RELEASED = 70


class Told:
    """A driver that gives the answers that it is told, then the result null."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Op] = []
        self.allowed: list[float] = []
        self.patience = Patience(None)
        self.pid = 0
        self.stderr_tail = "at the end"

    def ask(self, op: Op, *, seconds: float = 0.0) -> Any:
        self.asked.append(op)
        self.allowed.append(seconds)
        answer = self.answers.pop(0) if self.answers else {"result": None}
        return answer if isinstance(answer, DriverFault) else given(answer)

    @property
    def last(self) -> tuple[str, Any]:
        """The last op that it was asked for, with its arguments."""
        return self.asked[-1].name, self.asked[-1].arguments


class Starting(Told):
    """A driver that starts the tool that is called."""

    status = -1

    def ask(self, op: Op, *, seconds: float = 0.0) -> Any:
        answer = super().ask(op, seconds=seconds)
        if op.name != "call":
            return answer
        bound = self.asked[0].arguments["exec"]
        words = [bound["command"], *bound["args"]]
        done = subprocess.run(
            words, input=b'{"args":1}', capture_output=True, env={"A": "1"}, check=False
        )
        self.status = done.returncode
        return answer


def given(value: Any) -> Answer:
    return value if isinstance(value, Answer) else Answer(value)


@pytest.fixture
def tools() -> Iterator[SuppliedTools]:
    does: Any = load_setup("exec-runtime")["does"]
    with SuppliedTools(does) as supplied:
        yield supplied


def carried_out(
    driver: Any, tools: SuppliedTools, steps: Sequence[Any], **more: Any
) -> StepsOutcome:
    conduct = Conduct(driver, tools, serial="7", parents=("A", "B"), **more)
    return conduct.carry_out(steps)


def differing(outcome: StepsOutcome) -> str:
    assert isinstance(outcome, Differs)
    return f"{outcome.step}: {outcome.text}"


def test_a_binding_has_the_command_and_a_name_that_no_other_check_has(
    tools: SuppliedTools,
) -> None:
    driver = Told()
    bound = {"args": ["x"], "runtime": "server", "timeout_ms": 200}
    step = {"op": "bind", "input": {"name": "t", "exec": bound, "parameters": {}}}
    assert carried_out(driver, tools, [step], time_scale=3) == AsExpected({})
    name, arguments = driver.last
    command, args = arguments["exec"].pop("command"), arguments["exec"].pop("args")
    assert (name, command, args[1:]) == ("bind", "/bin/sh", ["x"])
    assert arguments == {
        "name": "t_7",
        "exec": {"runtime": "server", "timeout_ms": 600},
        "parameters": {},
    }


@pytest.mark.parametrize(
    ("program", "named"),
    [
        ("missing", "/no-such-program"),
        ("missing-on-path", "no-such-program-on-path"),
        ("plain-file", "/notes.txt"),
        ("folder", "/folder"),
        ("no-interpreter", "/broken"),
        ("direct", "/tool"),
    ],
)
def test_a_command_that_cannot_be_started_may_be_named(
    tools: SuppliedTools, program: str, named: str
) -> None:
    driver = Told()
    carried_out(driver, tools, [{**BIND, "program": program}])
    bound = driver.last[1]["exec"]
    assert bound["command"].endswith(named)
    assert "args" not in bound


def test_a_binding_that_is_refused_differs(tools: SuppliedTools) -> None:
    driver = Told(Answer(None, REFUSAL))
    assert differing(carried_out(driver, tools, [BIND])) == (
        "0: bind was refused: Error: no sh here"
    )


def test_a_tool_that_had_to_be_refused_is_not_called(tools: SuppliedTools) -> None:
    driver = Told(Answer(None, REFUSAL))
    error = {"mentions": ["sh"]}
    steps = [{**BIND, "error": error}, {**CALL, "error": error}]
    assert carried_out(driver, tools, steps) == AsExpected({})
    assert [op.name for op in driver.asked] == ["bind"]


def test_a_refusal_of_a_tool_has_to_say_what_the_call_would(
    tools: SuppliedTools,
) -> None:
    driver = Told(Answer(None, REFUSAL))
    steps = [{**BIND, "error": {"mentions": ["no-such"]}}]
    assert differing(carried_out(driver, tools, steps)) == (
        '0: the error does not hold "no-such"'
    )


def test_a_call_goes_to_the_tool_as_the_runtime_knows_it(tools: SuppliedTools) -> None:
    driver = Told(None, {"result": 1})
    steps = [BIND, {**CALL, "expected": {"$equals": 1}}]
    assert carried_out(driver, tools, steps) == AsExpected({})
    assert driver.last == ("call", {"tool": "t_7", "args": {"a": 1}})


@pytest.mark.parametrize(
    ("value", "told", "kind"),
    [
        (
            {"result": 2},
            "1: in the result of the call, the value is 2, not 1",
            "of values",
        ),
        ({"error": "too late"}, "1: the call failed: too late", "of time"),
    ],
)
def test_a_failure_may_be_a_matter_of_time_and_another_result_is_none(
    tools: SuppliedTools, value: Any, told: str, kind: str
) -> None:
    steps = [BIND, {**CALL, "expected": {"$equals": 1}}]
    outcome = carried_out(Told(None, value), tools, steps)
    assert differing(outcome) == told
    assert isinstance(outcome, Differs)
    assert outcome.about_time == (kind == "of time")


def test_a_result_where_there_must_be_none_is_no_matter_of_time(
    tools: SuppliedTools,
) -> None:
    outcome = carried_out(
        Told(None, {"result": 2}), tools, [BIND, {**CALL, "error": {"mentions": []}}]
    )
    assert differing(outcome) == "1: the call gave a result where it has to fail"
    assert isinstance(outcome, Differs)
    assert not outcome.about_time


def test_a_driver_that_does_not_answer_ends_the_steps(tools: SuppliedTools) -> None:
    fault = DriverFault("died", "the driver died")
    driver = Told(None, fault)
    steps = [BIND, {**CALL, "expected": 1}, {"op": "close"}]
    assert carried_out(driver, tools, steps) == NotAnswered(fault, 1)
    assert [op.name for op in driver.asked] == ["bind", "call"]


MANY = {
    "op": "call_many",
    "input": {"calls": [CALL["input"], CALL["input"]]},
    "outcomes": [{"expected": 1}, {"error": {"mentions": ["no"]}}],
}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([{"result": 1}, {"error": "no"}], ""),
        ([{"error": "no"}, {"result": 1}], "1: the call failed: no"),
        ([{"result": 1}], "1: call_many came to something else"),
        ({"result": 1}, "1: call_many came to something else"),
    ],
)
def test_calls_that_are_started_together_come_to_an_outcome_each(
    tools: SuppliedTools, value: Any, text: str
) -> None:
    outcome = carried_out(Told(None, value), tools, [BIND, MANY])
    assert (differing(outcome) if isinstance(outcome, Differs) else "") == text


@pytest.mark.parametrize(
    ("mode", "lost", "count"),
    [("server", (0,), 2), ("server", (0, 2), 0), ("exec", (0,), 0)],
)
def test_a_call_that_is_wrong_may_have_had_others_beside_it_at_its_server(
    tools: SuppliedTools, mode: str, lost: tuple[int, ...], count: int
) -> None:
    given = {"runtime": mode}
    bind: Any = {"op": "bind", "input": {"name": "t", "exec": given}}
    alone: Any = {"op": "bind", "input": {"name": "u", "exec": given}}
    names = ("t", "t", "u")
    many: Any = {
        "op": "call_many",
        "input": {"calls": [{"tool": name, "args": {}} for name in names]},
        "outcomes": [{"expected": 1}] * 3,
    }
    value = [{"error": "no"} if one in lost else {"result": 1} for one in range(3)]
    outcome = carried_out(Told(None, None, value), tools, [bind, alone, many])
    assert isinstance(outcome, Differs)
    assert outcome.overlapping == count


@pytest.mark.parametrize(("value", "label"), [(1, "one"), (2, "other")])
def test_what_a_call_comes_to_may_be_recorded(
    tools: SuppliedTools, value: int, label: str
) -> None:
    labels = {"one": {"result": 1}, "failed": {"error": {"$any": True}}}
    steps = [BIND, {**CALL, "record": labels}, {"op": "close"}]
    driver = Told(None, {"result": value})
    assert carried_out(driver, tools, steps) == AsExpected({"call": label})


def test_times_are_scaled(tools: SuppliedTools) -> None:
    driver = Told(None, {"error": "late"})
    limited = {**CALL, "error": {"mentions": []}, "limit_ms": 200}
    timeout = {"op": "set_default_timeout", "input": {"timeout_ms": 200}}
    assert carried_out(driver, tools, [BIND, limited, timeout], time_scale=3) == (
        AsExpected({})
    )
    assert driver.allowed[1] == pytest.approx(1.6)
    assert driver.last == ("set_default_timeout", {"timeout_ms": 600})


def test_a_late_call_is_told_the_limit_that_was_bound(
    tools: SuppliedTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_conduct, "BEYOND_SECONDS", 0.1)
    bound = {"name": "t", "exec": {"timeout_ms": 100}}
    bind = {**BIND, "input": bound, "plays": [[{"hang": True}]]}
    limited = {**CALL, "error": {"mentions": []}, "limit_ms": 100}
    outcome = carried_out(Starting(None, {"error": "late"}), tools, [bind, limited])
    assert differing(outcome) == "1: call went on after its limit of 100 ms"


def test_a_call_whose_tool_has_to_be_let_go_is_late(
    tools: SuppliedTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_conduct, "BEYOND_SECONDS", 0.1)
    driver = Starting(None, {"error": "late"})
    bind = {**BIND, "plays": [[{"hang": True}]]}
    limited = {**CALL, "error": {"mentions": []}, "limit_ms": 100}
    outcome = carried_out(driver, tools, [bind, limited])
    assert differing(outcome) == "1: call was not over after 200 ms"
    assert driver.status == RELEASED


def test_a_file_is_loaded_by_its_path(tools: SuppliedTools) -> None:
    driver = Told({"bound": ["t"], "warnings": []})
    config = {"spec": {"tools": {"t": {"exec": {"runtime": "server"}}}}}
    step = {
        "op": "load",
        "input": {"config": config, "pack": {"tools": {}}},
        "supplies": ["t"],
        "expected": {"bound": ["t"], "said": {"$contains": "at the end"}},
    }
    steps = [step, {**CALL, "record": {"none": {}}}]
    assert carried_out(driver, tools, steps) == AsExpected({"call": "none"})
    paths = driver.asked[0].arguments
    assert [Path(paths[key]).name for key in ("config", "pack")] == [
        "runtimeconfig.yaml",
        "tools.pack.json",
    ]
    assert driver.last[1]["tool"] == "t"


def test_a_file_may_have_to_be_refused(tools: SuppliedTools) -> None:
    driver = Told(Answer(None, {"type": "ConfigError", "detail": "t.runtime"}))
    step = {
        "op": "load",
        "input": {"config": "spec: 1"},
        "error": {"mentions": [["runtime", "mode"]]},
    }
    assert carried_out(driver, tools, [step]) == AsExpected({})


HEADED = {"kind": "RuntimeConfig", "spec": {"tools": {}}}


class Refusing(Told):
    """A driver whose runtime refuses the first file that it is given."""

    def ask(self, op: Op, *, seconds: float = 0.0) -> Any:
        answer = super().ask(op, seconds=seconds)
        return Answer(None, REFUSAL) if len(self.asked) == 1 else answer


def test_a_file_whose_head_is_refused_is_loaded_without_it(
    tools: SuppliedTools,
) -> None:
    driver = Refusing(None, {"bound": []})
    step = {"op": "load", "input": {"config": HEADED}, "expected": {"bound": []}}
    assert carried_out(driver, tools, [step]) == AsExpected({})
    assert len(driver.asked) == 2


def test_a_file_that_has_to_be_loaded_as_it_is_written_is_loaded_once(
    tools: SuppliedTools,
) -> None:
    driver = Refusing(None, {"bound": []})
    step = {"op": "load", "input": {"config": HEADED}, "expected": {"bound": []}}
    outcome = carried_out(driver, tools, [{**step, "as_written": True}])
    assert isinstance(outcome, Differs)
    assert len(driver.asked) == 1


def test_a_call_may_be_made_several_times(tools: SuppliedTools) -> None:
    driver = Told()
    step = {**CALL, "times": 3, "expected": None}
    assert carried_out(driver, tools, [BIND, step]) == AsExpected({})
    assert [op.name for op in driver.asked] == ["bind", "call", "call", "call"]


@pytest.mark.parametrize(
    ("process", "text"),
    [
        ({}, ""),
        ({"has": {"A": "2"}}, "2: the variable A has not the runtime's value"),
        ({"process": 1}, "2: the tool was not started"),
        ({"process": 1, "optional": True}, ""),
    ],
)
def test_the_variables_of_a_tool_are_looked_at(
    tools: SuppliedTools, process: Any, text: str
) -> None:
    bind = {"op": "bind", "input": {"name": "t", "exec": {"env": ["A"]}}}
    call = {**CALL, "record": {"none": {}}}
    steps = [bind, call, {"environment": "t", **process}]
    outcome = carried_out(Starting(), tools, steps)
    assert (differing(outcome) if isinstance(outcome, Differs) else "") == text


def test_a_variable_that_was_set_on_the_way_is_the_runtimes_own(
    tools: SuppliedTools,
) -> None:
    name = "A"
    conduct = Conduct(Starting(), tools, serial="7", parents=())  # type: ignore[arg-type]
    outcome = conduct.carry_out(
        [
            BIND,
            {"op": "setenv", "input": {"name": name, "value": "1"}},
            {**CALL, "record": {"none": {}}},
            {"environment": "t"},
        ]
    )
    assert differing(outcome) == "3: the tool has variables that are not listed: A"


def test_what_a_tool_saw_is_waited_for_a_moment(tools: SuppliedTools) -> None:
    call = {**CALL, "record": {"none": {}}}
    right = {"seen": "t", "match": {"starts": 1, "requests": [{"args": 1}]}}
    wrong = {"seen": "t", "match": {"starts": 2}}
    outcome = carried_out(Starting(), tools, [BIND, call, right, wrong], hurried=True)
    assert differing(outcome) == "3: of what the tool saw, starts is 1, not 2"


def test_a_tool_that_has_ended_is_gone(tools: SuppliedTools) -> None:
    call = {**CALL, "record": {"none": {}}}
    steps = [BIND, call, {"gone": "t", "within_ms": 5000}]
    assert carried_out(Starting(), tools, steps) == AsExpected({"call": "none"})


def test_a_tool_that_was_never_there_is_not_gone(tools: SuppliedTools) -> None:
    outcome = carried_out(Told(), tools, [BIND, {"gone": "t", "within_ms": 1}])
    assert differing(outcome) == "1: the tool was not started"


def test_a_child_that_is_left_is_not_gone(tools: SuppliedTools) -> None:
    bind = {**BIND, "plays": [[{"child": True}, {"close": "stdout"}]]}

    class Leaving(Told):
        """A driver that starts the tool, and leaves what it leaves."""

        def ask(self, op: Op, *, seconds: float = 0.0) -> Any:
            answer = super().ask(op, seconds=seconds)
            if op.name == "call":
                bound = self.asked[0].arguments["exec"]
                words = [bound["command"], *bound["args"]]
                null = subprocess.DEVNULL
                subprocess.run(words, stdin=null, stdout=null, stderr=null, check=False)
            return answer

    conduct = Conduct(Leaving(), tools, serial="7", parents=())  # type: ignore[arg-type]
    call = {**CALL, "record": {"none": {}}}
    gone = {"gone": "t", "within_ms": 50}
    outcome = conduct.carry_out([bind, call, gone])
    assert differing(outcome) == "2: a child of the tool is still there"
    assert conduct.lingered
    outcome = conduct.carry_out([{"op": "close"}, gone])
    assert differing(outcome) == (
        "1: a child of the tool is still there, though `close` was answered: it is to "
        "be when all processes are gone"
    )


@pytest.mark.parametrize("name", ["setenv", "close"])
def test_an_op_that_is_refused_differs(tools: SuppliedTools, name: str) -> None:
    steps = [{"op": name, "input": {"name": "A", "value": "1"}}]
    outcome = carried_out(Told(Answer(None, REFUSAL)), tools, steps)
    assert differing(outcome) == f"0: {name} was refused: Error: no sh here"


def test_an_unknown_step_is_a_defect_of_the_vector(tools: SuppliedTools) -> None:
    with pytest.raises(VectorDefect, match="unknown step with the keys"):
        carried_out(Told(), tools, [{"sing": 1}])


def test_a_script_that_cannot_be_played_is_a_defect_of_the_vector(
    tools: SuppliedTools,
) -> None:
    bind = {**BIND, "plays": [[{"sing": 1}]]}
    with pytest.raises(VectorDefect, match="unknown step of a tool"):
        carried_out(Starting(), tools, [bind, {**CALL, "record": {"none": {}}}])


@pytest.mark.parametrize(
    ("overran", "usual"),
    [(False, _conduct.CALL_SECONDS), (True, _conduct.SHORT_SECONDS)],
)
def test_where_calls_are_known_to_outlive_their_limits_a_tool_is_let_go_soon(
    tools: SuppliedTools, *, overran: bool, usual: float
) -> None:
    bound = {"op": "bind", "input": {"name": "t", "exec": {"timeout_ms": 400}}}
    driver = Told()

    carried_out(driver, tools, [bound, {**CALL, "expected": None}], overran=overran)

    assert driver.allowed[-1] == pytest.approx(usual + 0.4)
