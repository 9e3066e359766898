from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof.conversation import Line, LineReader, is_deep, is_plain
from wireproof.patterns import written

LIMIT = 1_250
"""Bytes of the longest line in these tests; more than the 1,024 that are kept."""

LEVELS = 256
"""Levels that are kept of a line that nests too deep."""

WIDE = float("inf")
"""What a number beyond a double is equal to."""


def nested(depth: int, inner: Any) -> Any:
    """Return a value inside so many arrays."""
    for _ in range(depth):
        inner = [inner]
    return inner


ENDED: dict[str, tuple[bytes, Line]] = {
    "an object": (b'{"id":"a"}', Line(b'{"id":"a"}', {"id": "a"}, "")),
    "a null": (b"null", Line(b"null", None, "")),
    "an object behind a byte order mark": (
        b'\xef\xbb\xbf{"id":"a"}',
        Line(
            b'\xef\xbb\xbf{"id":"a"}',
            {"id": "a"},
            "not-json",
            "a byte order mark stands before it",
        ),
    ),
    "characters of several bytes": (
        '"é€😀"'.encode(),
        Line('"é€😀"'.encode(), "é€😀", ""),
    ),
    "white space around a value": (b" {}\t", Line(b" {}\t", {}, "")),
    "a carriage return at the end": (b"{}\r", Line(b"{}\r", {}, "")),
    "half a surrogate pair, escaped": (
        b'"\\ud800"',
        Line(b'"\\ud800"', "\ud800", "", is_odd=True),
    ),
    "an integer beyond 64 bits": (
        b"18446744073709551617",
        Line(b"18446744073709551617", 2**64 + 1, ""),
    ),
    "a number beyond a double": (
        b'{"n":1e400}',
        Line(b'{"n":1e400}', {"n": WIDE}, "", is_odd=True),
    ),
    "such a number beside the word NaN in a string": (
        b'["NaN",1e400]',
        Line(b'["NaN",1e400]', ["NaN", WIDE], "", is_odd=True),
    ),
    "the deepest nesting that is read whole": (
        b"[" * 512 + b"]" * 512,
        Line(b"[" * 512 + b"]" * 512, nested(511, []), ""),
    ),
    "one level more": (
        b"[" * 513 + b"]" * 513,
        Line(b"[" * 513 + b"]" * 513, nested(LEVELS - 1, None), "", is_odd=True),
    ),
    "an empty line": (b"", Line(b"", None, "blank-line")),
    "a line of white space": (b" \t\r", Line(b" \t\r", None, "blank-line")),
    "a text": (b"hello", Line(b"hello", None, "not-json", "expecting value")),
    "the word NaN": (b"NaN", Line(b"NaN", None, "not-json", "NaN is not JSON")),
    "NaN in an object": (
        b'{"n":NaN}',
        Line(b'{"n":NaN}', None, "broken-json", "NaN is not JSON"),
    ),
    "an infinity in an array": (
        b" [-Infinity]",
        Line(b" [-Infinity]", None, "broken-json", "-Infinity is not JSON"),
    ),
    "NaN beside a number beyond a double": (
        b'{"n":1e400,"m":NaN}',
        Line(
            b'{"n":1e400,"m":NaN}',
            None,
            "broken-json",
            "a number beyond the range of a double",
        ),
    ),
    "an object that is cut off": (
        b'{"id":1',
        Line(b'{"id":1', None, "broken-json", "expecting ',' delimiter"),
    ),
    "a byte that is not UTF-8": (
        b'{"id":"\xff"}',
        Line(b'{"id":"\xff"}', None, "not-utf8", "invalid start byte"),
    ),
    "a line one byte shorter than the limit": (
        b'"' + b"x" * (LIMIT - 3) + b'"',
        Line(b'"' + b"x" * (LIMIT - 3) + b'"', "x" * (LIMIT - 3), ""),
    ),
    "a line at the limit": (
        b'"' + b"x" * (LIMIT - 2) + b'"',
        Line(b'"' + b"x" * (LIMIT - 2) + b'"', "x" * (LIMIT - 2), ""),
    ),
    "a line one byte longer than the limit": (
        b"x" * (LIMIT + 1),
        Line(b"x" * 1_024, None, "oversize", "1251"),
    ),
    "a line far longer than the limit": (
        b"x" * (3 * LIMIT),
        Line(b"x" * 1_024, None, "oversize", "3750"),
    ),
}
"""Lines by what they are: their bytes without the line feed, and what is read."""

NOT_ENDED: dict[str, tuple[bytes, list[Line]]] = {
    "nothing": (b"", []),
    "a whole value": (b'{"id":1}', [Line(b'{"id":1}', {"id": 1}, "unterminated")]),
    "the beginning of a value": (
        b'{"id":',
        [Line(b'{"id":', None, "text-without-line-feed")],
    ),
    "a text": (b"bye", [Line(b"bye", None, "text-without-line-feed")]),
    "a text of white space": (b" ", [Line(b" ", None, "text-without-line-feed")]),
    "a byte that is not UTF-8": (
        b'"\xff"',
        [Line(b'"\xff"', None, "text-without-line-feed")],
    ),
}
"""Ends of the input without a line feed, and what is read at the end of file."""

STREAM = b"".join(data + b"\n" for data, _ in ENDED.values()) + b"bye"
LINES = [
    *(line for _, line in ENDED.values()),
    Line(b"bye", None, "text-without-line-feed"),
]

ended = pytest.mark.parametrize(("data", "line"), ENDED.values(), ids=ENDED)
not_ended = pytest.mark.parametrize(
    ("data", "lines"), NOT_ENDED.values(), ids=NOT_ENDED
)


