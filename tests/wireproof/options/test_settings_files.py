from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    ReadReport = Callable[..., dict[str, Any]]

ONE = "host-v1/messages/version-of-a-success"


def test_ini_settings_do_what_the_options_do(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    pytester.makeini(
        f"""
        [pytest]
        wireproof_host =
            {tiny}
            {tiny} wrong-version
        wireproof_level = must
        wireproof_fuzz = 0
        wireproof_fuzz_seed = 7
        wireproof_compat_report = report.json
        """
    )
    result = pytester.runpytest_inprocess("-k", "version-of-a or no-events")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    first, second = read_report()["subjects"]
    assert first["target"] == tiny
    assert second["target"] == f"{tiny} wrong-version"
    assert first["fuzz_seed"] == 7


def test_pyproject_settings_do_what_the_options_do(
    pytester: pytest.Pytester, tiny: str, read_report: ReadReport
) -> None:
    pytester.makepyprojecttoml(
        f"""
        [tool.pytest.ini_options]
        wireproof_host = ["{tiny}"]
        wireproof_fuzz = 0
        wireproof_fuzz_seed = 7
        wireproof_subject_timeout = 5
        wireproof_subject_env = ["A=1"]
        wireproof_compat_report = ["report.json", "again.json"]
        """
    )
    result = pytester.runpytest_inprocess(ONE)
    result.assert_outcomes(passed=1)
    assert read_report("again.json")["subjects"][0]["fuzz_seed"] == 7


def test_one_subject_may_be_a_plain_string_in_pyproject(
    pytester: pytest.Pytester, tiny: str
) -> None:
    pytester.makepyprojecttoml(
        f"""
        [tool.pytest.ini_options]
        wireproof_host = "{tiny}"
        """
    )
    pytester.runpytest_inprocess(ONE).assert_outcomes(passed=1)


@pytest.mark.skipif(
    pytest.version_tuple < (9,), reason="pytest reads [tool.pytest] from 9 on"
)
def test_native_pyproject_settings_do_what_the_options_do(
    pytester: pytest.Pytester, tiny: str
) -> None:
    pytester.makepyprojecttoml(
        f"""
        [tool.pytest]
        wireproof_host = ["{tiny}"]
        wireproof_level = "must"
        wireproof_fuzz = "0"
        """
    )
    pytester.runpytest_inprocess(ONE).assert_outcomes(passed=1)


@pytest.fixture
def project(pytester: pytest.Pytester, tiny: str) -> pytest.Pytester:
    """Return a project with a test, a broken file outside tests, and a subject."""
    tests = pytester.mkdir("tests")
    (tests / "test_own.py").write_text("def test_own(host): assert host.state")
    (pytester.path / "test_outside.py").write_text("this is no Python")
    pytester.makeini(f"[pytest]\nwireproof_host = {tiny}\nwireproof_fuzz = 0\n")
    return pytester


def test_testpaths_count_as_a_file_argument(
    project: pytest.Pytester, tiny: str
) -> None:
    ini = project.path / "tox.ini"
    ini.write_text(f"{ini.read_text()}\ntestpaths = tests\n")
    result = project.runpytest_inprocess("-k", "test_own or version-of-a-success")
    assert result.parseoutcomes()["passed"] == 2


def test_without_testpaths_the_checks_alone_are_run(project: pytest.Pytester) -> None:
    result = project.runpytest_inprocess("-k", "test_own or version-of-a-success")
    assert result.parseoutcomes()["passed"] == 1


def test_with_the_subject_on_the_command_line_testpaths_do_not_count(
    project: pytest.Pytester, tiny: str
) -> None:
    ini = project.path / "tox.ini"
    ini.write_text(f"{ini.read_text()}\ntestpaths = tests\n")
    result = project.runpytest_inprocess(
        f"--host={tiny}", "-k", "test_own or version-of-a-success"
    )
    assert result.parseoutcomes()["passed"] == 1


def test_testpaths_count_when_checks_are_named(
    project: pytest.Pytester,
) -> None:
    ini = project.path / "tox.ini"
    ini.write_text(f"{ini.read_text()}\ntestpaths = tests\n")
    result = project.runpytest_inprocess(ONE)
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("argument", ["tests", "tests/test_own.py::test_own"])
def test_whoever_names_a_test_of_their_own_means_it_alone(
    project: pytest.Pytester, argument: str
) -> None:
    result = project.runpytest_inprocess(argument, "--fuzz=0")
    result.assert_outcomes(passed=1)


def test_checks_that_are_named_are_run_beside_it(project: pytest.Pytester) -> None:
    result = project.runpytest_inprocess("tests/test_own.py", ONE)
    result.assert_outcomes(passed=2)


def test_a_bad_setting_is_a_usage_error(project: pytest.Pytester) -> None:
    ini = project.path / "tox.ini"
    ini.write_text(f"{ini.read_text()}\nwireproof_level = strict\n")
    result = project.runpytest_inprocess(ONE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            "ERROR: setting wireproof_level: 'strict': give one of must, should, may",
        ]
    )


def test_a_relative_path_in_the_settings_starts_at_their_file(
    project: pytest.Pytester, tiny: str
) -> None:
    script = project.path / "my-host"
    script.write_text(f"#!/bin/sh\nexec {tiny}\n")
    script.chmod(0o755)
    ini = project.path / "tox.ini"
    ini.write_text("[pytest]\nwireproof_host = ./my-host\n")
    os.chdir(project.path / "tests")
    result = project.runpytest_inprocess(ONE)
    result.assert_outcomes(passed=1)
