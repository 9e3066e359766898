"""Vectors that are tried beside each other."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Check, Settings, SuiteInputs, Target, Verdict
from wireproof.protocols.socket_v1._beside import is_worth_it, try_together
from wireproof.protocols.socket_v1._protocol import PROTOCOL
from wireproof.protocols.socket_v1._suite import SocketSuite
from wireproof_vectors import Vector, load_setup, load_vectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wireproof.checks import Result
    from wireproof.protocols.socket_v1._session import SocketSession

    Open = Callable[..., SocketSession]

LIST = {"send": {"type": "list_tools", "protocol": 1}}
LISTED = {"expect": {"type": "tools_list"}}
NOT_LISTED = {"expect": {"type": "tools_list", "tools": []}}
CALL = {"send": {"type": "tool_call", "requestId": "a", "toolName": "look"}}
EVENT = {"expect": {"type": "tool_event", "requestId": "a"}}
RESULT = {"expect": {"type": "tool_result", "requestId": "a"}}
SETUP = load_setup("socket-v1")


def call(tool: str, ms: int, **more: Any) -> dict[str, Any]:
    return {"toolName": tool, "arguments": {"ms": ms}, **more}


def sleep(ms: int, **more: Any) -> dict[str, Any]:
    return call("conformance_sleep", ms, **more)


def vector(*steps: Any, **more: Any) -> dict[str, Any]:
    return {"needs": {"tools": ["conformance_sleep"]}, "steps": list(steps), **more}


@pytest.mark.parametrize(
    "data",
    [
        vector({"send": sleep(150)}),
        vector({"send": sleep(100)}, {"send": sleep(50), "on": "other"}),
        vector({"send_many": [sleep(0), sleep(150)]}, {"order": ["a", "b"]}),
        vector({"send": sleep(60_000, timeoutMs=150), "waits": False}),
        vector(
            {"send": call("conformance_limited", 60_000)},
            needs={"tools": ["conformance_limited"]},
        ),
    ],
)
def test_a_vector_that_waits_for_tools_is_tried_beside_others(
    data: dict[str, Any],
) -> None:
    assert is_worth_it(data)


@pytest.mark.parametrize(
    "data",
    [
        vector({"send": sleep(149)}),
        vector({"send_many": [sleep(100), sleep(100)]}),
        vector({"send": sleep(60_000)}),
        vector({"send": sleep(60_000, timeoutMs=50_000)}),
        vector({"send": sleep(60_000, timeoutMs=100)}),
        vector({"send": "no message"}),
    ],
)
def test_a_vector_that_hardly_waits_is_tried_alone(data: dict[str, Any]) -> None:
    assert not is_worth_it(data)


@pytest.mark.parametrize(
    "data",
    [
        vector({"send": sleep(500)}, {"restart": True}),
        vector({"send": sleep(500)}, {"expect_lines": "audit.jsonl", "match": {}}),
        vector({"send": sleep(500)}, needs={"tools": ["conformance_aborts"]}),
        vector({"send": sleep(500)}, needs={"tools": [], "home": True}),
        vector({"send": sleep(500)}, needs={}),
        vector({"send": sleep(500)}, explains=["SOCK-C1"]),
    ],
)
def test_a_vector_that_touches_what_others_see_is_tried_alone(
    data: dict[str, Any],
) -> None:
    assert not is_worth_it(data)


def test_the_plainest_deadline_is_tried_alone() -> None:
    beside = {
        one.id
        for one in load_vectors("socket-v1")
        if "steps" in one.data and is_worth_it(one.data)
    }

    assert "socket-v1/timeout/of-the-tool" in beside
    assert "socket-v1/timeout/of-the-call" not in beside
    assert len(beside) == 23


# --- on a server


def together(one: SocketSession, **vectors: Any) -> Any:
    data = {key: {"steps": steps} for key, steps in vectors.items()}
    return try_together(one, Settings(Path.cwd()), SETUP, data)


def test_all_is_well_where_each_holds(session: Open) -> None:
    one = session()
    one.ensure_up()

    tried = together(one, first=[LIST, LISTED], second=[CALL, EVENT, RESULT])

    assert list(tried) == ["first", "second"]
    assert tried["first"].outcome.frames == 1
    assert one.starts == 1
    assert one.checks_served == 2


def test_each_has_its_own_traffic(session: Open) -> None:
    one = session()
    one.ensure_up()

    tried = together(one, first=[LIST, LISTED], second=[CALL, EVENT, RESULT])

    traffic = [entry.text() for entry in tried["second"].transcript.entries()]
    assert '{"type":"tool_call","requestId":"a","toolName":"look"}\n' in traffic
    assert one.asked == frozenset()


def test_the_frames_that_came_are_counted(session: Open) -> None:
    one = session()
    one.ensure_up()
    before = one.seen["tool_event"]

    together(one, first=[CALL, EVENT, RESULT], second=[CALL, EVENT, RESULT])

    assert one.seen["tool_event"] == before + 2


def test_what_held_counts_where_another_did_not(session: Open) -> None:
    one = session()
    one.ensure_up()

    tried = together(one, first=[LIST, LISTED], second=[LIST, NOT_LISTED])

    assert list(tried) == ["first"]
    assert one.checks_served == 1
    assert one.process is None


def test_what_is_not_done_in_time_is_left_to_its_turn(
    session: Open,
) -> None:
    one = session("mute")
    one.ensure_up()
    seconds = 60.0
    patient = Settings(Path.cwd(), timeout=seconds)
    steps = {"first": [LIST, LISTED], "second": [CALL, EVENT, RESULT]}
    data = {key: {"steps": one} for key, one in steps.items()}

    began = time.monotonic()
    tried = try_together(one, patient, SETUP, data)

    assert list(tried) == ["first"]
    assert time.monotonic() - began < seconds


def test_that_counts_not_during_which_a_monitor_fired(session: Open) -> None:
    one = session("meta-as-text")
    one.ensure_up()

    tried = together(one, first=[LIST, LISTED], second=[CALL, EVENT, RESULT])

    assert list(tried) == ["first"]


def test_a_vector_that_cannot_be_carried_out_is_left_to_its_turn(session: Open) -> None:
    one = session()
    one.ensure_up()

    tried = together(one, first=[LIST, LISTED], second=[{"dance": True}])

    assert list(tried) == ["first"]


# --- in a run

ECHO = {
    "type": "tool_call",
    "requestId": "a",
    "toolName": "conformance_echo",
    "arguments": {"ms": 200},
}
GOOD = [{"send": ECHO}, EVENT, RESULT]
BAD = [{"send": ECHO}, EVENT, {"expect": {"type": "error", "requestId": "a"}}]


class Run:
    """A suite of vectors, written out, on the tiny server.

    The calls of a vector that was tried beside others are none of the session's.
    """

    def __init__(self, command: str, vectors: dict[str, list[Any]]) -> None:
        needs = {"tools": ["conformance_echo"]}
        clauses = ("SOCK-C4",)
        self.checks = [
            Check(key, "A title.", clauses, "must", "seed", "vector", needs)
            for key in vectors
        ]
        data: dict[str, Any] = {
            key: {"needs": needs, "steps": steps} for key, steps in vectors.items()
        }
        inputs = SuiteInputs(
            Target("socket-v1", "it", tuple(shlex.split(command)), "it"),
            Settings(Path.cwd(), timeout=1.0),
            self.checks,
            {
                key: Vector(key, "A.", clauses, "must", "seed", "exchange", "own", one)
                for key, one in data.items()
            },
            {**SETUP, "tools": {}},
            ["conformance_echo"],
            PROTOCOL.clauses(),
        )
        self.suite = SocketSuite(inputs)

    def run(self, number: int) -> Result:
        return self.suite.run(self.checks[number])

    @property
    def asked(self) -> frozenset[str]:
        return self.suite.session.asked


@pytest.fixture
def run(tiny_socket: str) -> Iterator[Callable[..., Run]]:
    made: list[Run] = []

    def make(**vectors: list[Any]) -> Run:
        made.append(Run(f"{tiny_socket} echo", vectors))
        return made[-1]

    yield make
    for one in made:
        one.suite.finish()


def test_what_was_announced_is_tried_at_once(run: Callable[..., Run]) -> None:
    one = run(first=GOOD, second=GOOD)
    one.suite.announce(one.checks)

    results = [one.run(0), one.run(1)]

    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.PASSED]
    assert one.asked == frozenset()
    assert one.suite.session.starts == 1


def test_a_verdict_has_the_traffic_of_its_vector(run: Callable[..., Run]) -> None:
    one = run(first=GOOD, second=GOOD)
    one.suite.announce(one.checks)
    one.run(0)

    result = one.run(1)

    assert any('"requestId":"a"' in entry.text() for entry in result.entries)


def test_what_was_not_announced_is_tried_alone(run: Callable[..., Run]) -> None:
    one = run(first=GOOD, second=GOOD)

    assert one.run(0).verdict is Verdict.PASSED
    assert one.asked == {"a"}


def test_a_vector_that_has_nothing_beside_it_is_tried_alone(
    run: Callable[..., Run],
) -> None:
    one = run(first=GOOD, second=GOOD)
    one.suite.announce(one.checks[:1])

    assert one.run(0).verdict is Verdict.PASSED
    assert one.asked == {"a"}


def test_a_check_that_is_run_again_is_tried_alone(run: Callable[..., Run]) -> None:
    one = run(first=GOOD, second=GOOD)
    one.suite.announce(one.checks)
    one.run(0)

    assert one.run(0).verdict is Verdict.PASSED
    assert one.asked == {"a"}


def test_a_failure_is_charged_to_its_own_vector_only(run: Callable[..., Run]) -> None:
    one = run(first=GOOD, second=BAD)
    one.suite.announce(one.checks)

    results = [one.run(0), one.run(1)]

    assert [result.verdict for result in results] == [Verdict.PASSED, Verdict.FAILED]


def test_a_server_that_has_done_something_wrong_is_asked_for_all_at_once_too(
    run: Callable[..., Run],
) -> None:
    one = run(first=BAD, second=GOOD, third=GOOD)
    one.run(0)
    one.suite.announce(one.checks[1:])

    assert one.run(1).verdict is Verdict.PASSED
    assert one.asked == frozenset()


def test_one_that_does_not_keep_lines_apart_is_asked_for_one_thing_at_a_time(
    run: Callable[..., Run],
) -> None:
    one = run(first=GOOD, second=GOOD)
    one.suite.keeps_apart = False
    one.suite.announce(one.checks)

    assert one.run(0).verdict is Verdict.PASSED
    assert one.asked == {"a"}
