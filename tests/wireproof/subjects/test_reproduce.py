from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Settings, explain_line
from wireproof.subjects import (
    launched_line,
    pipe_line,
    python_line,
    run_line,
    socket_line,
)
from wireproof.subjects._reproduce import MOST_WRITES
from wireproof.subjects._rerun import LONGEST

if TYPE_CHECKING:
    from wireproof.checks import Runner


def run(line: str | None, shell: str = "sh") -> bytes:
    """Run a line without its last pause, which only slow hosts need."""
    assert line is not None
    quick = line.replace("; sleep 1)", ")")
    done = subprocess.run([shell, "-c", quick], capture_output=True, check=True)
    return done.stdout


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize(
    "data",
    [
        b'{"v":1,"id":"a","method":"init","params":{}}\n',
        b'it\'s 100% \\n \\\\ `$HOME` $(id) !! "quoted"\n',
        "é€😀\u2028\n".encode(),
        bytes(range(256)),
        b"\0",
        b"\x001",
        b"-n\n",
        b"%s%d\n\n\n",
        b"",
    ],
)
def test_the_line_sends_just_these_bytes(data: bytes, shell: str) -> None:
    assert run(pipe_line(data, ["cat"]), shell) == data


def test_the_line_can_be_read() -> None:
    line = pipe_line(b'{"id":"it\'s"}\n', ["./my host", "--flag"])
    assert line == ("(printf '{\"id\":\"it'\\''s\"}\\n'; sleep 1) | './my host' --flag")


def test_the_pipe_stays_open_for_as_long_as_tools_were_asked_to_work() -> None:
    assert pipe_line(b"x", ["cat"], seconds=2.4) == "(printf 'x'; sleep 3) | cat"


def test_what_was_sent_after_an_answer_is_sent_in_a_write_of_its_own() -> None:
    line = pipe_line(b"c", ["cat"], before=[b"a", b"b"])
    assert line == (
        "(printf 'a'; sleep 0.3; printf 'b'; sleep 0.3; printf 'c'; sleep 1) | cat"
    )
    ended = pipe_line(b"b", ["cat"], before=[b"a"], ending="at-once")
    assert run(ended) == b"abexit status 0\n"


def test_a_program_that_gets_only_some_variables_is_started_with_them_alone() -> None:
    line = pipe_line(b"x", ["tool", "a b"], forwarded=["PATH", "KEY"], ending="at-once")
    assert line == (
        """printf 'x' | { env -i PATH="$PATH" KEY="$KEY" tool 'a b'; """
        'echo "exit status $?"; } | cat'
    )


def test_the_end_of_input_is_told_where_nothing_may_come_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    line = pipe_line(b"x", ["cat"], ending="tell")
    told = "stdin ends only now: replies belong above this line"
    assert line == f"(printf 'x'; sleep 2; echo '{told}' >&2) | cat | cat"


def test_what_a_host_holds_back_comes_behind_the_end_of_input() -> None:
    held = ["sh", "-c", 'text=$(cat); echo "$text" >&2']
    line = pipe_line(b"answer", held, ending="tell")
    assert line is not None
    told = run(f"({line.replace('sleep 2; ', '')}) 2>&1")
    assert told == (b"stdin ends only now: replies belong above this line\nanswer\n")


def test_the_exit_status_is_told_where_the_input_ends_at_once() -> None:
    line = pipe_line(b"x", ["sh", "-c", "cat; exit 3"], ending="at-once", folder="/")
    assert run(line) == b"xexit status 3\n"


def test_variables_and_folder_are_given() -> None:
    line = pipe_line(
        b"x",
        ["sh", "-c", 'cat; printf " %s " "$A"; pwd -P'],
        folder="/",
        environment={"A": "it's $b"},
    )
    assert run(line) == b"x it's $b /\n"


def test_a_value_that_is_not_to_be_shown_is_taken_from_the_shell() -> None:
    line = pipe_line(
        b"x", ["sh", "-c", 'cat; printf " %s" "$A"'], environment={"A": None}
    )
    assert line is not None
    assert run(f"A='it is' sh -c {shlex.quote(line)}") == b"x it is"
    assert run(f"unset A; {line} || printf missing") == b"missing"


def test_a_folder_with_odd_characters_is_quoted(tmp_path: Path) -> None:
    folder = tmp_path / "it's; a folder"
    folder.mkdir()
    line = pipe_line(b"", ["sh", "-c", "pwd -P"], folder=str(folder))
    assert run(line) == f"{folder.resolve()}\n".encode()


