from __future__ import annotations

import sys

import pytest


def test_all_checks_are_listed_without_a_subject(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--list-vectors")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "host-v1/bad-input/plain-text * should  HV1-T7  *",
            "host-v1/execute-tool/echo-unicode * must *HV1-M10 *",
            "host-v1/fuzz/cuts *",
        ]
    )
    protocols = {line.partition("/")[0] for line in result.outlines if line}
    assert protocols == {"host-client", "host-v1", "interop", "socket-v1"}


def test_the_list_goes_by_level_and_fuzzing(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--list-vectors", "--level=must", "--fuzz=0")
    assert result.ret == pytest.ExitCode.OK
    lines = [line for line in result.outlines if line]
    assert all(line.split()[1] == "must" for line in lines)
    assert not any("/fuzz/" in line for line in lines)


def test_nothing_is_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_mine(): assert False")
    result = pytester.runpytest_inprocess("--list-vectors", "--host=./absent", ".")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("*collected*")


def test_a_bad_option_is_a_usage_error_here_too(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--list-vectors", "--level=all")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --level: 'all': give one of *"])


def test_a_pipe_that_is_closed_early_is_no_traceback(
    pytester: pytest.Pytester,
) -> None:
    line = f"{sys.executable} -m pytest --list-vectors | head -n 1"
    result = pytester.run("sh", "-c", line)
    assert result.ret == 0
    assert "Traceback" not in result.stderr.str()
    assert len(result.outlines) == 1
