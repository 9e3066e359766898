"""Steps that look at a server's files, its mode bits, its other starts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.checks import Difference, Settings, Target, VectorDefect, Words
from wireproof.line import Completed, Diverged, Missing, MissingCause
from wireproof.protocols.socket_v1._session import SocketSession
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.protocols.socket_v1._steps import SocketSteps
from wireproof_vectors import load_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Open = Callable[..., SocketSession]

ANY_LINE = {"expect_lines": "audit.jsonl", "match": {"$type": "object"}}
FITS_BEST = "audit.jsonl, the line that fits best"
SOON = {"within_ms": 100}


class Home:
    """The home of a server whose steps are carried out; nothing is started."""

    def __init__(self, session: SocketSession, folder: Path) -> None:
        self.session = session
        self.folder = folder
        self.log = folder / "audit.jsonl"
        session.place()

    def step(self, **step: Any) -> Diverged | None:
        return SocketSteps(self.session).own_step({**SOON, **step})


@pytest.fixture
def home(session: Open, tmp_path: Path) -> Home:
    return Home(session(own=SocketSettings(home=tmp_path)), tmp_path)


# --- lines of the audit log (SOCK-A1, SOCK-A3)


def test_a_line_that_matches_is_found(home: Home) -> None:
    home.log.write_text('{"n":1}\n{"n":2}\n')
    assert home.step(expect_lines="audit.jsonl", match={"n": 2}) is None


def test_a_log_that_is_not_there_has_no_line(home: Home) -> None:
    broke = home.step(**ANY_LINE)
    assert broke is not None
    assert broke.text == f"{home.log}, not there, got no such line within 0.1 s"
    assert broke.differences == (Difference("audit.jsonl", "<object>", "no new line"),)


def test_a_line_that_differs_is_shown(home: Home) -> None:
    home.log.write_text('{"n":1}\n')
    broke = home.step(expect_lines="audit.jsonl", match={"n": 2})
    assert broke is not None
    assert broke.differences == (Difference(FITS_BEST, {"n": 2}, {"n": 1}),)


def test_of_several_lines_the_one_that_fits_best_is_shown_with_what_it_lacks(
    home: Home,
) -> None:
    entries = [{"tool": "a"}, {"tool": "b", "by": "cli"}, {"tool": "c"}]
    home.log.write_text("".join(f"{json.dumps(one)}\n" for one in entries))
    wanted = [{"$somewhere": "b"}, {"$somewhere": "cli"}, {"$somewhere": "allow"}]
    broke = home.step(expect_lines="audit.jsonl", match={"$all_of": wanted})
    assert broke is not None
    lacking = Words('<somewhere in it "allow">')
    assert broke.differences == (Difference(FITS_BEST, lacking, entries[1]),)
    assert broke.text.endswith(
        ': the one that fits best lacks <somewhere in it "allow">'
    )


def test_too_few_lines_are_shown_by_one_that_fits(home: Home) -> None:
    home.log.write_text('{"n":1}\n')
    broke = home.step(**ANY_LINE, count=2)
    assert broke is not None
    assert broke.differences == (Difference(FITS_BEST, Words("<object>"), {"n": 1}),)


def test_a_line_that_comes_later_is_waited_for(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(timeout: float) -> None:
        home.log.write_text('{"n":1}\n')

    monkeypatch.setattr(home.session, "pump", write)
    assert home.step(**ANY_LINE) is None


def test_lines_from_before_the_check_do_not_count(home: Home) -> None:
    home.log.write_text('{"n":1}\n')
    home.session.count_lines_from_here()
    assert home.step(**ANY_LINE) is not None


def test_lines_since_the_check_began_count(home: Home) -> None:
    home.log.write_text('{"n":1}\n')
    home.session.count_lines_from_here()
    home.log.write_text('{"n":1}\n{"n":2}\n')
    assert home.step(expect_lines="audit.jsonl", match={"n": 2}) is None


def test_a_line_without_its_end_does_not_count(home: Home) -> None:
    home.log.write_text('{"n":1}')
    assert home.step(**ANY_LINE) is not None


def test_a_line_that_is_no_json_is_shown_as_what_it_is(home: Home) -> None:
    home.log.write_text("denied\n")
    broke = home.step(expect_lines="audit.jsonl", match={"n": 1})
    assert broke is not None
    shown = "not JSON: denied"
    assert broke.differences == (Difference(FITS_BEST, {"n": 1}, shown),)


def test_so_many_lines_as_asked_for_are_found(home: Home) -> None:
    home.log.write_text('{"n":1}\n{"n":2}\n')
    assert home.step(**ANY_LINE, count=2) is None


def test_a_line_too_many_is_told(home: Home) -> None:
    home.log.write_text('{"n":1}\n{"n":2}\n')
    broke = home.step(**ANY_LINE, count=1)
    assert broke is not None
    assert broke.text == "2 lines of audit.jsonl are such, not 1"


def test_a_line_too_few_is_told(home: Home) -> None:
    home.log.write_text('{"n":1}\n')
    broke = home.step(**ANY_LINE, count=2)
    assert broke is not None
    assert broke.text == f"{home.log} got no such line within 0.1 s"


def test_a_step_about_lines_is_charged_to_its_own_clause(home: Home) -> None:
    broke = home.step(**ANY_LINE, clause="SOCK-A1")
    assert broke is not None
    assert broke.clause == "SOCK-A1"


def test_what_a_line_holds_can_be_kept(home: Home) -> None:
    home.log.write_text('{"session":"s-1"}\n')
    pattern = {"session": {"$save": "session", "match": {"$type": "string"}}}
    assert home.step(expect_lines="audit.jsonl", match=pattern) is None
    assert home.session.names["session"] == "s-1"


def test_the_log_may_lie_where_config_json_says(home: Home) -> None:
    (home.folder / "config.json").write_text('{"userDataPath":"data"}')
    (home.folder / "data").mkdir()
    (home.folder / "data/audit.jsonl").write_text('{"n":1}\n')
    assert home.step(expect_lines="audit.jsonl", match={"n": 1}) is None
    home.session.count_lines_from_here()
    assert home.step(**ANY_LINE) is not None


def test_a_home_whose_config_is_no_object_has_its_log_itself(home: Home) -> None:
    (home.folder / "config.json").write_text("[]")
    home.log.write_text('{"n":1}\n')
    assert home.step(**ANY_LINE) is None


# --- text that must not be in it (SOCK-A2)


def test_a_log_without_the_secret_is_as_it_should_be(home: Home) -> None:
    home.log.write_text('{"token":"[redacted]"}\n')
    assert home.step(expect_no_text="audit.jsonl", text="wp-clear") is None


def test_a_log_that_is_not_there_holds_no_secret(home: Home) -> None:
    assert home.step(expect_no_text="audit.jsonl", text="wp-clear") is None


def test_a_secret_in_the_log_is_found(home: Home) -> None:
    home.log.write_text('{"ok":true}\n{"token":"wp-clear"}\n')
    broke = home.step(expect_no_text="audit.jsonl", text="wp-clear", clause="SOCK-A2")
    shown = '{"token":"wp-clear'
    at = 'audit.jsonl, behind {"token":"'
    assert broke == Diverged(
        f"audit.jsonl holds what it must not: {shown}",
        "SOCK-A2",
        differences=(Difference(at, "no such text", shown),),
    )


def test_of_a_long_line_what_stands_before_the_secret_is_shown(home: Home) -> None:
    home.log.write_text(json.dumps({"a": "x" * 100, "passwd": "wp-" + "y" * 100}))
    broke = home.step(expect_no_text="audit.jsonl", text="wp-" + "y" * 100)
    assert broke is not None
    (difference,) = broke.differences
    assert difference.where == 'audit.jsonl, behind …xxxxxxxxxx", "passwd": "'
    assert str(difference.actual).endswith("wp-" + "y" * 57 + "…")


def test_a_secret_in_a_line_that_has_not_ended_is_found(home: Home) -> None:
    home.log.write_text('{"token":"wp-clear')
    assert home.step(expect_no_text="audit.jsonl", text="wp-clear") is not None


def test_a_secret_is_found_as_json_escapes_it(home: Home) -> None:
    home.log.write_text(json.dumps({"key": "-----BEGIN\nwp-clear"}) + "\n")
    broke = home.step(expect_no_text="audit.jsonl", text="-----BEGIN\nwp-clear")
    assert broke is not None


def test_a_secret_that_other_checks_left_is_not_charged_again(home: Home) -> None:
    home.log.write_text('{"token":"wp-clear"}\n')
    home.session.count_lines_from_here()
    assert home.step(expect_no_text="audit.jsonl", text="wp-clear") is None


def test_the_text_may_be_one_that_was_kept(home: Home) -> None:
    home.session.names["kept"] = "wp-clear"
    home.log.write_text('{"token":"wp-clear"}\n')
    broke = home.step(expect_no_text="audit.jsonl", text={"$use": "kept"})
    assert broke is not None


# --- discovery files (SOCK-D1, SOCK-D2)


def test_a_file_that_holds_what_it_should_is_found(home: Home) -> None:
    (home.folder / "config.json").write_text('{"socketPath":"/s","more":1}\n')
    assert home.step(expect_file="config.json", match={"socketPath": "/s"}) is None


def test_a_file_that_holds_something_else_is_shown(home: Home) -> None:
    (home.folder / "config.json").write_text('{"socketPath":"/other"}')
    broke = home.step(
        expect_file="config.json", match={"socketPath": "/s"}, clause="SOCK-D1"
    )
    shown = {"socketPath": "/other"}
    assert broke == Diverged(
        f"{home.folder}/config.json holds something else",
        "SOCK-D1",
        differences=(Difference("config.json", {"socketPath": "/s"}, shown),),
    )


def test_a_file_that_is_not_there_is_told(home: Home) -> None:
    broke = home.step(expect_file="config.json", match={"socketPath": "/s"})
    assert broke is not None
    assert broke.differences[0].actual == "no such file"
    assert broke.text == f"there is no {home.folder}/config.json"


def test_a_file_that_is_no_json_is_told(home: Home) -> None:
    (home.folder / "config.json").write_text("socketPath = /s")
    broke = home.step(expect_file="config.json", match={"$type": "object"})
    assert broke is not None
    shown = broke.differences[0].actual
    assert shown == Words("not-json: expecting value at byte 0")
    assert isinstance(shown, Words)


def test_a_file_may_be_asked_for_whatever_it_holds(home: Home) -> None:
    (home.folder / "config.json").write_text("anything")
    assert home.step(expect_file="config.json") is None


def test_a_file_that_comes_later_is_waited_for(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(timeout: float) -> None:
        (home.folder / "config.json").write_text("{}")

    monkeypatch.setattr(home.session, "pump", write)
    assert home.step(expect_file="config.json", match={"$type": "object"}) is None


def test_one_of_many_files_is_enough(home: Home) -> None:
    (home.folder / "instances").mkdir()
    (home.folder / "instances/1.json").write_text("not json")
    (home.folder / "instances/2.json").write_text('{"pid":2}')
    assert home.step(expect_file="instances/*", match={"pid": 2}) is None


def test_a_file_may_be_named_by_the_pid_of_the_server(home: Home) -> None:
    home.session.names["pid"] = 77
    (home.folder / "77.json").write_text("{}")
    assert home.step(expect_file="{pid}.json") is None


def test_a_file_that_is_gone_is_as_it_should_be(home: Home) -> None:
    assert home.step(expect_no_file="instances/9.json") is None


def test_a_file_that_stays_is_told(home: Home) -> None:
    (home.folder / "9.json").write_text("{}")
    broke = home.step(expect_no_file="9.json", clause="SOCK-D2")
    assert broke == Diverged("the file 9.json is there", "SOCK-D2")


def test_a_file_that_goes_later_is_waited_for(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home.folder / "9.json"
    path.write_text("{}")
    monkeypatch.setattr(home.session, "pump", lambda _: path.unlink())
    assert home.step(expect_no_file="9.json") is None


def test_a_file_is_found_by_its_whole_path(home: Home) -> None:
    home.session.names["socket_path"] = str(home.folder / "s")
    (home.folder / "s").touch()
    broke = home.step(expect_no_file={"$use": "socket_path"})
    assert broke is not None


def test_a_file_that_a_tool_made_is_looked_for_among_the_tools_files(
    home: Home,
) -> None:
    Path(home.session.names["scratch"], "made").touch()
    assert home.step(expect_file="made", **{"in": "scratch"}) is None
    assert home.step(expect_no_file="made") is None


def test_a_file_is_written_as_json(home: Home) -> None:
    record = {"pid": 999999999, "userDataPath": {"$use": "home"}}
    assert home.step(write_file="instances/9.json", json=record) is None
    written = json.loads((home.folder / "instances/9.json").read_text())
    assert written == {"pid": 999999999, "userDataPath": str(home.folder)}


def test_a_file_is_written_as_text(home: Home) -> None:
    assert home.step(write_file="instances/stranger.json", text="not json") is None
    assert (home.folder / "instances/stranger.json").read_text() == "not json"


def test_a_step_about_files_of_nobody_knows_where_is_a_fault_of_the_vector(
    session: Open,
) -> None:
    one = session()
    one.place()
    with pytest.raises(VectorDefect, match="without needs: home"):
        SocketSteps(one).own_step(ANY_LINE)


# --- who may use the socket (SOCK-I6)


def test_a_socket_of_its_owner_only_is_as_it_should_be(session: Open) -> None:
    one = session()
    path = Path(one.place().socket)
    path.touch()
    path.chmod(0o600)
    assert SocketSteps(one).own_step({"expect_mode": True}) is None


def test_a_socket_that_others_may_use_is_told(session: Open) -> None:
    one = session()
    path = Path(one.place().socket)
    path.touch()
    path.chmod(0o622)
    assert SocketSteps(one).own_step(
        {"expect_mode": True, "clause": "SOCK-I6"}
    ) == Diverged(
        "others may connect to the socket",
        "SOCK-I6",
        differences=(
            Difference(
                "the mode of the socket file",
                "nobody but its owner may write it, or search its folder",
                "0622 in a folder of 0755",
            ),
        ),
    )


def test_a_socket_that_others_may_only_read_is_as_it_should_be(session: Open) -> None:
    one = session()
    path = Path(one.place().socket)
    path.touch()
    path.chmod(0o755)
    assert SocketSteps(one).own_step({"expect_mode": True}) is None


def test_a_launched_servers_folder_that_it_closed_keeps_others_out(
    session: Open,
) -> None:
    one = session()
    path = Path(one.place().socket)
    path.touch()
    path.chmod(0o777)
    path.parent.chmod(0o700)
    assert SocketSteps(one).own_step({"expect_mode": True}) is None


@pytest.fixture
def running(tmp_path: Path) -> Iterator[SocketSession]:
    """Return a session of a server that is not launched by the suite."""
    path = tmp_path / "s"
    path.touch()
    path.chmod(0o666)
    target = Target("socket-v1", "it", (str(path),), "it")
    made = SocketSession(target, Settings(tmp_path), load_setup("socket-v1"))
    made.begin()
    made.place()
    yield made
    made.stop()


def test_a_running_servers_private_folder_keeps_others_out(
    running: SocketSession, tmp_path: Path
) -> None:
    tmp_path.chmod(0o700)
    assert SocketSteps(running).own_step({"expect_mode": True}) is None


def test_a_running_servers_open_folder_does_not(
    running: SocketSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o755)
    # What lies around it is closed by pytest.
    with monkeypatch.context() as patch:
        patch.setattr(running.place(), "folder", tmp_path.parent)
        assert SocketSteps(running).own_step({"expect_mode": True}) is not None


# --- lines without end (SOCK-F5)


@pytest.mark.parametrize(
    ("held", "fails"),
    [
        ([10, 300, 600], True),
        ([10, 202], False),  # bounded, whatever the bound is
        ([10, 300, 320], False),  # garbage that is collected late
        ([None], False),  # the system does not tell
    ],
)
def test_a_server_may_not_keep_all_of_a_line_without_end(
    session: Open,
    monkeypatch: pytest.MonkeyPatch,
    held: list[int | None],
    *,
    fails: bool,
) -> None:
    one = session()
    assert one.launch() is None
    left = iter([*held, None])
    monkeypatch.setattr(one, "held", lambda: next(left))
    monkeypatch.setattr(one, "flood", lambda connection, mebibytes: mebibytes)
    broke = SocketSteps(one).own_step({"flood": 256, "grows_at_most": 192})
    assert (broke is not None) is fails
    if broke is not None:
        text = "the server keeps a line that has no end: 512 MiB of it so far"
        wanted = Words("at most 192 MiB more for every 256 MiB that come")
        shown = Difference("memory", wanted, Words("590 MiB more"))
        assert (broke.text, broke.differences) == (text, (shown,))


# --- connections and processes


def test_a_second_server_is_started_and_ended_beside_the_first(session: Open) -> None:
    one = session()
    one.ensure_up()
    process = one.process
    assert SocketSteps(one).own_step({"second": True, "within_ms": 2000}) is None
    assert one.process is process
    assert one.starts == 1
    told = "(a second server was started on the same path, and exited with status 1)"
    assert told in [entry.text() for entry in one.transcript.entries()]


def test_a_neighbour_is_started_on_another_path_and_ended(session: Open) -> None:
    one = session()
    one.ensure_up()
    process = one.process
    assert SocketSteps(one).own_step({"neighbour": True, "within_ms": 9000}) is None
    assert one.process is process
    assert not one.reaches_another()
    told = "(a server was started on another path, and ended with status 0)"
    assert told in [entry.text() for entry in one.transcript.entries()]


def test_a_killed_server_leaves_its_socket_file(session: Open) -> None:
    one = session()
    one.ensure_up()
    assert SocketSteps(one).own_step({"kill": True}) is None
    assert one.process is None
    assert Path(one.place().socket).is_socket()


def test_an_exit_that_was_asked_for_is_known_as_wanted(session: Open) -> None:
    one = session()
    one.ensure_up()
    assert SocketSteps(one).own_step({"terminate": True}) is None
    assert SocketSteps(one).own_step({"expect_exit": {"within_ms": 5000}}) is None
    assert one.ended_as_wanted


def test_a_server_that_does_not_exit_is_told_and_ended(session: Open) -> None:
    one = session()
    one.ensure_up()
    pid = one.names["pid"]
    broke = SocketSteps(one).own_step(
        {"expect_exit": {"within_ms": 50}, "clause": "SOCK-S1"}
    )
    assert broke is not None
    assert broke.clause == "SOCK-S1"
    assert broke.text.startswith("what was expected did not come: still running after")
    assert not Path(f"/proc/{pid}").exists()


def test_a_connection_that_cannot_be_opened_is_told(session: Open) -> None:
    one = session(timeout=0.05)
    broke = SocketSteps(one).own_step({"connect": "other"})
    assert broke is not None
    assert "No such file or directory" in broke.text


# --- connections

CALL = {"type": "list_tools", "protocol": 1}
OR_CLOSED = {"expect": {"type": "error"}, "or": "closed"}


def test_a_step_may_name_its_connection(session: Open) -> None:
    one = session()
    one.ensure_up()
    steps: list[dict[str, Any]] = [
        {"send": CALL, "on": "other"},
        {"fence": True, "on": "third"},
    ]
    assert SocketSteps(one).run(steps) == Completed({}, 0)
    assert [each.name for each in one.connections] == ["other", "third"]


def test_a_step_on_a_connection_that_is_left_out_is_not_carried_out(
    session: Open,
) -> None:
    one = session()
    one.ensure_up()
    one.turn_to("other")
    one.take_closing()
    steps: list[dict[str, Any]] = [
        {"send": CALL, "on": "other"},
        {"connect": "third", "on": "other"},
    ]
    assert SocketSteps(one).run(steps) == Completed({}, 0)
    assert one.sent == []
    assert [each.name for each in one.connections] == ["third"]


def test_a_connection_may_be_closed_where_the_step_leaves_the_choice(
    session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = session()
    one.ensure_up()
    closed = Missing(MissingCause.CLOSED, "the server closed the connection")
    monkeypatch.setattr(one, "await_frame", lambda _: closed)
    assert SocketSteps(one).run([OR_CLOSED]) == Completed({}, 0)
    assert not one.turn_to("main")


def test_a_frame_that_is_late_is_no_closing(
    session: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = session()
    one.ensure_up()
    late = Missing(MissingCause.TIMEOUT, "no answer within 1.0 s")
    monkeypatch.setattr(one, "await_frame", lambda _: late)
    outcome = SocketSteps(one).run([OR_CLOSED])
    assert isinstance(outcome, Diverged)
    assert outcome.missing is late


# --- what the suite did beside sending


def test_what_is_done_beside_sending_stands_among_the_traffic(home: Home) -> None:
    home.step(terminate={})
    home.step(disconnect="other")
    told = [(one.direction, one.text()) for one in home.session.transcript.entries()]
    assert told == [
        ("sent", "(SIGTERM)"),
        ("sent", "(the connection other was closed)"),
    ]


def test_an_answer_is_named_after_the_call_of_its_own_connection(session: Open) -> None:
    wanted = {"requestId": "a", "type": "tool_result", "result": {"ok": False}}
    steps: list[dict[str, Any]] = [
        {"send": {"type": "tool_call", "requestId": "a", "toolName": "look"}},
        {
            "send": {"type": "tool_call", "requestId": "a", "toolName": "no_such_tool"},
            "on": "other",
        },
        {"expect": {"requestId": "a", "type": "tool_event"}},
        {"expect": wanted},
    ]
    one = session()
    one.ensure_up()
    outcome = SocketSteps(one).run(steps)
    assert isinstance(outcome, Diverged)
    due = "was answered with success, where a failure is due"
    assert outcome.text == f"tool_call look {due}"
