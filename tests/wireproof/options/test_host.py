from __future__ import annotations

import os
import select
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"
CALL = "host-v1/execute-tool/call-with-state"


@pytest.mark.sweep
def test_the_reference_conforms(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--host=reference", "--fuzz=0")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "wireproof: host-v1 reference",
            "*= wireproof: host-v1 reference =*",
            "conforms to the full profile: yes (level full*",
            "  * checks",
            "    must *passed",
            "next: keep it so in CI: pytest '--host=reference' *",
        ]
    )
    result.stdout.no_fnmatch_line("* [0-9]* failed*")
    result.stdout.no_fnmatch_line("* [0-9]* warned*")


def test_a_command_is_given_its_arguments(pytester: pytest.Pytester, tiny: str) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny} wrong-version", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*v is 2, not 1*"])


def test_the_option_and_its_value_may_be_two_words(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess("--host", tiny, ONE)
    result.assert_outcomes(passed=1)


def test_no_shell_is_started(pytester: pytest.Pytester, tiny: str) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny} ; touch made", ONE)
    result.assert_outcomes(passed=1)
    assert not (pytester.path / "made").exists()


def test_two_subjects_are_told_apart(pytester: pytest.Pytester, tiny: str) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", f"--host={tiny} wrong-version", ONE, "-v", "--fuzz=0"
    )
    result.stdout.fnmatch_lines(
        [
            f"{ONE}[[]{tiny}] PASSED*",
            f"{ONE}[[]{tiny} wrong-version] FAILED*",
            f"*= wireproof: host-v1 {tiny} =*",
            "conforms to the full profile: nothing broken (level wire, 1 of *",
            f"*= wireproof: host-v1 {tiny} wrong-version =*",
            "conforms to the full profile: no (level wire*",
        ]
    )


def test_one_command_may_be_given_twice(pytester: pytest.Pytester, tiny: str) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny}", f"--host={tiny}", ONE, "-v")
    result.stdout.fnmatch_lines(
        [f"{ONE}[[]{tiny}] PASSED*", f"{ONE}[[]{tiny} #2] PASSED*"]
    )


def test_one_of_two_subjects_can_be_named(pytester: pytest.Pytester, tiny: str) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", f"--host={tiny} wrong-version", f"{ONE}[{tiny}]", "-v"
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"{ONE}[[]{tiny}] PASSED*"])


def test_a_command_that_does_not_exist_is_a_usage_error(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--host=./no-such-host", "--fuzz=0")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    folder = pytester.path
    assert result.errlines[0] == (
        f"ERROR: --host: cannot start './no-such-host': no such file in '{folder}'"
    )


@pytest.mark.parametrize(
    ("fault", "shown"),
    [
        ("dies", "the configuration is missing"),
        ("banner", "HV1-T2 MUST *"),
        ("answers-twice", "HV1-M3 MUST *"),
    ],
)
def test_a_host_with_a_fault_fails_with_what_it_did(
    try_host: TryHost, fault: str, shown: str
) -> None:
    result = try_host(ONE, fault=fault)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["conforms to the full profile: no (level wire*"])
    result.stdout.fnmatch_lines([f"*{shown}*"])


@pytest.mark.parametrize(
    # Lines of some length, of which fewer come at a time.
    "command",
    ["true", "false", "cat", f"yes {'no-host' * 20}", "echo {}"],
    ids=["true", "false", "cat", "yes", "echo"],
)
def test_a_program_that_is_no_host_earns_nothing(
    pytester: pytest.Pytester, command: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={command}",
        "--fuzz=0",
        "--subject-timeout=0.5",
        "--compat-report=report.json",
        "host-v1/messages",
        "host-v1/init",
        "host-v1/values",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["conforms to the full profile: no (level wire*"])
    assert "passed" not in result.parseoutcomes()
    assert "recorded" not in result.parseoutcomes()


def test_a_relative_command_is_looked_for_where_the_user_stands(
    pytester: pytest.Pytester, tiny: str
) -> None:
    script = pytester.path / "my-host"
    script.write_text(f"#!/bin/sh\nexec {tiny}\n")
    script.chmod(0o755)
    pytester.runpytest_inprocess("--host=./my-host", ONE).assert_outcomes(passed=1)


def has_ended(pid: int) -> bool:
    """Tell whether a process that was killed is gone, as soon as the system says so."""
    try:
        number = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([number], [], [], 10)[0])
    finally:
        os.close(number)


def test_nothing_of_the_subject_is_left(pytester: pytest.Pytester, tiny: str) -> None:
    script = pytester.path / "host"
    script.write_text(f"#!/bin/sh\nsleep 600 &\necho $! >child\nexec {tiny}\n")
    script.chmod(0o755)
    pytester.runpytest_inprocess("--host=./host", ONE).assert_outcomes(passed=1)
    assert has_ended(int((pytester.path / "child").read_text()))


def test_an_empty_folder_is_a_fine_place(pytester: pytest.Pytester, tiny: str) -> None:
    folder = pytester.mkdir("empty")
    os.chdir(folder)
    result = pytester.runpytest_subprocess(
        f"--host={tiny}", ONE, "-p", "no:cacheprovider"
    )
    assert result.ret == pytest.ExitCode.OK
    assert list(folder.iterdir()) == []


def test_a_folder_with_broken_tests_is_a_fine_place(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    pytester.makepyfile(test_broken="this is no Python")
    pytester.makepyfile(test_failing="def test_no(): assert False")
    pytester.mkdir("tests")
    (pytester.path / "tests" / "test_import.py").write_text("import no_such_module")
    result = try_host("-k", "version-of-a-success")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, deselected=result.parseoutcomes()["deselected"])


def test_a_command_in_a_folder_of_tests_loads_nothing_of_it(
    pytester: pytest.Pytester,
) -> None:
    folder = pytester.mkdir("theirs")
    (folder / "conftest.py").write_text("raise RuntimeError('not for us')")
    script = folder / "host"
    script.write_text("#!/bin/sh\nexit 1\n")
    script.chmod(0o755)
    result = pytester.runpytest_inprocess("--host", "theirs/host", ONE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["conforms to the full profile: no (level wire*"])


def test_the_interpreter_of_the_run_runs_the_reference(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess(
        "--host=reference", ONE, "--subject-env=PATH=/nowhere"
    )
    result.assert_outcomes(passed=1)
    assert Path(sys.executable).is_absolute()


@pytest.mark.parametrize(
    ("fault", "line"),
    [("wrong-version", "  (printf *"), ("own-state", f"  pytest {ONE} *")],
)
def test_a_state_that_the_next_start_would_not_know_is_in_no_pipe(
    pytester: pytest.Pytester, tiny: str, fault: str, line: str
) -> None:
    # The second check runs on a host of its own.
    result = pytester.runpytest_inprocess(f"--host={tiny} {fault}", CALL, ONE)
    result.stdout.fnmatch_lines(["reproduce*", line])


def test_missing_tools_are_named_where_the_listing_stands_elsewhere(
    pytester: pytest.Pytester, tiny: str
) -> None:
    # The control after the listing needs a state and an echo, and has them.
    group = "host-v1/events"
    host = f"--host={tiny} plain-list"
    result = pytester.runpytest_inprocess(host, group, "--fuzz=0")
    result.stdout.fnmatch_lines(["* conformance_stream*"])
