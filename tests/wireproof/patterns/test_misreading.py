"""What other encodings make of a text."""

from __future__ import annotations

import pytest

from wireproof.patterns import Mismatch, misreading, place_text

LATIN_1 = "its UTF-8 was taken for Latin-1"
WINDOWS = "its UTF-8 was taken for Windows-1252"
SIGNS = "a question mark stands for what is not ASCII"
BEYOND = "a question mark stands for what is not Latin-1"
BOXES = "U+FFFD stands for what is not ASCII"


@pytest.mark.parametrize(
    ("wanted", "found", "how"),
    [
        ("Gr\u00fc\u00dfe", "Gr\u00c3\u00bc\u00c3\u009fe", LATIN_1),
        ("Gr\u00fc\u00dfe", "Gr\u00c3\u00bc\u00c3\u0178e", WINDOWS),
        ("\u201d", "\u00e2\u20ac\u009d", WINDOWS),
        ("\u00e9 \U0001f600", "? ?", SIGNS),
        ("\u00e9 \U0001f600", "? ??", SIGNS),
        ("\u00e9 \U0001f600", "?? ????", SIGNS),
        ("\u00e9 \U0001f600", "\u00e9 ?", BEYOND),
        ("\u00e9 \U0001f600", "\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd", BOXES),
        ("a\ud800", "a?", SIGNS),
    ],
)
def test_another_encoding_is_told(wanted: str, found: str, how: str) -> None:
    assert misreading(wanted, found) == how


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("plain", "other"),
        ("plain", "plain"),
        ("\u00e9", "\u00e9"),
        ("\u00e9", "e\u0301"),
        ("\u00e9a", "\u00c3\u00a9"),
        ("caf\u00e9", "CAF\u00c9"),
        ("caf\u00e9", "caf"),
    ],
)
def test_what_differs_in_another_way_is_none(wanted: str, found: str) -> None:
    assert misreading(wanted, found) is None


def test_a_sentence_ends_with_it() -> None:
    miss = Mismatch("/id", "caf\u00e9", "caf?")
    text = place_text(miss)
    assert text == f'id is "caf?", not "caf\u00e9": {SIGNS}'


def test_a_long_text_is_told_by_it_too() -> None:
    miss = Mismatch("/id", {"$equals": "caf\u00e9" * 40}, "caf?" * 40)
    assert place_text(miss) == f"id is not what it should be: {SIGNS}"


def test_a_matcher_has_no_encoding() -> None:
    miss = Mismatch("/id", {"$one_of": ["caf\u00e9"]}, "caf?")
    assert SIGNS not in place_text(miss)


@pytest.mark.parametrize("end", ["?", "\u00e9"])
def test_a_text_is_read_to_its_end(end: str) -> None:
    long = "\u00e9" * 1_000
    found = "?" * 1_000 + end
    assert misreading(f"{long}\u00e9", found) == (SIGNS if end == "?" else None)
