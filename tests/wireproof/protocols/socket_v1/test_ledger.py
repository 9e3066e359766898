"""The ledger of one connection."""

from __future__ import annotations

import json
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from wireproof.protocols.socket_v1._ledger import SocketLedger

if TYPE_CHECKING:
    from wireproof.checks import Deviation

CALL = b'{"type":"tool_call","requestId":"a","toolName":"t"}\n'
DONE = {"type": "tool_result", "requestId": "a", "result": {"ok": True}}
SAID = {"type": "tool_event", "requestId": "a", "event": {"kind": "progress"}}


class Kept:
    """A ledger, with what it notes."""

    def __init__(self) -> None:
        self.noted: list[Deviation] = []
        self.seen: Counter[str] = Counter()
        ranks = count()
        self.ledger = SocketLedger(self.noted.append, self.seen, lambda: next(ranks))

    def receive(self, *frames: dict[str, Any]) -> list[str]:
        """Take frames in; return the clauses that they break."""
        for frame in frames:
            self.ledger.received(
                json.dumps({"protocol": 1, **frame}).encode() + b"\n", 0
            )
        return [one.clause for one in self.noted]


def test_a_call_is_open_until_its_result() -> None:
    kept = Kept()
    kept.ledger.sent(CALL[:20])
    owed = [kept.ledger.open["a"]]
    kept.ledger.sent(CALL[20:])
    owed.append(kept.ledger.open["a"])
    assert owed == [0, 1]
    assert kept.receive(SAID, DONE) == []
    assert not kept.ledger.open["a"]
    assert kept.ledger.asked == {"a"}
    assert [frame.rank for frame in kept.ledger.frames] == [0, 1]
    assert kept.seen == {"frames": 2, "tool_event": 1, "tool_result": 1}


@pytest.mark.parametrize(
    ("frames", "clause"),
    [
        ([DONE, SAID], "SOCK-C2"),
        ([DONE, DONE], "SOCK-C1"),
        ([{**DONE, "requestId": "b"}], "SOCK-C1"),
        ([{**SAID, "requestId": "b"}], "SOCK-C1"),
        ([{"type": "hello"}], "SOCK-M1"),
    ],
)
def test_a_frame_that_may_not_come_is_charged(
    frames: list[dict[str, Any]], clause: str
) -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    assert kept.receive(*frames) == [clause]


def test_an_id_that_was_decoded_in_pieces_is_that_of_its_call() -> None:
    kept = Kept()
    kept.ledger.sent(CALL.replace(b'"a"', '"é漢"'.encode()))
    assert kept.receive({**DONE, "requestId": "\ufffd\ufffd漢"}) == ["SOCK-F2"]
    (found,) = kept.noted
    assert found.text.endswith(': the id "é漢" came back as "\ufffd\ufffd漢"')
    assert not kept.ledger.owes_frames


def test_a_result_behind_an_error_of_its_id_is_told_from_a_second_result() -> None:
    kept = Kept()
    error = {"type": "error", "code": "PROTOCOL_ERROR", "message": "", "requestId": "a"}
    kept.ledger.sent(CALL)
    kept.receive(error, DONE, DONE)
    assert [one.text for one in kept.noted] == [
        'a tool_result for "a" after an error with its id',
        'a tool_result for "a" after an error with its id',
    ]


def test_an_id_may_be_used_again() -> None:
    kept = Kept()
    kept.ledger.sent(CALL + CALL)
    assert kept.receive(DONE, DONE) == []


def test_an_error_ends_a_call_and_owes_nothing_to_others() -> None:
    kept = Kept()
    error = {"type": "error", "code": "PROTOCOL_ERROR", "message": ""}
    kept.ledger.sent(CALL + b"hello\n")
    assert kept.receive(error, {**error, "requestId": "a"}) == []
    assert not kept.ledger.open["a"]


ERROR = {"type": "error", "code": "PROTOCOL_ERROR", "message": ""}
LIST = b'{"type":"list_tools"}\n'


