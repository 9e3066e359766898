from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.line import Missing, MissingCause
from wireproof.protocols.host_v1._exchanges import HostArrival
from wireproof.subjects import Patience
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.protocols.host_v1._session import HostSession

    Open = Callable[..., HostSession]
    Line = Callable[..., bytes]


PART_UNDER_A = """\
come_up(); read(); say("a", event={"type": "part", "payload": 1}); read()
"""
"""A host whose answer to the first request stays owed."""

PLAIN_ALONE = """\
while True:
    request = read()
    if request["method"] in PLAIN: succeed(request)
"""
"""A host that answers plain requests, and nothing else."""


def test_nothing_is_started_before_it_is_needed(session: Open) -> None:
    host = session()
    assert host.starts == 0
    assert host.stderr_tail == ""
    assert host.stop() == []
    assert host.fence() == Missing(
        MissingCause.REFUSED, "no plain valid request succeeds"
    )


def test_a_host_comes_up_with_its_state_and_its_tools(session: Open) -> None:
    host = session()
    assert host.ensure_up() is None
    assert host.starts == 1
    assert host.names == {"state": {"n": 0}}
    assert sorted(host.tools) == [
        "conformance_echo",
        "conformance_fail",
        "conformance_throw",
    ]
    assert host.controlled
    assert host.deviations == ()
    assert host.patience.latency > 0


def test_a_host_that_runs_is_not_started_again(session: Open) -> None:
    host = session()
    for _ in range(3):
        host.begin()
        assert host.ensure_up() is None
    assert host.starts == 1


