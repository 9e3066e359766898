from __future__ import annotations

from typing import Any

import pytest

from wireproof_vectors import load_vectors


def test_a_clause_is_explained(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--explain=HV1-T6")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "HV1-T6 SHOULD [[]common practice] the host ignores blank lines *",
            "",
            "host-v1/spelling/carriage-returns (should)",
            "    send *",
        ]
    )
    result.stdout.no_fnmatch_line("*test session starts*")


def test_all_of_a_long_explanation_is_shown_with_v(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--explain=SOCK-C1")
    result.stdout.fnmatch_lines(["  and * more checks; -v shows all"])
    result = pytester.runpytest_inprocess("--explain=SOCK-C1", "-v")
    result.stdout.no_fnmatch_line("*-v shows all")


def test_a_check_is_explained_with_its_clauses_and_all_of_its_steps(
    pytester: pytest.Pytester,
) -> None:
    name = "host-v1/transport/tool-calls-write-messages"
    result = pytester.runpytest_inprocess(f"--explain={name}[a]")
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines([f"{name} (must)", "    send *", "HV1-T1 MUST *"])
    result.stdout.no_fnmatch_line("*-v shows all")
    shown = result.stdout.str()
    (vector,) = [one for one in load_vectors("host-v1") if one.id == name]
    steps: Any = vector.data["steps"]
    assert shown.count("    send ") == sum("send" in one for one in steps)


def test_a_clause_says_that_other_checks_may_be_charged_to_it(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--explain=HV1-T1")
    result.stdout.fnmatch_lines(
        ["In a run, a check that is listed under another clause *"]
    )


def test_several_clauses_are_explained(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--explain=hv1-t6", "--explain", "HV1-R5")
    result.stdout.fnmatch_lines(["HV1-T6 SHOULD *", "HV1-R5 MUST *"])


def test_a_clause_that_does_not_exist_is_a_usage_error(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--explain=HV1-T66")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --explain: there is no clause 'HV1-T66'; did you mean HV1-T6 or *"]
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("T13", "HV1-T13"),
        ("HV1T13", "HV1-T13 or HV1-*"),
        ("sock-f0", "SOCK-F* or *"),
        ("HV1", "HV1-*"),
    ],
)
def test_a_clause_that_is_nearly_right_is_suggested(
    pytester: pytest.Pytester, typed: str, meant: str
) -> None:
    result = pytester.runpytest_inprocess(f"--explain={typed}")
    result.stderr.fnmatch_lines(
        [f"ERROR: --explain: there is no clause '{typed}'; did you mean {meant}[?]"]
    )


def test_a_check_that_does_not_exist_is_a_usage_error(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--explain=host-v1/request-ids/one-spac")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = "there is no check 'host-v1/request-ids/one-spac'; did you mean host-v1/*"
    result.stderr.fnmatch_lines([f"ERROR: --explain: {told}"])


def test_an_empty_clause_is_a_usage_error(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--explain=")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
