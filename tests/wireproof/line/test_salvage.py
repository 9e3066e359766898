from __future__ import annotations

import json
import math
from typing import Any

import pytest

from wireproof.line import foreign_word, salvage, why_no_json
from wireproof.line._salvage import Salvaged

A = {"id": "a", "ok": True}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"noise",
        b"{",
        b'{"id":"a","ok":tru',
        b'log {"level":"info"}',
        b"{}" * 40,
        b"[1,2,3",
        b"\xff\xfe",
        b'{"v":1,"id":"a","ok":true,"result":{"value":{"success":true,"result":1},"st',
    ],
)
def test_noise_holds_no_message(line: bytes) -> None:
    assert salvage(line) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'> {"id":"a","ok":true}', Salvaged((A,), (b">",))),
        (b'{"id":"a","ok":true} done', Salvaged((A,), (b"done",))),
        (
            b'one{"id":"a","ok":true}two{"id":"a","ok":true}three',
            Salvaged((A, A), (b"one", b"two", b"three")),
        ),
        (b'{"id":"a","ok":true}{"id":"a","ok":true}', Salvaged((A, A), ())),
        (b'{"id":"a","ok":true} \t {"id":"a","ok":true} ', Salvaged((A, A), ())),
        (
            b'{"level":"info"} {"id":"a","ok":true}',
            Salvaged((A,), (b'{"level":"info"}',)),
        ),
        (
            b'{"broken {"id":"a","ok":true}',
            Salvaged((A,), (b'{"broken',)),
        ),
        (b'{"event":{}}!', Salvaged(({"event": {}},), (b"!",))),
        (b'!{"error":{}}', Salvaged(({"error": {}},), (b"!",))),
        (b'!{"result":{}}', Salvaged(({"result": {}},), (b"!",))),
        (
            b'\xff{"id":"a","ok":true}',
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
    large = {"id": "a", "ok": True, "result": {"value": "x" * size}}
    line = b"> " + json.dumps(large).encode() + b" >"
    assert salvage(line) == Salvaged((large,), (b">", b">"))


def test_a_long_line_is_not_read_over_and_over() -> None:
    message = b'{"id":"a","ok":true}'
    filler = b" " * (1 << 22)
    assert salvage(b"{!" * 3 + message + filler) == Salvaged((A,), (b"{!{!{!",))
    assert salvage(b"{!" * 5 + message + filler) is None


def test_noise_does_not_cost_much() -> None:
    message = b'{"id":"a","ok":true}'
    assert salvage(b'{"' * 49 + message) is not None
    assert salvage(b'{"' * 50 + message) is None


def test_deep_nesting_is_no_message() -> None:
    assert salvage(b'{"ok":' * 10_000) is None


def test_a_part_of_what_is_cut_may_be_a_message_where_messages_have_no_ids() -> None:
    line = b'{debug {"result":1}'
    assert salvage(line) is None
    found = salvage(line, frozenset({"result"}), frozenset())
    assert found == Salvaged(({"result": 1},), (b"{debug",))


@pytest.mark.parametrize(
    ("line", "value", "said"),
    [
        (b'{"ok":true,"n":NaN}', None, "it has NaN for a number"),
        (b'{"ok":true,"n":-inf}', -math.inf, "it has -inf for a number"),
        (b'{"ok":true,"n":Inf}', math.inf, "it has Inf for a number"),
        (b'{"ok":True,"n":"None"}', "None", "it has True, which JSON spells true"),
        (b'{"ok":true,"n":None}', None, "it has None, which JSON spells null"),
        (b'{"ok":true,"n":[undefined]}', [None], "it has undefined, which JSON spells"),
    ],
)
def test_a_word_of_another_language_is_named_and_the_message_is_taken(
    line: bytes, value: Any, said: str
) -> None:
    found = salvage(line)
    assert found is not None
    assert found.rest == ()
    assert set(found.values[0]) == {"ok", "n"}
    if b"NaN" not in line:
        assert found.values == ({"ok": True, "n": value},)
    assert said in foreign_word(line)


def test_a_word_in_a_string_is_none() -> None:
    assert salvage(b'{"ok":"None" "True"}') is None
    assert salvage(b'say None {"id":"a","ok":true}') == Salvaged((A,), (b"say None",))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            b"{'ok': True}",
            "expecting property name enclosed in double quotes at byte 1",
        ),
        (b'{"ok":true', "expecting ',' delimiter at byte 10"),
        (b'{"ok":NaN}', "NaN is not JSON"),
    ],
)
def test_a_line_that_is_no_json_is_told_where(line: bytes, said: str) -> None:
    assert why_no_json(line) == said
