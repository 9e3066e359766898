"""What a monitor finds in no check still fails the run by a line of its own."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

ONE = "host-v1/messages/unknown-method"


def test_a_fault_of_the_start_is_listed_by_a_name_that_can_be_selected(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny} banner", "--fuzz=0", "--junitxml=junit.xml", ONE
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "* host-v1 *",
            "HV1-T1 MUST *",
            "seen by a monitor, which watches this * when the subject was started",
            "  1 check",
            "  14 clauses that monitors watched, or saw broken, in the frames *",
            "next: mend HV1-T2, on which 1 more rests; see it again: *",
            "FAILED host-v1 - HV1-T?, seen by a monitor: a line that is not JSON*",
        ]
    )
    cases = [*ET.parse(pytester.path / "junit.xml").getroot().iter("testcase")]  # noqa: S314 - our own
    (late,) = (case for case in cases if case.get("name") == "host-v1")
    told = [one.get("value") for one in late.iter("property")]
    assert told == ["failed", "HV1-T1", "failed", "HV1-T2"]
    found = {case.get("name"): case.find("failure") is not None for case in cases}
    assert found == {"unknown-method": False, "host-v1": True}


def test_an_unfinished_last_line_fails_the_run_by_its_monitor(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny} last-words", "--fuzz=0", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["    seen by a monitor, at the end of the run", "FAILED host-v1 - *"]
    )


def test_the_id_of_a_monitor_is_told_from_that_of_a_check(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny}", "host-v1/monitor/HV1-M1")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*'host-v1/monitor/HV1-M1' is the result of a monitor, *'host-v1' for all"]
    )


def test_an_end_at_the_start_is_told_once_with_its_message(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny} dies", "--fuzz=0", "host-v1/optional-methods"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "  none of the ?? checks could be tried",
            "the subject exited with status 1 before it answered anything",
            "* ! the configuration is missing",
            "next: name a program that starts and answers init",
        ]
    )
    # It stands in the failure, and not again in the summary.
    assert result.stdout.str().count("reproduce") == 1


def test_of_what_does_not_answer_no_line_is_offered(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(
        "--host=sleep 600", "--subject-timeout=0.1", ONE
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    shown = result.stdout.str()
    assert "printf" not in shown
    assert "next: name a program that starts and answers init" in result.outlines


def test_a_check_in_which_a_monitor_fires_fails_and_shows_the_frame(
    pytester: pytest.Pytester, tiny: str
) -> None:
    one = "host-v1/execute-tool/echo-unicode"
    result = pytester.runpytest_inprocess(
        f"--host={tiny} cut-echoes", "--fuzz=0", "--subject-timeout=2", one
    )

    result.stdout.fnmatch_lines(
        [
            "HV1-M10 MUST*",
            "failed: execute_tool conformance_echo was not answered within 2 s; *",
            "HV1-T1 MUST*",
            "failed in this check: a line of the output is not valid JSON: *",
            '  ← {"v":1,"id":"cut',
            "*1 failed in *",
        ]
    )
