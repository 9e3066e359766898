from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

from wireproof.line import whole_of
from wireproof.line._torn import is_torn


def decoded_in_pieces(text: str, *cuts: int) -> str:
    """Return a text of which each piece of its bytes is decoded by itself."""
    data = text.encode()
    places = [0, *cuts, len(data)]
    pieces = [data[first:last] for first, last in pairwise(places)]
    return "".join(piece.decode(errors="replace") for piece in pieces)


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("é漢😀", (1,)),
        ("é漢😀", (3,)),
        ("é漢😀", (4,)),
        ("é漢😀", (6,)),
        ("é漢😀", (8,)),
        ("é漢😀é", (6, 7, 8)),
        ("é.*\n😀 b", (6,)),
        ("é\u2028😀日本", (1, 3, 8, 11)),
        ("é\u2028😀日本", range(1, 13)),
    ],
)
def test_a_character_that_is_decoded_in_pieces_is_torn(
    text: str, cuts: Iterable[int]
) -> None:
    assert is_torn(decoded_in_pieces(text, *cuts), text)


@pytest.mark.parametrize(
    ("came", "sent"),
    [
        # One that a program cannot hold.
        ("é\ufffd", "é\uffff"),
        # One that knows ASCII only.
        ("\ufffd\ufffd a \ufffd\ufffd\ufffd", "é a 漢"),
        # Another text.
        ("é\ufffd\ufffdb", "é漢a"),
        ("é\ufffd\ufffd", "é漢漢"),
        ("é漢", "é漢"),
        ("", ""),
        (None, "é"),
        ("é\ufffd\ufffd", 5),
    ],
)
def test_what_comes_otherwise_is_not(came: Any, sent: Any) -> None:
    assert not is_torn(came, sent)


@pytest.mark.parametrize(
    ("came", "sent"),
    [
        ("é" + "\ufffd" * 1_000_000, "é" + "漢" * 333_334),
        ("漢" + "\ufffd" * 60 * 9_000, "漢" * 200_000),
        ("漢" + ("\ufffd" * 60 + "漢") * 9_000, "漢" * 200_000),
    ],
)
def test_of_a_long_text_nothing_is_told_rather_than_late(came: str, sent: str) -> None:
    assert not is_torn(came, sent)


def test_the_one_text_of_several_is_found() -> None:
    assert whole_of("é\ufffd\ufffd1", ["é漢1", "é漢2"]) == "é漢1"


def test_what_may_be_either_is_none() -> None:
    assert whole_of("é\ufffd\ufffd", ["é漢", "é😀"]) is None
