from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.line import Missing, MissingCause
from wireproof.protocols.socket_v1._connection import Connection
from wireproof.protocols.socket_v1._ledger import SocketArrival
from wireproof.protocols.socket_v1._requests import (
    BRIEF_SECONDS,
    PROMPT_SECONDS,
    PROVEN_HOLDING,
    PROVEN_SILENT,
)
from wireproof.protocols.socket_v1._settings import SocketSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.protocols.socket_v1._session import SocketSession

    Open = Callable[..., SocketSession]

LIST = b'{"type":"list_tools"}\n'


def test_nothing_is_started_before_it_is_needed(session: Open) -> None:
    one = session()
    assert one.starts == 0
    assert one.stderr_tail == ""
    assert one.fence() == Missing(
        MissingCause.REFUSED, "no plain valid request succeeds"
    )


def test_a_server_comes_up_with_its_tools(session: Open) -> None:
    one = session()
    assert one.ensure_up() is None
    assert one.starts == 1
    assert list(one.tools) == ["look"]
    assert one.controlled
    assert one.deviations == ()


def test_a_server_that_runs_is_not_started_again(session: Open) -> None:
    one = session()
    for _ in range(3):
        one.begin()
        assert one.ensure_up() is None
    assert one.starts == 1


def test_a_server_that_does_not_come_up_is_told_why_and_given_up(session: Open) -> None:
    one = session("dies")
    first = one.ensure_up()
    assert first is not None
    assert first.text == "the server exited with status 1 before it accepted"
    assert one.ensure_up() is first
    assert one.starts == 1
    assert "the configuration is missing" in one.stderr_tail


def test_a_server_that_was_killed_is_started_again(session: Open) -> None:
    one = session()
    one.ensure_up()
    one.end_process()
    one.begin()
    assert one.ensure_up() is None
    assert one.starts == 2


def test_each_check_has_connections_of_its_own(session: Open) -> None:
    one = session()
    one.ensure_up()
    first = one.connection("main")
    assert one.connection("main") is first
    one.begin()
    assert one.connections == ()
    assert isinstance(first, Connection)
    assert not first.open


def test_frames_are_awaited_on_the_connection_in_hand(session: Open) -> None:
    one = session()
    one.ensure_up()
    one.turn_to("other")
    one.deliver(LIST, None)
    found = one.await_frame({"type": "tools_list"})
    assert isinstance(found, SocketArrival)
    assert [c.name for c in one.connections] == ["other"]
    assert not one.single


def test_what_does_not_come_is_told(session: Open) -> None:
    one = session(timeout=1.0)
    assert one.ensure_up() is None
    missing = one.await_frame({"type": "tools_list"})
    assert isinstance(missing, Missing)
    assert missing.cause is MissingCause.TIMEOUT


def test_what_is_left_unanswered_time_after_time_is_waited_for_briefly(
    session: Open,
) -> None:
    one = session(timeout=1.0)
    one.ensure_up()
    nobody = {"type": "tool_result", "requestId": "nobody"}
    found = [one.await_frame(nobody) for _ in range(3)]
    texts = [missing.text for missing in found if isinstance(missing, Missing)]
    # Whole waits, and what the machine is late by.
    assert [text[:19] for text in texts[:2]] == ["no answer within 1."] * 2
    assert texts[2].endswith(", and another request was answered")
    assert one.patience.spent < 3.0


def test_an_allowed_tool_is_one_that_is_listed(session: Open) -> None:
    one = session(own=SocketSettings(allowed_tools=("absent", "look")))
    assert one.allowed_tool is None
    one.ensure_up()
    one.begin()
    one.ensure_up()
    assert one.allowed_tool == one.names["allowed_tool"] == "look"


def test_a_restart_keeps_the_place(session: Open) -> None:
    one = session()
    one.ensure_up()
    path = one.names["socket_path"]
    Path(path).unlink()
    assert one.restart() is None
    assert one.place().socket == path
    assert one.fence() is None


def test_nothing_is_left_when_it_is_stopped(session: Open) -> None:
    one = session()
    one.ensure_up()
    folder = one.place().scratch.parent
    process = one.process
    assert process is not None
    one.stop()
    assert not folder.exists()
    assert process.exit_status == 0
    assert one.process is None


def test_each_connection_is_fenced_that_was_not_fenced_last(session: Open) -> None:
    one = session()
    one.ensure_up()
    one.turn_to("other")
    assert one.fence() is None
    one.turn_to("main")
    one.deliver(LIST, None)
    assert isinstance(one.await_frame({"type": "tools_list"}), SocketArrival)
    assert one.final_fence(input_closed=False) is None
    counts = {each.name: each.ledger.lines for each in one.connections}
    assert counts == {"other": 1, "main": 2}


