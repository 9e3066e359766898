from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wireproof.subjects import (
    Answer,
    Bridge,
    Description,
    DriverFault,
    Op,
    Patience,
    _bridge,
    _bridge_messages,
    awaited_end,
    subject_environment,
)

UNFIT = "the driver's answers do not fit the bridge: "

PROLOGUE = r"""
import json, os, sys, time

def read():
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return json.loads(line)

def tell(request, **answer):
    said = {"id": request["id"], "ok": True, **answer}
    os.write(1, json.dumps(said).encode() + b"\n")

def up():
    tell(read(), value={"ops": ["mirror"]})

def serve(answer):
    while True:
        answer(read())

"""

MIRROR = "up(); serve(lambda asked: tell(asked, value=asked['value']))"

ONE = Op("mirror", {"value": 1})

Drive = Callable[..., Bridge]


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Drive]:
    """Return what prepares a bridge to a driver of a few lines."""
    made: list[Bridge] = []

    def make(body: str, *, timeout: float | None = None, many: bool = False) -> Bridge:
        (tmp_path / "driver.py").write_text(PROLOGUE + body)
        bridge = Bridge(
            (sys.executable, "-S", "-E", "driver.py"),
            folder=tmp_path,
            environment=subject_environment({"TOLD": "yes"}),
            patience=Patience(timeout),
            takes_many=many,
        )
        made.append(bridge)
        return bridge

    yield make
    for bridge in made:
        bridge.discard()


def started(bridge: Bridge) -> Bridge:
    found = bridge.ensure_up()
    assert isinstance(found, Description), found
    return bridge


def answer(bridge: Bridge, op: Op = ONE) -> Answer:
    outcome = started(bridge).ask(op)
    assert isinstance(outcome, Answer), outcome
    return outcome


def fault(bridge: Bridge, op: Op = ONE) -> DriverFault:
    outcome = started(bridge).ask(op)
    assert isinstance(outcome, DriverFault), outcome
    return outcome


def not_up(bridge: Bridge) -> DriverFault:
    found = bridge.ensure_up()
    assert isinstance(found, DriverFault), found
    return found


def gone(process: int) -> bool:
    """Tell whether a process has ended, which it does a moment after its end."""
    with awaited_end(process, 20.0):
        pass
    path = Path(f"/proc/{process}/cmdline")
    return not path.exists() or not path.read_bytes()


# --- what goes well


def test_a_driver_says_what_it_is(drive: Drive) -> None:
    body = """
said = {"name": "it", "version": "2", "language": "Go", "ops": ["b", "a"],
        "formats": ["own.format"], "targets": ["a.b"], "expression": "m.it",
        "lacks": ["custom"]}
serve(lambda asked: tell(asked, value=said))
"""
    assert drive(body).ensure_up() == Description(
        "it",
        "2",
        "Go",
        frozenset({"a", "b"}),
        ("own.format",),
        {"": frozenset({"a.b"})},
        ("custom",),
        "m.it",
    )


def test_a_driver_may_say_its_targets_for_each_op(drive: Drive) -> None:
    body = """
said = {"ops": ["a", "b"], "targets": {"a": ["x"]}}
serve(lambda asked: tell(asked, value=said))
"""
    said = drive(body).ensure_up()
    assert isinstance(said, Description)
    offered = [said.offers_target(op, name) for op in "ab" for name in "xy"]
    assert offered == [True, False, True, True]


def test_a_driver_need_say_no_more_than_its_ops(drive: Drive) -> None:
    assert drive(MIRROR).ensure_up() == Description(
        "", "", "", frozenset({"mirror"}), ()
    )


def test_an_op_gives_its_value(drive: Drive) -> None:
    found = answer(drive(MIRROR), Op("mirror", {"value": {"a": [1, None]}}))
    assert (found.ok, found.value) == (True, {"a": [1, None]})
    assert (found.error, found.args, found.shared) == (None, None, None)
    assert found.refusal == ""


def test_an_op_goes_as_one_line_with_its_id_and_arguments(drive: Drive) -> None:
    bridge = started(drive("up(); serve(lambda asked: tell(asked, value=asked))"))
    one = bridge.ask(Op("mirror", {"call": {"a": 1}, "target": "t"}))
    assert isinstance(one, Answer)
    assert one.value == {"id": 2, "op": "mirror", "call": {"a": 1}, "target": "t"}
    assert bridge.sent == [b'{"id":2,"op":"mirror","call":{"a":1},"target":"t"}\n']


