from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from wireproof_reference.socket_v1 import SocketPathTaken, claim_socket


@pytest.fixture
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A path short enough for a socket."""
    return tmp_path_factory.mktemp("s") / "s"


def test_the_socket_is_its_owners_only_and_goes_away(path: Path) -> None:
    before = os.umask(0)
    try:
        with claim_socket(path):
            assert path.stat().st_mode & 0o777 == 0o600
            assert os.umask(0) == 0
    finally:
        os.umask(before)
    assert not path.exists()


def test_clients_may_connect_when_it_listens(path: Path) -> None:
    with claim_socket(path) as claimed, socket.socket(socket.AF_UNIX) as client:
        with pytest.raises(ConnectionRefusedError):
            client.connect(str(path))
        listener = claimed.listen()
        client.connect(str(path))
        accepted, _ = listener.accept()
        accepted.close()


def test_a_stale_socket_is_replaced(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(path))
    with claim_socket(path) as claimed, socket.socket(socket.AF_UNIX) as client:
        claimed.listen()
        client.connect(str(path))


def test_a_live_socket_stays(path: Path) -> None:
    with claim_socket(path) as claimed:
        claimed.listen()
        with pytest.raises(SocketPathTaken) as caught, claim_socket(path):
            pass
        assert caught.value.path == path
        assert caught.value.reason == "a live server listens there"
        assert path.exists()


def test_a_live_socket_without_room_stays(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as live, socket.socket(socket.AF_UNIX) as client:
        live.bind(str(path))
        live.listen(0)
        client.connect(str(path))
        with (
            pytest.raises(SocketPathTaken, match="a live server listens there"),
            claim_socket(path),
        ):
            pass
        assert path.exists()


def test_another_file_stays(path: Path) -> None:
    path.write_text("precious")
    with (
        pytest.raises(SocketPathTaken, match="it is there already and is no socket"),
        claim_socket(path),
    ):
        pass
    assert path.read_text() == "precious"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nowhere/s", "No such file or directory"), ("x" * 120, "AF_UNIX path too long")],
)
def test_a_path_that_cannot_be_used_is_told(name: str, reason: str, path: Path) -> None:
    with (
        pytest.raises(SocketPathTaken, match=reason),
        claim_socket(path.parent / name),
    ):
        pass


def test_a_socket_that_someone_else_put_there_stays(path: Path) -> None:
    with claim_socket(path):
        path.unlink()
        path.write_text("another")
    assert path.read_text() == "another"


def test_of_two_that_start_at_once_one_is_refused(path: Path) -> None:
    with (
        claim_socket(path) as first,
        claim_socket(path) as second,
        socket.socket(socket.AF_UNIX) as client,
    ):
        second.listen()
        with pytest.raises(SocketPathTaken, match="another server has taken it"):
            first.listen()
        client.connect(str(path))
