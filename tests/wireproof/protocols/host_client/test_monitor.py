from __future__ import annotations

import pytest

from wireproof.protocols.host_client._monitor import (
    MOST_FAULTS,
    RequestMonitor,
)

PLAIN = b'{"v":1,"id":"a","method":"get_tags2","params":{}}\n'


def found(*lines: bytes) -> list[str]:
    monitor = RequestMonitor()
    for line in lines:
        monitor.line(line)
    assert monitor.lines == len(lines)
    return [kind for kind, _, _ in monitor.faults]


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
    ("line", "kind"),
    [
        (b"[]\n", "request-no-object"),
        (PLAIN.replace(b":1,", b":2,"), "request-version"),
        (PLAIN.replace(b":1,", b":true,"), "request-version"),
        (PLAIN.replace(b'"v":1,', b""), "request-version"),
        (PLAIN.replace(b"get_tags2", b"getTags"), "request-method"),
        (PLAIN.replace(b"get_tags2", b"a__b"), "request-method"),
        (PLAIN.replace(b'"get_tags2"', b"[]"), "request-method"),
        (PLAIN.replace(b"{}", b"[]"), "request-params"),
        (PLAIN.replace(b',"params":{}', b""), "request-params"),
        (PLAIN.replace(b'"a"', b"7"), "request-id"),
        (PLAIN.replace(b'"id":"a",', b""), "request-id"),
    ],
)
def test_what_is_wrong_is_named(line: bytes, kind: str) -> None:
    assert found(line) == [kind]


@pytest.mark.parametrize("line", [b"\n", b"junk\n", b'{"a":NaN}\n', b'"\xff"\n'])
def test_what_is_not_json_is_named(line: bytes) -> None:
    assert found(line) == ["request-not-json"]


def test_an_id_in_flight_must_not_be_used_again() -> None:
    assert found(PLAIN, PLAIN) == ["request-id-in-flight"]


def test_an_id_is_free_when_it_has_its_answer() -> None:
    monitor = RequestMonitor()
    monitor.line(PLAIN)
    monitor.answered("a")
    monitor.line(PLAIN)
    assert monitor.faults == []


def test_a_last_line_has_a_line_feed_too() -> None:
    monitor = RequestMonitor()
    monitor.end(b"")
    monitor.end(PLAIN[:-1])
    assert monitor.faults == [("request-unended", PLAIN[:-1].decode(), {})]


def test_faults_without_end_are_not_kept() -> None:
    assert len(found(*[b"junk\n"] * (MOST_FAULTS + 1))) == MOST_FAULTS
