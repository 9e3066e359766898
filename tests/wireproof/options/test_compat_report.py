from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from wireproof.command import main
from wireproof_vectors import load_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]
    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"
REPORT = "--compat-report=report.json"


def test_a_report_is_written_as_its_schema_says(
    try_host: TryHost, read_report: ReadReport
) -> None:
    result = try_host(REPORT, "host-v1/messages", "host-v1/init")
    result.stdout.fnmatch_lines(["report: */report.json"])
    report = read_report()
    schema: Any = load_schema("report")
    jsonschema.validate(report, schema, jsonschema.Draft202012Validator)
    assert report["interrupted"] is False


def test_a_report_names_the_subject_as_it_was_typed(
    try_host: TryHost, read_report: ReadReport, tiny: str
) -> None:
    try_host(REPORT, ONE)
    (subject,) = read_report()["subjects"]
    assert subject["protocol"] == "host-v1"
    assert subject["target"] == tiny
    assert subject["level"] == "wire"
    assert (subject["conformant"], subject["partial"]) == (False, True)
    assert subject["starts"] == 1
    assert "conformance_echo" not in subject["missing_tools"]
    assert "conformance_stream" in subject["missing_tools"]


def test_a_result_holds_its_evidence(
    try_host: TryHost, read_report: ReadReport
) -> None:
    try_host(REPORT, ONE)
    (subject,) = read_report()["subjects"]
    first = subject["results"][0]
    assert first["id"] == ONE
    assert first["clauses"] == ["HV1-M1"]
    assert first["verdict"] == "passed"
    assert {entry["dir"] for entry in first["transcript"]} == {"sent", "received"}
    assert first["evidence"]["frames"] >= 1


def test_monitors_have_results_of_their_own(
    try_host: TryHost, read_report: ReadReport
) -> None:
    try_host(REPORT, ONE, fault="wrong-version")
    (subject,) = read_report()["subjects"]
    monitors = {
        result["id"]: result["verdict"]
        for result in subject["results"]
        if result.get("by_monitor")
    }
    assert monitors["host-v1/monitor/HV1-M1"] == "failed"
    assert monitors["host-v1/monitor/HV1-T1"] == "passed"
    assert subject["conformant"] is False


def test_reports_can_be_written_to_several_places(
    try_host: TryHost, read_report: ReadReport
) -> None:
    try_host(REPORT, "--compat-report=second.json", ONE)
    assert read_report() == read_report("second.json")


def test_two_subjects_share_a_report(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    pytester.runpytest_inprocess(
        f"--host={tiny}", f"--host={tiny} wrong-version", REPORT, ONE
    )
    first, second = read_report()["subjects"]
    assert "failed" not in first["totals"]["must"]
    assert "failed" in second["totals"]["must"]
    assert first["results"][0]["id"] == second["results"][0]["id"] == ONE


@pytest.mark.parametrize(
    ("path", "remedy"),
    [
        ("report.txt", "the ending says which kind of report*"),
        ("away/report.json", "the folder */away does not exist; make it first"),
        ("folder.json", "it is a folder; give the path of a file"),
    ],
)
def test_a_path_that_will_not_do_is_refused_before_anything_is_run(
    pytester: pytest.Pytester, try_host: TryHost, path: str, remedy: str
) -> None:
    pytester.mkdir("folder.json")
    result = try_host(f"--compat-report={path}", ONE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --compat-report: '{path}': {remedy}"])
    result.stdout.no_fnmatch_line("*collected*")


def test_a_run_that_was_stopped_says_so(
    try_host: TryHost, read_report: ReadReport
) -> None:
    result = try_host("-x", REPORT, "host-v1/messages", fault="wrong-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    report = read_report()
    assert report["interrupted"] is True
    assert report["subjects"][0]["conformant"] is False


def test_a_folder_that_goes_away_in_the_run_is_no_traceback(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    pytester.mkdir("out")
    pytester.makeconftest(
        """
        import shutil

        def pytest_runtest_setup(item):
            shutil.rmtree("out", ignore_errors=True)
        """
    )
    result = try_host("--compat-report=out/report.json", ONE)
    assert result.ret not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    assert "out/report.json" in result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()


def test_what_a_broken_host_differs_in_is_named_by_its_clause(
    pytester: pytest.Pytester,
    try_host: TryHost,
    capsys: pytest.CaptureFixture[str],
) -> None:
    try_host(ONE, "--compat-report=good.json")
    try_host(ONE, "--compat-report=bad.json", fault="wrong-version")
    capsys.readouterr()
    assert main(["report", "diff", "good.json", "bad.json"]) == 1
    told = capsys.readouterr().out
    assert "  regressions\n    HV1-M1 MUST [document] " in told
    assert f"{ONE}: passed → failed: " in told