def test_the_failure_of_a_call_in_an_error_is_charged_whatever_its_code() -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    assert kept.receive({**ERROR, "code": "TIMEOUT", "requestId": "a"}) == ["SOCK-M8"]


def test_an_error_of_another_code_about_no_call_is_no_frame_of_the_protocol() -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    assert kept.receive({**ERROR, "code": "TIMEOUT"}) == ["SOCK-M1"]


def test_a_listing_is_owed_whatever_errors_bad_lines_got_before_it() -> None:
    kept = Kept()
    kept.ledger.sent(LIST + b"hello\n")
    kept.receive(ERROR)
    assert kept.ledger.owes_frames


def test_a_listing_is_not_owed_where_an_error_came_that_no_line_explains() -> None:
    kept = Kept()
    kept.ledger.sent(LIST)
    kept.receive(ERROR)
    assert not kept.ledger.owes_frames


def test_an_error_about_a_cancel_refuses_no_listing() -> None:
    kept = Kept()
    cancel = b'{"type":"cancel_tool_call","requestId":"b"}\n'
    kept.ledger.sent(LIST + cancel)
    kept.receive({**ERROR, "requestId": "b"})
    assert kept.ledger.owes_frames


@pytest.mark.parametrize("data", [b"hello\n", b"[]\n", b"\n", b"\xff\n"])
def test_a_line_that_is_no_frame_is_charged_and_hides_what_it_was(data: bytes) -> None:
    kept = Kept()
    kept.ledger.received(data, 0.0)
    (found,) = kept.noted
    assert (found.clause, found.hides) == ("SOCK-F1", True)
    assert kept.ledger.noise == 1


def test_two_frames_on_a_line_are_one_fault_and_are_read() -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    progress = {"kind": "progress", "fraction": 0.5}
    event = {"protocol": 1, "type": "tool_event", "requestId": "a", "event": progress}
    line = json.dumps(event) + json.dumps({"protocol": 1, **DONE}) + "\n"
    kept.ledger.received(line.encode(), 0.0)
    (found,) = kept.noted
    assert (found.clause, found.hides) == ("SOCK-F1", False)
    assert "two frames on one line: no LF between them" in found.text
    assert [one.value["type"] for one in kept.ledger.frames] == [
        "tool_event",
        "tool_result",
    ]
    assert not kept.ledger.open["a"]


def test_a_frame_with_a_word_that_is_not_jsons_is_told_and_read() -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    line = json.dumps({"protocol": 1, **DONE}).replace("true", "True")
    kept.ledger.received(f"{line}\n".encode(), 0.0)
    (found,) = kept.noted
    assert (found.clause, found.hides) == ("SOCK-F1", False)
    assert found.text == "a line is not JSON: it has True, which JSON spells true"
    assert [one.value["type"] for one in kept.ledger.frames] == ["tool_result"]


def test_a_frame_that_is_nested_deeper_than_is_read_here_is_no_fault() -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    deep = "[" * 600 + "]" * 600
    frame = {"protocol": 1, **DONE, "result": {"ok": True, "content": {"value": 0}}}
    line = json.dumps(frame).replace('"value": 0', f'"value": {deep}')
    kept.ledger.received(f"{line}\n".encode(), 0.0)
    assert kept.noted == []
    assert not kept.ledger.open["a"]


def test_a_line_without_its_end_is_charged_when_the_server_closes() -> None:
    kept = Kept()
    kept.ledger.received(b'{"type":', 0.0)
    assert kept.noted == []
    kept.ledger.closed(0.0, by_server=True)
    assert [one.clause for one in kept.noted] == ["SOCK-F1"]


def test_a_line_that_we_cut_short_is_not_charged() -> None:
    kept = Kept()
    kept.ledger.received(b'{"type":', 0.0)
    kept.ledger.closed(0.0, by_server=False)
    assert kept.noted == []


