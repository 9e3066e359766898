from __future__ import annotations

import json
import math
from typing import Any

import pytest

from wireproof.protocols.exec_oneshot._salvage import (
    Salvaged,
    foreign_word,
    salvage,
    why_no_json,
)

A = {"result": True}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"noise",
        b"{",
        b'{"id":"a","result":tru',
        b'log {"level":"info"}',
        b"{}" * 40,
        b"[1,2,3",
        b"\xff\xfe",
    ],
)
def test_noise_holds_no_message(line: bytes) -> None:
    assert salvage(line) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'> {"result":true}', Salvaged((A,), (b">",))),
        (b'{"result":true} done', Salvaged((A,), (b"done",))),
        (
            b'one{"result":true}two{"result":true}three',
            Salvaged((A, A), (b"one", b"two", b"three")),
        ),
        (b'{"result":true}{"result":true}', Salvaged((A, A), ())),
        (
            b'{"result":true} \t {"result":true} ',
            Salvaged((A, A), ()),
        ),
        (
            b'{"level":"info"} {"result":true}',
            Salvaged((A,), (b'{"level":"info"}',)),
        ),
        (
            b'{"broken {"result":true}',
            Salvaged((A,), (b'{"broken',)),
        ),
        (b'{"result":2}!', Salvaged(({"result": 2},), (b"!",))),
        (b'!{"error":{}}', Salvaged(({"error": {}},), (b"!",))),
        (b'!{"result":{}}', Salvaged(({"result": {}},), (b"!",))),
        (
            b'\xff{"result":true}',
            Salvaged((A,), ("\ufffd".encode(),)),
        ),
    ],
)
def test_messages_are_found_among_what_stands_around_them(
    line: bytes, expected: Salvaged
) -> None:
    assert salvage(line) == expected


@pytest.mark.parametrize("size", [1 << 16, 1 << 20, 1 << 24])
def test_a_message_of_any_size_is_found_behind_text(size: int) -> None:
    large = {"result": {"value": "x" * size}}
    line = b"> " + json.dumps(large).encode() + b" >"
    assert salvage(line) == Salvaged((large,), (b">", b">"))


def test_a_long_line_is_not_read_over_and_over() -> None:
    message = b'{"result":true}'
    filler = b" " * (1 << 22)
    assert salvage(b"{!" * 3 + message + filler) == Salvaged((A,), (b"{!{!{!",))
    assert salvage(b"{!" * 5 + message + filler) is None


def test_noise_does_not_cost_much() -> None:
    message = b'{"result":true}'
    assert salvage(b'{"' * 49 + message) is not None
    assert salvage(b'{"' * 50 + message) is None


def test_deep_nesting_is_no_message() -> None:
    assert salvage(b'{"result":' * 10_000) is None


@pytest.mark.parametrize(
    ("line", "value", "said"),
    [
        (b'{"result":true,"n":NaN}', None, "it has NaN for a number"),
        (b'{"result":true,"n":-inf}', -math.inf, "it has -inf for a number"),
        (b'{"result":true,"n":Inf}', math.inf, "it has Inf for a number"),
        (b'{"result":True,"n":"None"}', "None", "it has True, which JSON spells true"),
        (b'{"result":true,"n":None}', None, "it has None, which JSON spells null"),
        (
            b'{"result":true,"n":[undefined]}',
            [None],
            "it has undefined, which JSON",
        ),
    ],
)
def test_a_word_of_another_language_is_named_and_the_message_is_taken(
    line: bytes, value: Any, said: str
) -> None:
    found = salvage(line)
    assert found is not None
    assert found.rest == ()
    assert set(found.values[0]) == {"result", "n"}
    if b"NaN" not in line:
        assert found.values == ({"result": True, "n": value},)
    assert said in foreign_word(line)


def test_a_word_in_a_string_is_none() -> None:
    assert salvage(b'{"result":"None" "True"}') is None
    assert salvage(b'say None {"result":true}') == Salvaged((A,), (b"say None",))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            b"{'ok': True}",
            "expecting property name enclosed in double quotes at byte 1",
        ),
        (b'{"result":true', "expecting ',' delimiter at byte 14"),
        (b'{"result":NaN}', "NaN is not JSON"),
    ],
)
def test_a_line_that_is_no_json_is_told_where(line: bytes, said: str) -> None:
    assert why_no_json(line) == said
