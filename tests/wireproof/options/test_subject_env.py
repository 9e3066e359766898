from __future__ import annotations

import sys
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


VALUE = 'say "open sesame" \u00e9\n'
"""A value that JSON writes in another way."""

TELLS = """\
import json, os, sys
secret = os.environ["API_TOKEN"]
print(secret, file=sys.stderr)
for line in sys.stdin:
    print(json.dumps({"v": 2, "id": json.loads(line)["id"], "token": secret}))
    print("in a text " + json.dumps({"text": json.dumps(secret)}), flush=True)
"""
"""A host that shows what it was told, in every way and with every answer."""


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_what_a_subject_tells_of_its_variables_is_masked_everywhere(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    monkeypatch.setenv("API_TOKEN", VALUE)
    pytester.makepyfile(host=TELLS)
    endings = ("json", "md", "svg", "shields.json")
    result = pytester.runpytest_inprocess(
        f"--host={sys.executable} host.py",
        "--subject-env=API_TOKEN",
        "--subject-timeout=2",
        *(f"--compat-report=report.{ending}" for ending in endings),
        "--junitxml=junit.xml",
        "-p",
        "no:cacheprovider",
        workers,
        ONE,
    )
    shown = result.stdout.str()
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "***API_TOKEN***" in shown
    found = [path for path in pytester.path.iterdir() if path.suffix != ".py"]
    texts = [shown, *(path.read_text() for path in found if path.is_file())]
    assert len(texts) == 6
    assert [text for text in texts if "sesame" in text] == []


def test_what_an_own_test_waits_for_in_vain_is_told_without_the_values(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "open-sesame")
    pytester.makepyfile(
        host="""
        import json, os, sys
        for line in sys.stdin:
            asked = json.loads(line)
            answer = {"v": 1, "id": asked["id"], "ok": True}
            answer["result"] = {"value": [], "state": {}}
            if asked["method"] == "execute_tool":
                told = "no tool for " + os.environ["API_TOKEN"]
                answer = {"v": 1, "id": asked["id"], "ok": False, "error": told}
            print(json.dumps(answer), flush=True)
        """,
        test_own="""
        import pytest
        from wireproof import NoAnswer

        def test_plain(host):
            host.execute("conformance_echo", {})

        def test_chained(host):
            try:
                host.execute("conformance_echo", {})
            except NoAnswer as error:
                raise AssertionError("it refused") from error
        """,
    )
    result = pytester.runpytest_inprocess(
        f"--host={sys.executable} host.py",
        *("--subject-env=API_TOKEN", "--junitxml=junit.xml", "-p", "no:cacheprovider"),
        *("test_own.py", "-k", "test_own"),
    )
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*NoAnswer: *no tool for [*][*][*]API_TOKEN[*][*][*]"])
    told = result.stdout.str() + (pytester.path / "junit.xml").read_text()
    assert "sesame" not in told


def test_a_fixture_that_gets_no_answer_tells_it_without_the_values(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "open-sesame")
    pytester.makepyfile(
        host="import os, sys; sys.exit(os.environ['API_TOKEN'])",
        test_own="def test_own(host): pass",
    )
    result = pytester.runpytest_inprocess(
        f"--host={sys.executable} host.py",
        *("--subject-env=API_TOKEN", "-p", "no:cacheprovider"),
        *("test_own.py", "-k", "test_own"),
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*[*][*][*]API_TOKEN[*][*][*]*"])
    result.stdout.no_fnmatch_line("*sesame*")


def test_a_line_that_needs_a_masked_value_takes_it_from_the_shell(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--host={tiny} wrong-version", "--subject-env=API_TOKEN=open-sesame", ONE
    )
    result.stdout.fnmatch_lines(['*| API_TOKEN="${API_TOKEN:[?]}" *wrong-version*'])
    result.stdout.no_fnmatch_line("*open-sesame*")


def test_a_variable_that_is_not_set_is_a_usage_error(
    pytester: pytest.Pytester, tiny: str
) -> None:
    result = pytester.runpytest_inprocess(f"--host={tiny}", "--subject-env=NOT_SET")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --subject-env: 'NOT_SET': NOT_SET is not set here; give NOT_SET=VALUE"]
    )
