from __future__ import annotations

import sys

import pytest

GROUP = "host-client/calls"

OWN = """
def test_a_call(host_client, tmp_path):
    host = tmp_path / "host.py"
    host.write_text('''
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    result = {"value": {"success": True, "result": request["method"]}, "state": {}}
    answer = {"v": 1, "id": request["id"], "ok": True, "result": result}
    print(json.dumps(answer), flush=True)
''')
    host_client.ask("start", command=["PYTHON", str(host)])
    done = host_client.ask("execute", tool_name="t", arguments={})
    assert done["result"] == {"success": True, "result": "execute_tool"}
"""


def test_the_reference_conforms_as_far_as_tried(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--host-client=reference", "-k", GROUP)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*wireproof: host-client reference*"])
    result.assert_outcomes(passed=12)


def test_a_driver_that_is_none_says_so(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--host-client=true", "-k", GROUP)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*the subject exited with status 0 before it answered anything*"]
    )


def test_a_command_that_cannot_be_split_is_refused(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--host-client='x")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--host-client: *it cannot be split into words*"])


def test_a_users_own_test_has_the_client(pytester: pytest.Pytester) -> None:
    path = pytester.makepyfile(OWN.replace("PYTHON", sys.executable))
    result = pytester.runpytest_inprocess(
        "--host-client=reference", "-k", "test_a_call", path
    )
    result.assert_outcomes(passed=1)


def test_the_checks_are_listed_and_a_clause_is_explained(
    pytester: pytest.Pytester,
) -> None:
    listed = pytester.runpytest_inprocess("--host-client=reference", "--list-vectors")
    listed.stdout.fnmatch_lines(["*host-client/deadlines/late-state*HV1-C9*"])
    explained = pytester.runpytest_inprocess("--explain=HV1-C11")
    explained.stdout.fnmatch_lines(["*HV1-C11 MUST*"])
