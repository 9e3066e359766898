from __future__ import annotations

import json
import shlex
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import wireproof_reference
import wireproof_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ONE = "socket-v1/listing/descriptors"
LONG = 30  # seconds after which a test fails rather than hangs


@pytest.fixture
def running(tiny_socket: str) -> Iterator[Path]:
    """Return the socket of a server that runs."""
    with tempfile.TemporaryDirectory(prefix="tiny-") as folder:
        path = Path(folder, "s")
        words = [
            word.replace("{socket}", str(path)) for word in shlex.split(tiny_socket)
        ]
        with subprocess.Popen(words) as process:
            limit = time.monotonic() + LONG
            while not _accepts(path) and time.monotonic() < limit:
                time.sleep(0.01)
            yield path
            process.terminate()


def _accepts(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as one:
        return one.connect_ex(str(path)) == 0


def test_a_server_with_a_type_of_its_own_is_told_both_spellings(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(f"--socket={tiny_socket} other-type", ONE)

    result.stdout.fnmatch_lines(
        [
            (
                '*failed*: /type is "tools", none of the types of a frame; '
                '"tools_list" was expected'
            )
        ]
    )


def test_the_reference_conforms(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(
        "--socket=reference", "--subject-env=PYTHONPATH=" + _roots(), ONE
    )
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "wireproof: socket-v1 reference",
            "*= wireproof: socket-v1 reference =*",
            "conforms to the full profile: nothing broken (level full, *",
        ]
    )


def _roots() -> str:
    found = (wireproof_reference.__file__, wireproof_vectors.__file__)
    return ":".join(str(Path(str(one)).parents[1]) for one in found)


def test_a_command_is_given_the_path_of_a_socket(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(f"--socket={tiny_socket}", ONE)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["conforms to the full profile: nothing broken (level wire, *"]
    )


def test_a_running_server_is_reached_by_its_path_and_left_alone(
    pytester: pytest.Pytester, running: Path
) -> None:
    result = pytester.runpytest_inprocess(f"--socket={running}", ONE)
    result.assert_outcomes(passed=1)
    assert _accepts(running)


def test_a_relative_path_starts_where_the_user_stands(
    pytester: pytest.Pytester, running: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(running.parent)
    pytester.runpytest_inprocess("--socket=s", ONE).assert_outcomes(passed=1)


def test_a_running_server_is_not_tried_with_what_must_be_launched(
    pytester: pytest.Pytester, running: Path
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={running}", "socket-v1/discovery", ONE
    )
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*it needs a server that the suite launches*"])


@pytest.mark.parametrize(
    "options",
    [
        ("--socket=./nothing {socket}",),
        ("--socket=./nothing", "--socket-path=s"),
    ],
)
def test_a_server_that_is_not_there_is_a_usage_error(
    pytester: pytest.Pytester, options: Sequence[str]
) -> None:
    result = pytester.runpytest_inprocess(*options, ONE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --socket: cannot start './nothing': *"])


def test_a_path_that_does_not_exist_fails_and_says_so(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess(
        "--socket=./nothing", "--subject-timeout=0.3", ONE
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "conforms to the full profile: no (level wire*",
            "*no connection to *nothing: No such file*",
            "next: nothing is at */nothing: start the server before the run and name *",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_what_is_no_socket_is_a_usage_error(pytester: pytest.Pytester) -> None:
    (pytester.path / "plain").write_text("text")
    (pytester.path / "folder").mkdir()
    for name, kind in (("plain", "a file"), ("folder", "a folder")):
        result = pytester.runpytest_inprocess(f"--socket={name}", ONE)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        told = f"ERROR: --socket: *{name} is {kind}, not a socket; give the path of *"
        result.stderr.fnmatch_lines([told])


@pytest.mark.parametrize("command", ["serve", "./serve", "./serve --fast", "sh serve"])
def test_a_command_without_a_place_for_its_socket_is_a_usage_error(
    pytester: pytest.Pytester, command: str
) -> None:
    (pytester.path / "serve").touch(0o755)
    result = pytester.runpytest_inprocess(f"--socket={command}", ONE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: --socket: '{command}': it is a command, * put {{socket}} there, *"]
    )


def test_a_server_that_dies_is_shown_with_what_it_wrote(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(f"--socket={tiny_socket} dies", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*the subject exited with status 1 before it answered anything*"]
    )
    result.stdout.fnmatch_lines(["*the configuration is missing*"])


def test_a_command_that_makes_no_socket_is_given_up(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(
        "--socket=sleep 600 {socket}", "--subject-timeout=0.3", ONE
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_an_empty_value_is_a_usage_error(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--socket=")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --socket: '': it is empty; *"])


def test_one_command_may_be_given_twice(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket}", f"--socket={tiny_socket}", ONE
    )
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"socket-v1/listing [[]{tiny_socket} #2] *"])


def test_a_server_is_tried_beside_a_host(
    pytester: pytest.Pytester, tiny_socket: str, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}",
        f"--socket={tiny_socket}",
        ONE,
        "host-v1/messages/version-of-a-success",
    )
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            f"*= wireproof: host-v1 {tiny} =*",
            f"*= wireproof: socket-v1 {tiny_socket} =*",
        ]
    )


def test_workers_share_the_checks(pytester: pytest.Pytester, tiny_socket: str) -> None:
    result = pytester.runpytest_subprocess(
        f"--socket={tiny_socket}", "socket-v1/listing", "--fuzz=0", "-n", "2"
    )
    assert result.ret == pytest.ExitCode.OK
    assert "failed" not in result.parseoutcomes()


def test_a_running_server_is_not_shared_by_workers(
    pytester: pytest.Pytester, running: Path
) -> None:
    result = pytester.runpytest_subprocess(f"--socket={running}", ONE, "-n", "2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: --socket: '{running}': it runs already, and *; leave out -n, *"]
    )


