from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import jsonschema
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
    SubjectReport,
    check_report_path,
    report_of_run,
    to_record,
    write_report,
)
from wireproof.reporting._answers import answer_of_all
from wireproof.reporting._json import as_value
from wireproof_vectors import load_schema, vectors_sha256

STARTED = datetime(2025, 3, 1, 13, 30, tzinfo=timezone(timedelta(hours=2)))
CATALOGUE = (
    ClauseText("HV1-T1", "must", "seed", "Every line is a message."),
    ClauseText("HV1-T6", "should", "settled", "Blank lines are ignored."),
)
RESULTS = [
    Result(
        "host-v1/a/one",
        ("HV1-T1",),
        "must",
        "seed",
        Verdict.FAILED,
        "why",
        {"frames": 1},
        0.25,
        entries=[Entry(0.0015, "received", b"\xed\xa0\x80 \x1b", 5)],
        differences=[Difference("/v", 1, "\ud800")],
        reproduce="printf x | ./host",
        title="One.",
        monitors=[Deviation("HV1-T6", "should", "a blank line")],
    ),
    Result("host-v1/a/two", ("HV1-T6",), "should", "settled", Verdict.PASSED),
]
SUBJECT = SubjectReport(
    "host-v1",
    "./host",
    "./host",
    SubjectFacts("wire", 2, 5, ("conformance_echo",), 7, 0.5),
    RESULTS,
    CATALOGUE,
    ran=2,
    available=7,
)
LACKING = replace(
    SUBJECT,
    facts=SubjectFacts("full", 1, 0, (), 7, 0.5, lacks=("custom", "envelopes")),
)
UNTRIED = SubjectReport("host-v1", "./other", "./other", None, [], CATALOGUE)


def run(*subjects: SubjectReport, interrupted: bool = False) -> Report:
    return report_of_run(
        subjects, started_at=STARTED, duration_s=1.23456, interrupted=interrupted
    )


def build(*subjects: SubjectReport, interrupted: bool = False) -> dict[str, Any]:
    return as_value(run(*subjects, interrupted=interrupted))


@pytest.mark.parametrize("subjects", [(), (SUBJECT,), (SUBJECT, UNTRIED), (LACKING,)])
def test_a_report_is_as_its_schema_says(subjects: tuple[SubjectReport, ...]) -> None:
    report = json.loads(json.dumps(build(*subjects)))
    schema: Any = load_schema("report")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(report)


def test_a_report_names_beside_the_level_the_features_that_a_subject_lacks() -> None:
    (subject,) = build(LACKING)["subjects"]
    assert (subject["level"], subject["lacks"]) == ("full", ["custom", "envelopes"])
    assert LACKING.level_text == "full; lacks custom, envelopes"
    shown = answer_of_all(run(replace(LACKING, available=2))).text
    assert shown.endswith("(full; lacks custom, envelopes)")
    assert SUBJECT.level_text == "wire"


def test_a_report_says_what_wrote_it_and_when() -> None:
    report = build()
    assert report["schema"] == "wireproof-report/1"
    assert report["suite"] == {
        "name": "wireproof",
        "version": "0.1.0",
        "vectors_sha256": vectors_sha256(),
    }
    assert report["started_at"] == "2025-03-01T11:30:00+00:00"
    assert datetime.fromisoformat(report["started_at"]).tzinfo == UTC
    assert report["duration_s"] == 1.235
    assert set(report["platform"]) == {
        "system",
        "release",
        "machine",
        "python",
        "implementation",
    }
    assert report["subjects"] == []


@pytest.mark.parametrize("interrupted", [True, False])
def test_a_report_says_whether_the_run_was_interrupted(*, interrupted: bool) -> None:
    assert build(interrupted=interrupted)["interrupted"] is interrupted