def test_frames_beyond_what_is_kept_are_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wireproof.protocols.socket_v1._ledger.MOST_FRAMES", 1)
    kept = Kept()
    kept.receive(
        {"type": "tools_list", "tools": []}, {"type": "tools_list", "tools": []}
    )
    assert len(kept.ledger.frames) == 1
    assert kept.ledger.noise == 1


def test_answers_to_the_suites_own_requests_are_known_as_such() -> None:
    kept = Kept()
    own = CALL.replace(b'"a"', b'"wireproof-1"')
    kept.ledger.sent(b'{"type":"list_tools"}\n', own=True)
    kept.ledger.sent(b'{"type":"list_tools"}\n')
    kept.ledger.sent(CALL + own)
    listed = {"type": "tools_list", "tools": []}
    kept.receive(listed, listed, {**DONE, "requestId": "wireproof-1"}, DONE)
    assert [one.own for one in kept.ledger.frames] == [True, False, True, False]


def test_a_frame_over_several_lines_is_one_fault_and_is_read() -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    lines = json.dumps({"protocol": 1, **DONE}, indent=1).encode() + b"\n"
    kept.ledger.received(lines[:30], 0)
    kept.ledger.received(lines[30:], 0)
    first, whole = kept.ledger.frames
    assert (first.taken, first.value) == (True, None)
    assert whole.value == {"protocol": 1, **DONE}
    assert not kept.ledger.open["a"]
    assert {(one.clause, one.hides) for one in kept.noted} == {("SOCK-F1", True)}
    assert "spread over 8 lines" in kept.noted[-1].text


def test_lines_of_text_that_begin_like_a_frame_hide_none_behind_them() -> None:
    kept = Kept()
    kept.ledger.sent(CALL)
    kept.ledger.received(b"{ is what I say\nand more\n", 0)
    assert kept.receive(DONE) == ["SOCK-F1", "SOCK-F1"]
    assert [one.value is None for one in kept.ledger.frames] == [True, True, False]


def test_an_id_that_looks_like_that_of_a_call_is_told_in_code_points() -> None:
    kept = Kept()
    kept.ledger.sent('{"type":"tool_call","requestId":"é","toolName":"t"}\n'.encode())
    assert kept.receive({**DONE, "requestId": "e\u0301"}) == ["SOCK-C1"]
    told = 'a tool_result for "e\\u0301", which was not called: "\\u00e9" was'
    assert [one.text for one in kept.noted] == [told]


def test_an_id_in_other_letters_is_that_of_its_call_and_hides_it() -> None:
    kept = Kept()
    for key in ("a", "é"):
        call = {"type": "tool_call", "requestId": key, "toolName": "t"}
        kept.ledger.sent(json.dumps(call).encode() + b"\n")
    assert kept.receive({**DONE, "requestId": "?"}) == ["SOCK-C1"]
    (found,) = kept.noted
    assert found.hides
    how = "a question mark stands for what is not ASCII"
    assert found.text == f'a tool_result for "?", which was not called: "é" was; {how}'


def test_frames_that_are_written_into_each_other_are_that_alone() -> None:
    kept = Kept()
    kept.ledger.sent(CALL + CALL.replace(b'"a"', b'"b"'))
    done = json.dumps({"protocol": 1, **DONE}).encode()
    kept.ledger.received(done.replace(b'"a"', b'"b"')[:30] + done + b"\n", 0)
    (found,) = kept.noted
    assert (found.clause, found.mingles, found.hides) == ("SOCK-F1", True, True)
    assert found.text.startswith("two messages are written into each other, or the")


def test_a_listing_that_is_written_into_another_frame_is_told_where_one_is_due() -> (
    None
):
    listing = b'{"type":"tools_list","protocol":1,"tools":[]}'
    line = listing[:38] + b'"' + listing + b"\n"
    found = []
    for sent in (b'{"type":"list_tools"}\n', b""):
        kept = Kept()
        kept.ledger.sent(sent)
        kept.ledger.received(line, 0)
        found.append([one.mingles for one in kept.noted])
    assert found == [[True], [False]]
