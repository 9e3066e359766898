"""The checks of a version: what came later turns no gate red."""

from __future__ import annotations

import json
import re
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pytest
from tests.proof.trial import ROOT

from wireproof.pytest_run import _requirements
from wireproof.pytest_run._options import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]
    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"
OTHER = "host-v1/messages/unknown-method"


@pytest.fixture(autouse=True)
def versions(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a version 0.0 that had two checks."""
    folder = pytester.mkdir("requirements")
    watched = {"0.0": [], "0.05": ["host-v1/monitor/HV1-M1"]}
    for version, monitors in watched.items():
        checks = {"host-v1": [ONE, OTHER, *monitors], "socket-v1": []}
        (folder / f"{version}.json").write_text(json.dumps({"checks": checks}))
    monkeypatch.setattr(_requirements, "_folder", lambda: folder)


def test_the_checks_of_a_version_are_all_there_are(
    try_host: TryHost, read_report: ReadReport
) -> None:
    result = try_host("--requirements=0.0", "--compat-report=report.json")
    result.assert_outcomes(passed=2)
    (subject,) = read_report()["subjects"]
    assert (subject["conformant"], subject["partial"]) == (True, False)


@pytest.mark.parametrize("version", ["0.1", metadata.version("wireproof")])
def test_the_version_that_runs_has_all(
    try_host: TryHost, read_report: ReadReport, version: str
) -> None:
    try_host(f"--requirements={version}", ONE, "--compat-report=report.json")
    report = read_report()
    assert report["subjects"][0]["available"] > 400
    assert report["suite"]["version"] == metadata.version("wireproof")


def test_a_patch_version_has_the_checks_of_its_minor_version(try_host: TryHost) -> None:
    try_host("--requirements=0.0.7").assert_outcomes(passed=2)


def test_docs_and_help_name_a_version_that_is_accepted() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    named = [*re.findall(r"--requirements=([\d.]+)", page)]
    named += re.findall(r"such as ([\d.]+\d)", BY_NAME["requirements"].help)

    assert len(named) >= 2
    assert set(named) == {metadata.version("wireproof")}


def test_what_a_monitor_watches_since_later_fails_nothing(
    try_host: TryHost, read_report: ReadReport
) -> None:
    report = "--compat-report=report.json"
    result = try_host("--requirements=0.0", OTHER, report, fault="wrong-version")
    assert result.ret == pytest.ExitCode.OK
    (subject,) = read_report()["subjects"]
    assert [one["id"] for one in subject["results"]] == [OTHER]
    result = try_host("--requirements=0.05", OTHER, report, fault="wrong-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_version_that_is_not_there_is_refused_with_those_that_are(
    try_host: TryHost,
) -> None:
    result = try_host("--requirements=7.5", ONE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = "the vectors have no such version; they have 0.0, 0.05, 0.1"
    result.stderr.fnmatch_lines([f"ERROR: --requirements: '7.5': {told}"])


def test_a_check_that_came_later_is_not_there_to_be_named(try_host: TryHost) -> None:
    result = try_host("--requirements=0.0", "host-v1/init/first-init")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: no check has the id *"])
