from __future__ import annotations

from dataclasses import replace

from syrupy.assertion import SnapshotAssertion
from tests.wireproof.reporting.reports import (
    BAD,
    BROKEN,
    GOOD,
    HELD,
    HIDDEN,
    report_of,
    subject_of,
)

from wireproof.reporting import dump_markdown
from wireproof.reporting._markdown import code


def test_a_report_of_two_subjects_is_told_in_tables(
    snapshot: SnapshotAssertion,
) -> None:
    assert dump_markdown(report_of(GOOD, BAD)) == snapshot


def test_a_part_of_the_checks_is_called_so() -> None:
    text = dump_markdown(report_of(subject_of("./a", [HELD], ran=1, available=9)))
    assert text.startswith(
        "## 🟡 wireproof: document: nothing broken, full profile: nothing broken "
        "(1 of 9 checks)\n"
    )


def test_a_run_without_subjects_is_told() -> None:
    assert dump_markdown(report_of()).startswith("## ❌ wireproof: nothing was tried\n")


def test_musts_come_first_and_what_rests_on_them_is_counted_below() -> None:
    may = replace(BROKEN, clauses=("HV1-X1",), level="may", monitors=())
    hidden = [replace(HIDDEN, id=f"host-v1/a/{n}") for n in range(3)]
    bad = subject_of("./bad", [*hidden, may, BROKEN])
    lines = dump_markdown(report_of(bad)).splitlines()
    rows = [line.split(" | ")[0] for line in lines if line.startswith("| HV1-")]
    assert rows == ["| HV1-M2", "| HV1-X1"]
    assert "Not testable because of HV1-M2: 3 checks." in lines


def test_what_could_not_be_tried_at_all_is_told_with_its_reason() -> None:
    silent = replace(HIDDEN, because=None, reason="no answer to init")
    text = dump_markdown(report_of(subject_of("./silent", [silent, silent])))
    assert "\nNot testable: 2 checks: `no answer to init`\n" in text
    assert "| clause |" not in text


def test_a_common_cause_stands_first() -> None:
    ended = [
        replace(BROKEN, id=f"host-v1/a/{n}", clauses=(clause,), ended="the host exited")
        for n, clause in enumerate(["HV1-M1", "HV1-M2"] * 3)
    ]
    text = dump_markdown(report_of(subject_of("./ends", ended)))
    row = "| HV1-M1, HV1-M2 | MUST | failed | 6 | `host-v1/a/0` | `the host exited` |"
    assert f"\n{row}\n" in text


def test_what_a_subject_said_ends_no_code_span_cell_or_line() -> None:
    assert code("a `b` ``c") == "```a `b` ``c```"
    assert code("`") == "`` ` ``"
    assert code("") == "`  `"
    assert code("a|b\nc\x1b") == "`a\\|b\\nc\\x1b`"
