from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]

pytestmark = pytest.mark.usefixtures("unhurried")

CUTS = "host-v1/fuzz/cuts"
REPORT = "--compat-report=report.json"


def test_properties_are_fuzzed_with_the_seed_that_was_given(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", "--fuzz=3", "--fuzz-seed=42", REPORT, CUTS
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["wireproof: --fuzz-seed=42"])
    assert read_report()["subjects"][0]["fuzz_seed"] == 42


def test_a_seed_that_was_drawn_is_shown_and_reported(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny}", "--fuzz=1", REPORT, CUTS)
    seed = read_report()["subjects"][0]["fuzz_seed"]
    result.stdout.fnmatch_lines([f"wireproof: --fuzz-seed={seed}"])


def test_one_seed_sends_the_same_bytes_twice(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    sent: list[list[str]] = []
    for _ in range(2):
        pytester.runpytest_inprocess(
            f"--host={tiny}", "--fuzz=2", "--fuzz-seed=42", REPORT, CUTS
        )
        (result,) = (
            found
            for found in read_report()["subjects"][0]["results"]
            if found["id"] == CUTS
        )
        transcript = result["transcript"]
        sent.append([e["data"] for e in transcript if e["dir"] == "sent"])
    assert sent[0] == sent[1]
    assert sent[0]


def test_fuzzing_can_be_turned_off(pytester: pytest.Pytester, tiny: str) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny}", "--fuzz=0", "--collect-only", "-q"
    )
    result.stdout.no_fnmatch_line("host-v1/fuzz/*")


def test_a_failure_is_made_smaller_and_can_be_run_again(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny} dies-of-two",
        "--fuzz=10",
        "--fuzz-seed=1",
        "--subject-timeout=2",
        CUTS,
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["HV1-T4 MUST *"])
    assert "Falsifying example" not in result.stdout.str()


def test_hypothesis_leaves_nothing_behind(pytester: pytest.Pytester, tiny: str) -> None:
    pytester.runpytest_inprocess(f"--host={tiny}", "--fuzz=1", CUTS)
    assert not (pytester.path / ".hypothesis").exists()


@pytest.mark.parametrize("option", ["--fuzz=some", "--fuzz-seed=-1"])
def test_a_number_that_is_none_is_a_usage_error(
    pytester: pytest.Pytester, option: str
) -> None:
    result = pytester.runpytest_inprocess("--host=./absent", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --fuzz*: give a whole number, 0 or more"])