@pytest.mark.parametrize(
    ("data", "fits"),
    [
        (b"x" * 1_498, True),
        (b"x" * 1_499, False),
        (b"x" * 1_501, False),
        (b"\0" * 400, False),
    ],
)
def test_a_line_that_nobody_would_paste_is_not_made(data: bytes, *, fits: bool) -> None:
    assert (pipe_line(data, ["cat"]) is not None) is fits


def started(*options: str, runner: Runner = "pytest") -> Settings:
    return Settings(Path("/"), reproduce_options=options, runner=runner)


def test_a_command_quotes_what_a_shell_would_read() -> None:
    settings = started("--host=python3 it's.py", "--fuzz-seed=3")
    line = run_line(settings, "host-v1/a/b")
    assert line == "pytest host-v1/a/b '--host=python3 it'\"'\"'s.py' --fuzz-seed=3"


def test_a_command_for_the_whole_run_names_no_check() -> None:
    assert run_line(started("--host=./host")) == "pytest --host=./host"


def test_a_command_is_the_one_by_which_the_run_was_started() -> None:
    settings = started("--host=./host", runner="wireproof check")
    assert run_line(settings, "a/b") == "wireproof check a/b --host=./host"


@pytest.mark.parametrize("runner", ["pytest", "wireproof check"])
def test_the_program_that_runs_here_is_named_where_a_shell_finds_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, runner: Runner
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = started("--host=./host", runner=runner)
    own = f"{Path(sys.executable).parent}/{runner} --host=./host"
    assert run_line(settings) == own
    other = tmp_path / runner.partition(" ")[0]
    other.touch(0o755)
    assert run_line(settings) == own