def test_a_subject_is_reported_with_totals_and_clauses() -> None:
    (subject,) = build(SUBJECT)["subjects"]
    assert subject == {
        "protocol": "host-v1",
        "target": "./host",
        "name": "./host",
        "level": "wire",
        "sources": "all",
        "conformant": False,
        "conformant_to_document": False,
        "partial": True,
        "totals": {"must": {"failed": 1}, "should": {"passed": 1}, "may": {}},
        "results": [to_record(result) for result in RESULTS],
        "causes": [
            {
                "clauses": ["HV1-T1"],
                "verdict": "failed",
                "text": RESULTS[0].reason,
                "results": ["host-v1/a/one"],
            }
        ],
        "clauses": [
            {
                "id": "HV1-T1",
                "level": "must",
                "verdict": "failed",
                "source": "seed",
                "text": "Every line is a message.",
                "page": "clauses/host-v1/HV1-T1",
                "checks": ["host-v1/a/one"],
            },
            {
                "id": "HV1-T6",
                "level": "should",
                "verdict": "passed",
                "source": "settled",
                "text": "Blank lines are ignored.",
                "page": "clauses/host-v1/HV1-T6",
                "checks": ["host-v1/a/two"],
            },
        ],
        "starts": 2,
        "missing_checks": 5,
        "missing_tools": ["conformance_echo"],
        "fuzz_seed": 7,
        "latency_ms": 0.5,
        "ran": 2,
        "available": 7,
    }


HELD = Result("host-v1/a/b", ("HV1-T1",), "must", "seed", Verdict.PASSED)


@pytest.mark.parametrize(
    ("ran", "available", "conformant"), [(1, 1, True), (1, 2, False)]
)
def test_a_subject_conforms_only_where_all_checks_were_run(
    ran: int, available: int, *, conformant: bool
) -> None:
    held = replace(SUBJECT, results=[HELD], ran=ran, available=available)
    (subject,) = build(held)["subjects"]
    assert subject["conformant"] is conformant
    assert subject["partial"] is not conformant


def test_a_subject_that_was_not_tried_does_not_conform() -> None:
    (subject,) = build(UNTRIED)["subjects"]
    assert subject["conformant"] is False
    assert subject["level"] == "wire"
    assert subject["starts"] == 0
    assert subject["totals"] == {"must": {}, "should": {}, "may": {}}
    assert subject["clauses"] == []


def test_a_written_report_can_be_read_again(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_report(path, run(SUBJECT))
    assert json.loads(path.read_bytes()) == build(SUBJECT)
    assert path.read_bytes().isascii()
    assert path.read_bytes().endswith(b"}\n")
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_report_replaces_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old " * 10_000)
    write_report(path, run())
    assert json.loads(path.read_bytes())["subjects"] == []
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


def test_a_report_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")

    def refuse(*args: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("pathlib.Path.replace", refuse)
    with pytest.raises(OSError, match="no space left"):
        write_report(path, run())
    monkeypatch.undo()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


def test_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_report(tmp_path / "gone" / "report.json", run())


@pytest.mark.parametrize("name", ["report.json", "a b.json", "x.y.json"])
def test_a_path_in_a_folder_that_is_there_will_do(tmp_path: Path, name: str) -> None:
    assert check_report_path(tmp_path / name) is None


@pytest.mark.parametrize("name", ["report", "report.txt", "report.json.gz", ".json"])
def test_an_ending_of_no_known_kind_is_refused(tmp_path: Path, name: str) -> None:
    problem = check_report_path(tmp_path / name)
    assert problem is not None
    assert problem.startswith("the ending says which kind of report; give one of .json")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reports.json").mkdir()
    assert check_report_path(tmp_path / "reports.json") == (
        "it is a folder; give the path of a file"
    )


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    assert check_report_path(tmp_path / "away" / "report.json") == (
        f"the folder {tmp_path / 'away'} does not exist; make it first"
    )


def test_a_folder_that_may_not_be_written_to_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert check_report_path(tmp_path / "report.json") == (
        f"the folder {tmp_path} may not be written to"
    )
