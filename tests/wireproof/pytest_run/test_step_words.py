from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols import all_options
from wireproof.pytest_run._step_words import step_words
from wireproof_vectors import load_vectors


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"send": {"id": "a"}}, 'send {"id": "a"}'),
        (
            {"send": {"id": {"$serial": True}}, "on": "b", "cut": "every-byte"},
            'send {"id": <a new id>} on the connection b, one byte a write',
        ),
        (
            {"send_many": [{"id": "a"}, {"id": "b"}], "cut": [1, 5]},
            'send in one write {"id": "a"}, {"id": "b"}, cut at byte 1, 5',
        ),
        (
            {"send_raw": [{"text": "x\n"}, {"text": "y", "times": 3}]},
            'send the bytes "x\\n" "y" 3 times',
        ),
        ({"send_raw": [{"base64": "AA=="}]}, 'send the bytes base64 "AA=="'),
        (
            {"expect": {"id": "a", "ok": {"$type": "boolean"}}},
            'expect {"id": "a", "ok": <boolean>}',
        ),
        ({"expect": {"id": "a"}, "times": 2}, 'expect 2 times {"id": "a"}'),
        (
            {"expect": {"id": "a"}, "or": "closed", "record": {"x": 1, "y": 2}},
            (
                'expect {"id": "a"}, or that it closes the connection, '
                "and record which it is: x, y"
            ),
        ),
        ({"expect_optional": {"$one_of": []}}, "expect that nothing else comes"),
        (
            {"expect_optional": {"ok": False}},
            'what else comes, if anything, has to be {"ok": false}',
        ),
        ({"order": ["a", "b"]}, "expect that the responses came in the order a, b"),
        (
            {"order": ["a", "b"], "apart_ms": 5},
            "expect that the responses came in the order a, b, 5 ms apart or more",
        ),
        (
            {"gap": {"id": "a", "at_least_ms": 40}},
            "expect an event of a 40 ms before its response",
        ),
        ({"fence": True}, "send a plain valid request and expect its success"),
        ({"close_input": True}, "close its input"),
        (
            {"expect_exit": {"status": 0, "within_ms": 9}},
            "expect that it exits with status 0",
        ),
        ({"expect_exit": {"within_ms": 9}}, "expect that it exits"),
        ({"restart": True}, "start it again"),
        ({"terminate": True}, "send SIGTERM"),
        ({"kill": True}, "kill it"),
        ({"connect": "a"}, "connect a"),
        ({"disconnect": "a"}, "disconnect a"),
        (
            {"disconnect": "a", "unread": True},
            "disconnect a while an answer is unread",
        ),
        (
            {"second": True, "within_ms": 9},
            "start a second server of the same command on the same path, within 9 ms",
        ),
        ({"expect_closed": {}}, "expect that it closes the connection"),
        (
            {"flood": 256, "grows_at_most": 192},
            "send 256 MiB of a line that has no end; at most 192 are kept",
        ),
        (
            {"expect_mode": "socket"},
            "expect that only its owner may use the socket file",
        ),
        (
            {"poll": {"id": "a"}, "until": {"ok": True}, "within_ms": 9},
            'send {"id": "a"} until {"ok": true} comes, within 9 ms',
        ),
        (
            {"expect_lines": "f", "match": {"$type": "object"}, "within_ms": 9},
            "expect in f <object>, within 9 ms",
        ),
        (
            {"expect_no_text": "f", "text": "x"},
            'expect that f does not hold "x"',
        ),
        (
            {"expect_no_file": {"$use": "socket_path"}, "within_ms": 9},
            "expect that there is no file <the socket's path>, within 9 ms",
        ),
        ({"write_file": "f", "json": {"a": 1}}, 'write {"a": 1} to f'),
        ({"write_file": "f", "text": "a"}, 'write "a" to f'),
        (
            {"op": "start", "config": {}, "expect": {"state": {}}},
            'call start with {"config": {}} and expect {"state": {}}',
        ),
        (
            {"op": "say", "input": {"a": 1}, "expected": 5},
            'call say with {"a": 1} and expect 5',
        ),
        (
            {"op": "say", "input": {}, "expected": 5, "error": {"mentions": ["x"]}},
            "call say with {} and expect 5 or an error that names x",
        ),
        (
            {"op": "say", "input": {}, "error": {"mentions": []}},
            "call say with {} and expect an error",
        ),
        (
            {
                "op": "load",
                "input": {"config": "a", "pack": {"b": 2}},
                "expected": 5,
            },
            (
                'call load with config, the path of a file that holds the text "a" and '
                'pack, the path of a file that holds {"b": 2} and expect 5'
            ),
        ),
    ],
)
def test_a_step_is_told_in_words(step: dict[str, Any], words: str) -> None:
    assert step_words(step) == words


@pytest.mark.parametrize("protocol", [one.protocol for one in all_options()])
def test_every_step_has_its_words(protocol: str) -> None:
    vectors: list[Any] = [one.data for one in load_vectors(protocol)]
    steps = [step for one in vectors for step in one.get("steps", ())]
    assert [step for step in steps if not step_words(step).strip()] == []


def test_an_error_may_have_to_hold_one_of_several_texts_or_a_value() -> None:
    mentions = ["a", ["b", "c"], {"$value": True}]
    step = {"op": "call", "input": {}, "error": {"mentions": mentions}}
    assert step_words(step).endswith(
        " and expect an error that names a, b or c, <the value>"
    )
