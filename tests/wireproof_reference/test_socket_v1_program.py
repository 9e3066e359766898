from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wireproof_reference.__main__ import main
from wireproof_reference.framing import dumps, loads

PROGRAM = [sys.executable, "-m", "wireproof_reference", "socket"]

SLEEP = dumps(
    {
        "type": "tool_call",
        "requestId": "1",
        "toolName": "conformance_sleep",
        "arguments": {"ms": 60_000, "ignore_cancel": True},
    }
)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a name short enough for a socket in it."""
    return tmp_path_factory.mktemp("s")


@contextmanager
def running(
    folder: Path, *arguments: str, env: dict[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """The program, told to stop at the end, whatever happens."""
    with subprocess.Popen(
        [*PROGRAM, str(folder / "s"), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def connect(folder: Path, process: subprocess.Popen[bytes]) -> socket.socket:
    """A connection to the program, as soon as it listens."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(20)
    while process.poll() is None:
        try:
            client.connect(str(folder / "s"))
        except (FileNotFoundError, ConnectionRefusedError):
            continue
        return client
    pytest.fail(f"it ended: {process.communicate()!r}")


def stop(process: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=20)
    return process.returncode, out, err


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_it_serves_until_it_is_told_to_stop(backend: str, folder: Path) -> None:
    home = f"--home={folder / 'home'}"
    with (
        running(folder, home, f"--backend={backend}") as process,
        connect(folder, process) as client,
        client.makefile("rwb") as frames,
    ):
        frames.write(SLEEP + b'\n{"type":"list_tools"}\n')
        frames.flush()
        assert b'"tools_list"' in frames.readline()
        assert (folder / "home" / "instances" / f"{process.pid}.json").exists()
        assert stop(process) == (0, b"", b"")
        assert frames.readline() == (
            b'{"type":"tool_result","protocol":1,"requestId":"1","result":{"ok":false,'
            b'"error":{"code":"RUNTIME_SHUTTING_DOWN",'
            b'"message":"the runtime is shutting down"}}}\n'
        )
        assert frames.readline() == b""
    assert sorted(path.name for path in folder.iterdir()) == ["home"]
    assert list((folder / "home" / "instances").iterdir()) == []


def test_the_home_is_in_the_home_folder(folder: Path) -> None:
    env = {**os.environ, "HOME": str(folder)}
    with running(folder, env=env) as process, connect(folder, process):
        config = loads((folder / ".meith" / "config.json").read_bytes())
        assert config == {"socketPath": str(folder / "s")}
        assert stop(process)[0] == 0


def test_a_second_one_does_not_start(folder: Path) -> None:
    home = f"--home={folder / 'home'}"
    with running(folder, home) as process, connect(folder, process):
        second = subprocess.run(
            [*PROGRAM, str(folder / "s"), home], capture_output=True, check=False
        )
        assert second.returncode == 1
        assert second.stdout == b""
        assert second.stderr == (
            f"cannot listen on {folder / 's'}: a live server listens there\n".encode()
        )
        connect(folder, process).close()
        assert stop(process)[0] == 0


def test_one_starts_after_another_was_killed(folder: Path) -> None:
    home = f"--home={folder / 'home'}"
    with running(folder, home) as process, connect(folder, process):
        dead = folder / "home" / "instances" / f"{process.pid}.json"
    assert dead.exists()
    with running(folder, home) as process, connect(folder, process):
        assert not dead.exists()
        assert stop(process)[0] == 0


def test_a_client_too_many_waits_for_room(folder: Path) -> None:
    with (
        running(folder, f"--home={folder / 'home'}") as process,
        connect(folder, process) as first,
    ):
        first.sendall(b'{"type":"list_tools"}\n')
        assert first.recv(1)
        used = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
        limit = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (used, limit[1]))
        with connect(folder, process) as second:
            second.sendall(b'{"type":"list_tools"}\n')
            first.sendall(b'{"type":"list_tools"}\n' * 2)
            with first.makefile("rb") as frames:
                assert [frames.readline()[-2:] for _ in range(3)] == [b"}\n"] * 3
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, limit)
            assert second.recv(1)
        assert stop(process) == (0, b"", b"")


def test_a_home_that_cannot_be_made_is_told(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "home").write_text("a file")
    assert main(["socket", str(folder / "s"), "--home", str(folder / "home")]) == 1
    assert "home" in capfd.readouterr().err
    assert not (folder / "s").exists()


@pytest.mark.parametrize("arguments", [[], ["s", "t"], ["s", "--backend=curio"]])
def test_other_arguments_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["socket", *arguments]) == 2
    assert "python -m wireproof_reference socket" in capsys.readouterr().err
