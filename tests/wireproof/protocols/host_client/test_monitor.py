from __future__ import annotations

import pytest

from wireproof.protocols.host_client._monitor import (
    MOST_DEVIATIONS,
    RequestMonitor,
)

PLAIN = b'{"v":1,"id":"a","method":"get_tags2","params":{}}\n'


def found(*lines: bytes) -> list[str]:
    monitor = RequestMonitor()
    for line in lines:
        monitor.line(line)
    assert monitor.lines == len(lines)
    return [one.text for one in monitor.deviations]


@pytest.mark.parametrize(
    "line",
    [
        PLAIN,
        b'{"v":1.0,"id":"","method":"init","params":{"a":1},"extra":1}\r\n',
        '{"v":1,"id":"é","method":"a_b_c","params":{}}\n'.encode(),
    ],
)
def test_a_request_is_one(line: bytes) -> None:
    assert found(line) == []


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"[]\n", "a line is not a JSON object"),
        (PLAIN.replace(b":1,", b":2,"), "v is not the integer 1"),
        (PLAIN.replace(b":1,", b":true,"), "v is not the integer 1"),
        (PLAIN.replace(b'"v":1,', b""), "v is not the integer 1"),
        (PLAIN.replace(b"get_tags2", b"getTags"), "method is not a name in snake_case"),
        (PLAIN.replace(b"get_tags2", b"a__b"), "method is not a name in snake_case"),
        (PLAIN.replace(b'"get_tags2"', b"[]"), "method is not a name in snake_case"),
        (PLAIN.replace(b"{}", b"[]"), "params is not an object"),
        (PLAIN.replace(b',"params":{}', b""), "params is not an object"),
        (PLAIN.replace(b'"a"', b"7"), "id is not a string"),
        (PLAIN.replace(b'"id":"a",', b""), "id is not a string"),
    ],
)
def test_what_is_wrong_is_named(line: bytes, text: str) -> None:
    assert found(line) == [text]


@pytest.mark.parametrize("line", [b"\n", b"junk\n", b'{"a":NaN}\n', b'"\xff"\n'])
def test_what_is_not_json_is_named(line: bytes) -> None:
    (text,) = found(line)
    assert text.startswith("a line is not JSON (")


def test_an_id_in_flight_must_not_be_used_again() -> None:
    assert found(PLAIN, PLAIN) == ['the id "a" is in flight already']


def test_an_id_is_free_when_it_has_its_answer() -> None:
    monitor = RequestMonitor()
    monitor.line(PLAIN)
    monitor.answered("a")
    monitor.line(PLAIN)
    assert monitor.deviations == []


def test_a_last_line_has_a_line_feed_too() -> None:
    monitor = RequestMonitor()
    monitor.end(b"")
    monitor.end(PLAIN[:-1])
    (deviation,) = monitor.deviations
    assert deviation.text == "the last line has no line feed"
    assert deviation.clause == "HV1-C1"
    assert deviation.evidence == PLAIN[:-1].decode()


def test_deviations_without_end_are_not_kept() -> None:
    assert len(found(*[b"junk\n"] * (MOST_DEVIATIONS + 1))) == MOST_DEVIATIONS