def test_a_refusal_is_an_answer(drive: Drive) -> None:
    body = "up(); tell(read(), ok=False, error={'type': 'E', 'detail': 'no tool'})"
    found = answer(drive(body))
    assert (found.ok, found.value) == (False, None)
    assert found.error == {"type": "E", "detail": "no tool"}
    assert found.refusal == "E: no tool"


def test_a_refusal_without_a_detail_is_its_type(drive: Drive) -> None:
    body = "up(); tell(read(), ok=False, error={'type': 'E', 'detail': ''})"
    assert answer(drive(body)).refusal == "E"


def test_a_driver_lives_on_after_a_refusal(drive: Drive) -> None:
    body = "up(); tell(read(), ok=False, error={'type': 'E', 'detail': ''})\n"
    bridge = drive(body + "tell(read(), value=2)")
    answer(bridge)
    assert answer(bridge).value == 2
    assert bridge.starts == 1


def test_the_arguments_afterwards_are_told_where_they_are_asked_for(
    drive: Drive,
) -> None:
    body = """
up()
asked = read()
tell(asked, value=asked["echo"], args={"call": {"b": 2}}, shared=True)
"""
    found = answer(drive(body), Op("mirror", {"call": {}}, echo=True))
    assert found.value is True
    assert found.args == {"call": {"b": 2}}
    assert found.shared is True


def test_no_echo_is_asked_for_otherwise(drive: Drive) -> None:
    body = "up(); asked = read(); tell(asked, value='echo' in asked)"
    assert answer(drive(body)).value is False


def test_a_value_of_null_is_a_value(drive: Drive) -> None:
    found = answer(drive(MIRROR), Op("mirror", {"value": None}))
    assert found.ok
    assert found.value is None


@pytest.mark.parametrize(
    "value",
    [
        2**64,
        -(2**63) - 1,
        10**400,
        0.1,
        5e-324,
        "\ud800",
        "a\udfffb\ud83d",
        "\U0001f600\u2028\u0085\r\n\x00",
        {"": {"\ud800": 1}},
    ],
)
def test_values_go_there_and_back_unchanged(drive: Drive, value: Any) -> None:
    assert answer(drive(MIRROR), Op("mirror", {"value": value})).value == value


def test_a_large_value_goes_there_and_back(drive: Drive) -> None:
    value = "x" * 5_000_000
    assert answer(drive(MIRROR), Op("mirror", {"value": value})).value == value


def test_an_answer_may_come_in_pieces(drive: Drive) -> None:
    body = r"""
up()
for byte in b'{"id": 2, "ok": true, "value": "\xc3\xa9"}' + b"\n":
    os.write(1, bytes([byte]))
"""
    assert answer(drive(body)).value == "é"


def test_two_answers_may_come_at_once(drive: Drive) -> None:
    body = r"""
up()
read(), read()
one, two = [json.dumps({"id": n, "ok": True, "value": n}) for n in (2, 3)]
os.write(1, f"{one}\n{two}\n".encode())
"""
    outcomes = started(drive(body, many=True)).ask_all([ONE, ONE])
    assert [getattr(one, "value", one) for one in outcomes] == [2, 3]


def test_many_ops_are_sent_ahead_to_a_driver_that_takes_them(drive: Drive) -> None:
    body = """
up()
asked = [read() for _ in range(256)]
for one in asked:
    tell(one, value=one["value"])
serve(lambda asked: tell(asked, value=asked["value"]))
"""
    ops = [Op("mirror", {"value": number}) for number in range(300)]
    outcomes = started(drive(body, many=True)).ask_all(ops)
    assert [getattr(one, "value", one) for one in outcomes] == list(range(300))


def test_ops_go_one_by_one_to_any_other_driver(drive: Drive) -> None:
    body = """
import select
up()
def alone(asked):
    more, _, _ = select.select([0], [], [], 0.05)
    tell(asked, value=bool(more))
serve(alone)
"""
    outcomes = started(drive(body)).ask_all([ONE, ONE, ONE])
    assert [getattr(one, "value", one) for one in outcomes] == [False] * 3


def test_no_ops_have_no_outcomes(drive: Drive) -> None:
    assert started(drive(MIRROR)).ask_all([]) == []


def test_a_driver_is_started_where_the_user_stands_with_the_variables_asked_for(
    drive: Drive, tmp_path: Path
) -> None:
    body = "up(); tell(read(), value=[os.getcwd(), os.environ['TOLD']])"
    assert answer(drive(body)).value == [str(tmp_path.resolve()), "yes"]


