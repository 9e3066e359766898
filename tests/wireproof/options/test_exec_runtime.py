from __future__ import annotations

import pytest

GROUP = "exec-runtime/results/one-shot-text or exec-runtime/limits/server-never-answers"

OWN = """
def test_a_call(exec_runtime, tmp_path):
    tool = tmp_path / "tool"
    tool.write_text('cat >/dev/null; echo "{\\\\"result\\\\": 42}"')
    bound = {"command": "/bin/sh", "args": [str(tool)]}
    exec_runtime.ask("bind", name="answer", exec=bound)
    assert exec_runtime.ask("call", tool="answer", args={}) == {"result": 42}
"""


def test_the_reference_conforms_as_far_as_tried(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--exec-runtime=reference", "-k", GROUP)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["*wireproof: exec-runtime reference*", "started * it started * tools, *"]
    )
    result.assert_outcomes(passed=3)


def test_a_driver_that_is_none_says_so(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--exec-runtime=true", "-k", GROUP)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*the subject exited with status 0 before it answered anything*"]
    )


def test_a_users_own_test_has_the_runtime(pytester: pytest.Pytester) -> None:
    path = pytester.makepyfile(OWN)
    result = pytester.runpytest_inprocess(
        "--exec-runtime=reference", "-k", "test_a_call", path
    )
    result.assert_outcomes(passed=1)


def test_the_checks_are_listed_and_a_clause_is_explained(
    pytester: pytest.Pytester,
) -> None:
    listed = pytester.runpytest_inprocess("--exec-runtime=reference", "--list-vectors")
    listed.stdout.fnmatch_lines(["*exec-runtime/limits/server-never-answers*EXEC-R8*"])
    explained = pytester.runpytest_inprocess("--explain=EXEC-R9")
    explained.stdout.fnmatch_lines(["*EXEC-R9 MUST*"])
