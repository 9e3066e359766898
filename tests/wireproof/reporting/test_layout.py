from __future__ import annotations

import pytest

from wireproof.reporting import PLAIN, Layout
from wireproof.reporting._layout import columns_of, rows_of

LONG = "a value that is told " * 20
JSON = '{"id":"' + "x" * 400 + '","ok":true}'


def test_elsewhere_a_sentence_stays_on_one_line() -> None:
    assert PLAIN.told(LONG, "  ") == ["  " + LONG]


def test_at_a_terminal_a_sentence_is_wrapped_and_indented_further() -> None:
    lines = Layout(60).told(LONG, "  ")
    assert max(map(len, lines)) <= 60
    assert {line[:4] for line in lines[1:]} <= {"    "}
    assert " ".join(line.strip() for line in lines) == LONG.strip()


def test_running_text_is_no_wider_than_can_be_read() -> None:
    assert max(map(len, Layout(160).told(LONG))) <= 88


def test_a_word_that_is_wider_than_the_terminal_is_broken() -> None:
    assert Layout(60).wrapped("x" * 70) == ["x" * 60, "  " + "x" * 10]


def test_what_was_written_takes_a_few_rows_with_both_its_ends() -> None:
    rows = Layout(60).rows(JSON, "  0.00 → ", "         ")
    assert len(rows) == 3
    assert max(map(len, rows)) <= 60
    assert rows[0].startswith('  0.00 → {"id":"xxx')
    assert rows[-1].endswith('"ok":true}')
    assert "(291 more characters)" in "".join(row[9:] for row in rows)


def test_in_one_row_an_ellipsis_stands_for_what_is_left_out() -> None:
    (row,) = Layout(40, most_rows=1).rows(JSON, "→ ", "  ")
    assert row == '→ {"id":"xxxxxxxxxxxxxxxxxx…","ok":true}'


def test_elsewhere_and_with_vv_no_line_is_fitted_to_a_width() -> None:
    assert "more characters" in PLAIN.rows(JSON, "→ ", "  ")[0]
    assert Layout(None, verbosity=2).rows(JSON, "→ ", "  ") == [f"→ {JSON}"]
    whole = "".join(row[2:] for row in Layout(60, verbosity=2).rows(JSON, "→ ", "  "))
    assert whole == JSON


@pytest.mark.parametrize("columns", [60, 80, 160])
def test_characters_of_two_columns_are_counted_as_such(columns: int) -> None:
    rows = Layout(columns).rows("漢字" * 60, "→ ", "  ")
    assert max(map(columns_of, rows)) <= columns


def test_a_title_keeps_both_ends() -> None:
    told = Layout(40).title("wireproof: host-v1 /a/very/long/path/to/the/host")
    assert told == "wireproof: host-…path/to/the/host"
    assert Layout(40).title("short") == "short"
    assert PLAIN.title("x" * 300) == "x" * 300


def test_rows_of_a_terminal_count_what_it_breaks() -> None:
    assert rows_of(["", "x" * 80, "x" * 81], 80) == 4
