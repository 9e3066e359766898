from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Check, Settings, SuiteInputs, Target, Verdict
from wireproof.protocols.socket_v1._protocol import PROTOCOL
from wireproof.protocols.socket_v1._suite import SocketSuite
from wireproof_vectors import Vector, load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wireproof.checks import Level, Result

    Try = Callable[..., Result]

LIST = {"send": {"type": "list_tools", "protocol": 1}}
LISTED = {"expect": {"type": "tools_list"}}
CALL = {
    "send": {"type": "tool_call", "requestId": "a", "toolName": "none", "arguments": {}}
}
REFUSED = {"expect": {"type": "tool_result", "requestId": "a", "result": {"ok": False}}}


@pytest.fixture
def attempt(tiny_socket: str) -> Iterator[Try]:
    """Return what tries one vector, written out, on the tiny server."""
    made: list[SocketSuite] = []

    def run(*steps: Any, fault: str = "", clause: str = "SOCK-F2", **data: Any) -> Any:
        words = tuple(shlex.split(f"{tiny_socket} {fault}"))
        needs = data.get("needs", {})
        key = "socket-v1/own/one"
        check = Check(key, "A title.", (clause,), "must", "seed", "vector", needs)
        found: dict[str, Any] = {"steps": list(steps), **data}
        vector = Vector(
            key, "A title.", (clause,), "must", "seed", "exchange", "own", found
        )
        made.append(
            SocketSuite(
                SuiteInputs(
                    Target("socket-v1", "it", words, "it"),
                    Settings(
                        Path.cwd(), timeout=1.0, reproduce_options=("--socket=it",)
                    ),
                    [check],
                    {key: vector},
                    load_setup("socket-v1"),
                    ["conformance_echo"],
                    PROTOCOL.clauses(),
                )
            )
        )
        return made[-1].run(check)

    yield run
    for suite in made:
        suite.finish()


def test_steps_that_hold_pass(attempt: Try) -> None:
    result = attempt(LIST, LISTED, CALL, REFUSED)
    assert result.verdict is Verdict.PASSED
    assert result.evidence["frames"] == 2


def test_a_frame_that_differs_fails_and_can_be_run_again(attempt: Try) -> None:
    result = attempt(CALL, {"expect": {"requestId": "a", "type": "error"}})
    assert result.verdict is Verdict.FAILED
    assert result.clauses == ("SOCK-F2",)
    assert result.reproduce is not None
    assert '; (printf \'{"type":"tool_call",' in result.reproduce


ERROR = {"type": "error", "requestId": "a"}


@pytest.mark.parametrize(
    ("expected", "of_step", "verdict", "because"),
    [
        (ERROR, None, Verdict.NOT_TESTABLE, "SOCK-M5"),
        # A place of another clause, which a property tries beside this one.
        (ERROR, "SOCK-M2", Verdict.NOT_TESTABLE, "SOCK-M2"),
        ({"requestId": {"$one_of": ["a"]}, "x": 1}, None, Verdict.FAILED, None),
    ],
)
def test_an_error_that_is_not_there_is_no_matter_of_its_id(
    attempt: Try, expected: Any, of_step: Any, verdict: Verdict, because: Any
) -> None:
    step = {"expect": expected} | ({"clause": of_step} if of_step else {})
    result = attempt(CALL, step, clause="SOCK-M6")
    assert (result.verdict, result.because) == (verdict, because)


@pytest.mark.parametrize(
    ("fault", "verdict"),
    [("ends-late-and-slow", Verdict.PASSED), ("ends-late", Verdict.FAILED)],
)
@pytest.mark.parametrize(
    "sent", [lambda one: {"send": one}, lambda one: {"send_many": [one]}]
)
def test_a_tool_that_may_have_ended_by_itself_takes_longer_in_the_next_try(
    attempt: Try, fault: str, verdict: Verdict, sent: Any
) -> None:
    message = CALL["send"] | {"arguments": {"ms": 150}}
    call = {**sent(message), "waits": False}
    result = attempt(LIST, LISTED, call, REFUSED, fault=fault, retry=1)
    assert result.verdict is verdict


def test_what_one_pipe_cannot_show_is_run_again_by_the_suite(attempt: Try) -> None:
    result = attempt({"connect": "b"}, CALL, {"expect": {"type": "error"}})
    assert result.verdict is Verdict.FAILED
    assert result.reproduce == "pytest socket-v1/own/one --socket=it"


def test_a_server_that_took_over_the_socket_of_another_is_named(attempt: Try) -> None:
    fence = {"fence": True}
    second = {"second": True, "within_ms": 5000}
    other = {"fence": True, "on": "other"}
    result = attempt(fence, second, fence, other, fault="takes-over", clause="SOCK-D3")
    assert result.reason == (
        "a second server, started on the same path, took over the socket of the first"
    )


