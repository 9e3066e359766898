"""Steps of tool-contract on real drivers: room for names, files, limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.inputs import inputs_of

from wireproof.checks import Result, Settings, Suite, Target, Verdict
from wireproof.protocols.tool_contract._protocol import PROTOCOL
from wireproof.subjects import driver_command
from wireproof_vectors import Vector

REFERENCE = "wireproof_reference.tool_contract:subject"
WITHOUT_RESET = "tests.proof.tool_contract.table:SUBJECTS.without_reset"
ROOT = Path(__file__).parents[4]

RAN = [{"return": {"ok": True, "value": "ran"}}]
SCRATCH = {"$join": [{"$use": "scratch"}, "/a.txt"]}

Steps = Sequence[dict[str, Any]]


def registered(name: str, steps: Sequence[Any] = RAN) -> dict[str, Any]:
    tool = {"name": name, "description": "", "schema": {}, "steps": list(steps)}
    return {
        "op": "register",
        "input": {"tools": [tool]},
        "expected": {"registered": [name]},
    }


def executed(name: str, value: str = "ran", **more: Any) -> dict[str, Any]:
    calls = [{"toolCallId": "c", "name": name, "args": {}}]
    wanted = {"results": [{"result": {"ok": True, "value": value}}]}
    step = {"op": "execute_parallel", "input": {"calls": calls}, "expected": wanted}
    return {**step, **more}


class Tried:
    """Vectors that are tried on one registry, one after the other."""

    def __init__(self, subject: str, vectors: Sequence[Steps]) -> None:
        target = Target("tool-contract", subject, driver_command(subject), subject)
        made = [
            Vector(
                f"tool-contract/own/{number}",
                "v",
                ("TOOL-X1",),
                "must",
                "seed",
                "operation",
                "own",
                {"steps": list(steps)},
            )
            for number, steps in enumerate(vectors)
        ]
        inputs = inputs_of(PROTOCOL, target, Settings(ROOT), made)
        self.suite: Suite = PROTOCOL.bind(inputs)
        self.results: list[Result] = [self.suite.run(one) for one in self.suite.checks]

    @property
    def verdicts(self) -> list[Verdict]:
        return [one.verdict for one in self.results]

    @property
    def starts(self) -> int:
        return self.suite.facts().starts


Try = Callable[..., Tried]


@pytest.fixture
def tried() -> Iterator[Try]:
    made: list[Tried] = []

    def run(*vectors: Steps, subject: str = REFERENCE) -> Tried:
        made.append(Tried(subject, vectors))
        return made[-1]

    yield run
    for one in made:
        one.suite.finish()


@pytest.mark.parametrize(("subject", "starts"), [(REFERENCE, 1), (WITHOUT_RESET, 2)])
def test_a_name_that_is_taken_makes_room(tried: Try, subject: str, starts: int) -> None:
    steps = [registered("same"), executed("same")]
    found = tried(steps, steps, subject=subject)
    assert found.verdicts == [Verdict.PASSED] * 2
    assert found.starts == starts


def test_a_tool_that_is_called_and_not_registered_is_not_there(tried: Try) -> None:
    refused = {"results": [{"result": {"code": "not_available"}}]}
    unknown = executed("same", expected=refused)
    found = tried([registered("same")], [unknown], subject=WITHOUT_RESET)
    assert found.verdicts == [Verdict.PASSED] * 2


def test_without_reset_other_names_need_no_new_start(tried: Try) -> None:
    vectors = [[registered(name), executed(name)] for name in ("one", "two")]
    found = tried(*vectors, subject=WITHOUT_RESET)
    assert found.verdicts == [Verdict.PASSED] * 2
    assert found.starts == 1


def test_an_abort_that_lasts_fails_no_check_after_it(tried: Try) -> None:
    called_off = executed("one", expected={"results": {"$size": 1}})
    called_off["input"]["context"] = {"abortAfterMs": 5}
    waits = registered("one", [{"wait_abort_ms": 2_000}, *RAN])
    found = tried(
        [waits, called_off],
        [registered("two"), executed("two")],
        subject="tests.proof.tool_contract.table:SUBJECTS.abort_lasts",
    )
    assert found.verdicts == [Verdict.PASSED] * 2


def test_files_are_written_removed_and_looked_at(tried: Try) -> None:
    appends = [{"append_file": {"path": SCRATCH, "text": "!"}}, *RAN]
    steps = [
        registered("appends", appends),
        {"file": "a.txt", "expected": {"$absent": True}},
        {"file": "a.txt", "write": "hello", "mtime_ms": 1_000},
        executed("appends"),
        {"file": "a.txt", "expected": "hello!"},
        {"file": "a.txt", "remove": True},
        {"file": "a.txt", "expected": {"$absent": True}},
    ]
    # The files of one check are not there in the next.
    assert tried(steps, steps[:2]).verdicts == [Verdict.PASSED] * 2


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ({"file": "a.txt", "expected": "x"}, "no such file"),
        ({"file": "b.txt", "expected": "x"}, "y"),
        ({"file": "b.txt", "expected": {"$absent": True}}, "y"),
    ],
)
def test_a_file_that_differs_is_shown(
    tried: Try, step: dict[str, Any], text: str
) -> None:
    steps = [{"file": "b.txt", "write": "y"}, registered("one"), step]
    (result,) = tried(steps).results
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith(f"of the file {step['file']}, ")
    assert result.differences[0].actual == text


def test_an_answer_beyond_its_limit_differs(tried: Try) -> None:
    slow = registered("slow", [{"sleep_ms": 1_200}, *RAN])
    (result,) = tried([slow, executed("slow", limit_ms=1)]).results
    assert result.verdict is Verdict.FAILED
    assert "`execute_parallel` took 1." in result.reason
