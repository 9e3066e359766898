from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import (
    ClauseText,
    Deviation,
    Difference,
    Entry,
    Result,
    SubjectFacts,
    Verdict,
)
from wireproof.reporting import (
    Report,
    ReportError,
    SubjectReport,
    read_report,
    write_report,
)

SUBJECT = SubjectReport(
    "host-v1",
    "./host",
    "./host #2",
    SubjectFacts("full", 2, 5, ("conformance_echo",), 7, 0.5),
    (
        Result(
            "host-v1/a/one",
            ("HV1-T1",),
            "must",
            "seed",
            Verdict.FAILED,
            "why",
            {"frames": 1},
            0.25,
            entries=(
                Entry(0.0015, "received", b"\xed\xa0\x80 \x1b", 5, own=True),
                Entry.gap(Entry(0.25, "stderr", b"", 0), 7),
            ),
            differences=[Difference("/v", 1, "\ud800")],
            reproduce="printf x | ./host",
            title="One.",
            monitors=[Deviation("HV1-T6", "should", "a blank line")],
        ),
    ),
    (ClauseText("HV1-T1", "must", "seed", "Every line is a message."),),
    ran=1,
    available=7,
)
REPORT = Report(
    [SUBJECT],
    datetime(2025, 3, 1, 11, 30, tzinfo=UTC),
    1.5,
    interrupted=True,
    suite_version="0.1.0",
    vectors_sha256="0" * 64,
    platform={"system": "Linux"},
)


def written(folder: Path, change: dict[str, Any] | None = None) -> Path:
    """Write the report, with other values at some JSON pointers."""
    path = folder / "report.json"
    write_report(path, REPORT)
    value: Any = json.loads(path.read_bytes())
    for pointer, new in (change or {}).items():
        *steps, last = pointer.split("/")
        place = value
        for step in steps:
            place = place[int(step) if step.isdigit() else step]
        place[last] = new
    path.write_text(json.dumps(value))
    return path


def test_a_report_that_was_read_is_written_in_the_same_way(tmp_path: Path) -> None:
    write_report(tmp_path / "first.json", REPORT)
    again = read_report(tmp_path / "first.json")
    write_report(tmp_path / "second.json", again)
    first = (tmp_path / "first.json").read_bytes()
    assert (tmp_path / "second.json").read_bytes() == first


def test_a_report_is_read_with_all_that_is_known_of_a_subject(tmp_path: Path) -> None:
    report = read_report(written(tmp_path))
    (subject,) = report.subjects
    assert (subject.name, subject.target) == ("./host #2", "./host")
    assert subject.facts == SUBJECT.facts
    assert (subject.ran, subject.available, subject.partial) == (1, 7, True)
    assert subject.catalogue == list(SUBJECT.catalogue)
    assert report.started_at == REPORT.started_at
    assert report.interrupted is True


def test_a_subject_of_which_nothing_is_known_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, {"subjects/0/fuzz_seed": None})
    assert read_report(path).subjects[0].facts is None


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"gone\.json: No such file or directory; "):
        read_report(tmp_path / "gone.json")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'{"schema":\n}', "line 2, column 1: no JSON: Expecting value; give a report"),
        (b'"\xff"', "no JSON: 'utf-8' codec can't decode"),
        (b"[" * 100_000, "no JSON: maximum recursion depth exceeded"),
        (b"[]", r"report.json: \[\] is not of type 'object'; give a report"),
        (b"{}", "report.json: 'schema' is a required property; give"),
    ],
)
def test_what_is_no_report_is_an_error_with_its_place(
    tmp_path: Path, text: bytes, problem: str
) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(text)
    with pytest.raises(ReportError, match=problem):
        read_report(path)


@pytest.mark.parametrize(
    ("pointer", "value", "problem"),
    [
        ("subjects/0/results/0/verdict", "good", "'good' is not one of"),
        ("subjects/0/results/0/transcript", 7, "7 is not of type 'array'"),
        ("subjects/0/results/0/level", "shall", "'shall' is not one of"),
        ("subjects/0/level", "partly", "'partly' is not one of"),
        ("started_at", "today", "Invalid isoformat string: 'today'"),
        ("subjects", None, "None is not of type 'array'"),
    ],
)
def test_a_report_with_a_wrong_value_is_an_error_that_names_it(
    tmp_path: Path, pointer: str, value: Any, problem: str
) -> None:
    with pytest.raises(ReportError, match=problem) as caught:
        read_report(written(tmp_path, {pointer: value}))
    assert caught.value.place == f"/{pointer}"


def test_a_report_of_another_version_names_the_version(tmp_path: Path) -> None:
    path = written(tmp_path, {"schema": "wireproof-report/2"})
    problem = (
        "/schema: 'wireproof-report/2', where this version reads "
        "'wireproof-report/1'; read it with the version of wireproof that has written"
    )
    with pytest.raises(ReportError, match=problem):
        read_report(path)
