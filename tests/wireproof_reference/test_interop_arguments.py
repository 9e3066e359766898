from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wireproof_reference.framing import JSON, EncodeError, JsonError, JSONObject
from wireproof_reference.interop.core._arguments import (
    dump_object,
    is_object_text,
    load_object,
    repaired,
)

json_objects = st.dictionaries(
    st.text(),
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(codec=None)),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    ),
    max_size=4,
)

VALID = {
    "empty": "{}",
    "whitespace": ' \t\r\n{ "a" : 1 } \n',
    "equal keys": '{"b":1,"a":2,"b":3}',
    "spelling": '{"a":1.50,"b":-0,"c":1E+2,"d":-0.0e-0}',
    "beyond 64 bits": '{"a":18446744073709551617}',
    "beyond doubles": '{"a":1e999}',
    "below doubles": '{"a":-1e999,"b":"1e999"}',
    "5000 digits": '{"a":' + "9" * 5000 + "}",
    "all of it": '{"a":' + "9" * 5000 + ',"b":1e999,"c":"\\ud800"}',
    "escaped surrogate": r'{"a":"\ud800"}',
    "escapes": r'{"\u0000":"\"\\\/\b\f\n\r\t"}',
    "odd characters": '{"a":"\u2028\x7f\ufeff😀"}',
    "512 deep": '{"a":' * 512 + "1" + "}" * 512,
}

INVALID = {
    "nothing": "",
    "blank": " ",
    "brace": "{",
    "no value": '{"path":',
    "open text": '{"path":"READ',
    "open escape": '{"path":"READ\\',
    "no brace": '{"a":1',
    "array": "[1]",
    "text": '"x"',
    "number": "3",
    "large number": "1e999",
    "null": "null",
    "true": "true",
    "nan": '{"a":NaN}',
    "infinity": '{"a":Infinity}',
    "negative infinity": '{"a":-Infinity}',
    "nan after a large number": '{"a":1e999,"b":NaN}',
    "trailing comma": '{"a":1,}',
    "trailing comma in an array": '{"a":[1,]}',
    "comment": '{"a":1/*c*/}',
    "comment at the end": '{"a":1}//c',
    "single quotes": "{'a':1}",
    "no quotes": "{a:1}",
    "two values": '{"a":1}{"b":2}',
    "trailing text": '{"a":1} x',
    "byte order mark": '\ufeff{"a":1}',
    "raw surrogate": '{"a":"\ud800"}',
    "raw control character": '{"a":"\x01"}',
    "raw line feed": '{"a":"\n"}',
    "leading zero": '{"a":01}',
    "plus": '{"a":+1}',
    "no digit before the point": '{"a":.5}',
    "no digit after the point": '{"a":1.}',
    "no exponent": '{"a":1e}',
    "two points": '{"a":1.5.5}',
    "hexadecimal": '{"a":0x1}',
    "underscore": '{"a":1_000}',
    "wide digit": '{"a":\uff11}',
    "True": '{"a":True}',
    "undefined": '{"a":undefined}',
    "unknown escape": r'{"a":"\x"}',
    "short escape": r'{"a":"\u12"}',
    "nul at the end": '{"a":1}\0',
    "wide space": '\u00a0{"a":1}',
    "513 deep": '{"a":' * 513 + "1" + "}" * 513,
    "5000 digits, open": '{"a":' + "9" * 5000,
}

DEEP = {
    "open objects": '{"a":' * 100_000,
    "closed objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "open arrays in an object": '{"a":' + "[" * 100_000,
    "closed arrays in an object": '{"a":' + "[" * 100_000 + "]" * 100_000 + "}",
    "open arrays": "[" * 100_000,
    "after a large number": '{"a":1e999,"b":' + "[" * 100_000,
    "escapes": '{"' + "\\" * 100_001,
    "digits": '{"a":' + "9" * 100_000 + "]",
}


@pytest.mark.parametrize("text", VALID.values(), ids=VALID.keys())
def test_a_json_object_is_one_however_it_is_spelled(text: str) -> None:
    assert is_object_text(text)
    assert repaired(text) is text


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID.keys())
def test_what_only_a_lenient_reader_takes_is_none(text: str) -> None:
    assert not is_object_text(text)
    assert repaired(text) == "{}"


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_and_long_texts_are_repaired(text: str) -> None:
    assert repaired(text) == "{}"


@given(json_objects)
def test_whatever_json_holds_is_kept(value: JSONObject) -> None:
    assert is_object_text(json.dumps(value))
    assert is_object_text(json.dumps(value, indent=1))


@given(json_objects, st.integers(min_value=1))
@example({"a": 1}, 1)
def test_no_part_of_a_json_object_is_one(value: JSONObject, missing: int) -> None:
    text = json.dumps(value)
    assert not is_object_text(text[: -(missing % len(text)) or -1])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "{}"),
        ({"path": "README.md"}, '{"path":"README.md"}'),
        ({"a": [1, {"b": None}]}, '{"a":[1,{"b":null}]}'),
        ({"ü": 2**64}, '{"ü":18446744073709551616}'),
        ({"a": "\ud800"}, '{"a":"\\ud800"}'),
    ],
)
def test_an_object_becomes_its_text(arguments: JSONObject, text: str) -> None:
    assert repaired(arguments) == text
    assert dump_object(arguments) == text


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("never shown")

    def __hash__(self) -> int:
        return 1


TEXTLESS: dict[str, object] = {
    "null": None,
    "empty array": [],
    "array": ["a"],
    "number": 3,
    "true": True,
    "fraction": 1.5,
    "bytes": b"{}",
    "key that is a number": {1: 2},
    "set": {"a": {1}},
    "nan": {"a": float("nan")},
    "infinity": {"a": float("inf")},
    "too many digits": {"a": 10**5000},
    "key of too many digits": {10**5000: "a"},
    "object": {"a": object()},
    "key that cannot be shown": {Hostile(): 1},
}


@pytest.mark.parametrize("arguments", TEXTLESS.values(), ids=TEXTLESS.keys())
def test_what_has_no_text_is_repaired(arguments: object) -> None:
    assert repaired(arguments) == "{}"


def test_an_object_that_holds_itself_is_repaired() -> None:
    cycle: dict[str, object] = {}
    cycle["self"] = cycle
    assert repaired(cycle) == "{}"


def test_an_object_that_nests_very_deep_is_repaired() -> None:
    deep: JSON = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert repaired(deep) == "{}"


def test_arguments_are_read_exactly() -> None:
    text = '{"a":18446744073709551617,"a":1.5,"b":"\\ud800"}'
    assert load_object(text) == {"a": 1.5, "b": "\ud800"}


@pytest.mark.parametrize("text", ["[1]", "null", ""])
def test_arguments_that_are_no_object_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not"):
        load_object(text)


@pytest.mark.parametrize(
    "text",
    ['{"a":1e999}', pytest.param('{"a":' + "9" * 5000 + "}", id="5000 digits")],
)
def test_numbers_without_a_value_here_are_refused(text: str) -> None:
    with pytest.raises(JsonError, match="not-json"):
        load_object(text)


def test_arguments_that_json_cannot_hold_are_refused() -> None:
    with pytest.raises(EncodeError):
        dump_object({"a": float("nan")})