def test_a_driver_is_started_once(drive: Drive) -> None:
    bridge = drive(MIRROR)
    first = bridge.ensure_up()
    assert bridge.ensure_up() is first
    assert bridge.starts == 1


def test_another_driver_is_asked_aside_and_the_first_goes_on(drive: Drive) -> None:
    bridge = drive("up(); serve(lambda asked: tell(asked, value=os.getpid()))")
    bridge.ensure_up()
    bridge.begin()
    first = bridge.ask(ONE)
    sent = list(bridge.sent)
    with bridge.aside():
        bridge.ensure_up()
        other = bridge.ask(ONE)
        aside = bridge.pid
    again = bridge.ask(ONE)
    assert isinstance(first, Answer)
    assert isinstance(other, Answer)
    assert isinstance(again, Answer)
    assert (first.value, other.value) == (again.value, aside)
    assert first.value != other.value
    assert bridge.sent[:-1] == sent


def test_a_chatty_stderr_holds_nothing_up(drive: Drive) -> None:
    body = """
up()
asked = read()
for _ in range(200):
    os.write(2, b"x" * 10_000)
os.write(2, b"the end")
tell(asked, value=1)
"""
    bridge = drive(body)
    assert answer(bridge).value == 1
    bridge.stop()
    assert bridge.stderr_tail.endswith("xxthe end")


def test_a_driver_that_was_never_started_wrote_nothing(drive: Drive) -> None:
    assert drive(MIRROR).stderr_tail == ""


# --- the traffic


def test_the_traffic_is_kept_from_the_beginning_of_a_check(drive: Drive) -> None:
    bridge = started(drive(MIRROR))
    bridge.begin()
    bridge.ask(ONE)
    assert [(one.direction, one.data) for one in bridge.transcript.entries()] == [
        ("sent", b'{"id":2,"op":"mirror","value":1}'),
        ("received", b'{"id": 2, "ok": true, "value": 1}'),
    ]
    bridge.begin()
    assert bridge.transcript.entries() == []
    assert bridge.sent == []


def test_the_describing_is_the_prelude(drive: Drive) -> None:
    bridge = started(drive(MIRROR))
    bridge.ask(ONE)
    assert len(bridge.transcript.entries()) == 4
    assert bridge.transcript.prelude() == 2


def test_what_was_sent_is_told_without_the_describing(drive: Drive) -> None:
    bridge = started(drive(MIRROR))
    bridge.ask(ONE)
    assert bridge.sent == [b'{"id":2,"op":"mirror","value":1}\n']


def test_what_a_driver_writes_on_stderr_is_part_of_the_traffic(drive: Drive) -> None:
    body = "up(); asked = read(); os.write(2, b'a word'); time.sleep(0.05)\n"
    bridge = started(drive(body + "tell(asked, value=1)"))
    bridge.begin()
    bridge.ask(ONE)
    found = [(one.direction, one.data) for one in bridge.transcript.entries()]
    assert ("stderr", b"a word") in found


# --- drivers that do not come up


def test_a_command_that_is_not_there_is_not_started(tmp_path: Path) -> None:
    bridge = Bridge(
        ("./nothing",), folder=tmp_path, environment={}, patience=Patience(None)
    )
    found = not_up(bridge)
    assert found.cause == "not started"
    assert found.text.startswith("cannot start './nothing': ")
    assert bridge.starts == 0


def test_a_driver_that_dies_at_start_is_shown_with_its_status(drive: Drive) -> None:
    bridge = drive("os.write(2, b'no configuration'); sys.exit(3)")
    assert not_up(bridge) == DriverFault(
        "died", "the driver ended with status 3 at describe"
    )
    assert bridge.stderr_tail == "no configuration"


def test_a_driver_that_hangs_at_start_is_given_up(drive: Drive) -> None:
    bridge = drive("time.sleep(600)", timeout=0.2)
    assert not_up(bridge) == DriverFault(
        "hung", "the driver gave no answer to describe within 0.2 s"
    )


def test_a_driver_that_refuses_to_describe_does_not_come_up(drive: Drive) -> None:
    body = "tell(read(), ok=False, error={'type': 'Unusable', 'detail': 'no module'})"
    assert not_up(drive(body)) == DriverFault("not started", "Unusable: no module")


