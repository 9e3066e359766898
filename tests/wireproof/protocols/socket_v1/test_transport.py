"""The link to a server: its process, its connections, waiting for what they do."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Deviation, Settings, Target
from wireproof.line import Missing, MissingCause, NotUp
from wireproof.protocols.socket_v1 import _transport
from wireproof.protocols.socket_v1._connection import Connection
from wireproof.protocols.socket_v1._session import SocketSession
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Open = Callable[..., SocketSession]

LONG = 30.0  # seconds after which a test fails rather than hangs

LIST = b'{"type":"list_tools"}\n'


@pytest.fixture
def open_link() -> Iterator[Open]:
    """Return what makes a link of a command; it is stopped in the end."""
    made: list[SocketSession] = []

    def make(*command: str, **settings: Any) -> SocketSession:
        target = Target("socket-v1", "it", command, "it")
        made.append(SocketSession(target, Settings(Path.cwd(), **settings), {}))
        return made[-1]

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def link(open_link: Open, tiny_socket: str) -> SocketSession:
    """Return a link to the tiny server, launched."""
    made = open_link(*shlex.split(tiny_socket))
    assert made.launch() is None
    return made


def connected(link: SocketSession, name: str = "main") -> Connection:
    found = link.connection(name)
    assert isinstance(found, Connection)
    return found


def is_gone(pid: int) -> bool:
    """Tell whether a process has ended, even if nobody has asked for its status."""
    path = Path(f"/proc/{pid}/cmdline")
    return not path.exists() or not path.read_bytes()


def exited(link: SocketSession) -> int | None:
    """Wait for the end of the launched process."""
    process = link.process
    assert process is not None
    return link.wait_for(lambda: process.exit_status, LONG)


def listing(link: SocketSession, connection: Connection) -> bool | None:
    """Wait for an answer to a listing."""
    return link.wait_for(lambda: bool(connection.ledger.frames) or None, LONG)


# --- the server's life


def test_a_launched_server_accepts_connections(link: SocketSession) -> None:
    assert link.starts == 1
    assert isinstance(link.connection("main"), Connection)


def test_the_pid_is_that_of_the_launched_process(link: SocketSession) -> None:
    assert link.process is not None
    assert link.names["pid"] == link.process.pid


@pytest.mark.skipif(not is_linux(), reason="only Linux tells who listens")
def test_the_pid_is_that_of_the_server_behind_a_launcher(
    open_link: Open, tiny_socket: str
) -> None:
    served = tiny_socket.replace("'{socket}'", "{socket}")
    link = open_link("sh", "-c", f"{served}; exit $?")
    assert link.launch() is None
    assert link.process is not None
    assert link.names["pid"] != link.process.pid
    words = Path("/proc", str(link.names["pid"]), "cmdline").read_bytes()
    assert b"tiny_socket.py" in words


def test_a_server_behind_a_launcher_is_gone_once_it_was_ended(
    open_link: Open, tiny_socket: str
) -> None:
    served = tiny_socket.replace("'{socket}'", "{socket}")
    link = open_link("sh", "-c", f"{served}; exit $?")
    link.launch()
    pid = link.names["pid"]
    link.end_process()
    assert is_gone(pid)


def test_a_program_that_does_not_exist_is_not_up(open_link: Open) -> None:
    found = open_link("./no-such-server", "{socket}").launch()
    assert found is not None
    assert "no-such-server" in found.text


def test_a_server_that_exits_at_once_is_not_up(
    open_link: Open, tiny_socket: str
) -> None:
    link = open_link(*shlex.split(tiny_socket), "dies")
    ended = "the server exited with status 1"
    assert link.launch() == NotUp(f"{ended} before it accepted", ended=ended)


def test_a_server_that_makes_no_socket_is_not_up(open_link: Open) -> None:
    link = open_link(sys.executable, "-c", "input()", "{socket}", timeout=0.05)
    text = "the server accepts no connection: No such file or directory"
    assert link.launch() == NotUp(text)


def test_a_server_has_a_home_of_its_own(open_link: Open) -> None:
    code = "import os, sys; sys.exit(os.environ['HOME'])"
    link = open_link(sys.executable, "-c", code, "{socket}")
    home = str(link.place().user_home)
    link.launch()
    assert link.stderr_tail == home + "\n"


def test_a_server_gets_the_variables_that_the_user_gave(open_link: Open) -> None:
    code = "import os, sys; sys.exit(os.environ['COLOUR'])"
    link = open_link(
        sys.executable, "-c", code, "{socket}", environment={"COLOUR": "green"}
    )
    link.launch()
    assert link.stderr_tail == "green\n"


def test_what_it_wrote_is_known_once_it_is_gone(open_link: Open) -> None:
    link = open_link(sys.executable, "-c", "import sys; sys.exit('why')", "{socket}")
    link.launch()
    link.discard()
    assert link.process is None
    assert link.stderr_tail == "why\n"


def test_a_discarded_server_leaves_nothing(link: SocketSession) -> None:
    folder = link.place().scratch.parent
    pid = link.names["pid"]
    link.discard()
    assert not folder.exists()
    assert is_gone(pid)


def test_the_next_server_has_another_place(link: SocketSession) -> None:
    before = link.place().socket
    link.discard()
    assert link.place().socket != before


def test_a_signal_reaches_the_server(link: SocketSession) -> None:
    link.signal(signal.SIGKILL)
    assert exited(link) == -signal.SIGKILL


def test_a_running_server_is_neither_launched_nor_ended(
    link: SocketSession, open_link: Open
) -> None:
    other = open_link(link.place().socket)
    assert not other.launched
    assert isinstance(other.connection("main"), Connection)
    other.stop()
    assert isinstance(link.connection("after"), Connection)


FORKS = """
import os, signal, socket, sys
server = socket.socket(socket.AF_UNIX)
ready, tell = os.pipe()
tool = os.fork()
if not tool:
    signal.signal(signal.SIGTERM, lambda *_: print("the tool has it", file=sys.stderr))
    os.write(tell, b".")
    signal.sigwait([signal.SIGUSR1])
    os._exit(0)