def test_a_server_that_was_started_ahead_serves_at_the_next_start(
    session: Open,
) -> None:
    server = session()
    server.ensure_up()
    place = server.place().folder
    server.prepare_start(1)
    server.prepare_start(1)
    assert server.starts == 2
    server.discard()
    assert server.ensure_up() is None
    assert server.starts == 2
    assert server.fence() is None
    assert server.place().folder != place


def test_a_restart_takes_no_server_that_was_started_ahead(session: Open) -> None:
    server = session()
    server.ensure_up()
    place = server.place().folder
    server.prepare_start(1)
    Path(server.names["socket_path"]).unlink()
    assert server.restart() is None
    assert server.place().folder == place
    server.end_spares()


def test_servers_that_were_not_needed_are_ended_with_their_places(
    session: Open,
) -> None:
    server = session()
    server.ensure_up()
    server.prepare_start(1)
    (spare,) = server._spares
    (place,) = server._spare_places.values()
    server.end_spares()
    assert spare.exit_status == -9
    assert not place.folder.exists()


def test_nothing_is_started_ahead_in_a_home_that_is_shared(
    session: Open, tmp_path: Path
) -> None:
    server = session(own=SocketSettings(home=tmp_path))
    server.ensure_up()
    server.prepare_start(1)
    assert server.starts == 1


def slow(
    session: Open, monkeypatch: pytest.MonkeyPatch, fault: str = ""
) -> SocketSession:
    """A session with a server that counts as slow, and is up."""
    monkeypatch.setattr("wireproof.line._session.SLOW_SECONDS", 0.0)
    one = session(fault)
    assert one.ensure_up() is None
    one.begin()
    return one


def test_several_connections_of_a_slow_server_are_fenced_together(
    session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = slow(session, monkeypatch)
    one.turn_to("other")
    assert isinstance(one.current(), Connection)
    one.turn_to("main")
    assert isinstance(one.current(), Connection)
    before = len(one.transcript.entries())
    assert one.final_fence(input_closed=False) is None
    entries = one.transcript.entries()[before:]
    assert [entry.direction for entry in entries] == [
        *("sent", "sent"),
        *("received", "received"),
    ]


def test_fences_that_go_together_tell_which_connection_is_not_served(
    session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = slow(session, monkeypatch)
    for name in ("other", "main"):
        one.turn_to(name)
        assert isinstance(one.current(), Connection)
    one.end_process()
    missing = one.final_fence(input_closed=False)
    assert missing is not None
    assert missing.cause in {MissingCause.EXITED, MissingCause.CLOSED}


def test_a_connection_whose_check_left_out_its_fence_is_heard_for_one_check_more(
    session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = slow(session, monkeypatch)
    one.deliver(LIST, None)
    assert isinstance(one.await_frame({"type": "tools_list"}), SocketArrival)
    kept = one.current()
    assert isinstance(kept, Connection)
    one.unfenced = True
    one.begin()
    assert (kept.open, kept.name, one.connections) == (True, "before: main", ())
    one.begin()
    assert not kept.open


def test_a_connection_whose_check_was_fenced_is_closed_with_it(session: Open) -> None:
    one = session()
    one.ensure_up()
    kept = one.current()
    assert isinstance(kept, Connection)
    one.begin()
    assert not kept.open


def test_a_server_that_owes_an_answer_lives_on_where_a_new_connection_is_served(
    session: Open,
) -> None:
    one = session()
    one.ensure_up()
    one.begin()
    assert one.lives_on()
    assert one.connections == ()


def test_one_that_was_spared_serves_no_other_check(session: Open) -> None:
    one = session()
    one.ensure_up()
    one.begin()
    one.patience.shortened = True
    assert one.lives_on()
    one.patience.shortened = False
    one.begin()
    assert not one.serves


def test_a_server_that_has_ended_does_not_live_on(session: Open) -> None:
    one = session()
    one.ensure_up()
    one.end_process()
    assert not one.lives_on()


def test_an_answer_that_another_request_brings_is_waited_for_less_and_less(
    session: Open,
) -> None:
    one = session("one-line-a-read")
    assert one.ensure_up() is None
    one.begin()
    one._silences = PROVEN_SILENT
    keys = [f"held-{number}" for number in range(12)]
    call = {"type": "tool_call", "protocol": 1, "toolName": "none", "arguments": {}}
    lines = [json.dumps({**call, "requestId": key}).encode() for key in keys]
    one.deliver(b"\n".join(lines) + b"\n", None)
    for key in keys:
        assert isinstance(one.await_frame({"requestId": key}), SocketArrival)
    # The first comes by itself, three after a brief wait each.
    brief = one.patience.clause_limit(BRIEF_SECONDS)
    assert one.patience.spent < PROVEN_HOLDING * brief + 12 * 2 * PROMPT_SECONDS
    assert one.strays() == []
