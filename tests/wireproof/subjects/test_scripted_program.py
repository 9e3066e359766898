from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wireproof.subjects._scripted_peer import COMMAND

STUCK = 70  # the status when the suite is gone
LONG = 60  # seconds after which a test fails rather than hangs


class Playing:
    """A scripted program that runs, seen from both of its sides."""

    def __init__(self, suite: socket.socket, process: subprocess.Popen[bytes]) -> None:
        self.suite = suite
        self.process = process

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self) -> tuple[int, bytes, bytes]:
        """Close its input; return its status and what it wrote."""
        out, err = self.process.communicate(timeout=LONG)
        return self.process.returncode, out, err

    def reports(self) -> list[dict[str, Any]]:
        """Return what it reported until it was gone."""
        with self.suite.makefile() as lines:
            return [json.loads(line) for line in lines]


class Listener:
    """Starts scripted programs on a socket."""

    def __init__(self, folder: str) -> None:
        self.path = str(Path(folder, "s"))
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.listener.settimeout(LONG)
        self.playings: list[Playing] = []

    def play(self, *script: dict[str, Any]) -> Playing:
        process = subprocess.Popen(
            [*COMMAND, self.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        suite, _ = self.listener.accept()
        suite.settimeout(LONG)
        suite.sendall(json.dumps(script).encode() + b"\n" if script else b"")
        self.playings.append(Playing(suite, process))
        return self.playings[-1]

    def close(self) -> None:
        self.listener.close()
        for playing in self.playings:
            playing.suite.close()
            with playing.process:  # its pipes are closed, its end is awaited
                pass


@pytest.fixture
def listener() -> Iterator[Listener]:
    with tempfile.TemporaryDirectory(prefix="wp-") as folder:
        listener = Listener(folder)
        yield listener
        listener.close()


def request(name: str, *, request_id: Any = "1") -> bytes:
    value = {"v": 1, "id": request_id, "method": "m", "params": {"name": name}}
    return json.dumps(value).encode() + b"\n"


def read(name: str) -> dict[str, Any]:
    return {"read": name, "match": {"params": {"name": name}}}


def answer(name: str) -> dict[str, Any]:
    return {"write": {"id": {"$id_of": name}}}


END = {"await_eof": True}


def test_it_answers_under_the_id_that_it_read(listener: Listener) -> None:
    playing = listener.play({"read": "a"}, answer("a"), END)
    playing.send(request("x", request_id="é"))
    assert playing.read() == '{"id":"é"}\n'.encode()
    assert playing.end() == (0, b"", b"")


def test_it_writes_several_lines_at_once(listener: Listener) -> None:
    lines = {"write_many": [{"id": {"$id_of": "a"}}, {"n": 2}]}
    playing = listener.play({"read": "a"}, lines, END)
    playing.send(request("x"))
    assert playing.end() == (0, b'{"id":"1"}\n{"n":2}\n', b"")
    assert [one["message"] for one in playing.reports() if "writes" in one] == [
        {"id": "1"},
        {"n": 2},
    ]


def test_it_writes_many_numbered_lines_at_once(listener: Listener) -> None:
    lines = {"$numbered": 3, "as": {"id": {"$id_of": "a"}, "n": {"$number": True}}}
    playing = listener.play({"read": "a"}, {"write_many": lines}, END)
    playing.send(request("x"))
    _, out, _ = playing.end()
    assert [json.loads(line)["n"] for line in out.splitlines()] == [0, 1, 2]


def pieces_of(playing: Playing) -> list[bytes]:
    """Read stdout to its end, each time what is there."""
    assert playing.process.stdin is not None
    assert playing.process.stdout is not None
    playing.process.stdin.close()
    pieces: list[bytes] = []
    while piece := os.read(playing.process.stdout.fileno(), 1 << 16):
        pieces.append(piece)
    return pieces


@pytest.mark.parametrize(
    ("way", "pieces"),
    [
        ("every-byte", [bytes([byte]) for byte in '["aé€"]\n'.encode()]),
        (
            "in-characters",
            [b'["a\xc3', b"\xa9\xe2", b"\x82", b'\xac"]\n'],
        ),
    ],
)
def test_it_cuts_a_line_where_it_is_told_to(
    listener: Listener, way: str, pieces: list[bytes]
) -> None:
    playing = listener.play({"write": ["aé€"], "cut": way}, END)
    assert pieces_of(playing) == pieces


def test_a_line_that_nobody_reads_is_written_whole(listener: Listener) -> None:
    playing = listener.play({"write": ["aé€"], "cut": "every-byte"}, END)
    assert any("waits" in one for one in until_waiting(playing))
    assert pieces_of(playing) == ['["aé€"]\n'.encode()]


def until_waiting(playing: Playing) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    with playing.suite.makefile() as lines:
        while not found or "waits" not in found[-1]:
            found.append(json.loads(lines.readline()))
    return found


@pytest.mark.parametrize(
    ("way", "line"),
    [
        ("spaced", b' {"a" :  1\t, "b" :  {"c" :  [2\t, 3]}}\t\n'),
        ("returns", b'{"a"\r:\r1\r,\r"b"\r:\r{"c"\r:\r[2\r,\r3]}}\n'),
        ("reversed", b'{"b":{"c":[2,3]},"a":1}\n'),
    ],
)
def test_it_writes_json_in_other_ways(
    listener: Listener, way: str, line: bytes
) -> None:
    message = {"a": 1, "b": {"c": [2, 3]}}
    playing = listener.play({"write": message, "written": way}, END)
    assert playing.end() == (0, line, b"")


def test_it_writes_any_bytes_to_stderr(listener: Listener) -> None:
    playing = listener.play({"stderr_raw": [{"base64": "/w==", "times": 3}]}, END)
    assert playing.end() == (0, b"", b"\xff\xff\xff")


def test_it_reads_slowly(listener: Listener) -> None:
    playing = listener.play({"read_slowly": 7, "every_ms": 1}, {"read": "a"}, END)
    playing.send(request("x" * 500))
    assert playing.end() == (0, b"", b"")
    assert any("took" in one for one in playing.reports())


def test_it_stays_at_the_end_of_input_and_at_signals(listener: Listener) -> None:
    playing = listener.play({"stay": ["SIGTERM"]})
    until_waiting(playing)
    assert playing.process.stdin is not None
    playing.process.stdin.close()
    playing.process.terminate()
    assert playing.process.poll() is None
    playing.suite.close()
    assert playing.process.wait(LONG) == STUCK


def test_it_answers_by_itself_what_it_bears_and_no_step_takes_that(
    listener: Listener,
) -> None:
    bears = {"bears": {"get_tags": ["a"]}}
    answer = {"write": {"id": {"$id_of": "one"}}}
    playing = listener.play(bears, {"read": "one"}, answer, END)
    asked = {"v": 1, "id": "7", "method": "get_tags", "params": {"state": {"n": 1}}}
    playing.send(json.dumps(asked).encode() + b"\n")
    assert json.loads(playing.read()) == {
        "v": 1,
        "id": "7",
        "ok": True,
        "result": {"value": ["a"], "state": {"n": 1}},
    }
    playing.send(request("x"))
    assert playing.end() == (0, b'{"id":"1"}\n', b"")


def test_its_child_holds_its_pipes_until_the_suite_is_done(listener: Listener) -> None:
    playing = listener.play({"child": True}, {"exit": 3})
    assert playing.reports() == [{"exits": 3}]
    assert playing.process.wait(LONG) == 3
    assert playing.process.stdout is not None
    assert select.select([playing.process.stdout], [], [], 0) == ([], [], [])
    Path(listener.path).unlink()
    assert playing.read() == b""


def test_it_reports_what_it_does_in_order(listener: Listener) -> None:
    playing = listener.play({"read": "a"}, answer("a"), {"stderr": "x\n"}, END)
    line = request("x")
    playing.send(line + b"rest")
    playing.read()
    assert playing.end() == (0, b"", b"x\n")
    assert playing.reports() == [
        {"line": line.decode().rstrip("\n")},
        {"took": "a", "request": json.loads(line)},
        {"writes": '{"id":"1"}\n', "message": {"id": "1"}},
        {"stderr": "x\n"},
        {"waits": True},
        {"fragment": "rest"},
        {"exits": 0},
    ]


def test_requests_that_match_are_taken_in_any_order(listener: Listener) -> None:
    playing = listener.play(read("a"), read("b"), answer("a"), answer("b"), END)
    playing.send(
        request("b", request_id="of b")
        + request("other")
        + request("a", request_id="of a")
    )
    assert playing.end() == (0, b'{"id":"of a"}\n{"id":"of b"}\n', b"")


def test_a_read_without_a_match_takes_the_first_left(
    listener: Listener,
) -> None:
    playing = listener.play(read("a"), {"read": "rest"}, answer("rest"), END)
    playing.send(request("b", request_id="of b") + request("a", request_id="of a"))
    assert playing.end() == (0, b'{"id":"of b"}\n', b"")


def test_a_match_tells_true_from_one(listener: Listener) -> None:
    playing = listener.play(
        {"read": "a", "match": {"id": True}},
        {"read": "b", "match": {"id": [1, {}]}},
        answer("a"),
        answer("b"),
        END,
    )
    playing.send(
        request("x", request_id=1)
        + request("x", request_id=True)
        + request("x", request_id=[1, {"k": 0}])
    )
    assert playing.end() == (0, b'{"id":true}\n{"id":[1,{"k":0}]}\n', b"")


def test_forms_are_expanded(listener: Listener) -> None:
    message = [
        {"$repeat": "ab", "times": 2},
        {"$nest": 2, "value": {"k": None}},
        {"$literal": {"$use": "x"}},
    ]
    playing = listener.play({"write": message}, END)
    assert playing.read() == b'["abab",[[{"k":null}]],{"$use":"x"}]\n'


def test_raw_pieces_are_written_as_they_are(listener: Listener) -> None:
    pieces = [{"text": "é", "times": 2}, {"base64": "/w0K"}]
    playing = listener.play({"write_raw": pieces}, END)
    assert playing.read() == b"\xc3\xa9\xc3\xa9\xff\r\n"


def test_it_exits_with_the_status_that_it_is_told(listener: Listener) -> None:
    playing = listener.play({"exit": 77})
    assert playing.process.wait(LONG) == 77
    assert playing.reports() == [{"exits": 77}]


def test_it_ends_by_the_signal_that_it_is_told(listener: Listener) -> None:
    playing = listener.play({"signal": 9})
    assert playing.process.wait(LONG) == -9
    assert playing.reports() == [{"exits": -9}]


def test_it_goes_on_when_nobody_reads_what_it_writes(listener: Listener) -> None:
    playing = listener.play({"read": "a"}, answer("a"), {"exit": 7})
    assert playing.process.stdout is not None
    playing.process.stdout.close()
    playing.send(request("a"))
    assert playing.process.wait(LONG) == 7


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{\n", "a line is not JSON"),
        (b"\xff\n", "a line is not JSON"),
        (b"[" * 100_000 + b"\n", "a line is not JSON"),
    ],
)
def test_it_gives_up_where_nobody_could_answer(
    listener: Listener, line: bytes, why: str
) -> None:
    playing = listener.play({"read": "a"}, END)
    playing.send(b"\n" + line)
    assert playing.process.wait(LONG) == 70
    assert playing.reports() == [
        {"line": ""},
        {"line": line.decode("latin-1").rstrip("\n")},
        {"stuck": why},
        {"exits": 70},
    ]


@pytest.mark.parametrize("line", [b"[]\n", b"{}\n", b"7\n"])
def test_it_gives_up_where_a_line_has_no_id(listener: Listener, line: bytes) -> None:
    playing = listener.play({"read": "a"}, answer("a"), END)
    playing.send(line)
    assert playing.process.wait(LONG) == 70
    assert playing.reports()[-2] == {"stuck": "a line has no id to answer under"}


def test_a_line_may_be_written_with_white_space_wherever_json_has_any(
    listener: Listener,
) -> None:
    message = {"a": [1, {}], "b": "x, y"}
    playing = listener.play({"write": message, "written": "spaced"}, END)
    _, out, _ = playing.end()
    assert out == b' {"a" :  [1\t, {}]\t, "b" :  "x, y"}\t\n'
    assert json.loads(out) == message


def test_each_character_of_a_string_may_be_escaped(listener: Listener) -> None:
    message = {"a": ["x\u00e9", None], "": "\U0001f600"}
    playing = listener.play({"write": message, "written": "escaped"}, END)
    _, out, _ = playing.end()
    told = rb'{"\u0061":["\u0078\u00E9",null],"":"\ud83D\ude00"}' + b"\n"
    assert out == told
    assert json.loads(out) == message


def test_a_line_may_end_as_the_script_says(listener: Listener) -> None:
    playing = listener.play({"write": [], "ending": "\r\n"}, END)
    assert playing.read() == b"[]\r\n"


def test_it_writes_a_line_again_and_again_until_its_input_ends(
    listener: Listener,
) -> None:
    writing = {"await_eof": True, "writing": {"id": {"$id_of": "a"}}, "every_ms": 1}
    playing = listener.play({"read": "a"}, writing)
    playing.send(request("a") + request("b"))
    assert [playing.read() for _ in range(3)] == [b'{"id":"1"}\n'] * 3
    status, rest, _ = playing.end()
    assert (status, set(rest.splitlines())) <= (0, {b'{"id":"1"}'})


def test_it_ends_while_a_request_is_still_sent(listener: Listener) -> None:
    unread = {"await_input": True}
    playing = listener.play({"read": "a"}, answer("a"), unread, {"exit": 7})
    playing.send(request("a"))
    playing.read()
    assert playing.process.stdin is not None
    # The first write takes what the pipe holds, until nobody is there to read it.
    os.write(playing.process.stdin.fileno(), b"x" * (1 << 22))
    with pytest.raises(BrokenPipeError):
        os.write(playing.process.stdin.fileno(), b"x")
    assert playing.process.wait(LONG) == 7


def test_it_answers_what_it_bears_before_what_it_leaves_unread(
    listener: Listener,
) -> None:
    bears = {"bears": {"get_tags": ["a"]}}
    playing = listener.play(bears, {"await_input": True}, {"exit": 7})
    asked = {"v": 1, "id": "7", "method": "get_tags", "params": {}}
    playing.send(json.dumps(asked).encode() + b"\n")
    assert json.loads(playing.read())["id"] == "7"
    playing.send(request("a")[:9])
    assert playing.process.wait(LONG) == 7


def test_it_reads_nothing_until_its_input_is_closed(listener: Listener) -> None:
    playing = listener.play({"await_close": True})
    playing.send(request("a"))
    assert playing.end() == (0, b"", b"")
    assert [one for one in playing.reports() if "line" in one] == []


def test_much_can_be_said_on_stderr(listener: Listener) -> None:
    playing = listener.play({"stderr": {"$repeat": "ab\n", "times": 10_000}}, END)
    assert playing.end() == (0, b"", b"ab\n" * 10_000)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"sing": 1}, "unknown step with the keys ['sing']"),
        ({"read": "b", "match": {"id": {"$type": "string"}}}, "a script cannot hold"),
        ({"write": [{"$use": "state"}]}, "a script cannot hold"),
    ],
)
def test_a_script_that_cannot_be_played_is_a_defect(
    listener: Listener, step: dict[str, Any], why: str
) -> None:
    playing = listener.play({"read": "a"}, step)
    playing.send(request("a") + request("b"))
    assert playing.process.wait(LONG) == 70
    assert playing.reports()[-2]["defect"].startswith(why)


def test_it_ends_when_the_suite_is_gone(listener: Listener) -> None:
    playing = listener.play({"read": "a"}, END)
    playing.suite.close()
    assert playing.process.wait(LONG) == 70


def test_it_ends_without_a_script(listener: Listener) -> None:
    playing = listener.play()
    playing.suite.close()
    assert playing.process.wait(LONG) == 70


def test_it_imports_nothing_that_is_slow() -> None:
    command = [*COMMAND[:-1], "-X", "importtime", COMMAND[-1], "/nowhere"]
    done = subprocess.run(command, capture_output=True, check=False)
    imported = {line.split()[-1] for line in done.stderr.splitlines()}
    assert b"json" in imported
    assert not {b"typing", b"wireproof"} & imported