def test_a_host_that_died_is_started_again(session: Open) -> None:
    host = session("come_up(); read(); sys.exit(3)")
    assert host.ensure_up() is None
    missing = host.request("get_tool_schemas", {})
    assert isinstance(missing, Missing)
    assert missing.text == "the host exited with status 3"
    host.begin()
    assert host.ensure_up() is None
    assert host.starts == 2


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("sys.exit(5)", "no answer to init: the host exited with status 5"),
        (
            "os.kill(os.getpid(), 15)",
            "no answer to init: the host exited with signal 15",
        ),
        (
            "os.close(1); time.sleep(600)",
            "no answer to init: the host closed its stdout",
        ),
        (
            "while True: say(read()['id'], ok=False, error={'type': '', 'detail': ''})",
            "it answered no plain valid request with success",
        ),
        (
            "succeed(read(), {}); sys.exit(0)",
            (
                "init was answered with success, but then: "
                "no answer to get_tool_schemas: the host exited with status 0"
            ),
        ),
    ],
)
def test_a_host_that_does_not_come_up_is_told_why(
    session: Open, code: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.line._stdio.LEAVING_SECONDS", 0.1)
    host = session(code)
    not_up = host.ensure_up()
    assert not_up is not None
    assert not_up.text == text
    assert not host.controlled


def test_an_answer_that_is_too_deep_to_be_read_is_told(session: Open) -> None:
    host = session(
        "request = read()\n"
        "deep = '[' * 600 + ']' * 600\n"
        'put(\'{"v":1,"id":"%s","ok":true,"own":%s}\\n\''
        " % (request['id'], deep)); read()",
        timeout=0.3,
    )
    not_up = host.ensure_up()
    assert not_up is not None
    assert "while a line came that is deeper than the suite reads" in not_up.text
    assert "nested 601 deep" in not_up.text


@pytest.mark.parametrize(("first", "broken"), [(10, ["HV1-T1"]), (2_000_000, [])])
def test_a_line_without_its_end_is_no_longer_than_others(
    session: Open, first: int, broken: list[str]
) -> None:
    host = session(
        f"come_up(); say(read()['id'], ok=True, result={{'value': 'x' * {first}}})\n"
        "read(); put('x' * 2_000_000); read(); read()",
        timeout=0.5,
    )
    assert host.ensure_up() is None
    assert not isinstance(host.request("get_tool_schemas", {}), Missing)
    assert isinstance(host.request("get_tool_schemas", {}), Missing)
    assert sorted({one.clause for one in host.deviations}) == broken


def test_one_that_has_said_nothing_may_still_start_when_it_is_to_exit(
    session: Open,
) -> None:
    host = session()
    assert host.ensure_up() is None
    host._start_seconds = 4.0
    assert host._exit_seconds(2.0) == pytest.approx(2.0)
    assert host.start_bare() is None
    assert host._exit_seconds(2.0) == pytest.approx(10.0)


def test_a_command_that_cannot_be_started_is_not_tried_twice(session: Open) -> None:
    host = session()
    object.__setattr__(host.target, "command", ("./no-such-host",))
    first = host.ensure_up()
    assert first is not None
    assert first.text.startswith("cannot start './no-such-host': no such file")
    assert host.ensure_up() is first
    assert host.starts == 1


def test_an_answer_that_comes_when_stdin_is_closed_was_not_flushed(
    session: Open,
) -> None:
    host = session(
        "requests = [json.loads(text) for text in sys.stdin.buffer]\n"
        "for request in requests: succeed(request, [])",
        timeout=0.2,
    )
    not_up = host.ensure_up()
    assert not_up is not None
    assert not_up.text.endswith("; it came when stdin was closed")
    assert [(d.clause, d.hides) for d in not_up.deviations] == [("HV1-T5", True)]


def test_an_answer_without_its_line_feed_is_seen_in_what_is_left(session: Open) -> None:
    host = session(
        "request = read(); put(json.dumps({'id': request['id'], 'ok': True}))\n"
        "time.sleep(600)",
        timeout=0.2,
    )
    not_up = host.ensure_up()
    assert not_up is not None
    assert not_up.text.endswith("; a message came without its line feed")
    assert [d.clause for d in not_up.deviations] == ["HV1-T3"]


def test_a_host_that_only_reads_stays_silent(session: Open) -> None:
    host = session("sys.stdin.buffer.read()", timeout=0.2)
    not_up = host.ensure_up()
    assert not_up is not None
    assert not_up.text == "no answer to init within 0.2 s (--subject-timeout)"
    assert not_up.deviations == ()


def test_a_fence_measures_the_latency(session: Open) -> None:
    host = session()
    host.ensure_up()
    before = host.patience.latency
    assert host.fence() is None
    assert host.patience.latency >= before


def test_a_slow_answer_is_known_however_slow_the_slowest_was(
    session: Open, line: Line
) -> None:
    code = "come_up(); a = read(); time.sleep(0.2); succeed(a); succeed(read()); read()"
    host = session(code)
    assert host.ensure_up() is None
    host.patience.measured(1.0)
    host.begin()
    host.deliver(line("a", "get_tool_schemas"), None)
    assert host.fence() is None
    assert host.patience.brief(0.0, latencies=0.0) > 0.2


def test_a_fence_that_is_refused_is_told(session: Open) -> None:
    host = session(
        "come_up()\n"
        "say(read()['id'], ok=False, error={'type': 't', 'detail': 'd'})\n"
        "time.sleep(600)"
    )
    assert host.ensure_up() is None
    assert host.fence() == Missing(
        MissingCause.REFUSED, "it was answered without success"
    )


def test_frames_are_handed_out_in_order(session: Open, line: Line) -> None:
    host = session(
        "come_up(); key = read()['id']\n"
        "for n in (1, 2): say(key, event={'type': 'part', 'payload': n})\n"
        "say(key, event={'type': 'log'})\n"
        "say(key, ok=True, result={'value': 1})\n"
        "time.sleep(600)"
    )
    host.ensure_up()
    patterns: list[Any] = [
        {"id": "a", "event": {"type": "part", "payload": 1}},
        {"id": "a", "event": {"type": "part", "payload": 2}},
        {"id": "a", "ok": True},
    ]
    host.deliver(line("a"), None)
    first, second, last = (host.await_frame(pattern) for pattern in patterns)
    assert isinstance(first, HostArrival)
    assert isinstance(second, HostArrival)
    assert isinstance(last, HostArrival)
    assert first.value["event"]["payload"] == 1
    assert second.value["event"]["payload"] == 2
    assert last.kind == "response"
    assert host.answered_at("a") == last.time
    assert host.first_event_at("a") == first.time
    assert host.answer_rank("a") == last.rank == first.rank + 3
    assert host.await_frame({"id": "a"}) == Missing(
        MissingCause.REFUSED, "its response had come already"
    )


def test_events_of_other_types_are_skipped(session: Open, line: Line) -> None:
    host = session(
        "come_up(); key = read()['id']\n"
        "say(key, event={'type': 'log', 'payload': 1})\n"
        "say(key, ok=True, result={'value': 1})\n"
        "time.sleep(600)"
    )
    host.ensure_up()
    host.deliver(line("a"), None)
    answer = host.await_frame({"id": "a", "ok": True})
    assert isinstance(answer, HostArrival)
    assert answer.kind == "response"


def test_a_part_where_the_response_is_wanted_is_looked_at(
    session: Open, line: Line
) -> None:
    host = session(
        "come_up(); key = read()['id']\n"
        "say(key, event={'type': 'part', 'payload': 1})\n"
        "time.sleep(600)"
    )
    host.ensure_up()
    host.deliver(line("a"), None)
    answer = host.await_frame({"id": "a", "ok": True})
    assert isinstance(answer, HostArrival)
    assert answer.kind == "event"


def test_of_an_exchange_that_was_never_asked_for_nothing_is_known(
    session: Open,
) -> None:
    host = session()
    host.ensure_up()
    assert host.answered_at("a") is None
    assert host.first_event_at("a") is None


def test_the_answer_to_a_bad_line_is_a_stray(session: Open) -> None:
    host = session(
        "come_up(); sys.stdin.buffer.readline()\n"
        "say(None, ok=False, error={'type': 't', 'detail': 'd'})\n"
        "succeed(read(), []); time.sleep(600)"
    )
    host.ensure_up()
    host.deliver(b"not json\n", None)
    stray = host.await_frame({"id": None, "ok": False})
    assert isinstance(stray, HostArrival)
    assert host.strays() == ()
    assert host.fence() is None


@pytest.mark.parametrize("cut", ["every-byte", [1, 5, 5, 70], []])
def test_a_request_may_be_delivered_in_pieces(
    session: Open, line: Line, cut: Any
) -> None:
    host = session()
    host.ensure_up()
    host.deliver(line("é"), cut)
    assert isinstance(host.await_frame({"id": "é"}), HostArrival)
    assert host.sent == [line("é")]


def test_no_answer_is_waited_for_beyond_the_users_limit(
    session: Open, line: Line
) -> None:
    host = session("come_up(); time.sleep(600)")
    host.ensure_up()
    host.patience = Patience(0.2)
    host.deliver(line("a"), None)
    missing = host.await_frame({"id": "a"})
    assert missing == Missing(MissingCause.TIMEOUT, "no answer within 0.2 s")
    assert host.patience.spent >= 0.2


def test_a_wait_that_decides_lasts_a_second_whatever_was_spent_before(
    session: Open,
) -> None:
    host = session("come_up(); time.sleep(600)")
    host.ensure_up()
    host.patience = Patience(None, budget=1.0)
    host.patience.spent = 100.0
    assert host._allowance() < 1.0
    with host.silences.in_full():
        assert host._allowance() >= 1.0
        host.patience = Patience(0.5)
        assert host._allowance() == 0.5  # the user's own limit


def test_what_was_waited_for_less_is_tried_again(session: Open, line: Line) -> None:
    host = session("come_up(); time.sleep(600)")
    host.ensure_up()
    host.patience = Patience(None, budget=0.1)
    host.patience.spent = 100.0
    host.deliver(line("a"), None)
    assert isinstance(host.await_frame({"id": "a"}), Missing)
    assert (host.silences.hasty, host.silences.vain) == (True, False)


ASTRAY = """
come_up()
for _ in range(2):
    read()
    say("", ok=False, error={"type": "t", "detail": "d"})
while (request := read())["method"] != "end":
    succeed(request)
"""


def test_what_came_under_other_ids_is_not_waited_for_in_full(
    session: Open, line: Line
) -> None:
    host = session(ASTRAY)
    host.ensure_up()
    host.patience = Patience(60.0)
    host.deliver(line("a") + line("b"), None)
    found = host.await_frame({"id": "a"})
    assert isinstance(found, Missing)
    assert found.timed_out
    assert found.text.endswith("s; as many came under other ids")


ONE_BEHIND = """
come_up()
while (held := read())["method"] != "end":
    following = read()
    say(held["id"], ok=False, error={"type": "t", "detail": "d"})
    if following["method"] != "end":
        succeed(following)
"""


def test_what_comes_behind_a_brief_wait_may_have_been_about_to_come(
    session: Open, line: Line
) -> None:
    host = session(ONE_BEHIND)
    host.ensure_up()
    host.patience = Patience(1.0)
    for _ in range(2):
        host.silences.add(control_answered=True, brief=False)
    assert host.silences.limit() is not None
    slowest = host.patience.slowest

    host.deliver(line("a"), None)
    assert isinstance(host.await_frame({"id": "a"}), HostArrival)
    assert [one.clause for one in host.deviations] == []
    assert host.silences.limit() is None
    # What the next request may have brought says nothing of how slow it is.
    assert host.patience.slowest == slowest

    # It was waited for in full, and came with the next request all the same.
    host.deliver(line("b"), None)
    assert isinstance(host.await_frame({"id": "b"}), HostArrival)
    assert [one.clause for one in host.deviations] == ["HV1-T5"]


def test_time_that_tools_take_is_allowed_for(session: Open, line: Line) -> None:
    host = session("come_up(); time.sleep(600)")
    host.ensure_up()
    host.patience = Patience(0.1)
    host.declare_delay(0.1)
    host.deliver(line("a"), None)
    missing = host.await_frame({"id": "a"})
    assert isinstance(missing, Missing)
    assert missing.text == "no answer within 0.2 s"


def test_a_call_that_was_to_be_ended_early_says_nothing_of_how_slow_answers_are(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = session("come_up(); succeed(read()); read()")
    assert host.ensure_up() is None
    host.begin()
    took: list[float] = []
    monkeypatch.setattr(host.patience, "came_after", took.append)
    host.declare_delay(600.0, awaited=False)
    host.deliver(line("a"), None)
    assert isinstance(host.await_frame({"id": "a"}), HostArrival)
    # Ten minutes are taken off what it took.
    assert took[0] < 0


def test_frames_are_allowed_a_millisecond_each_or_the_time_of_an_exchange(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = session("come_up(); time.sleep(600)")
    host.ensure_up()
    host.patience = Patience(0.1)
    monkeypatch.setattr(Patience, "latency", 0.0)
    monkeypatch.setattr(Patience, "quickest", 0.0)
    host.declare_frames(1000)
    host.deliver(line("a"), None)
    missing = host.await_frame({"id": "a"})
    assert isinstance(missing, Missing)
    assert missing.text == "no answer within 1.1 s"


HOLDS_BACK = (
    "come_up()\n"
    "held = []\n"
    "while True:\n"
    "    held.append(read())\n"
    "    if held[-1]['params'].get('held') and len(held) == 1: continue\n"
    "    for r in held: succeed(r, [])\n"
    "    held.clear()"
)


@pytest.mark.parametrize(("size", "clause"), [(10, "HV1-T5"), (4096, "HV1-T4")])
def test_an_answer_that_is_held_back_is_charged_by_the_length_of_its_line(
    session: Open,
    line: Line,
    size: int,
    clause: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # On a busy machine what comes at once may come late.
    monkeypatch.setattr("wireproof.line._stdio_nudges.PROMPT_SECONDS", 60.0)
    host = session(HOLDS_BACK)
    host.ensure_up()
    host.patience = Patience(0.2)
    host.deliver(line("a", held="x" * size), None)
    assert isinstance(host.await_frame({"id": "a"}), HostArrival)
    # What stands behind such a line is held back with it.
    host.deliver(line("b", held="x"), None)
    assert isinstance(host.await_frame({"id": "b"}), HostArrival)
    assert [found.clause for found in host.deviations] == [clause, clause]


def test_nothing_is_sent_into_a_line_that_is_not_whole(
    session: Open, line: Line
) -> None:
    host = session(HOLDS_BACK)
    host.ensure_up()
    host.patience = Patience(0.2)
    host.deliver(line("a", held="x") + b'{"v":1,', None)
    assert isinstance(host.await_frame({"id": "a"}), Missing)
    assert host.transcript.entries()[-1].data.endswith(b'{"v":1,')


def test_a_flood_of_noise_is_ended(session: Open, line: Line) -> None:
    host = session("come_up(); read()\nwhile True: put('noise\\n' * 1000)")
    host.ensure_up()
    # A minute is allowed, however busy the machine is.
    host.patience.measured(3.0)
    host.deliver(line("a"), None)
    assert host.await_frame({"id": "a"}) == Missing(
        MissingCause.FLOODED, "more than 5000 lines came that answer nothing"
    )
    assert {found.clause for found in host.deviations} == {"HV1-T1", "HV1-T2"}


def test_a_line_without_end_fills_no_memory(session: Open, line: Line) -> None:
    host = session(
        "come_up(); read()\nfor _ in range(100): put('x' * (1 << 20))\n"
        "put('\\n'); succeed({'id': 'a', 'method': 'm'}); time.sleep(600)"
    )
    host.ensure_up()
    host.deliver(line("a"), None)
    assert isinstance(host.await_frame({"id": "a"}), HostArrival)
    assert [found.clause for found in host.deviations] == ["HV1-T1"]


def test_the_end_of_its_stderr_is_known(session: Open) -> None:
    host = session("sys.exit('no configuration')")
    host.ensure_up()
    assert host.stderr_tail == "no configuration\n"


def test_a_host_that_ends_with_its_input_is_told_its_status(session: Open) -> None:
    host = session("come_up(); sys.stdin.buffer.read(); sys.exit(4)")
    host.ensure_up()
    host.close_input()
    assert host.await_exit(2.0) == 4


def test_a_host_that_goes_on_without_input_is_ended(session: Open) -> None:
    host = session("come_up(); time.sleep(600)")
    host.ensure_up()
    host.close_input()
    missing = host.await_exit(0.05)
    assert isinstance(missing, Missing)
    assert missing.cause is MissingCause.TIMEOUT
    assert missing.text.startswith("still running after ")
    assert host.await_exit(0.05) == Missing(MissingCause.EXITED, "it was not running")


def test_a_restart_is_another_process(session: Open) -> None:
    host = session()
    host.ensure_up()
    host.close_input()
    assert host.await_exit(2.0) == 0
    assert host.restart() is None
    assert host.starts == 2
    assert host.fence() is None


def test_a_host_that_does_not_come_up_again_is_missing(
    session: Open, tmp_path: Any
) -> None:
    mark = tmp_path / "mark"
    host = session(
        f"if os.path.exists({str(mark)!r}): sys.exit(7)\n"
        f"open({str(mark)!r}, 'w'); come_up(); time.sleep(600)"
    )
    host.ensure_up()
    assert host.restart() == Missing(
        MissingCause.EXITED, "no answer to init: the host exited with status 7"
    )


def test_a_host_that_twice_does_not_come_up_is_given_up(
    session: Open, tmp_path: Any
) -> None:
    mark = tmp_path / "mark"
    host = session(
        f"if os.path.exists({str(mark)!r}): sys.exit(7)\n"
        f"open({str(mark)!r}, 'w'); come_up(); time.sleep(600)"
    )
    host.ensure_up()
    host.discard()
    for _ in range(5):
        host.begin()
        assert host.ensure_up() is not None
    assert host.starts == 3


def test_what_comes_at_the_end_is_looked_at(session: Open) -> None:
    host = session("come_up(); sys.stdin.buffer.read(); put('bye')")
    host.ensure_up()
    assert [found.clause for found in host.stop()] == ["HV1-T2"]
    assert host.stop() == []


def test_what_was_seen_is_kept_over_all_starts(session: Open) -> None:
    host = session()
    host.ensure_up()
    frames = host.seen["frames"]
    host.discard()
    host.ensure_up()
    assert host.seen["frames"] == frames + 2
    assert host.stateless <= {"absent", "null", "present"}
    assert host.extra_keys == frozenset()


def test_an_answer_that_is_owed_under_a_wrong_id_is_left_behind(
    session: Open, line: Line
) -> None:
    host = session(PART_UNDER_A)
    assert host.ensure_up() is None
    host.deliver(line("ab"), None)
    assert isinstance(host.await_frame({"id": "ab", "event": {}}), HostArrival)
    assert host.stale_after_failure


def test_an_answer_that_is_owed_under_its_own_id_is_known_again(
    session: Open, line: Line
) -> None:
    host = session(PART_UNDER_A)
    assert host.ensure_up() is None
    host.deliver(line("a"), None)
    assert isinstance(host.await_frame({"id": "a", "event": {}}), HostArrival)
    assert not host.stale_after_failure


def test_a_check_begins_with_nothing_of_the_one_before(
    session: Open, line: Line
) -> None:
    host = session()
    host.ensure_up()
    host.deliver(line("a"), "every-byte")
    host.names["x"] = 1
    host.begin()
    assert host.sent == []
    assert host.names == {"state": {"n": 0}}
    assert host.transcript.entries() == []


def test_the_latest_request_of_an_id_counts(session: Open, line: Line) -> None:
    host = session()
    host.ensure_up()
    for _ in range(2):
        host.deliver(line("a"), None)
        assert isinstance(host.await_frame({"id": "a"}), HostArrival)


def test_the_state_is_filled_in_where_a_request_names_it(session: Open) -> None:
    host = session("come_up(); r = read(); succeed(r, r['params']); time.sleep(600)")
    host.ensure_up()
    answer = host.request("m", {"a": {"state": {"$use": "state"}}, "b": [1]})
    assert isinstance(answer, HostArrival)
    assert answer.value["result"]["value"] == {"a": {"state": {"n": 1}}, "b": [1]}


def test_a_host_that_closes_its_pipes_before_it_ends_has_ended(
    session: Open, line: Line
) -> None:
    host = session("come_up(); read(); os.close(1); os.close(2); sys.exit(6)")
    host.ensure_up()
    host.deliver(line("a"), None)
    began = time.monotonic()
    missing = host.await_frame({"id": "a"})
    assert isinstance(missing, Missing)
    assert missing.text == "the host exited with status 6"
    assert time.monotonic() - began < 5.0


def sent_count(host: HostSession) -> int:
    return sum(one.direction == "sent" for one in host.transcript.entries())


def test_what_was_fenced_last_is_not_fenced_again(session: Open) -> None:
    host = session()
    host.ensure_up()
    host.begin()
    assert host.fence() is None
    assert host.final_fence(input_closed=False) is None
    assert sent_count(host) == 1


def test_what_was_sent_behind_a_fence_is_fenced(session: Open, line: Line) -> None:
    host = session()
    host.ensure_up()
    host.begin()
    assert host.fence() is None
    host.deliver(line("a"), None)
    assert host.final_fence(input_closed=False) is None
    assert sent_count(host) == 3


def test_what_came_behind_a_fence_is_fenced(session: Open, line: Line) -> None:
    host = session(
        "come_up(); late = read(); fence = read()\n"
        "succeed(fence, []); succeed(late, [])\n"
        "succeed(read(), []); time.sleep(600)"
    )
    host.ensure_up()
    host.begin()
    host.deliver(line("a"), None)
    assert host.fence() is None
    assert isinstance(host.await_frame({"id": "a"}), HostArrival)
    assert host.final_fence(input_closed=False) is None
    assert sent_count(host) == 3


def test_each_check_has_a_fence_of_its_own(session: Open) -> None:
    host = session()
    host.ensure_up()
    for _ in range(2):
        host.begin()
        assert host.final_fence(input_closed=False) is None
        assert sent_count(host) == 1


def test_a_host_that_was_started_ahead_serves_at_the_next_start(session: Open) -> None:
    host = session()
    host.ensure_up()
    host.prepare_start(1)
    host.prepare_start(1)
    assert host.starts == 2
    host.discard()
    assert host.ensure_up() is None
    assert host.starts == 2
    assert host.fence() is None


def test_nothing_is_started_ahead_of_a_host_that_does_not_serve(session: Open) -> None:
    host = session()
    host.prepare_start(1)
    assert host.starts == 0


def test_a_host_that_bears_no_other_beside_it_is_started_alone(
    session: Open, tmp_path: Any
) -> None:
    lock = tmp_path / "lock"
    host = session(
        "import atexit\n"
        f"if os.path.exists({str(lock)!r}): put('it is running'); sys.exit(7)\n"
        f"open({str(lock)!r}, 'w'); atexit.register(os.unlink, {str(lock)!r})\n"
        "come_up()\nwhile True: succeed(read(), [])"
    )
    host.ensure_up()
    host.prepare_start(1)
    (spare,) = host._spares
    while spare.exit_status is None:
        spare._look_for_exit()
    host.stop()
    host.begin()
    assert host.ensure_up() is None
    assert host.starts == 3
    assert host.deviations == ()


def test_hosts_that_were_not_needed_are_ended(session: Open) -> None:
    host = session()
    host.ensure_up()
    host.prepare_start(2)
    host.prepare_start(2)
    spares = list(host._spares)
    host.end_spares()
    assert [spare.exit_status for spare in spares] == [-9, -9]
    host.end_spares()


def test_a_host_that_is_sent_no_init_has_the_time_of_a_start_all_the_same(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.1)
    host = session("time.sleep(0.3)\nwhile True: succeed(read(), [])")
    assert host.start_bare() is None
    host.deliver(line("first", "get_tool_schemas"), None)
    assert isinstance(host.await_frame({"id": "first"}), HostArrival)


def in_vain(host: HostSession, line: Line) -> list[str]:
    """Send three requests that stay unanswered; return what is said of each."""
    texts: list[str] = []
    for key in "abc":
        host.deliver(line(key), None)
        missing = host.await_frame({"id": key})
        assert isinstance(missing, Missing)
        texts.append(missing.text)
    return texts


def test_what_a_host_leaves_unanswered_again_and_again_is_waited_for_briefly(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.line._silences.BRIEF_SECONDS", 0.05)
    monkeypatch.setattr("wireproof.subjects._patience.SLOWEST_FACTOR", 0.0)
    monkeypatch.setattr(Patience, "latency", 0.0)
    host = session(PLAIN_ALONE)
    assert host.ensure_up() is None
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.3)
    assert in_vain(host, line) == [
        "no answer within 0.3 s",
        "no answer within 0.3 s",
        "no answer within 0.050 s (waits are brief by now)",
    ]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"HV1-T10"}, "no answer within 0.1 s (waits are brief by now)"),
        ({"HV1-M2"}, "no answer within 0.3 s"),
    ],
)
def test_what_rests_on_a_clause_that_is_known_to_be_broken_is_waited_for_briefly(
    session: Open,
    line: Line,
    monkeypatch: pytest.MonkeyPatch,
    broken: set[str],
    said: str,
) -> None:
    monkeypatch.setattr("wireproof.line._silences.SHORT_SECONDS", 0.1)
    monkeypatch.setattr("wireproof.subjects._patience.SLOWEST_FACTOR", 0.0)
    monkeypatch.setattr(Patience, "latency", 0.0)
    host = session(PLAIN_ALONE)
    assert host.ensure_up() is None
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.3)
    host.broken = broken
    host.begin()
    host.deliver(line("a"), None)
    with host.resting_on("HV1-T10"):
        missing = host.await_frame({"id": "a"})
    assert isinstance(missing, Missing)
    assert missing.text == said


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (b"", "no answer within 1.1 s"),
        # Whatever is no request may have to be dealt with yet.
        (b"[]\n" * 8, "no answer within 1.9 s"),
    ],
)
def test_what_was_answered_before_gives_an_answer_no_more_time(
    session: Open,
    line: Line,
    monkeypatch: pytest.MonkeyPatch,
    before: bytes,
    said: str,
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.1)
    monkeypatch.setattr(Patience, "latency", 0.05)
    host = session(
        "for text in sys.stdin:\n"
        "    request = json.loads(text)\n"
        "    if request and request['method'] in PLAIN: succeed(request)"
    )
    assert host.ensure_up() is None
    host.begin()
    for _ in range(8):
        host.deliver(line("asked", "get_tool_schemas"), None)
        assert isinstance(host.await_frame({"id": "asked"}), HostArrival)
    if before:
        host.deliver(before, None)
    host.deliver(line("a"), None)
    missing = host.await_frame({"id": "a"})
    assert isinstance(missing, Missing)
    assert missing.text == said


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (1, "no answer within 0.5 s (waits are brief by now)"),
        (20, "no answer within 0.1 s (waits are brief by now)"),
    ],
)
def test_a_brief_wait_is_briefer_for_a_host_that_is_known_to_be_quick(
    session: Open,
    line: Line,
    monkeypatch: pytest.MonkeyPatch,
    answers: int,
    said: str,
) -> None:
    monkeypatch.setattr("wireproof.line._silences.BRIEF_SECONDS", 0.5)
    monkeypatch.setattr("wireproof.subjects._patience.SLOWEST_FACTOR", 0.0)
    monkeypatch.setattr(Patience, "latency", 0.0)
    monkeypatch.setattr(Patience, "slowest", 0.002)
    host = session(PLAIN_ALONE)
    assert host.ensure_up() is None
    host.begin()
    for _ in range(answers):
        host.patience.came_after(0.002)
    for _ in range(2):
        host.silences.add(control_answered=True, brief=False)
    host.deliver(line("a"), None)
    missing = host.await_frame({"id": "a"})
    assert isinstance(missing, Missing)
    assert missing.text == said


