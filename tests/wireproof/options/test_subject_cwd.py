from __future__ import annotations

import pytest

ONE = "host-v1/messages/version-of-a-success"


@pytest.fixture
def folder(pytester: pytest.Pytester, tiny: str) -> str:
    folder = pytester.mkdir("a folder")
    script = folder / "host"
    script.write_text(f"#!/bin/sh\npwd >place\nexec {tiny} $1\n")
    script.chmod(0o755)
    return "a folder"


def test_the_subject_is_started_in_the_folder(
    pytester: pytest.Pytester, folder: str
) -> None:
    result = pytester.runpytest_inprocess(
        "--host=./host", f"--subject-cwd={folder}", ONE
    )
    result.assert_outcomes(passed=1)
    place = (pytester.path / folder / "place").read_text()
    assert place == f"{pytester.path / folder}\n"


def test_the_reproduction_goes_there_too(
    pytester: pytest.Pytester, folder: str
) -> None:
    result = pytester.runpytest_inprocess(
        "--host=./host wrong-version", f"--subject-cwd={folder}", ONE
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*(cd '*a folder'; (printf * | ./host wrong-version)"])


def test_a_folder_that_does_not_exist_is_a_usage_error(
    pytester: pytest.Pytester,
) -> None:
    result = pytester.runpytest_inprocess("--host=./host", "--subject-cwd=away")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --subject-cwd: 'away': there is no such folder"]
    )
