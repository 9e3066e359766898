from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import VectorDefect
from wireproof.protocols.exec_runtime._looks import seen_of
from wireproof.protocols.exec_runtime._script import Script
from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
from wireproof.protocols.exec_runtime._tool import Tool
from wireproof.subjects._system import awaited_end
from wireproof_vectors import load_setup

SECONDS = 20.0

DOES: Any = load_setup("exec-runtime")["does"]


@pytest.fixture
def tools() -> Iterator[SuppliedTools]:
    with SuppliedTools(DOES) as supplied:
        yield supplied


def start(
    tool: Tool, *args: str, env: dict[str, str] | None = None
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["/bin/sh", str(tool.program), *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=env,
    )


@contextmanager
def started(tool: Tool) -> Iterator[subprocess.Popen[bytes]]:
    process = start(tool)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def has_child(tool: Tool) -> bool:
    return bool(tool.seen and tool.seen[0].children)


def run(
    tool: Tool, given: bytes, *args: str, env: dict[str, str] | None = None
) -> tuple[bytes, bytes, int]:
    process = start(tool, *args, env=env)
    out, err = process.communicate(given, timeout=SECONDS)
    return out, err, process.returncode


def test_a_one_shot_tool_answers_with_its_arguments(tools: SuppliedTools) -> None:
    tool = tools.add("echo", server=False, plays=[])

    assert run(tool, b'{"args": {"n": [1]}}') == (b'{"result":{"n":[1]}}\n', b"", 0)


def test_each_process_plays_its_own_script(tools: SuppliedTools) -> None:
    plays: Any = [[{"stderr": "no\n"}, {"exit": 3}], [{"write_raw": [{"text": "x"}]}]]
    tool = tools.add("two", server=False, plays=plays)

    assert run(tool, b"") == (b"", b"no\n", 3)
    assert run(tool, b"") == (b"x", b"", 0)


def test_a_server_answers_each_line_under_its_id(tools: SuppliedTools) -> None:
    tool = tools.add("server", server=True, plays=[])
    lines = b'{"id":"a","params":{"args":1}}\n\n{"id":2,"params":{"args":null}}\n'

    out, _, status = run(tool, lines)

    assert [json.loads(line) for line in out.splitlines()] == [
        {"jsonrpc": "2.0", "id": "a", "result": 1},
        {"jsonrpc": "2.0", "id": 2, "result": None},
    ]
    assert status == 0
    assert seen_of(tool)["processes"][0]["ended"] is True


def test_arguments_and_first_variables_are_seen(tools: SuppliedTools) -> None:
    tool = tools.add("seen", server=False, plays=[])

    run(
        tool,
        b'{"args":1}',
        "two words",
        "",
        "$HOME",
        "a\nb",
        env={"A": "1", "B": "=\n"},
    )

    assert tool.seen[0].arguments == ["two words", "", "$HOME", "a\nb"]
    assert tool.seen[0].environment == {"A": "1", "B": "=\n"}


def test_bytes_of_all_kinds_and_sizes_are_written(tools: SuppliedTools) -> None:
    pieces = [{"base64": "AP8lJydcCg=="}, {"text": "%s\\n'", "times": 3}]
    long = [{"text": "0123456789", "times": 20_000}]
    plays: Any = [[{"write_raw": pieces}, {"write_raw": long}]]
    tool = tools.add("bytes", server=False, plays=plays)

    out, _, _ = run(tool, b"")

    assert out == b"\0\xff%''\\\n" + 3 * b"%s\\n'" + 20_000 * b"0123456789"


def test_input_that_is_no_json_is_shown(tools: SuppliedTools) -> None:
    tool = tools.add("no-json", server=False, plays=[[{"await_eof": True}]])

    run(tool, b"args: 1")

    assert seen_of(tool)["requests"] == [{"not_json": "args: 1"}]


def test_processes_that_are_there_at_one_time_are_counted(tools: SuppliedTools) -> None:
    play: Any = [{"await_starts": 2}, {"write": {"result": 1}}]
    tool = tools.add("together", server=False, plays=[play, play])
    tools.make_room(tool, 2)

    both = [start(tool) for _ in range(2)]
    outputs = [one.communicate(b"", timeout=SECONDS)[0] for one in both]

    assert outputs == 2 * [b'{"result":1}\n']
    assert tool.together == 2


def test_a_process_that_is_killed_is_seen_to_be_gone_with_its_child(
    tools: SuppliedTools,
) -> None:
    play: Any = [{"ignore": "TERM"}, {"child": True}, {"hang": True}]
    tool = tools.add("parent", server=False, plays=[play])
    with started(tool) as process:
        assert tools.await_that(lambda: has_child(tool), SECONDS)

        process.kill()
        process.wait()
        assert tools.await_that(lambda: tool.seen[0].gone, SECONDS)
        assert not tool.seen[0].all_gone

        os.killpg(process.pid, signal.SIGKILL)
        assert tools.await_that(lambda: tool.seen[0].all_gone, SECONDS)


@pytest.mark.skipif(not shutil.which("setsid"), reason="no program starts a session")
def test_a_grandchild_apart_outlives_the_group_of_its_tool(
    tools: SuppliedTools,
) -> None:
    play: Any = [{"child": "apart"}, {"hang": True}]
    tool = tools.add("apart", server=False, plays=[play])
    with started(tool) as process:
        assert tools.await_that(lambda: has_child(tool), SECONDS)
        child = tool.seen[0].children[0].pid
        while os.getsid(child) == process.pid:
            time.sleep(0.01)

        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert tools.await_that(lambda: tool.seen[0].gone, SECONDS)
        assert not tool.seen[0].all_gone

        tools.release_at(time.monotonic())
        assert tools.await_that(lambda: tool.seen[0].all_gone, SECONDS)


@pytest.mark.parametrize(
    ("given", "other"), [(1, "1"), ("1", 1), ("call-1", ["call-1"]), ("01", ["01"])]
)
def test_an_id_is_written_in_another_type(
    tools: SuppliedTools, given: Any, other: Any
) -> None:
    play: Any = [{"read": "a"}, {"write": {"id": {"$other_id_of": "a"}}}]
    tool = tools.add("other", server=True, plays=[play])

    output = run(tool, json.dumps({"id": given}).encode() + b"\n")[0]

    assert json.loads(output) == {"id": other}


def test_a_tool_that_hangs_is_let_go(tools: SuppliedTools) -> None:
    tool = tools.add("hangs", server=False, plays=[[{"child": True}, {"hang": True}]])
    with started(tool) as process:
        assert tools.await_that(lambda: has_child(tool), SECONDS)

        tools.release_at(time.monotonic())

        assert process.wait(SECONDS) == 70
    assert tools.await_that(lambda: tool.seen[0].all_gone, SECONDS)


def test_an_unknown_step_is_told_and_the_tool_let_go(tools: SuppliedTools) -> None:
    tool = tools.add("odd", server=False, plays=[[{"sleep": 1}]])

    assert run(tool, b"")[2] == 70
    with pytest.raises(VectorDefect, match="unknown step of a tool"):
        tools.raise_fault()


def test_a_tool_whose_folder_is_removed_ends_and_nothing_else(
    tools: SuppliedTools,
) -> None:
    play: Any = [{"read": "first"}, {"child": True}, {"write": {"result": 1}}]
    tool = tools.add("removed", server=False, plays=[play])
    with started(tool) as process:
        assert tools.await_that(lambda: bool(tool.seen), SECONDS)

        shutil.rmtree(tool.folder)
        out, _ = process.communicate(b"{}", timeout=SECONDS)

    assert out == b""
    tools.raise_fault()


def test_what_others_write_in_the_place_of_a_tool_is_not_heeded(
    tools: SuppliedTools,
) -> None:
    tool = tools.add("mimicked", server=False, plays=[])
    (tool.folder / "0.say").write_bytes(b"-1\x000\x00end\x00")
    tool.program.with_name("0.taken").touch()

    assert run(tool, b'{"args": 1}')[0] == b'{"result":1}\n'
    assert len(tool.seen) == 1
    tools.raise_fault()


def test_a_failure_of_the_suite_ends_all_tools_and_is_raised(
    tools: SuppliedTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(script: Script, step: Any) -> Any:
        raise RuntimeError("a mistake of the suite")

    monkeypatch.setattr(Script, "_carry_out", fail)
    tool = tools.add("server", server=True, plays=[[{"hang": True}]])
    with started(tool) as process:
        assert process.wait(SECONDS) == -signal.SIGKILL

    assert not tools.await_that(lambda: False, SECONDS)
    with pytest.raises(RuntimeError, match="a mistake of the suite"):
        tools.raise_fault()
    with pytest.raises(RuntimeError, match="a mistake of the suite"):
        tools.add("next", server=True, plays=[])


SUITE = """
import subprocess, sys, time
from wireproof.protocols.exec_runtime._supplied_tools import SuppliedTools
with SuppliedTools({"server": {}}) as tools:
    tool = tools.add("left", server=True, plays=[[{"child": True}, {"hang": True}]])
    words = ["/bin/sh", str(tool.program)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, stdin=0, stdout=pipe, start_new_session=True)
    tools.await_that(lambda: bool(tool.seen and tool.seen[0].children), 20)
    print(tool.seen[0].pid, tool.seen[0].children[0].pid, flush=True)
    time.sleep(60)
"""


def test_tools_end_when_the_suite_is_killed(tmp_path: Path) -> None:
    suite = subprocess.Popen(
        [sys.executable, "-c", SUITE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # What is killed removes nothing.
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert suite.stdout is not None
    pids = [int(word) for word in suite.stdout.readline().split()]
    began = time.monotonic()

    with awaited_end(pids[0], SECONDS), awaited_end(pids[1], SECONDS):
        suite.kill()
        suite.communicate()

    assert len(pids) == 2
    assert time.monotonic() - began < SECONDS
