from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]
    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"
GROUP = "host-v1/messages"
REPORT = "--compat-report=report.json"


def test_each_group_is_a_line_of_progress(try_host: TryHost) -> None:
    result = try_host("host-v1/init", "host-v1/messages")
    result.stdout.re_match_lines([r"host-v1/init [.w]+", r"host-v1/messages [.w-]+"])


def test_quiet_shows_letters_alone(try_host: TryHost) -> None:
    result = try_host("-q", ONE)
    assert result.outlines[0].startswith(". ")
    result.stdout.fnmatch_lines(
        [
            "conforms to the full profile: nothing broken (level wire, 1 of *",
            "1 passed in *",
        ]
    )


def test_verbose_shows_ids_and_verdicts(try_host: TryHost) -> None:
    result = try_host("-v", ONE, "host-v1/optional-methods/tags")
    result.stdout.fnmatch_lines(
        [f"{ONE} PASSED*", "host-v1/optional-methods/tags NOT APPLICABLE*"]
    )


def test_without_a_terminal_plugin_it_runs_too(
    try_host: TryHost, read_report: ReadReport
) -> None:
    result = try_host("-p", "no:terminal", REPORT, ONE)
    assert result.ret == pytest.ExitCode.OK
    assert read_report()["subjects"][0]["totals"]["must"]["passed"] > 0


def test_without_a_cache_it_runs_too(try_host: TryHost) -> None:
    try_host("-p", "no:cacheprovider", ONE).assert_outcomes(passed=1)


def test_junit_has_a_case_for_each_check(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    try_host("--junitxml=junit.xml", ONE, "host-v1/optional-methods/tags")
    cases = ET.parse(pytester.path / "junit.xml").getroot().iter("testcase")  # noqa: S314
    found = {
        f"{case.get('classname')}|{case.get('name')}": {
            prop.get("name"): prop.get("value") for prop in case.iter("property")
        }
        for case in cases
    }
    assert found == {
        "host-v1.messages|version-of-a-success": {
            "verdict": "passed",
            "clauses": "HV1-M1",
        },
        "host-v1.optional-methods|tags": {
            "verdict": "not applicable",
            "clauses": "HV1-O3",
        },
    }


def test_junit_names_a_case_the_same_with_workers_subjects_and_a_prefix(
    pytester: pytest.Pytester, tiny: str
) -> None:
    pytester.runpytest_inprocess(
        f"--host={tiny}",
        f"--host={tiny} wrong-version",
        "--junitxml=junit.xml",
        "--junitprefix=all",
        "-n2",
        ONE,
    )
    cases = ET.parse(pytester.path / "junit.xml").getroot().iter("testcase")  # noqa: S314
    found = {(case.get("classname"), case.get("name")) for case in cases}
    assert found == {
        ("all.host-v1.messages", f"version-of-a-success[{tiny}]"),
        ("all.host-v1.messages", f"version-of-a-success[{tiny} wrong-version]"),
    }


def test_junit_text_is_xml_whatever_the_host_wrote(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    try_host("--junitxml=junit.xml", ONE, fault="escapes")
    root = ET.parse(pytester.path / "junit.xml").getroot()  # noqa: S314
    names = {case.get("name") for case in root.iter("testcase")}
    assert names == {"version-of-a-success"}
    assert next(root.iter("testsuite")).get("failures") == "1"


def test_what_a_host_writes_cannot_drive_the_terminal(try_host: TryHost) -> None:
    result = try_host(ONE, "-vv", fault="escapes")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    shown = result.stdout.str()
    assert "\\u001b[2J" in shown
    assert "\x1b[2J" not in shown
    assert "\x07" not in shown


def test_failures_can_be_left_out(try_host: TryHost) -> None:
    result = try_host(ONE, "--tb=no", fault="wrong-version")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.no_fnmatch_line("*what was sent*")


def test_two_workers_find_what_one_process_finds(
    try_host: TryHost, read_report: ReadReport
) -> None:
    ids: list[Any] = []
    for arguments in ([], ["-n", "2"]):
        result = try_host(GROUP, REPORT, *arguments, fault="wrong-version")
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        (subject,) = read_report()["subjects"]
        ids.append(sorted((r["id"], r["verdict"]) for r in subject["results"]))
        assert subject["conformant"] is False
        assert read_report()["interrupted"] is False
    assert ids[0] == ids[1]


def test_two_workers_start_a_host_each(
    try_host: TryHost, read_report: ReadReport
) -> None:
    # None of this group asks for a host of its own.
    result = try_host("host-v1/execute-tool", REPORT, "-n", "2")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "conforms to the full profile: nothing broken (level wire, *",
            "started 2 times, *",
        ]
    )
    (subject,) = read_report()["subjects"]
    assert subject["starts"] == 2
    monitors = [r for r in subject["results"] if r.get("by_monitor")]
    assert len(monitors) == len({monitor["id"] for monitor in monitors})


