"""What the fuzzers draw from is what it should be."""

import base64
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from wireproof.fuzzing import bad_byte_lines, piece, texts, values
from wireproof.fuzzing._values import _SHORT, _text, numbers
from wireproof_reference.framing import JsonError, dumps, loads


@settings(max_examples=200, database=None, deadline=None)
@given(values)
def test_values_survive_strict_json(value: Any) -> None:
    assert loads(dumps(value)) == value


@settings(max_examples=200, database=None, deadline=None)
@given(texts(20))
def test_texts_hold_scalars_only(text: str) -> None:
    assert text.encode().decode() == text


def test_a_text_is_no_longer_than_asked_for_and_may_be_empty() -> None:
    lengths: set[int] = set()

    @settings(max_examples=500, database=None, deadline=None, derandomize=True)
    @given(texts(8))
    def draw(text: str) -> None:
        lengths.add(len(text))

    draw()
    assert lengths == set(range(9))


@settings(max_examples=200, database=None, deadline=None)
@given(st.binary(max_size=20))
def test_bytes_are_as_many_characters_or_fewer(drawn: bytes) -> None:
    text = _text(drawn)
    assert len(drawn) / 3 <= len(text) <= len(drawn)
    assert text.encode().decode() == text


def test_a_byte_or_three_are_a_character() -> None:
    leads = [bytes([lead]) for lead in range(256)]
    assert [len(_text(lead)) for lead in leads] == [1] * 256
    alone = {_text(lead) for lead in leads[: len(_SHORT)]}
    assert alone == set(_SHORT)
    assert alone >= {chr(number) for number in range(0x20, 0x7F)}
    assert all(len(_text(lead + b"ab")) == 1 for lead in leads[len(_SHORT) :])


@settings(max_examples=200, database=None, deadline=None)
@given(bad_byte_lines)
def test_bad_lines_are_one_line_that_no_strict_reader_takes(line: bytes) -> None:
    assert b"\n" not in line
    try:
        loads(line)
    except JsonError:
        return
    raise AssertionError(line)


def test_bytes_that_are_text_are_a_piece_of_text() -> None:
    assert piece("é".encode()) == {"text": "é"}


def test_other_bytes_are_a_piece_in_base64() -> None:
    assert base64.b64decode(piece(b"\xff\n")["base64"]) == b"\xff\n"


@settings(max_examples=200, database=None, deadline=None)
@given(numbers)
def test_no_number_is_drawn_that_a_clause_lets_a_subject_round(
    number: float,
) -> None:
    assert abs(number) <= 2**53
