from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ONE = "host-v1/messages/version-of-a-success"


@pytest.fixture
def seen(pytester: pytest.Pytester, tiny: str) -> Callable[..., dict[str, str]]:
    """Return what runs a check and reads the environment that the host got."""
    script = pytester.path / "host"
    script.write_text(f"#!/bin/sh\nenv -0 >environment\nexec {tiny}\n")
    script.chmod(0o755)

    def run(*arguments: str) -> dict[str, str]:
        pytester.runpytest_inprocess("--host=./host", ONE, *arguments)
        text = (pytester.path / "environment").read_text()
        pairs = (item.partition("=") for item in text.split("\0") if item)
        return {name: value for name, _, value in pairs}

    return run


def test_the_users_secrets_stay_with_the_user(
    seen: Callable[..., dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    assert "API_TOKEN" not in seen()
    assert "PYTEST_CURRENT_TEST" not in seen()


def test_variables_are_handed_on_or_set(
    seen: Callable[..., dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "secret")
    found = seen("--subject-env=API_TOKEN", "--subject-env=MODE=a b=c")
    assert found["API_TOKEN"] == "secret"  # noqa: S105
    assert found["MODE"] == "a b=c"


def test_what_was_handed_on_is_in_no_report(
    pytester: pytest.Pytester, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "open-sesame")
    result = pytester.runpytest_inprocess(
        f"--host={tiny} wrong-version",
        "--subject-env=API_TOKEN",
        "--compat-report=report.json",
        ONE,
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "open-sesame" not in result.stdout.str()
    assert "open-sesame" not in (pytester.path / "report.json").read_text()


def test_a_variable_that_is_not_set_is_a_usage_error(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny}", "--subject-env=NOT_SET")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --subject-env: 'NOT_SET': NOT_SET is not set here; give NOT_SET=VALUE"]
    )
