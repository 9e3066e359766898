from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.host_client._conduct import (
    KNOWN_STARTS,
    LATER_STARTING_SECONDS,
    STARTING_SECONDS,
    Act,
    Pace,
    carry_out,
    deadline_of,
)
from wireproof.subjects import Answer, DriverFault, Op, Patience

CALL = {"tool_name": "t", "arguments": {"text": {"$repeat": "x", "times": 3}}}
GIVEN = {"text": "xxx"}


class Recorder:
    """A driver that starts no host, and keeps what it was asked."""

    def __init__(self, outcome: Any = None) -> None:
        self.patience = Patience(None)
        self.asked: list[Op] = []
        self.unmeasured: list[str] = []
        self.outcome = outcome or Answer({})

    def ask(self, op: Op, *, seconds: float = 0.0, measured: bool = True) -> Any:
        self.asked.append(op)
        if not measured:
            self.unmeasured.append(op.name)
        return self.outcome


def test_a_start_does_not_tell_how_long_a_trivial_exchange_takes() -> None:
    driver: Any = Recorder()
    ops = [{"op": "start"}, {"op": "execute", "tool": "t", "args": {}}]
    for op in ops:
        carry_out(driver, {"host": [], "ops": [op]}, pace=Pace())
    assert driver.unmeasured == ["start"]


def asked_first(op: dict[str, Any]) -> tuple[str, Any]:
    driver: Any = Recorder()
    carry_out(driver, {"host": [], "ops": [op]}, pace=Pace())
    first = driver.asked[0]
    return first.name, first.arguments


@pytest.mark.parametrize(
    ("op", "arguments"),
    [
        ({"op": "request", "method": "m", "params": {}}, {"method": "m", "params": {}}),
        ({"op": "execute", **CALL}, {"tool_name": "t", "arguments": GIVEN}),
        (
            {"op": "execute_many", "calls": [CALL]},
            {"calls": [{"tool_name": "t", "arguments": GIVEN}]},
        ),
        ({"op": "format_result", "result": None, "record": {}}, {"result": None}),
        ({"op": "state"}, {}),
    ],
)
def test_an_op_is_asked_for_as_the_vector_has_it(op: Any, arguments: Any) -> None:
    assert asked_first({**op, "expect": {}}) == (op["op"], arguments)


def test_start_is_told_what_to_start() -> None:
    name, arguments = asked_first({"op": "start", "config": {"a": 1}, "expect": {}})
    assert (name, arguments["config"]) == ("start", {"a": 1})
    assert arguments["command"][-1].endswith("/s")


def test_a_client_that_starts_no_host_is_asked_nothing_more() -> None:
    driver: Any = Recorder()
    ops = [{"op": "start", "expect": {}}, {"op": "state", "expect": {}}]
    conduct = carry_out(driver, {"host": [], "ops": ops}, pace=Pace())
    assert [op.name for op in driver.asked] == ["start", "close"]
    assert (len(conduct.acts), conduct.playings) == (1, [])


def test_a_driver_that_failed_is_not_asked_to_close() -> None:
    driver: Any = Recorder(DriverFault("died", "the driver died"))
    conduct = carry_out(
        driver, {"host": [], "ops": [{"op": "start", "expect": {}}]}, pace=Pace()
    )
    assert [op.name for op in driver.asked] == ["start"]
    assert conduct.acts[0].problem == "the driver died"


def test_a_refusal_of_the_driver_is_told() -> None:
    driver: Any = Recorder(Answer(None, {"type": "KeyError", "detail": "command"}))
    conduct = carry_out(
        driver, {"host": [], "ops": [{"op": "start", "expect": {}}]}, pace=Pace()
    )
    assert conduct.acts[0].problem == "start was not carried out: KeyError: command"
    assert conduct.acts[0].last


@pytest.mark.parametrize(
    ("op", "seconds"),
    [
        ({"op": "state"}, 0.0),
        ({"op": "execute", "timeout_ms": 50}, 0.05),
        ({"op": "execute", "timeout_ms": 60_000}, 0.0),
        ({"op": "execute_many", "calls": [{"timeout_ms": 50}, {}]}, 0.05),
    ],
)
def test_a_short_deadline_is_meant_to_expire(op: Any, seconds: float) -> None:

    assert deadline_of(op) == seconds


START = {"op": "start", "expect": {}}
HUNG = DriverFault("hung", "the driver gave no answer to start within 10.0 s")


def start(outcome: Any, seconds: float = 0.05) -> Act:
    return Act(START, outcome, seconds)


@pytest.mark.parametrize(
    ("seconds", "starting"), [(0.01, LATER_STARTING_SECONDS), (0.1, 2.0), (4.0, 5.0)]
)
def test_a_client_that_is_known_to_start_hosts_is_waited_for_as_long_as_that_took(
    seconds: float, starting: float
) -> None:
    pace = Pace()
    for _ in range(KNOWN_STARTS):
        pace.started(start(Answer({}), seconds))
    assert pace.starting == STARTING_SECONDS
    pace.started(start(HUNG, 10.0))
    assert pace.starting == starting


def test_a_client_that_is_not_known_to_start_hosts_has_all_the_time_again() -> None:
    pace = Pace()
    pace.started(start(Answer({})))
    pace.started(start(HUNG))
    assert pace.starting == STARTING_SECONDS


@pytest.mark.parametrize(
    "outcome",
    [Answer(None, {"type": "Error", "detail": "no"}), Answer({"error": "no"})],
)
def test_starts_that_failed_tell_nothing_of_how_long_one_takes(outcome: Any) -> None:
    pace = Pace()
    for _ in range(KNOWN_STARTS):
        pace.started(start(outcome, 0.001))
    pace.started(start(HUNG))
    assert pace.starting == STARTING_SECONDS


def test_a_client_that_dies_at_a_start_is_given_no_less_time() -> None:
    pace = Pace()
    for _ in range(KNOWN_STARTS):
        pace.started(start(Answer({})))
    pace.started(start(DriverFault("died", "the driver died")))
    assert pace.starting == STARTING_SECONDS