def test_a_brief_wait_is_no_longer_for_requests_that_are_answered_meanwhile(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.SLOWEST_FACTOR", 0.0)
    monkeypatch.setattr(Patience, "latency", 0.1)
    host = session(PLAIN_ALONE)
    assert host.ensure_up() is None
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.3)
    host.silences.add(control_answered=True, brief=False)
    host.silences.add(control_answered=True, brief=False)
    host.deliver(
        line("a") + b"".join(line(f"{n}", "get_tool_schemas") for n in range(20)), None
    )
    missing = host.await_frame({"id": "a"})
    assert isinstance(missing, Missing)
    # Not the 4.7 s that it may take to deal with all of them.
    assert float(missing.text.split()[3]) < 2.0


def test_a_host_that_answers_nothing_any_more_is_waited_for_in_full_twice(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Patience, "latency", 0.0)
    monkeypatch.setattr("wireproof.subjects._patience.SLOWEST_FACTOR", 0.0)
    monkeypatch.setattr("wireproof.line._silences.SHORT_SECONDS", 0.1)
    monkeypatch.setattr("wireproof.line._stdio_nudges.NUDGED_SECONDS", 0.1)
    host = session("come_up()\nwhile True: read()")
    assert host.ensure_up() is None
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 0.3)
    assert in_vain(host, line) == [
        "no answer within 0.3 s",
        "no answer within 0.3 s",
        "no answer within 0.1 s (waits are brief by now)",
    ]


