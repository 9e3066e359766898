from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, IncompleteRead
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.wireproof_reference.interop_streams import CHAT_EVENTS, RESPONSES_EVENTS

from wireproof_reference.__main__ import main
from wireproof_reference.framing import dumps, loads
from wireproof_reference.interop.providers import stream_bytes, with_keep_alives


@contextmanager
def playing(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The program, ended whatever happens."""
    command = [sys.executable, "-m", "wireproof_reference", "provider-playback"]
    with subprocess.Popen(
        [*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def told(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return loads(process.stdout.readline())


def post(url: str) -> bytes:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=20)
    try:
        connection.request("POST", "/v1/chat/completions", body=b'{"n":1}')
        return connection.getresponse().read()
    finally:
        connection.close()


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    chat, responses = tmp_path / "chat.json", tmp_path / "responses.json"
    chat.write_bytes(dumps({"events": CHAT_EVENTS, "ends": "cut"}))
    responses.write_bytes(dumps({"events": RESPONSES_EVENTS}))
    return [str(chat), str(responses)]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_file_is_played_for_each_request(files: list[str], backend: str) -> None:
    with playing(*files, "--keep-alives", f"--backend={backend}") as process:
        url = told(process)["url"]
        chat = with_keep_alives(stream_bytes(CHAT_EVENTS, "cut"))
        assert post(url) == chat
        assert post(url) == with_keep_alives(stream_bytes(RESPONSES_EVENTS))
        request = "POST /v1/chat/completions HTTP/1.1"
        assert told(process) == {"request": request, "body": {"n": 1}}
        assert told(process) == {"request": request, "body": {"n": 1}}
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(20) == 0


def test_a_stream_may_be_cut(files: list[str]) -> None:
    with (
        playing(files[1], "--cut-at=99", "--piece-bytes=10") as process,
        pytest.raises(IncompleteRead) as caught,
    ):
        post(told(process)["url"])
    assert caught.value.partial == stream_bytes(RESPONSES_EVENTS)[:99]


def test_a_file_that_cannot_be_read_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(b"{")
    assert main(["provider-playback", str(broken)]) == 1
    assert main(["provider-playback", str(tmp_path / "none.json")]) == 1
    assert "not-json" in capsys.readouterr().err


def test_a_port_that_cannot_be_had_is_said(files: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with playing(*files, f"--port={port}") as process:
            _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert b"in use" in errors


WRONG = [[], ["x", "--piece-bytes=-1"], ["x", "--port=x"], ["x", "--port=65536"]]


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_arguments_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["provider-playback", *arguments]) == 2
    assert "usage:" in capsys.readouterr().err


def test_help_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["provider-playback", "--help"]) == 0
    assert "a file per request" in capsys.readouterr().out
