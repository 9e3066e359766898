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
    assert protocols == {
        "exec-oneshot",
        "exec-runtime",
        "exec-server",
        "host-client",
        "host-v1",
        "interop",
        "socket-v1",
        "tool-contract",
    }


def test_a_protocol_that_was_not_asked_for_is_left_out(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--list-vectors", "--socket=./absent")
    protocols = {line.partition("/")[0] for line in result.outlines if line}
    assert protocols == {"socket-v1"}


def test_the_list_goes_by_ids(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess(
        "--list-vectors", "host-v1/init", "host-v1/messages/version-of-a-success"
    )
    names = [line.split()[0] for line in result.outlines if line]
    assert {name.rpartition("/")[0] for name in names} == {
        "host-v1/init",
        "host-v1/messages",
    }
    assert "host-v1/messages/version-of-a-failure" not in names


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (
            ["-k", "version-of-a"],
            [
                "host-v1/messages/version-of-a-success",
                "host-v1/messages/version-of-a-failure",
                "host-v1/messages/version-of-an-event",
            ],
        ),
        (
            ["-k", "HV1-M1", "host-v1/messages/version-of-a-success"],
            ["host-v1/messages/version-of-a-success"],
        ),
        (["-m", "may and not may"], []),
    ],
)
def test_the_list_goes_by_words_and_markers(
    pytester: pytest.Pytester, arguments: list[str], names: list[str]
) -> None:
    result = pytester.runpytest_subprocess(
        "--list-vectors", "--host=./absent", *arguments
    )
    assert result.ret == pytest.ExitCode.OK
    found = [line.split()[0] for line in result.outlines if line]
    assert sorted(found) == sorted(names)


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


def test_what_matches_nothing_is_said(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(
        "--list-vectors", "--host=./absent", "-k", "nosuchname"
    )
    assert result.errlines == ["no check matches what was asked for"]
