"""One connection, over a pair of sockets."""

from __future__ import annotations

import errno
import select
import socket
from typing import TYPE_CHECKING

import pytest

from wireproof.protocols.socket_v1._connection import (
    READS,
    Connection,
    remove_stale,
    try_connect,
)
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Ends:
    """A connection and the server's end of it."""

    def __init__(self) -> None:
        ours, self.theirs = socket.socketpair()
        ours.settimeout(0)
        self.received: list[bytes] = []
        self.connection = Connection(
            "main", ours, lambda data, _: self.received.append(data)
        )


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.connection.close()
    made.theirs.close()


def test_bytes_go_both_ways(ends: Ends) -> None:
    ends.connection.send(b"hello")
    assert ends.theirs.recv(10) == b"hello"
    ends.theirs.send(b"you")
    ends.connection.read()
    ends.connection.read()
    assert ends.received == [b"you"]
    assert ends.connection.open


def test_what_does_not_fit_waits_and_is_written_later(ends: Ends) -> None:
    data = bytes(1 << 22)
    ends.connection.send(data)
    assert ends.connection.wanted & select.POLLOUT
    size = 0
    while size < len(data):
        size += len(ends.theirs.recv(1 << 20))
        ends.connection.write()
    assert ends.connection.wanted == select.POLLIN


@pytest.mark.skipif(not is_linux(), reason="only Linux resets such a connection")
def test_a_client_that_reads_nothing_leaves_all_to_the_system(ends: Ends) -> None:
    ends.theirs.send(b"hello")
    ends.connection.most_read = READS["nothing"]
    assert ends.connection.wanted == 0

    ends.connection.most_read = READS["little"]
    assert ends.connection.wanted == select.POLLIN
    ends.connection.read()
    assert ends.received == [b"hello"]


def test_what_is_closed_unread_is_a_reset_for_the_server(ends: Ends) -> None:
    ends.theirs.send(b"an answer")
    assert ends.connection.await_unread(60.0)
    assert ends.received == []
    ends.connection.close()
    with pytest.raises(ConnectionResetError):
        ends.theirs.recv(1)


def test_what_does_not_come_is_not_waited_for_longer(ends: Ends) -> None:
    assert not ends.connection.await_unread(0.0)
    ends.connection.close()
    assert not ends.connection.await_unread(60.0)


@pytest.mark.skipif(not is_linux(), reason="only Linux tells what is unread")
def test_it_is_known_when_all_is_read(ends: Ends) -> None:
    found = [ends.connection.all_read]
    ends.connection.send(b"hello")
    found.append(ends.connection.all_read)
    ends.theirs.recv(10)
    found.append(ends.connection.all_read)
    assert found == [True, False, True]


def test_the_end_of_the_stream_is_told_from_our_own(ends: Ends) -> None:
    ends.theirs.close()
    ends.connection.read()
    assert ends.connection.closed_by_server
    assert not ends.connection.open
    assert ends.connection.all_read


def test_a_connection_that_we_close_was_not_closed_by_the_server(ends: Ends) -> None:
    ends.connection.close()
    assert not ends.connection.open
    assert not ends.connection.closed_by_server


def test_a_server_that_no_longer_reads_is_written_to_no_more(ends: Ends) -> None:
    ends.theirs.send(b"last")
    ends.theirs.close()
    ends.connection.send(b"x")
    assert ends.connection.write_closed
    ends.connection.read()
    assert ends.received == [b"last"]


def test_half_closing_ends_what_the_server_reads(ends: Ends) -> None:
    ends.connection.shut_down_writing()
    assert ends.theirs.recv(10) == b""
    ends.connection.send(b"late")
    assert ends.connection.open


def test_no_socket_is_an_error_not_an_exception(tmp_path: Path) -> None:
    found = try_connect(str(tmp_path / "absent"))
    assert isinstance(found, OSError)
    assert found.errno == errno.ENOENT


def test_a_socket_that_a_dead_server_left_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
    remove_stale(str(path))
    assert not path.exists()


def test_a_socket_at_which_a_server_listens_stays(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        remove_stale(str(path))
        assert path.is_socket()


def test_a_file_that_is_no_socket_stays(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    path.write_text("it is somebody's")
    remove_stale(str(path))
    assert path.read_text() == "it is somebody's"


def test_nothing_to_remove_is_no_error(tmp_path: Path) -> None:
    remove_stale(str(tmp_path / "nothing"))
    assert list(tmp_path.iterdir()) == []
