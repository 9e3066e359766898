from __future__ import annotations

import dataclasses
import datetime as dt
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference.framing import (
    JSON,
    MAX_DEPTH,
    EncodeError,
    JsonError,
    dumps,
    encode,
    loads,
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None))
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def nested(depth: int) -> JSON:
    value: JSON = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"0", 0),
        (b" [1, 2.5,\t-0.0 ]\r", [1, 2.5, -0.0]),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'{"":{},"__proto__":null}', {"": {}, "__proto__": None}),
        (b"9223372036854775808", 2**63),
        (b"18446744073709551617", 2**64 + 1),
        (b"-9223372036854775809", -(2**63) - 1),
        (b"[0.30000000000000000000001]", [0.3]),
        (b'["0000000000000000000000"]', ["0" * 22]),
        (b'"\\ud800"', "\ud800"),
        (b'"\\udc00\\ud800"', "\udc00\ud800"),
        (b'"\\ud83d\\ude00\\u0000"', "\U0001f600\0"),
        ('"\u2028\uffff\x7f"'.encode(), "\u2028\uffff\x7f"),
    ],
)
def test_json_texts_are_read_exactly(data: bytes, value: JSON) -> None:
    found = loads(data)
    assert found == value
    assert json.dumps(found) == json.dumps(value)


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b"", 0),
        (b" ", 1),
        (b"{", 1),
        (b"01", 1),
        (b"[1,", 3),
        (b"1 2", 2),
        (b"1\0", 1),
        (b"{'a':1}", 1),
        (b'"a\x00b"', 2),
        (b'"a\tb"', 2),
        (b"\xef\xbb\xbf{}", 0),
        ('["\u00e9", x]'.encode(), 7),
        (b"NaN", None),
        (b"[-Infinity]", None),
        (b"1e400", None),
        (b"-1E400", None),
        (b"[1e400,18446744073709551616]", None),
    ],
)
def test_what_is_not_json_is_refused(data: bytes, position: int | None) -> None:
    with pytest.raises(JsonError) as caught:
        loads(data)
    assert caught.value.reason == "not-json"
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b'"\xff"', 1),
        (b'{"a":"\xc3"}', 6),
        (b'"\xed\xa0\x80"', 1),
        (b'"\xc0\x80"', 1),
        (b"18446744073709551616\xff", 20),
    ],
)
def test_what_is_not_utf8_is_refused(data: bytes, position: int) -> None:
    with pytest.raises(JsonError) as caught:
        loads(data)
    assert caught.value.reason == "not-utf8"
    assert caught.value.position == position


def test_an_error_says_where_it_was() -> None:
    with pytest.raises(JsonError, match=r"^not-json: expecting value at byte 1$"):
        loads(b"[?]")


def test_nesting_up_to_the_limit_is_read() -> None:
    data = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert dumps(loads(data)) == data


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 1024, 1025, 10_000])
def test_nesting_beyond_the_limit_is_too_deep(depth: int) -> None:
    with pytest.raises(JsonError) as caught:
        loads(b'{"a":' * depth + b"0" + b"}" * depth)
    assert caught.value.reason == "too-deep"


def test_nesting_beyond_the_limit_is_too_deep_on_the_exact_road() -> None:
    depth = MAX_DEPTH + 1
    with pytest.raises(JsonError) as caught:
        loads(b"[" * depth + b"18446744073709551616" + b"]" * depth)
    assert caught.value.reason == "too-deep"


@pytest.mark.parametrize(
    ("objects", "arrays"),
    [(MAX_DEPTH + 1, 0), (MAX_DEPTH, 1), (256, 257), (1, MAX_DEPTH)],
)
def test_short_texts_of_objects_and_arrays_nest_no_deeper_either(
    objects: int, arrays: int
) -> None:
    begin, end = b'{"":' * objects + b"[" * arrays, b"]" * arrays + b"}" * objects
    with pytest.raises(JsonError, match="nested 513 deep"):
        loads(begin + b"0" + end)


@pytest.mark.parametrize(("objects", "arrays"), [(MAX_DEPTH, 0), (256, 256), (1, 511)])
def test_short_texts_of_objects_and_arrays_are_read_up_to_the_limit(
    objects: int, arrays: int
) -> None:
    begin, end = b'{"":' * objects + b"[" * arrays, b"]" * arrays + b"}" * objects
    data = begin + b"0" + end
    assert dumps(loads(data)) == data