@pytest.mark.parametrize(
    "said",
    [
        "[]",
        "'ops'",
        "None",
        "{'name': 'it'}",
        "{'ops': None}",
        "{'ops': 3}",
        "{'ops': 'mirror'}",
        "{'ops': {'mirror': 1}}",
        "{'ops': [3]}",
    ],
)
def test_a_description_without_the_names_of_ops_is_none(
    drive: Drive, said: str
) -> None:
    assert not_up(drive(f"tell(read(), value={said})")) == DriverFault(
        "misfit", f"{UNFIT}describe gave no object with the names of its ops"
    )


def test_formats_may_be_null(drive: Drive) -> None:
    body = "serve(lambda asked: tell(asked, value={'ops': [], 'formats': None}))"
    assert started(drive(body)).starts == 1


@pytest.mark.parametrize("formats", ["3", "'own'", "[3]"])
def test_formats_that_are_no_names_are_no_description(
    drive: Drive, formats: str
) -> None:
    said = f"{{'ops': [], 'formats': {formats}}}"
    assert not_up(drive(f"tell(read(), value={said})")) == DriverFault(
        "misfit", f"{UNFIT}describe gave formats that are no array of names"
    )


def test_a_driver_is_asked_to_describe_itself_once_and_first(drive: Drive) -> None:
    body = """
asked = []
def note(request):
    asked.append(request["op"])
    said = {"ops": ["mirror"]} if len(asked) == 1 else asked
    tell(request, value=said)
serve(note)
"""
    assert answer(drive(body)).value == ["describe", "mirror"]


def test_the_first_ops_are_taken_for_trivial_exchanges(drive: Drive) -> None:
    bridge = drive(
        "up(); serve(lambda asked: (time.sleep(0.05), tell(asked, value=1)))"
    )
    answer(bridge)
    # The time runs from when the answer is awaited, a moment after the op was sent.
    assert bridge.patience.latency >= 0.025


def test_a_time_that_was_not_asked_for_counts_for_nothing(drive: Drive) -> None:
    bridge = drive("up(); serve(lambda asked: tell(asked, value=1, seconds='long'))")
    assert 0 < answer(bridge).seconds < 60


def test_a_driver_that_failed_to_start_is_tried_once_more(drive: Drive) -> None:
    body = """
if not os.path.exists("tried"):
    open("tried", "w").close()
    sys.exit(1)
"""
    bridge = drive(body + MIRROR)
    not_up(bridge)
    assert answer(bridge).value == 1
    assert bridge.starts == 2


def test_a_driver_that_failed_to_start_twice_is_given_up(drive: Drive) -> None:
    bridge = drive("sys.exit(1)")
    not_up(bridge)
    last = not_up(bridge)
    assert not_up(bridge) is last
    assert bridge.starts == 2


def test_what_a_driver_that_was_given_up_wrote_is_kept(drive: Drive) -> None:
    bridge = drive("os.write(2, b'no configuration'); sys.exit(1)")
    not_up(bridge)
    not_up(bridge)
    not_up(bridge)
    assert bridge.stderr_tail == "no configuration"


# --- drivers that fail in an op


def test_a_driver_that_is_not_up_answers_nothing(drive: Drive) -> None:
    assert drive(MIRROR).ask(ONE) == DriverFault(
        "died", "the driver was not running at mirror"
    )


def test_a_driver_that_answers_no_op_is_given_up(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_bridge, "MOST_FAULTS", 3)
    bridge = drive("up(); read(); sys.exit(7)")
    faults = [fault(bridge) for _ in range(3)]
    assert not_up(bridge) is faults[2]
    assert bridge.ask(ONE) is faults[2]
    assert bridge.starts == 3


def test_an_answer_between_the_faults_is_another_chance(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_bridge, "MOST_FAULTS", 2)
    bridge = drive("up(); tell(read(), value=1); read(); sys.exit(7)")
    for _ in range(3):
        assert answer(bridge).value == 1
        fault(bridge)
    assert bridge.starts == 3


def test_a_driver_that_dies_in_an_op_is_a_fault(drive: Drive) -> None:
    bridge = drive("up(); read(); os.write(2, b'a trace'); sys.exit(7)")
    assert fault(bridge) == DriverFault(
        "died", "the driver ended with status 7 at mirror"
    )
    assert bridge.stderr_tail == "a trace"


def test_a_driver_that_is_killed_is_shown_with_the_signal(drive: Drive) -> None:
    bridge = drive("up(); read(); os.kill(os.getpid(), 9)")
    assert fault(bridge).text == "the driver ended with signal 9 at mirror"


