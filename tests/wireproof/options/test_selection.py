from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    TryHost = Callable[..., pytest.RunResult]

ONE = "host-v1/messages/version-of-a-success"
OTHER = "host-v1/messages/version-of-a-failure"
WRONG = "wrong-version"


def test_an_id_selects_its_check(try_host: TryHost) -> None:
    result = try_host(ONE, OTHER, "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"{ONE} PASSED*", f"{OTHER} PASSED*"])


@pytest.mark.parametrize("argument", ["host-v1/init", "host-v1/init/"])
def test_the_beginning_of_an_id_selects_a_group(
    try_host: TryHost, argument: str
) -> None:
    result = try_host(argument, "--collect-only", "-q")
    listed = [line for line in result.outlines if line.startswith("host-v1/")]
    assert len(listed) > 3
    assert all(line.startswith("host-v1/init/") for line in listed)


def test_an_id_that_does_not_exist_is_a_usage_error(try_host: TryHost) -> None:
    result = try_host("host-v1/messages/version-of-a-succes")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: no check has the id *; did you mean {ONE}*"])


@pytest.mark.parametrize("beside", [[], ["--adapter=./absent"]])
@pytest.mark.parametrize(
    ("argument", "protocol", "missing"),
    [
        ("host-v1/init", "host-v1", "no host is named: add --host=CMD"),
        ("host-v1", "host-v1", "no host is named: add --host=CMD"),
        ("socket-v1/", "socket-v1", "no server is named: add --socket=PATH|CMD"),
    ],
)
def test_a_check_without_a_subject_is_a_usage_error_that_names_the_option(
    pytester: pytest.Pytester,
    argument: str,
    protocol: str,
    missing: str,
    beside: list[str],
) -> None:
    result = pytester.runpytest_inprocess(argument, *beside)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: {argument} is for checks of {protocol}, and {missing}"]
    )


def test_a_folder_of_the_name_of_a_protocol_is_a_folder(
    pytester: pytest.Pytester,
) -> None:
    (pytester.mkdir("host-v1") / "test_a.py").write_text("def test_a(): pass")
    pytester.runpytest_inprocess("host-v1").assert_outcomes(passed=1)


def test_words_select_by_name_and_clause(try_host: TryHost) -> None:
    result = try_host("-k", "version-of-a-success or HV1-R3", "-v")
    result.stdout.fnmatch_lines(
        ["host-v1/get-tool-schemas/array-of-objects PASSED*", f"{ONE} PASSED*"]
    )


def test_a_level_is_a_marker(try_host: TryHost) -> None:
    result = try_host("-m", "may", "--collect-only", "-q", "--strict-markers")
    listed = [line for line in result.outlines if line.startswith("host-v1/")]
    assert "host-v1/messages/own-keys-of-a-success" in listed
    assert ONE not in listed


def test_a_protocol_is_a_marker(pytester: pytest.Pytester, try_host: TryHost) -> None:
    pytester.makepyfile("def test_mine(): assert False")
    result = try_host("-m", "host_v1", ONE, "test_a_protocol_is_a_marker.py")
    assert result.parseoutcomes() == {"passed": 1, "deselected": 1}


def test_markers_are_listed(try_host: TryHost) -> None:
    result = try_host("--markers")
    result.stdout.fnmatch_lines(
        ["@pytest.mark.host_v1: *", "@pytest.mark.must: *", "@pytest.mark.may: *"]
    )


def test_what_failed_last_is_run_again(pytester: pytest.Pytester, tiny: str) -> None:
    run = pytester.runpytest_inprocess
    pytester.makepyfile(
        host=f"""
        import os, shlex, pathlib
        fault = "wrong-version" if pathlib.Path("broken").exists() else ""
        os.execvp("python3", [*shlex.split({tiny!r}), fault])
        """
    )
    (pytester.path / "broken").touch()
    host = f"--host={tiny.split(maxsplit=1)[0]} host.py"
    first = run(host, "--fuzz=0", ONE, "host-v1/init/first-init")
    assert first.ret == pytest.ExitCode.TESTS_FAILED
    failed = first.parseoutcomes()["failed"]
    (pytester.path / "broken").unlink()
    again = run(host, "--fuzz=0", "--lf", "host-v1/messages", "host-v1/init")
    assert again.ret == pytest.ExitCode.OK
    assert again.parseoutcomes()["passed"] == failed


def test_the_first_failure_ends_the_run_where_it_was_asked_for(
    try_host: TryHost,
) -> None:
    result = try_host("-x", "host-v1/messages", fault=WRONG)
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["*stopping after 1 failures*"])


def test_nothing_selected_is_exit_5(try_host: TryHost) -> None:
    result = try_host("-k", "no_such_check")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_nothing_decided_is_exit_1(try_host: TryHost) -> None:
    result = try_host("host-v1/optional-methods/tags")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "conforms to the full profile: nothing was decided (level wire, 1 of *",
            "nothing was decided about a subject: no check could be carried out",
            "*= 1 not applicable in *",
        ]
    )


def test_an_empty_argument_is_no_reason_to_run_the_users_tests(
    pytester: pytest.Pytester, try_host: TryHost
) -> None:
    pytester.makepyfile("def test_mine(): assert False")
    result = try_host("-k", "version-of-a-success")
    assert result.ret == pytest.ExitCode.OK
    assert result.parseoutcomes()["passed"] == 1


def test_checks_can_be_deselected(try_host: TryHost) -> None:
    result = try_host(ONE, OTHER, f"--deselect={OTHER}")
    assert result.parseoutcomes() == {"passed": 1, "deselected": 1}


def test_the_checks_are_collected_without_starting_the_host(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--host=./absent", "--collect-only")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["<SubjectNode host-v1>", "  <CheckItem host-v1/bad-input/*>"]
    )
    result.stdout.no_fnmatch_line("*= wireproof: host-v1*")


def collected(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if line.startswith("host-v1/")]


def test_words_select_by_the_names_of_checks_not_by_the_command(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host=env X=chain {tiny}", "-k", "chain", "--collect-only", "-q"
    )
    assert all("chain" in line for line in collected(result))
    assert len(collected(result)) > 0


def test_words_tell_subjects_apart_where_there_are_several(
    pytester: pytest.Pytester, tiny: str
) -> None:
    both = [f"--host=env X=alpha {tiny}", f"--host=env X=beta {tiny}"]
    words = ["-k", "beta and state-equals-value"]
    result = pytester.runpytest_inprocess(*both, *words, "--collect-only", "-q")
    (one,) = collected(result)
    assert one.startswith("host-v1/init/state-equals-value[env X=beta ")
