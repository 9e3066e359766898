"""What a driver is asked for the ops of a vector: one that starts no host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import Settings, Target
from wireproof.protocols.host_client._conduct import (
    CLIENT,
    CLOSE_SECONDS,
    ClientOps,
    deadline_of,
)
from wireproof.run import Came, Hands, Request

CALL = {"tool_name": "t", "arguments": {"text": {"$repeat": "x", "times": 3}}}
GIVEN = {"text": "xxx"}

START = {"op": "start", "expect": {}}


class Recorder:
    """Hands that keep what they carry, and the seconds that it may take."""

    def __init__(self, **answer: Any) -> None:
        self.asked: list[Any] = []
        self.allowed: list[float] = []
        self.answer = answer or {"ok": True, "value": {"state": {}}}

    def carry(self, request: Request, extra: float) -> Came:
        self.asked.append(request.message)
        self.allowed.append(extra)
        if "ended" in self.answer:
            return Came(self.answer["ended"])
        return Came("answered", {"id": request.message["id"], **self.answer})

    def hands(self) -> Hands:
        def unused(*_: Any) -> Any:
            raise AssertionError

        def seconds(within: float) -> float:
            return within

        def in_vain() -> None:
            """Do nothing."""

        return Hands(unused, self.carry, unused, seconds, in_vain, unused, {})


def carried_out(recorder: Recorder, *ops: Any, closes: bool = True) -> Any:
    target = Target("host-client", "true", ("true",), "subject")
    client = ClientOps(target, Settings(Path.cwd()), {})
    client.closes = closes
    data = {"host": [], "ops": list(ops)}
    return client.carry_out({CLIENT: data}, recorder.hands())


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
    recorder = Recorder()
    carried_out(recorder, {**op, "expect": {}})
    assert recorder.asked[0] == {"id": 1, "op": op["op"], **arguments}


def test_start_is_told_what_to_start() -> None:
    recorder = Recorder()
    carried_out(recorder, {**START, "config": {"a": 1}})
    first = recorder.asked[0]
    assert (first["op"], first["config"]) == ("start", {"a": 1})
    assert first["command"][-1].endswith("/s")


@pytest.mark.parametrize(
    ("closes", "asked"), [(True, ["start", "close"]), (False, ["start"])]
)
def test_a_client_that_starts_no_host_is_asked_nothing_more(
    asked: list[str], *, closes: bool
) -> None:
    recorder = Recorder()
    state = {"op": "state", "expect": {}}
    seen = carried_out(recorder, START, state, closes=closes)
    assert [one["op"] for one in recorder.asked] == asked
    assert (len(seen["acts"]), seen["starts"]) == (1, 0)


def test_a_driver_that_does_not_answer_is_not_asked_to_close() -> None:
    recorder = Recorder(ended="exited")
    seen = carried_out(recorder, START)
    assert [one["op"] for one in recorder.asked] == ["start"]
    assert [act["ended"] for act in seen["acts"]] == ["exited"]


def test_a_null_error_counts_as_absent() -> None:
    outcome = {"result": 1, "error": None}
    for value in (outcome, [outcome]):
        seen = carried_out(Recorder(ok=True, value=value), {"op": "dance"})
        plain = seen["acts"][0]["value"]
        assert plain in ({"result": 1}, [{"result": 1}])


@pytest.mark.parametrize(
    ("op", "seconds"),
    [
        ({"op": "state"}, 0.0),
        ({"op": "execute", "timeout_ms": 50}, 0.05),
        ({"op": "execute", "timeout_ms": 60_000}, 0.0),
        ({"op": "execute_many", "calls": [{"timeout_ms": 50}, {}]}, 0.05),
        ({"op": "close"}, CLOSE_SECONDS),
    ],
)
def test_an_op_has_the_time_of_its_deadline_and_close_that_of_a_grace_period(
    op: Any, seconds: float
) -> None:
    recorder = Recorder()
    carried_out(recorder, {**op, "expect": {}})
    assert recorder.allowed[0] == seconds
    assert deadline_of(op) == (0.0 if op["op"] == "close" else seconds)