def test_a_driver_that_dies_in_the_middle_of_a_line_has_not_answered(
    drive: Drive,
) -> None:
    body = """up(); read(); os.write(1, b'{"id": 2, "ok": true, "value"')"""
    assert fault(drive(body)) == DriverFault(
        "died", "the driver ended with status 0 at mirror"
    )


def test_an_answer_counts_although_the_driver_dies_after_it(drive: Drive) -> None:
    body = "up(); tell(read(), value=5); sys.exit(1)"
    assert answer(drive(body)).value == 5


def test_a_driver_that_hangs_is_ended(drive: Drive) -> None:
    bridge = drive("up(); read(); os.write(2, b'%d' % os.getpid()); time.sleep(600)")
    bridge.patience = Patience(0.2)
    assert fault(bridge) == DriverFault(
        "hung", "the driver gave no answer to mirror within 0.2 s"
    )
    assert gone(int(bridge.stderr_tail))
    assert bridge.patience.spent == pytest.approx(0.2)


def test_an_op_may_be_given_more_time(drive: Drive) -> None:
    bridge = started(
        drive("up(); asked = read(); time.sleep(0.3); tell(asked, value=1)")
    )
    bridge.patience = Patience(0.05)
    assert isinstance(bridge.ask(ONE, seconds=30.0), Answer)


def test_an_answer_with_another_id_is_out_of_step(drive: Drive) -> None:
    body = "up(); read(); tell({'id': 99}, value=1)"
    assert fault(drive(body)) == DriverFault(
        "out of step",
        "the driver's answer to mirror has not the id 2: "
        '{"id": 99, "ok": true, "value": 1}',
    )


def test_a_second_answer_to_one_op_is_out_of_step(drive: Drive) -> None:
    body = "up(); asked = read(); tell(asked, value=1); tell(asked, value=1); read()"
    bridge = drive(body)
    answer(bridge)
    assert fault(bridge).cause == "out of step"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"Listening...",
        b"{'id': 2}",
        b'{"id": 2, "ok": true, "value": NaN}',
        b"\xff",
    ],
)
def test_a_line_that_is_no_json_is_out_of_step(drive: Drive, line: bytes) -> None:
    found = fault(drive(f"up(); read(); os.write(1, {line!r} + b'\\n'); read()"))
    assert found.cause == "out of step"
    assert found.text.startswith("the driver's answer to mirror is no JSON (")


def test_nesting_that_cannot_be_read_is_out_of_step(drive: Drive) -> None:
    body = "up(); read(); os.write(1, b'[' * 200_000 + b'\\n'); read()"
    found = fault(drive(body))
    assert found.cause == "out of step"
    assert found.text.endswith("[" * _bridge_messages.SHOWN_LINE)


@pytest.mark.parametrize("line", ["[3]", "3", "null", '"3"', "{}"])
def test_a_line_that_is_no_answer_is_out_of_step(drive: Drive, line: str) -> None:
    body = f"up(); read(); os.write(1, {line.encode()!r} + b'\\n'); read()"
    assert fault(drive(body)) == DriverFault(
        "out of step", f"the driver's answer to mirror has not the id 2: {line}"
    )


@pytest.mark.parametrize(
    "told",
    [
        '{"id": 2}',
        '{"id": 2, "ok": true}',
        '{"id": 2, "ok": 1, "value": 1}',
        '{"id": 2, "ok": false}',
        '{"id": 2, "ok": false, "error": "no"}',
        '{"id": 2, "ok": false, "error": {"type": "E"}}',
    ],
)
def test_an_answer_that_lacks_something_does_not_fit(drive: Drive, told: str) -> None:
    body = f"up(); read(); os.write(1, {told.encode()!r} + b'\\n'); read()"
    shown = json.dumps(json.loads(told), separators=(",", ":"))
    assert fault(drive(body)) == DriverFault(
        "misfit", f"{UNFIT}an answer has ok and value, or ok and error, not: {shown}"
    )


def test_a_line_without_end_is_out_of_step(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_bridge, "LONGEST_LINE", 100_000)
    body = "up(); read()\nwhile True: os.write(1, b'x' * 65_536)"
    assert fault(drive(body)) == DriverFault(
        "out of step", "the driver's answer to mirror is a line without end"
    )


def test_a_driver_that_closes_its_stdout_is_a_fault(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_bridge, "LEAVING_SECONDS", 0.2)
    body = "up(); read(); os.close(1); time.sleep(600)"
    assert fault(drive(body)) == DriverFault(
        "died", "the driver closed its stdout at mirror"
    )


