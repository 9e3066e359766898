"""What of a line is kept as evidence."""

from __future__ import annotations

from wireproof.line import head, must


def test_a_line_is_shown_whole() -> None:
    assert head(b"x" * 300) == "x" * 300


def test_of_a_long_line_the_beginning_is_shown() -> None:
    assert head(b"x" * 301) == f"{'x' * 300}…"


def test_what_is_no_text_is_shown_escaped() -> None:
    assert head(b"\xff") == "\\xff"


def test_a_deviation_has_the_line_that_shows_it() -> None:
    found = must("HV1-T1", "a line on stdout is JSON but no object", b"[]", hides=True)
    assert (found.level, found.evidence, found.hides) == ("must", "[]", True)