def test_brackets_side_by_side_are_not_deep() -> None:
    data = b"[" + b"[]," * MAX_DEPTH + b"{}]"
    assert loads(data) == [[]] * MAX_DEPTH + [{}]


def test_brackets_in_strings_are_not_deep() -> None:
    text = '[{"\\' * MAX_DEPTH
    assert loads(dumps([text])) == [text]


def test_a_stack_that_is_nearly_used_up_is_too_deep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def exhausted(text: str) -> object:
        raise RecursionError(text)

    monkeypatch.setattr(
        "wireproof_reference.framing._json._EXACT_DECODER.decode", exhausted
    )
    with pytest.raises(JsonError) as caught:
        loads(b"x")
    assert caught.value.reason == "too-deep"


def test_integers_are_exact_up_to_4300_digits() -> None:
    assert loads(b"-" + b"1" * 4300) == -int("1" * 4300)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"18446744073709551617.00E+00", 18446744073709551617),
        (b"-18446744073709551617.0", -18446744073709551617),
        (b"18446744073709551617.5", 18446744073709551617.5),
        (b"1.00000000000000000000", 1.0),
        (b"[1e22,18446744073709551617]", [1e22, 18446744073709551617]),
        (
            b"[3.979062228638166e+16,1000000000000000000]",
            [3.979062228638166e16, 1000000000000000000],
        ),
    ],
)
def test_a_long_integer_is_exact_however_it_is_written(
    text: bytes, value: JSON
) -> None:
    assert repr(loads(text)) == repr(value)


def test_an_integer_of_more_digits_is_refused() -> None:
    with pytest.raises(JsonError, match="4300 digits"):
        loads(b"1" * 4301)


@pytest.mark.parametrize("offset", range(12))
def test_a_long_integer_is_exact_wherever_it_stands(offset: int) -> None:
    assert loads(b" " * offset + b"9999999999999999999") == 9999999999999999999
    assert loads(b" " * offset + b"-9999999999999999999") == -9999999999999999999


@given(json_values)
def test_what_is_written_is_read_back(value: JSON) -> None:
    data = dumps(value)
    assert b"\n" not in data
    assert json.loads(data) == value
    assert loads(data) == value


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_bytes_give_a_value_or_a_json_error(data: bytes) -> None:
    try:
        value = loads(data)
    except JsonError:
        return
    assert loads(dumps(value)) == value


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ({"a": [1, 2.5, None, True, "é\n"]}, '{"a":[1,2.5,null,true,"é\\n"]}'.encode()),
        ({"b": (1, 2)}, b'{"b":[1,2]}'),
        (2**64, b"18446744073709551616"),
        (["null", None], b'["null",null]'),
        (["\ud800", 1], b'["\\ud800",1]'),
        ({"\udfff": 2**70}, b'{"\\udfff":1180591620717411303424}'),
    ],
)
def test_values_are_written_compactly_and_exactly(value: object, data: bytes) -> None:
    assert dumps(value) == data
    assert encode(value) == data + b"\n"


@dataclasses.dataclass
class Point:
    x: int = 1


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        [1.0, {"a": math.inf}],
        [None, -math.inf],
        {1: 2},
        {"a": {None: 1}},
        {1: 2, "big": 2**64},
        object(),
        Point(),
        dt.date(2020, 2, 2),
        {1, 2},
        b"bytes",
        pytest.param(10**5000, id="huge"),
    ],
)
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(EncodeError):
        dumps(value)


def test_depth_is_written_up_to_the_limit() -> None:
    assert dumps(nested(MAX_DEPTH)) == b"[" * MAX_DEPTH + b"]" * MAX_DEPTH


def test_depth_beyond_the_limit_is_refused() -> None:
    with pytest.raises(EncodeError, match="deeper than 512"):
        dumps(nested(MAX_DEPTH + 1))


def test_a_cycle_is_refused() -> None:
    cycle: list[object] = []
    cycle += [cycle, cycle]
    with pytest.raises(EncodeError, match="cycle"):
        dumps(cycle)


def test_a_stack_that_is_nearly_used_up_cannot_encode(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def exhausted(value: object) -> str:
        raise RecursionError

    monkeypatch.setattr(
        "wireproof_reference.framing._json._EXACT_ENCODER.encode", exhausted
    )
    with pytest.raises(EncodeError, match="stack"):
        dumps(2**64)