os.read(ready, 1)
def end(*_):
    os.kill(tool, signal.SIGUSR1)
    os.waitpid(tool, 0)
    print("the server has it", file=sys.stderr)
    os._exit(0)
signal.signal(signal.SIGTERM, end)
server.bind(sys.argv[1])
server.listen()
while True:
    signal.pause()
"""


def test_a_signal_to_a_server_does_not_reach_what_it_has_started(
    open_link: Open,
) -> None:
    link = open_link(sys.executable, "-c", FORKS, "{socket}")
    assert link.launch() is None
    link.stop()
    assert link.stderr_tail == "the server has it\n"


@pytest.mark.parametrize(
    ("command", "settings"),
    [
        (("serve", "{socket}", "--home={home}"), {}),
        (("serve", "{socket}"), {"own": SocketSettings(home=Path("/somewhere"))}),
    ],
)
def test_where_its_files_are_is_known_where_someone_names_it(
    open_link: Open, command: tuple[str, ...], settings: dict[str, Any]
) -> None:
    assert open_link(*command, **settings).knows_home


def test_where_its_files_are_is_not_known_otherwise(open_link: Open) -> None:
    assert not open_link("serve", "{socket}").knows_home


# --- connections


def test_a_connection_is_opened_once_under_its_name(link: SocketSession) -> None:
    first = link.connection("main")
    assert link.connection("main") is first
    assert link.connection("other") is not first
    assert [one.name for one in link.connections] == ["main", "other"]


def test_a_dropped_connection_is_closed_and_its_books_are_kept(
    link: SocketSession,
) -> None:
    first = connected(link)
    link.drop("main")
    assert not first.open
    assert link.connections == ()
    assert link.ledgers == (first.ledger,)


def test_a_line_without_end_is_sent_as_long_as_it_is_read(link: SocketSession) -> None:
    connection = connected(link)
    assert link.flood(connection, 3) == 3
    assert connection.ledger.midline


DEAF = (
    "import socket, sys, time; s = socket.socket(socket.AF_UNIX); "
    "s.bind(sys.argv[1]); s.listen(); one, _ = s.accept(); time.sleep(1000)"
)


def test_a_line_without_end_is_ended_where_nobody_reads_it(
    open_link: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_transport, "STALLED_SECONDS", 0.0)
    link = open_link(sys.executable, "-S", "-E", "-c", DEAF, "{socket}")
    assert link.launch() is None
    assert link.flood(connected(link), 64) < 64


def test_a_connection_that_nobody_opened_can_be_dropped(link: SocketSession) -> None:
    before = link.ledgers
    link.drop("never")
    assert link.ledgers == before


def test_a_name_may_be_used_again_after_it_was_dropped(link: SocketSession) -> None:
    first = link.connection("main")
    link.drop("main")
    assert link.connection("main") is not first


def test_a_server_that_is_not_there_is_waited_for_and_told(
    open_link: Open, tmp_path: Path
) -> None:
    path = tmp_path / "s"
    found = open_link(str(path), timeout=0.05).connection("main")
    assert found == Missing(
        MissingCause.CLOSED, f"no connection to {path}: No such file or directory"
    )


def test_a_server_that_has_exited_is_not_waited_for(link: SocketSession) -> None:
    link.signal(signal.SIGKILL)
    assert exited(link)
    assert link.connection("other") == Missing(
        MissingCause.EXITED, "the server exited with signal 9"
    )


def test_bytes_are_booked_and_kept_as_they_leave(link: SocketSession) -> None:
    main = connected(link)
    link.transmit(main, LIST, None)
    assert (main.ledger.size, main.ledger.lines, main.ledger.lists_owed) == (22, 1, 1)
    assert link.transcript.entries()[0].data == LIST


def test_pieces_leave_one_by_one(link: SocketSession) -> None:
    main = connected(link)
    link.transmit(main, LIST, [9])
    assert listing(link, main)
    sent = [one.data for one in link.transcript.entries() if one.direction == "sent"]
    assert sent == [b'{"type":"', b'list_tools"}\n']


def test_traffic_of_another_connection_is_told_apart(link: SocketSession) -> None:
    other = connected(link, "other")
    link.transmit(other, LIST, None)
    assert listing(link, other)
    shown = [one.data[:9] for one in link.transcript.entries()]
    assert shown == [b"[other] {", b"[other] {"]


# --- waiting


def test_frames_of_every_connection_are_taken_in(link: SocketSession) -> None:
    main, other = connected(link), connected(link, "other")
    link.transmit(main, LIST, None)
    link.transmit(other, LIST, None)
    assert listing(link, main)
    assert listing(link, other)
    assert link.seen["tools_list"] == 2
    assert {main.ledger.frames[0].rank, other.ledger.frames[0].rank} == {0, 1}


def test_what_is_there_is_found_without_waiting(link: SocketSession) -> None:
    assert link.wait_for(lambda: "found", 0.0) == "found"


def test_what_does_not_come_is_waited_for_and_given_up(link: SocketSession) -> None:
    assert link.wait_for(lambda: None, 0.01) is None
    assert link.wait_for_slowly(lambda: None, 0.01, 0.002) is False


def test_what_no_frame_announces_is_looked_for_again(link: SocketSession) -> None:
    looks = iter([None, None, True])
    assert link.wait_for_slowly(lambda: next(looks), LONG, 0.001) is True


def test_more_can_come_on_an_open_connection(link: SocketSession) -> None:
    assert link.why_not(connected(link)) is None


def test_nothing_more_comes_from_a_server_that_exited(link: SocketSession) -> None:
    main = connected(link)
    link.signal(signal.SIGKILL)
    assert exited(link)
    link.wait_for(lambda: not main.open or None, LONG)
    text = "the server exited with signal 9"
    assert link.why_not(main) == Missing(MissingCause.EXITED, text)


def test_nothing_more_comes_on_a_connection_that_the_server_closed(
    link: SocketSession,
) -> None:
    main = connected(link)
    # The tiny server ends a connection whose client has no more to say.
    main.shut_down_writing()
    link.wait_for(lambda: not main.open or None, LONG)
    text = "the server closed the connection"
    assert link.why_not(main) == Missing(MissingCause.CLOSED, text)
    assert main.ledger.ended


def test_a_flood_is_given_up(link: SocketSession) -> None:
    main = connected(link)
    main.ledger.noise = 5_001
    text = "more than 5000 frames came that answer nothing"
    assert link.why_not(main) == Missing(MissingCause.FLOODED, text)


def test_so_many_frames_as_are_allowed_are_no_flood(link: SocketSession) -> None:
    main = connected(link)
    main.ledger.noise = 5_000
    assert link.why_not(main) is None


def test_deviations_are_kept_up_to_a_limit(link: SocketSession) -> None:
    found = Deviation("SOCK-C1", "must", "a second tool_result")
    for _ in range(1_001):
        link.note(found)
    assert len(link.deviations) == 1_000