def read(*pieces: bytes) -> list[Line]:
    reader = LineReader(LIMIT)
    lines = [line for piece in pieces for line in reader.receive(piece)]
    return [*lines, *reader.receive_eof()]


def bytes_of(data: bytes) -> list[bytes]:
    return [data[place : place + 1] for place in range(len(data))]


@ended
def test_a_line_is_read_in_one_piece(data: bytes, line: Line) -> None:
    assert read(data + b"\n") == [line]


@ended
def test_a_line_is_read_byte_by_byte(data: bytes, line: Line) -> None:
    assert read(*bytes_of(data + b"\n")) == [line]


@ended
def test_a_line_is_read_when_its_line_feed_comes_alone(data: bytes, line: Line) -> None:
    reader = LineReader(LIMIT)
    assert list(reader.receive(data)) == []
    assert list(reader.receive(b"\n")) == [line]


@ended
def test_what_follows_a_line_is_kept_for_the_next(data: bytes, line: Line) -> None:
    reader = LineReader(LIMIT)
    assert list(reader.receive(data + b'\n{"next"')) == [line]
    assert list(reader.receive(b":1}\n")) == [Line(b'{"next":1}', {"next": 1}, "")]


@not_ended
def test_the_end_of_the_input_ends_a_line(data: bytes, lines: list[Line]) -> None:
    assert read(data) == lines
    assert read(*bytes_of(data)) == lines


@not_ended
def test_the_end_of_the_input_does_not_change_lines_before_it(
    data: bytes, lines: list[Line]
) -> None:
    assert read(b"5\n" + data) == [Line(b"5", 5, ""), *lines]


def test_lines_are_the_same_in_one_piece_and_byte_by_byte() -> None:
    assert read(STREAM) == LINES
    assert read(*bytes_of(STREAM)) == LINES


@given(st.lists(st.integers(0, len(STREAM)), max_size=40))
def test_lines_are_the_same_however_they_are_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(STREAM)]
    assert read(*(STREAM[begin:end] for begin, end in pairwise(places))) == LINES


def test_a_number_beyond_a_double_keeps_its_digits() -> None:
    (line,) = read(b'{"n":-1e400}\n')
    assert written(line.value) == b'{"n":-1e400}\n'


def test_a_line_that_nests_too_deep_keeps_what_stands_beside_the_nesting() -> None:
    deep = b"[" * 600 + b"]" * 600
    data = b'{"id":"a","[":[' + deep + b"," + deep + b'],"z":"]"}'
    reader = LineReader(10_000)
    (line,) = reader.receive(data + b"\n")
    inner = nested(LEVELS - 3, None)
    value = {"id": "a", "[": [inner, inner], "z": "]"}
    assert line == Line(data, value, "", is_odd=True)


@pytest.mark.parametrize("key", [b"a", b"[{", b'\\"}', b""])
@pytest.mark.parametrize("space", [b"", b" "])
def test_a_line_of_objects_that_nests_too_deep_keeps_what_stands_beside_them(
    key: bytes, space: bytes
) -> None:
    deep = (b'{"' + key + b'":' + space) * 600 + b"1" + b"}" * 600
    data = b'{"id":"a","x":' + deep + b',"y":[' + deep + b'],"z":"}"}'
    reader = LineReader(100_000)
    (line,) = reader.receive(data + b"\n")
    inner: Any = None
    name = key.decode().replace("\\", "")
    for _ in range(LEVELS - 2):
        inner = {name: inner}
    assert line.value == {"id": "a", "x": inner, "y": [inner[name]], "z": "}"}


def test_a_line_that_nests_too_deep_may_hold_brackets_in_its_innermost_strings() -> (
    None
):
    data = b"[" * 600 + b'"]]}\\"]"' + b"]" * 600
    reader = LineReader(10_000)
    assert list(reader.receive(data + b"\n")) == [
        Line(data, nested(LEVELS - 1, None), "", is_odd=True)
    ]


@pytest.mark.parametrize(
    "data",
    [b"[" * 600, b"[" * 600 + b"]" * 599, b"[" * 600 + b"]" * 599 + b"}"],
    ids=["not closed at all", "closed too seldom", "closed by another bracket"],
)
def test_a_line_that_nests_too_deep_is_broken_when_it_is_not_closed(
    data: bytes,
) -> None:
    reader = LineReader(10_000)
    (line,) = reader.receive(data + b"\n")
    assert (line.data, line.value, line.fault) == (data, None, "broken-json")


def test_a_reader_knows_how_much_of_a_line_is_there() -> None:
    reader = LineReader(LIMIT)
    seen = []
    for piece in (b"", b"{", b"}", b"\n", b"\n5", b"x" * LIMIT, b"\n"):
        list(reader.receive(piece))
        seen.append(reader.pending)
    assert seen == [0, 1, 2, 0, 1, LIMIT + 1, 0]


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ({"a": [1, None, "é", 2**70]}, True),
        ({"a": WIDE}, False),
        ([None, -WIDE], False),
        ({"a": "\ud800"}, False),
        ({"\udfff": 1}, False),
        (nested(5_000, 1), True),
    ],
    ids=["usual", "beyond a double", "negative", "half a pair", "in a key", "deep"],
)
def test_a_value_is_plain_if_all_readers_take_it_for_the_same(
    value: Any, *, plain: bool
) -> None:
    assert is_plain(value) is plain


@pytest.mark.parametrize(("depth", "deep"), [(1, False), (64, False), (65, True)])
def test_a_value_is_deep_beyond_the_levels_of_usual_parsers(
    depth: int, *, deep: bool
) -> None:
    assert is_deep(nested(depth, "]")) is deep