def test_two_workers_share_the_seed(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", "--fuzz=1", "-n", "2", REPORT, "host-v1/fuzz/cuts"
    )
    seed = read_report()["subjects"][0]["fuzz_seed"]
    result.stdout.fnmatch_lines([f"wireproof: --fuzz-seed={seed}"])


def test_two_workers_run_own_tests_too(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    pytester.makepyfile(test_own="def test_own(host): assert host.state")
    result = try_host("-n", "2", ONE, "test_own.py")
    result.assert_outcomes(passed=2)


def test_an_interrupted_run_writes_its_report_and_leaves_no_process(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    script = pytester.path / "host"
    script.write_text(f"#!/bin/sh\necho $$ >>pids\nexec {tiny}\n")
    script.chmod(0o755)
    pytester.makeconftest(
        """
        seen = []

        def pytest_runtest_logreport(report):
            if report.when == "call":
                seen.append(report.nodeid)
            if len(seen) == 3:
                raise KeyboardInterrupt
        """
    )
    result = pytester.runpytest_subprocess("--host=./host", "--fuzz=0", REPORT, GROUP)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    report = read_report()
    assert report["interrupted"] is True
    results = report["subjects"][0]["results"]
    assert len([r for r in results if not r.get("by_monitor")]) == 3
    for pid in (pytester.path / "pids").read_text().split():
        assert not pytester.path.joinpath(f"/proc/{pid}").exists()


@pytest.mark.parametrize(
    ("hook", "error"),
    [
        ("pytest_runtest_teardown(item)", "KeyboardInterrupt"),
        ("pytest_sessionfinish(session)", "KeyboardInterrupt"),
        ("pytest_sessionfinish(session)", "RuntimeError('broken')"),
        ("pytest_runtest_logreport(report)", "RuntimeError('broken')"),
    ],
)
def test_a_run_that_breaks_anywhere_leaves_no_process(
    pytester: pytest.Pytester, tiny: str, hook: str, error: str
) -> None:
    script = pytester.path / "host"
    script.write_text(f"#!/bin/sh\necho $$ >>pids\nexec {tiny}\n")
    script.chmod(0o755)
    (pytester.path / "pids").touch()
    pytester.makeconftest(
        f"""
        import pytest

        @pytest.hookimpl(tryfirst=True)
        def {hook}:
            raise {error}
        """
    )
    result = pytester.runpytest_subprocess("--host=./host", REPORT, ONE)
    assert result.ret != pytest.ExitCode.OK
    for pid in (pytester.path / "pids").read_text().split():
        assert not pytester.path.joinpath(f"/proc/{pid}").exists()


def test_a_hook_that_is_interrupted_first_of_all_still_writes_the_report(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    pytester.makeconftest(
        """
        def pytest_runtest_setup(item):
            raise KeyboardInterrupt
        """
    )
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", REPORT, ONE, no_reraise_ctrlc=True
    )
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert read_report()["interrupted"] is True
    assert read_report()["subjects"][0]["conformant"] is False
