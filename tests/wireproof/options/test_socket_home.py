from __future__ import annotations

import pytest


def test_without_it_what_is_about_files_does_not_apply(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket}", "socket-v1/discovery"
    )
    result.stdout.fnmatch_lines(["*--socket-home=DIR, or *{home}*"])


def test_with_it_the_files_are_looked_for_there(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    home = pytester.mkdir("home")
    (home / "config.json").write_text('{"socketPath": "elsewhere"}')
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket}",
        "--socket-home=home",
        "--subject-timeout=0.5",
        "socket-v1/discovery",
        "-k",
        "config",
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*SOCK-D1 MUST *", "*elsewhere*"])


def test_a_folder_that_does_not_exist_is_a_usage_error(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    (pytester.path / "plain").write_text("text")
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket}", "--socket-home=plain"
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --socket-home: 'plain': there is no such folder"]
    )


def test_it_goes_with_a_subject(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--socket-home=.")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
