from __future__ import annotations

import shlex
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Check, Settings, SuiteInputs, Target, Verdict
from wireproof.protocols.socket_v1._protocol import PROTOCOL
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof_vectors import Vector, load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wireproof.checks import Result
    from wireproof.run import EngineSuite

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
    made: list[EngineSuite] = []

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
            PROTOCOL.bind(
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


def test_a_frame_that_differs_fails_and_can_be_run_again(attempt: Try) -> None:
    result = attempt(CALL, {"expect": {"requestId": "a", "type": "error"}})
    assert result.verdict is Verdict.FAILED
    assert result.clauses == ("SOCK-F2",)
    assert result.reproduce is not None
    assert '; (printf \'{"type":"tool_call",' in result.reproduce


@pytest.mark.parametrize(
    ("data", "verdict"), [({}, Verdict.FAILED), ({"retry": 2}, Verdict.PASSED)]
)
def test_a_check_of_times_is_tried_again_with_longer_ones(
    attempt: Try, data: dict[str, Any], verdict: Verdict
) -> None:
    call = {"send": CALL["send"] | {"arguments": {"ms": 150}}, "waits": False}
    result = attempt(LIST, LISTED, call, REFUSED, fault="ends-late", **data)
    assert result.verdict is verdict


def test_a_call_that_is_to_be_ended_early_is_not_waited_for(attempt: Try) -> None:
    message = {**CALL["send"], "toolName": "look", "arguments": {"ms": 60_000}}
    call = {"send": message, "waits": False}
    result = attempt(call, {"expect": {"requestId": "a"}}, fault="mute")
    assert result.verdict is Verdict.FAILED
    assert "not answered within 1 s" in result.reason


def test_an_id_that_is_used_again_is_waited_for_again(attempt: Try) -> None:
    message = {**CALL["send"], "toolName": "look"}
    early = {"send": message, "waits": False}
    late = {"send": {**message, "arguments": {"ms": 1500}}}
    found = {"expect": {"requestId": "a", "type": "tool_result"}}
    result = attempt(early, found, late, found, fault="sleeps")
    assert result.verdict is Verdict.PASSED


def test_what_one_pipe_cannot_show_is_run_again_by_the_suite(attempt: Try) -> None:
    result = attempt({"connect": "b"}, CALL, {"expect": {"type": "error"}})
    assert result.verdict is Verdict.FAILED
    assert result.reproduce == "pytest socket-v1/own/one --socket=it"


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
    ("command", "named"),
    [
        ("node server.mjs {socket}", "env HOME={home} node server.mjs {socket}"),
        (
            "/usr/bin/java -cp out Server {socket}",
            "/usr/bin/java -Duser.home={home} -cp out Server {socket}",
        ),
    ],
)
def test_the_option_that_names_the_servers_files_fits_the_program(
    command: str, named: str
) -> None:
    target = Target("socket-v1", command, tuple(command.split()), "it")
    facts = PROTOCOL.open(target, Settings(Path.cwd())).facts()
    (untried,) = facts.untried
    assert untried.endswith(f": --socket-home=DIR, or '--socket={named}'")


def test_an_allowed_tool_that_is_not_listed_is_remarked(tiny_socket: str) -> None:
    target = Target("socket-v1", "it", tuple(shlex.split(tiny_socket)), "it")
    own = SocketSettings(allowed_tools=("absent",))
    suite = PROTOCOL.open(target, Settings(Path.cwd(), own=own))
    suite.run(suite.checks[0])
    (remark,) = suite.facts().remarks
    suite.finish()
    assert remark.startswith("--allow-tool names 'absent', which the server does not")


def test_a_place_where_another_server_listens_is_not_taken(
    tiny_socket: str, tmp_path: Path
) -> None:
    path = tmp_path / "s"
    command = tiny_socket.replace("{socket}", "").rstrip()
    own = SocketSettings(path=str(path))
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        target = Target("socket-v1", "it", tuple(shlex.split(command)), "it")
        suite = PROTOCOL.open(target, Settings(Path.cwd(), own=own))
        result = suite.run(suite.checks[0])
        suite.finish()
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason.endswith(
        f"another server listens at {path} already; stop it first"
    )
