from __future__ import annotations

import pytest


@pytest.fixture
def own_path(tiny_socket: str) -> str:
    """Return the command of a server that chooses the path of its socket."""
    return tiny_socket.replace("{socket}", "{home}/own.sock")


def test_a_server_that_chooses_its_own_path_is_launched(
    pytester: pytest.Pytester, own_path: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={own_path}",
        "--socket-path={home}/own.sock",
        "socket-v1/discovery/stale-socket",
        "socket-v1/listing",
    )
    assert result.ret == pytest.ExitCode.OK
    assert "passed" in result.parseoutcomes()


def test_without_it_the_command_has_to_say_where(
    pytester: pytest.Pytester, own_path: str
) -> None:
    result = pytester.runpytest_inprocess(f"--socket={own_path}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*put {socket} there, or name the place with*"])


def test_it_does_not_go_with_socket_in_the_command(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket}", "--socket-path={home}/own.sock"
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*both say where its socket is; leave one out"])


def test_it_may_be_a_setting(pytester: pytest.Pytester, own_path: str) -> None:
    pytester.makepyprojecttoml(
        f"""
        [tool.pytest.ini_options]
        wireproof_socket = [{own_path!r}]
        wireproof_socket_path = "{{home}}/own.sock"
        """
    )
    result = pytester.runpytest_inprocess("socket-v1/listing/twice-running")
    result.assert_outcomes(passed=1)


def test_it_goes_with_a_subject(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--socket-path=x")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
