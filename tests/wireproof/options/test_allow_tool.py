from __future__ import annotations

import pytest

ALLOWED = "socket-v1/allowed"


def test_a_tool_of_the_servers_own_is_called(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket}", "--allow-tool=absent", "--allow-tool=look", ALLOWED
    )
    result.assert_outcomes(passed=4)


def test_without_it_no_tool_is_called_and_the_reason_names_it(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(f"--socket={tiny_socket}", ALLOWED)
    assert "passed" not in result.parseoutcomes()
    result.stdout.fnmatch_lines(["*it needs a tool that may be called: --allow-tool*"])


def test_a_tool_that_is_not_listed_is_not_called(
    pytester: pytest.Pytester, tiny_socket: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket}", "--allow-tool=absent", ALLOWED
    )
    assert "passed" not in result.parseoutcomes()
    result.stdout.fnmatch_lines(
        [
            "*lists no tool that --allow-tool names: absent*",
            "*: --allow-tool names 'absent', which the server does not list; *",
        ]
    )
    result.stdout.no_fnmatch_line("*keep it so*")


@pytest.mark.parametrize(
    ("fault", "clause"), [("late-event", "SOCK-C2"), ("meta-as-text", "SOCK-C14")]
)
def test_a_tool_that_breaks_a_clause_fails_on_it(
    pytester: pytest.Pytester, tiny_socket: str, fault: str, clause: str
) -> None:
    result = pytester.runpytest_inprocess(
        f"--socket={tiny_socket} {fault}", "--allow-tool=look", ALLOWED
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([f"{clause} MUST *"])
    # What shows it again allows the tool as well.
    result.stdout.fnmatch_lines(["*--allow-tool=look*"])
