"""A baseline lets what it lists fail, and tells where it is out of date."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]
    TryHost = Callable[..., pytest.RunResult]
    MakeBaseline = Callable[..., str]

ONE = "host-v1/messages/version-of-a-success"
OTHER = "host-v1/messages/unknown-method"
MONITOR = "host-v1/monitor/HV1-M1"
REPORT = "--compat-report=report.json"
HELD = "known failures: known.json: * failed as listed"


def entry(check: str, *clauses: str, **others: str) -> dict[str, Any]:
    found = {
        "id": check,
        "clauses": clauses or ("HV1-M1",),
        "reason": "version 2 first",
    }
    return {**found, **others}


BOTH = (entry(ONE), entry(MONITOR))


@pytest.fixture
def baseline(pytester: pytest.Pytester) -> MakeBaseline:
    """Return what writes a baseline, and gives the option that names it."""

    def make(*entries: dict[str, Any]) -> str:
        document = {"schema": "wireproof-baseline/1", "entries": entries}
        (pytester.path / "known.json").write_text(json.dumps(document, indent=1))
        return "--known-failures=known.json"

    return make


def test_what_is_listed_fails_nothing_and_does_not_conform(
    try_host: TryHost, baseline: MakeBaseline, read_report: ReadReport
) -> None:
    result = try_host(ONE, REPORT, baseline(*BOTH), fault="wrong-version")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "host-v1/messages x*",
            "conforms to the full profile: no, for known failures alone (level wire, *",
            "    must   1 known failure",
            "known failure: HV1-M1: version 2 first: 1 check and a monitor",
            "known failures: known.json: 2 entries, 2 failed as listed",
        ]
    )
    (subject,) = read_report()["subjects"]
    verdicts = {one["id"]: one["verdict"] for one in subject["results"]}
    assert verdicts[ONE] == verdicts[MONITOR] == "known failure"
    assert subject["conformant"] is False


def test_the_reason_is_told_where_pytest_tells_it(
    pytester: pytest.Pytester, try_host: TryHost, baseline: MakeBaseline
) -> None:
    known = baseline(entry(ONE, issue="#7", expires="9999-12-31"), entry(MONITOR))
    result = try_host(ONE, "-rx", "--junitxml=junit.xml", known, fault="wrong-version")
    result.stdout.fnmatch_lines(
        [
            "known failure: HV1-M1: version 2 first (#7, until 9999-12-31): 1 check",
            f"KNOWN FAILURE {ONE} - version 2 first",
        ]
    )
    (case,) = ET.parse(pytester.path / "junit.xml").getroot().iter("testcase")  # noqa: S314 - our own
    skipped = case.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "version 2 first"


@pytest.mark.parametrize("arguments", [["-n", "2"], ["-x"], ["-v"]])
def test_a_monitor_may_fire_in_another_check_each_time(
    try_host: TryHost, baseline: MakeBaseline, arguments: list[str]
) -> None:
    result = try_host(ONE, OTHER, baseline(*BOTH), *arguments, fault="wrong-version")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(xfailed=1, passed=1)


def test_what_was_not_selected_is_left_alone(
    try_host: TryHost, baseline: MakeBaseline
) -> None:
    known = baseline(
        *BOTH,
        entry("host-v1/init/first-init", "HV1-R1"),
        entry("host-v1/fuzz/cuts", "HV1-T1"),
        entry("socket-v1/calls/echo", "SOCK-C1"),
        entry(OTHER, "HV1-M2", subject="./another"),
        # A monitor has seen a part of the checks only.
        entry("host-v1/monitor/HV1-T1", "HV1-T1"),
    )
    result = try_host(ONE, OTHER, known, fault="wrong-version")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines([HELD])


def test_a_listed_check_that_passes_fails_with_the_remedy(
    pytester: pytest.Pytester, try_host: TryHost, baseline: MakeBaseline
) -> None:
    result = try_host(ONE, OTHER, "-x", "--junitxml=junit.xml", baseline(entry(ONE)))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1)
    told = (
        f"known.json, line 4, entry 1: {ONE}: it is listed as a known failure of "
        "this subject and did not fail (passed); remove the entry, or write the file "
        "anew (--write-known-failures)"
    )
    result.stdout.fnmatch_lines([told, f"known failures: {told}"])
    (case,) = ET.parse(pytester.path / "junit.xml").getroot().iter("testcase")  # noqa: S314 - our own
    assert case.find("failure") is not None


def test_a_check_that_fails_otherwise_is_shown_with_both_ways(
    try_host: TryHost, baseline: MakeBaseline
) -> None:
    known = baseline(entry(ONE, "HV1-M2", "HV1-M1"), entry(MONITOR))
    result = try_host(ONE, known, fault="wrong-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "HV1-M1 MUST *",
            "what was sent *",
            (
                f"known.json, line 4, entry 1: {ONE}: it fails in another way than is "
                "listed: HV1-M1 instead of HV1-M1, HV1-M2; mend what is new, or *"
            ),
        ]
    )


def test_a_monitor_that_is_not_listed_still_fails_the_run(
    try_host: TryHost, baseline: MakeBaseline
) -> None:
    result = try_host(ONE, baseline(entry(ONE)), fault="wrong-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([f"FAILED {ONE} - HV1-M1, seen by a *"])


def test_an_entry_of_one_subject_excuses_no_other(
    pytester: pytest.Pytester, tiny: str, baseline: MakeBaseline
) -> None:
    wrong = f"{tiny} wrong-version"
    known = baseline(entry(ONE, subject=wrong), entry(MONITOR, subject=wrong))
    hosts = (f"--host={tiny}", f"--host={wrong}", f"--host={wrong}")
    result = pytester.runpytest_inprocess(*hosts[:2], "--fuzz=0", ONE, known)
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, xfailed=1)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (entry("host-v1/messages/no-such"), "*: no check has this id; *"),
        (entry(OTHER, expires="2000-01-01"), "*: it has expired on 2000-01-01; *"),
        (entry(OTHER, reason=""), "*, line 16, entry 2, 'reason': it is empty; say *"),
    ],
)
def test_a_baseline_that_cannot_be_used_stops_the_run_at_once(
    try_host: TryHost, baseline: MakeBaseline, wrong: dict[str, Any], told: str
) -> None:
    result = try_host(ONE, baseline(entry(ONE), wrong))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: known.json{told}"])
    result.stdout.no_fnmatch_line("*collected*")


def test_a_file_that_is_not_there_is_told_with_what_writes_it(
    try_host: TryHost,
) -> None:
    result = try_host(ONE, "--known-failures=away.json")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            (
                "ERROR: --known-failures: 'away.json': there is no such file; "
                "--write-known-failures=FILE writes a baseline"
            )
        ]
    )


def test_a_folder_is_called_a_folder(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    pytester.mkdir("known")
    result = try_host(ONE, "--known-failures=known")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --known-failures: 'known': this is a folder; *"]
    )


def test_it_can_be_named_in_the_settings_and_left_out_with_runxfail(
    pytester: pytest.Pytester, try_host: TryHost, baseline: MakeBaseline
) -> None:
    baseline(*BOTH)
    pytester.makeini("[pytest]\nwireproof_known_failures = known.json\n")
    assert try_host(ONE, fault="wrong-version").ret == pytest.ExitCode.OK
    shown = try_host(ONE, "--runxfail", fault="wrong-version")
    assert shown.ret == pytest.ExitCode.TESTS_FAILED