LOSES_CALLS = """
trace = "Traceback (most recent call last):"
for text in sys.stdin:
    request = json.loads(text)
    if request["id"] == "raises": print(trace, file=sys.stderr, flush=True)
    if request["id"] not in ("lost", "raises"): succeed(request)
"""


@pytest.mark.skipif(not is_linux(), reason="no other system tells what is done")
@pytest.mark.parametrize(
    ("key", "tool", "spent", "said"),
    [
        ("lost", "known", 5.0, "no answer within 0.3 s"),
        # It has left nothing out so far.
        ("lost", "known", 0.0, "no answer within 0.6 s"),
        # It may have to be connected first.
        ("lost", "never called", 0.9, "no answer within 1.0 s"),
        ("lost", None, 0.9, "no answer within 1.0 s"),
        # It was waited for in full before, and in vain.
        ("lost", "never called", 5.0, "no answer within 0.6 s"),
        # It says why it is not answered.
        ("raises", "never called", 0.0, "no answer within 0.3 s"),
    ],
)
def test_what_does_nothing_and_answers_later_requests_is_waited_for_no_longer(
    session: Open,
    line: Line,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    tool: str | None,
    spent: float,
    said: str,
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.IDLE_SECONDS", 0.3)
    monkeypatch.setattr("wireproof.subjects._patience.QUICK_FACTOR", 0.0)
    monkeypatch.setattr(Patience, "latency", 0.0)
    host = session(LOSES_CALLS)
    assert host.ensure_up() is None
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 1.0)
    monkeypatch.setattr("wireproof.subjects._patience.LATER_SECONDS", 1.0)
    host.begin()
    for number in range(6):
        host.deliver(line(f"{number}", "execute_tool", tool_name="known"), None)
        assert isinstance(host.await_frame({"id": f"{number}"}), HostArrival)
    host.patience.spent = spent
    asked = line(key, "execute_tool", tool_name=tool) if tool else line(key, "get_tags")
    host.deliver(asked, None)
    missing = host.await_frame({"id": key})
    assert isinstance(missing, Missing)
    assert missing.text == said