def test_a_driver_that_closes_its_stdout_and_ends_has_ended(drive: Drive) -> None:
    body = "up(); read(); os.close(1); time.sleep(0.1); os._exit(4)"
    assert fault(drive(body)) == DriverFault(
        "died", "the driver ended with status 4 at mirror"
    )


def test_a_driver_that_closes_its_stdin_is_a_fault(drive: Drive) -> None:
    bridge = started(drive("up(); os.close(0); time.sleep(600)"))
    bridge.patience = Patience(0.3)
    assert isinstance(bridge.ask(ONE), DriverFault)


def test_nothing_is_asked_after_a_fault(drive: Drive) -> None:
    body = "up(); tell(read(), value=1); read(); sys.exit(1)"
    outcomes = started(drive(body)).ask_all([ONE, ONE, ONE])
    assert [type(one) for one in outcomes] == [Answer, DriverFault]


def test_answers_before_a_fault_count_where_many_are_sent_ahead(drive: Drive) -> None:
    body = "up(); tell(read(), value=1); tell(read(), value=2); sys.exit(1)"
    outcomes = started(drive(body, many=True)).ask_all([ONE, ONE, ONE, ONE])
    assert [type(one) for one in outcomes] == [Answer, Answer, DriverFault]


def test_a_driver_is_started_anew_after_a_fault(drive: Drive) -> None:
    bridge = drive(
        "up(); asked = read()\nif asked['op'] == 'die': sys.exit(1)\n"
        "tell(asked, value=1)"
    )
    fault(bridge, Op("die", {}))
    assert answer(bridge).value == 1
    assert bridge.starts == 2


def test_nothing_of_the_driver_before_is_left_after_a_fault(drive: Drive) -> None:
    body = """up(); asked = read()
if asked["op"] == "babble":
    os.write(1, b'babble\\n{"id": 4}\\n{"half')
    read()
tell(asked, value=1)
"""
    bridge = drive(body)
    fault(bridge, Op("babble", {}))
    assert answer(bridge).value == 1


def test_faults_in_ops_do_not_count_as_failed_starts(drive: Drive) -> None:
    bridge = drive("up(); read(); sys.exit(1)")
    fault(bridge)
    fault(bridge)
    fault(bridge)
    assert bridge.starts == 3


# --- the end


def test_a_driver_that_is_stopped_may_end_by_itself(
    drive: Drive, tmp_path: Path
) -> None:
    body = """
up()
assert sys.stdin.readline() == ""
open("ended", "w").close()
"""
    started(drive(body)).stop()
    assert (tmp_path / "ended").exists()


def test_a_driver_that_does_not_end_by_itself_is_ended(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_bridge, "LEAVING_SECONDS", 0.2)
    body = "up(); tell(read(), value=os.getpid()); time.sleep(600)"
    bridge = drive(body)
    pid = answer(bridge).value
    bridge.stop()
    assert gone(pid)


def test_no_process_is_left_of_what_a_driver_has_started(drive: Drive) -> None:
    body = """
import subprocess
up()
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
tell(read(), value=child.pid)
"""
    bridge = drive(body)
    pid = answer(bridge).value
    bridge.stop()
    assert gone(pid)


def test_stopping_twice_or_before_the_start_does_nothing(drive: Drive) -> None:
    drive(MIRROR).stop()
    bridge = started(drive(MIRROR))
    bridge.stop()
    bridge.stop()
    assert bridge.starts == 1


def test_a_driver_that_was_discarded_is_started_anew(drive: Drive) -> None:
    bridge = started(drive(MIRROR))
    bridge.discard()
    assert answer(bridge).value == 1
    assert bridge.starts == 2


def test_an_answer_that_does_not_fit_is_kept_and_the_driver_goes_on(
    drive: Drive,
) -> None:
    body = """
def said(asked):
    tell(asked, value={'result': 1} if asked['args'] else [])
up(); serve(said)
"""
    bridge = drive(body)
    bridge.ensure_up()
    right, wrong = Op("call", {"args": 1}), Op("call", {"args": 0})
    first, second, third = (bridge.ask(one) for one in (right, wrong, right))

    assert isinstance(first, Answer)
    assert second == DriverFault("misfit", f"{UNFIT}`call` is an array")
    assert isinstance(third, Answer)
    assert bridge.misfit == second
    assert bridge.starts == 1