@pytest.mark.parametrize("kind", ["script", "module"])
def test_a_program_is_named_as_one_reaches_it_from_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    own = tmp_path / ".venv" / "bin"
    own.mkdir(parents=True)
    if kind == "script":
        (own / "wireproof").touch(0o755)
    monkeypatch.setattr(sys, "executable", str(own / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    by_module = f"{own / 'python'} -m wireproof"
    start = {"script": ".venv/bin/wireproof", "module": by_module}[kind]
    assert explain_line("HV1-M2") == f"{start} explain HV1-M2"


def test_what_uv_puts_into_the_path_is_not_there_in_the_users_shell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("UV", "/usr/bin/uv")
    line = run_line(started("--host=./host", runner="wireproof check"))
    assert line == f"{sys.executable} -m wireproof check --host=./host"


def test_the_python_that_runs_here_is_named_where_a_shell_finds_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    line = python_line("json", "json", "dumps", {"obj": 1})
    assert line == f"{sys.executable} -c 'import json; print(json.dumps(1))'"


def test_a_line_of_python_has_the_variables_that_the_subject_was_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    given = {"MODE": "a b", "KEY": None}
    line = python_line("json", "json", "dumps", {"obj": 1}, environment=given)
    assert line is not None
    assert line.startswith(f"MODE='a b' KEY=\"${{KEY:?}}\" {sys.executable} -c ")


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the only folder in which a shell looks for programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("program", "call"),
    [("nc", "nc -U '/run/my s'"), ("socat", "socat - UNIX-CONNECT:'/run/my s'")],
)
def test_the_line_for_a_socket_uses_what_is_there(
    programs: Path, program: str, call: str
) -> None:
    (programs / program).touch(0o755)
    line = socket_line(b'{"a":1}\n', "'/run/my s'")
    assert line == f"(printf '{{\"a\":1}}\\n'; sleep 1) | {call}"


@pytest.mark.parametrize("data", [b'{"type":"list_tools"}\n', bytes(range(256)), b"-n"])
def test_without_a_program_for_sockets_python_sends_and_shows(
    programs: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    path = programs / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        line = socket_line(data, shlex.quote(str(path)))
        monkeypatch.undo()
        assert line is not None
        done = subprocess.Popen(["/bin/sh", "-c", line], stdout=subprocess.PIPE)
        connection, _ = listener.accept()
        with connection:
            got = b""
            while len(got) < len(data):
                got += connection.recv(4096)
            connection.sendall(b"answer")
        shown, _ = done.communicate(timeout=30)
    assert got == data
    assert shown == b"answer"


@pytest.fixture
def nc(programs: Path) -> None:
    """Let a shell find nc."""
    (programs / "nc").touch(0o755)


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.usefixtures("nc")
@pytest.mark.parametrize("data", [b'{"type":"list_tools"}\n', bytes(range(256)), b"-n"])
def test_the_line_for_a_socket_sends_just_these_bytes(
    monkeypatch: pytest.MonkeyPatch, data: bytes, shell: str
) -> None:
    line = socket_line(data, "/run/s")
    monkeypatch.undo()
    assert line is not None
    assert run(line.replace("nc -U /run/s", "cat"), shell) == data


@pytest.mark.usefixtures("nc")
def test_the_line_for_a_socket_waits_as_long_as_the_tools_work() -> None:
    line = socket_line(b"x\n", "s", seconds=2.1)
    assert line is not None
    assert "; sleep 4)" in line


@pytest.mark.usefixtures("nc")
def test_a_launched_server_is_started_in_a_new_place_and_ended() -> None:
    line = launched_line(
        b"x\n",
        ["my server", "--at={socket}", "{home}/.meith"],
        environment={"MODE": "a b"},
    )
    assert line == (
        """(d=$(mktemp -d); HOME="$d" MODE='a b' 'my server' --at="$d"/s "$d"/.meith """
        '& p=$!; until [ -S "$d"/s ] || ! kill -0 $p; do sleep 0.1; done; '
        """(printf 'x\\n'; sleep 1; kill $p) | nc -U "$d"/s; rm -r "$d")"""
    )


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_the_line_of_a_launched_server_shows_its_answer(
    tiny_socket: str, shell: str
) -> None:
    data = b'{"type":"list_tools","protocol":1}\n'
    line = launched_line(data, shlex.split(tiny_socket), before=[b"\n"])
    assert b'"type":"tools_list"' in run(line, shell).replace(b" ", b"")


def test_a_server_that_chooses_its_path_is_reached_there() -> None:
    line = launched_line(b"x", ["serve"], socket="{home}/run/s", folder="/srv")
    assert line is not None
    assert line.startswith('(cd /srv; d=$(mktemp -d); HOME="$d" serve & p=$!; ')
    assert 'until [ -S "$d"/run/s ]' in line


def test_a_folder_of_the_run_is_one_of_the_line() -> None:
    line = launched_line(b'{"path":"/srv/run/f"}\n', ["serve"], scratch="/srv/run")
    assert line is not None
    assert """printf '{"path":"'"$d"'/f"}\\n';""" in line


def test_more_writes_than_can_be_read_get_no_line() -> None:
    assert pipe_line(b"b", ["cat"], before=[b"a"] * (MOST_WRITES - 1)) is not None
    assert pipe_line(b"b", ["cat"], before=[b"a"] * MOST_WRITES) is None


def test_what_is_too_long_for_a_line_gets_none_for_a_socket() -> None:
    assert launched_line(b"x" * (LONGEST + 1), ["serve"]) is None

    assert socket_line(b"x" * (LONGEST + 1), "s") is None
    assert socket_line(b"\xff" * LONGEST, "s") is None


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, -2.5, True, False, None], "": {}},
        {"arguments": '{"it\'s": "$HOME `id` !! \\\\ \\n"}'},
        ["é€😀\u2028\x00\x7f\n\t", "\ud800", "'", '"', "\\"],
        10**30,
        "",
    ],
)
def test_the_line_in_python_passes_just_this_value(value: Any, shell: str) -> None:
    line = python_line("json", "json", "dumps", {"obj": value})
    assert line is not None
    told = run(line.replace("python", sys.executable, 1), shell)
    assert json.loads(told) == value


def test_the_line_in_python_can_be_read() -> None:
    arguments = {"schemas": [{"name": "it's"}], "target": "chat"}
    line = python_line("own.mod", "own.mod.make()", "convert", arguments)
    assert line == (
        "python -c 'import own.mod; print(own.mod.make().convert("
        '[{"name": "it\\x27s"}], target="chat"))\''
    )


def test_what_is_too_long_for_a_line_in_python_gets_none() -> None:
    assert python_line("m", "m.it", "ask", {"call": "x" * LONGEST}) is None


def test_what_is_nested_too_deep_for_a_line_in_python_gets_none() -> None:
    value: list[Any] = []
    for _ in range(10_000):
        value = [value]
    assert python_line("m", "m.it", "ask", {"call": value}) is None
