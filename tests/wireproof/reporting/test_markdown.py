from __future__ import annotations

from syrupy.assertion import SnapshotAssertion
from tests.wireproof.reporting.reports import BAD, GOOD, HELD, report_of, subject_of

from wireproof.reporting import dump_markdown
from wireproof.reporting._markdown import code


def test_a_report_of_two_subjects_is_told_in_tables(
    snapshot: SnapshotAssertion,
) -> None:
    assert dump_markdown(report_of(GOOD, BAD)) == snapshot


def test_a_part_of_the_checks_is_called_so() -> None:
    text = dump_markdown(report_of(subject_of("./a", [HELD], ran=1, available=9)))
    assert text.startswith("## 🟡 wireproof: nothing broken (1 of 9 checks)\n")


def test_a_run_without_subjects_is_told() -> None:
    assert dump_markdown(report_of()).startswith("## ❌ wireproof: nothing was tried\n")


def test_what_a_subject_said_ends_no_code_span_cell_or_line() -> None:
    assert code("a `b` ``c") == "```a `b` ``c```"
    assert code("`") == "`` ` ``"
    assert code("") == "`  `"
    assert code("a|b\nc\x1b") == "`a\\|b\\nc\\x1b`"