@pytest.mark.skipif(not is_linux(), reason="no other system tells what is done")
def test_requests_that_are_lost_of_one_write_are_waited_for_while_one_is_at_work(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.IDLE_SECONDS", 0.2)
    monkeypatch.setattr("wireproof.subjects._patience.QUICK_FACTOR", 0.0)
    monkeypatch.setattr(Patience, "latency", 0.0)
    host = session(
        "while True:\n"
        "    (text, *_) = os.read(0, 1 << 16).splitlines()\n"
        "    succeed(json.loads(text))"
    )
    assert host.ensure_up() is None
    host.begin()
    for number in range(6):
        host.deliver(line(f"{number}"), None)
        assert isinstance(host.await_frame({"id": f"{number}"}), HostArrival)
    booked, began = host.patience.spent, time.monotonic()
    assert not host.joined_requests_answered([{"method": "m", "params": {}}] * 2)
    # Nothing of the five seconds that an answer has.
    assert time.monotonic() - began < 3.0
    assert host.patience.spent == booked


@pytest.mark.skipif(not is_linux(), reason="no other system tells what is done")
def test_an_exception_of_a_call_that_was_answered_says_nothing_of_the_next(
    session: Open, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireproof.subjects._patience.IDLE_SECONDS", 0.3)
    monkeypatch.setattr("wireproof.subjects._patience.QUICK_FACTOR", 0.0)
    monkeypatch.setattr(Patience, "latency", 0.0)
    host = session(LOSES_CALLS.replace('("lost", "raises")', '("lost",)'))
    assert host.ensure_up() is None
    monkeypatch.setattr("wireproof.subjects._patience.FLOOR_SECONDS", 1.0)
    host.begin()
    for _ in range(6):
        host.deliver(line("raises", "execute_tool", tool_name="known"), None)
        assert isinstance(host.await_frame({"id": "raises"}), HostArrival)
    assert host.wait_for(lambda: host.stderr_tail.count("\n") == 6 or None, 10.0)
    host.deliver(line("lost", "execute_tool", tool_name="never called"), None)
    missing = host.await_frame({"id": "lost"})
    assert isinstance(missing, Missing)
    assert missing.text == "no answer within 1.0 s"
