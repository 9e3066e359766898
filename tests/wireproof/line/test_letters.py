"""Texts that come back in other letters."""

from __future__ import annotations

import pytest

from wireproof.checks import Difference, Result, Verdict, Words
from wireproof.line import meant_by
from wireproof.line._letters import is_about_letters, is_garbled
from wireproof.patterns import NOTHING_THERE


def result(*differences: Difference) -> Result:
    return Result(
        "host-v1/own/one",
        ("HV1-R5",),
        "must",
        "seed",
        Verdict.FAILED,
        differences=differences,
    )


GARBLED = Difference("/a", "caf\u00e9", "caf?")
OTHER = Difference("/b", 1, 2)
RENAMED = Difference("/result/caf\u00e9", 1, NOTHING_THERE)
LOST = Difference("/caf\u00e9/result", 1, NOTHING_THERE)
MATCHER = Difference("", Words("<a text that mentions caf\u00e9>"), {"text": "caf?"})


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([GARBLED], True),
        ([GARBLED, GARBLED], True),
        ([GARBLED, OTHER], False),
        ([RENAMED], False),
        ([MATCHER], False),
        ([], False),
    ],
)
def test_letters_are_garbled_where_nothing_else_differs(
    differences: list[Difference], *, expected: bool
) -> None:
    assert is_garbled(result(*differences)) is expected


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([GARBLED], True),
        ([RENAMED, MATCHER], True),
        ([LOST], False),
        ([GARBLED, OTHER], False),
        ([], False),
    ],
)
def test_what_differs_may_be_about_letters(
    differences: list[Difference], *, expected: bool
) -> None:
    assert is_about_letters(result(*differences)) is expected


def test_an_id_in_other_letters_is_known() -> None:
    how = "a question mark stands for what is not ASCII"
    assert meant_by("caf?", ["a", "caf\u00e9"]) == ("caf\u00e9", how)


@pytest.mark.parametrize("came", ["caf", 5, None, "a"])
def test_another_id_is_not(came: object) -> None:
    assert meant_by(came, ["a", "caf\u00e9"]) is None


def test_an_id_that_several_may_have_become_is_of_none() -> None:
    assert meant_by("caf?", ["caf\u00e8", "caf\u00e9"]) is None