@pytest.mark.parametrize(
    ("needs", "reason"),
    [
        ({"tools": ["conformance_echo"]}, "it needs conformance_echo, which is not"),
        ({"home": True}, "it needs the server's files"),
        ({"allowed": True}, "it needs a tool that may be called: --allow-tool"),
    ],
)
def test_what_is_not_there_makes_a_check_not_applicable(
    attempt: Try, needs: dict[str, Any], reason: str
) -> None:
    result = attempt(LIST, LISTED, needs=needs)
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert result.reason.startswith(reason)


def test_a_server_that_does_not_come_up_is_not_testable(attempt: Try) -> None:
    result = attempt(LIST, LISTED, fault="dies")
    assert result.verdict is Verdict.NOT_TESTABLE
    assert "the configuration is missing" in result.stderr


def test_a_launched_server_can_be_ended_and_started_anew(attempt: Try) -> None:
    result = attempt(
        {"terminate": True},
        {"expect_exit": {"within_ms": 2000}},
        {"restart": True},
        LIST,
        LISTED,
        needs={"launched": True},
    )
    assert result.verdict is Verdict.PASSED


def test_connections_are_named_closed_and_opened_by_steps(attempt: Try) -> None:
    on_other = {"on": "other"}
    result = attempt(
        {"connect": "other"},
        {**LIST, **on_other},
        {**LISTED, **on_other},
        {"disconnect": "other"},
        {**LIST, "cut": "every-byte"},
        LISTED,
    )
    assert result.verdict is Verdict.PASSED


def test_a_connection_that_stays_open_is_not_closed(attempt: Try) -> None:
    result = attempt(LIST, LISTED, {"expect_closed": {"within_ms": 50}})
    assert result.verdict is Verdict.FAILED
    assert "did not close the connection" in result.reason


def test_files_of_the_scratch_folder_are_looked_at(attempt: Try) -> None:
    there = {"expect_file": "made", "in": "scratch", "within_ms": 50}
    result = attempt({"expect_no_file": "made", "in": "scratch", "within_ms": 50})
    assert result.verdict is Verdict.PASSED
    assert attempt(there).verdict is Verdict.FAILED


def test_a_poll_asks_until_it_is_so_or_the_time_is_over(attempt: Try) -> None:
    request = {"type": "tool_call", "requestId": {"$serial": True}, "toolName": "look"}
    poll = {"poll": request, "within_ms": 50}
    good = {"type": "tool_result", "result": {"ok": True}}
    assert attempt({**poll, "until": good}).verdict is Verdict.PASSED
    result = attempt({**poll, "until": {"type": "error"}})
    assert result.verdict is Verdict.FAILED
    assert "did not come about" in result.reason


def test_a_step_that_nobody_knows_is_a_fault_of_the_vector(attempt: Try) -> None:
    assert attempt({"dance": True}).verdict is Verdict.HARNESS_ERROR


@pytest.mark.parametrize(
    ("level", "rests_on", "mute"),
    [
        ("should", {}, Verdict.WARNED),
        ("must", {"clause": "SOCK-X5"}, Verdict.FAILED),
    ],
)
def test_what_a_server_leaves_unanswered_does_not_make_slow_answers_late(
    tiny_socket: str, level: Level, rests_on: dict[str, str], mute: Verdict
) -> None:
    vectors: dict[str, Vector] = {}
    for number, name in enumerate(("mute-1", "mute-2", "slow")):
        call = {"type": "tool_call", "requestId": name, "toolName": "look"}
        wanted = {"type": "tool_result", "requestId": name}
        own: dict[str, Any] = rests_on if name == "slow" else {}
        event = {"expect": {"type": "tool_event", "requestId": name}, **own}
        steps: list[Any] = [{"send": {**call, "arguments": {}}}, event]
        data: dict[str, Any] = {"steps": [*steps, {"expect": wanted}]}
        key, clauses = f"socket-v1/own/{name}", (f"SOCK-C{number // 2 + 1}",)
        vectors[key] = Vector(key, "", clauses, level, "seed", "exchange", "own", data)
    inputs = SuiteInputs(
        Target("socket-v1", "it", (*shlex.split(tiny_socket), "mute-or-slow"), "it"),
        Settings(Path.cwd(), timeout=1.0),
        [Check(k, "", v.clauses, level, "seed", "vector") for k, v in vectors.items()],
        vectors,
        load_setup("socket-v1"),
        (),
        PROTOCOL.clauses(),
    )
    suite = SocketSuite(inputs)
    verdicts = [suite.run(check).verdict for check in suite.checks]
    suite.finish()
    assert verdicts == [mute, mute, Verdict.PASSED]


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("node server.mjs {socket}", "env HOME={home} node server.mjs {socket}"),
        (
            "/usr/bin/java -cp out Server {socket}",
            "/usr/bin/java -Duser.home={home} -cp out Server {socket}",
        ),
    ],
)
def test_where_files_are_looked_for_in_vain_the_option_fits_the_program(
    command: str, named: str
) -> None:
    target = Target("socket-v1", command, tuple(command.split()), "it")
    suite = PROTOCOL.open(target, Settings(Path.cwd()))
    assert isinstance(suite, SocketSuite)
    told = suite._home_options()
    assert told == f"--socket-home=DIR, or '--socket={named}'"
