"""Steps of tool-contract on real drivers: room for names, files, limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import Settings, Target
from wireproof.operations import AsExpected, Differs, driver_command
from wireproof.protocols.tool_contract._conduct import Conductor
from wireproof.protocols.tool_contract._protocol import PROTOCOL
from wireproof.subjects import Bridge

REFERENCE = "wireproof_reference.tool_contract:subject"
WITHOUT_RESET = "tests.proof.tool_contract.table:SUBJECTS.without_reset"
ROOT = Path(__file__).parents[4]

RAN = [{"return": {"ok": True, "value": "ran"}}]
SCRATCH = {"$join": [{"$use": "scratch"}, "/a.txt"]}


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


@pytest.fixture
def bridges() -> Iterator[list[Bridge]]:
    opened: list[Bridge] = []
    yield opened
    for bridge in opened:
        bridge.stop()


def conductor(bridges: list[Bridge], subject: str = REFERENCE) -> Conductor:
    target = Target("tool-contract", subject, driver_command(subject), subject)
    bridges.append(PROTOCOL.bridge(target, Settings(ROOT)))
    return Conductor(bridges[-1])


@pytest.mark.parametrize(("subject", "starts"), [(REFERENCE, 1), (WITHOUT_RESET, 2)])
def test_a_name_that_is_taken_makes_room(
    bridges: list[Bridge], subject: str, starts: int
) -> None:
    conduct = conductor(bridges, subject)
    steps = [registered("same"), executed("same")]
    assert conduct.carry_out(steps) == AsExpected()
    assert conduct.carry_out(steps) == AsExpected()
    assert bridges[0].starts == starts


def test_a_tool_that_is_called_and_not_registered_is_not_there(
    bridges: list[Bridge],
) -> None:
    conduct = conductor(bridges, WITHOUT_RESET)
    refused = {"results": [{"result": {"code": "not_available"}}]}
    assert conduct.carry_out([registered("same")]) == AsExpected()
    unknown = executed("same", expected=refused)
    assert conduct.carry_out([unknown]) == AsExpected()


def test_without_reset_other_names_need_no_new_start(bridges: list[Bridge]) -> None:
    conduct = conductor(bridges, WITHOUT_RESET)
    for name in ("one", "two"):
        assert conduct.carry_out([registered(name), executed(name)]) == AsExpected()
    assert bridges[0].starts == 1


@pytest.mark.parametrize(
    ("subject", "starts"),
    [(REFERENCE, 1), ("tests.proof.tool_contract.table:SUBJECTS.abort_lasts", 2)],
)
def test_an_abort_that_lasts_is_left_behind(
    bridges: list[Bridge], subject: str, starts: int
) -> None:
    conduct = conductor(bridges, subject)
    called_off = executed("one", expected={"results": {"$size": 1}})
    called_off["input"]["context"] = {"abortAfterMs": 5}
    waits = registered("one", [{"wait_abort_ms": 2_000}, *RAN])
    assert conduct.carry_out([waits, called_off]) == AsExpected()
    assert conduct.carry_out([registered("two"), executed("two")]) == AsExpected()
    assert bridges[0].starts == starts


def test_files_are_written_removed_and_looked_at(bridges: list[Bridge]) -> None:
    conduct = conductor(bridges)
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
    assert conduct.carry_out(steps) == AsExpected()
    assert conduct.scratch


def test_the_scratch_folder_is_used_where_a_tool_alone_names_it(
    bridges: list[Bridge],
) -> None:
    conduct = conductor(bridges)
    appends = [{"append_file": {"path": SCRATCH, "text": "!"}}, *RAN]
    assert conduct.carry_out([registered("plain")]) == AsExpected()
    assert not conduct.scratch
    assert conduct.carry_out([registered("appends", appends)]) == AsExpected()
    assert conduct.scratch


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ({"file": "a.txt", "expected": "x"}, "no such file"),
        ({"file": "b.txt", "expected": "x"}, '"y"'),
        ({"file": "b.txt", "expected": {"$absent": True}}, '"y"'),
    ],
)
def test_a_file_that_differs_is_shown(
    bridges: list[Bridge], step: dict[str, Any], text: str
) -> None:
    steps = [{"file": "b.txt", "write": "y"}, registered("one"), step]
    found = conductor(bridges).carry_out(steps)
    assert isinstance(found, Differs)
    assert found.step == 2
    assert text in f"{found.text} {found.differences[0].actual}"


def test_an_answer_beyond_its_limit_differs(bridges: list[Bridge]) -> None:
    slow = registered("slow", [{"sleep_ms": 1_200}, *RAN])
    found = conductor(bridges).carry_out([slow, executed("slow", limit_ms=1)])
    assert isinstance(found, Differs)
    assert "execute_parallel took 1." in found.text