def test_nothing_of_the_server_is_left(
    pytester: pytest.Pytester,
    tiny_socket: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = pytester.path / "server"
    command = _with_argument(tiny_socket)
    script.write_text(f"#!/bin/sh\nsleep 600 &\necho $! >child\nexec {command}\n")
    script.chmod(0o755)
    with _short_folder() as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        result = pytester.runpytest_inprocess("--socket=./server {socket}", ONE)
        result.assert_outcomes(passed=1)
        assert list(Path(folder).iterdir()) == []
    child = (pytester.path / "child").read_text().strip()
    assert _gone(child)


def test_nothing_of_the_server_is_left_by_a_run_that_is_interrupted(
    pytester: pytest.Pytester, tiny_socket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeconftest(
        "import pytest\n"
        "def pytest_runtest_logreport(report):\n"
        "    if report.when == 'call': raise KeyboardInterrupt\n"
    )
    script = pytester.path / "server"
    command = _with_argument(tiny_socket)
    script.write_text(f"#!/bin/sh\necho $$ >server.pid\nexec {command}\n")
    script.chmod(0o755)
    with _short_folder() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        result = pytester.runpytest_subprocess(
            "--socket=./server {socket}", "socket-v1/listing"
        )
        assert result.ret == pytest.ExitCode.INTERRUPTED
        assert list(Path(folder).iterdir()) == []
    assert _gone((pytester.path / "server.pid").read_text().strip())


def _short_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder whose path leaves room for that of a socket."""
    return tempfile.TemporaryDirectory(prefix="w-", dir=tempfile.gettempdir())


def _with_argument(command: str) -> str:
    return command.replace("'{socket}'", '"$1"').replace("{socket}", '"$1"')


def _gone(process: str) -> bool:
    path = Path(f"/proc/{process}/cmdline")
    return not path.exists() or not path.read_bytes()


def test_a_server_that_speaks_json_rpc_is_told_so(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(f"--socket={tiny_socket} json-rpc", ONE)
    result.stdout.fnmatch_lines(
        ["*failed: this is JSON-RPC, as MCP servers speak it, not socket-v1: *"]
    )


def test_the_time_of_a_start_is_not_spent_on_a_server_that_writes_frames(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    pytester.runpytest_inprocess(
        f"--socket={tiny_socket} other-type", ONE, "--compat-report=report.json"
    )
    (result,) = [
        one
        for one in json.loads(Path("report.json").read_text())["subjects"][0]["results"]
        if one["id"] == ONE
    ]
    # A start may take twenty seconds.
    assert result["reason"] == (
        "the subject did not answer a plain valid request within 3 s "
        "(--subject-timeout)"
    )
