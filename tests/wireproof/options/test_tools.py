from __future__ import annotations

import json
from pathlib import Path

import pytest

REGISTRY = """
from wireproof_reference.tool_contract import ToolContractSubject

class Subject(ToolContractSubject):
    def register_reducer(self, **told):
        super().register_reducer(**told)
        return {"handle": None}
"""

FAULT = "the driver's answers do not fit the bridge: `register_reducer`.handle is null"


@pytest.mark.parametrize("processes", ["0", "1"])
def test_a_wrong_shape_of_what_a_driver_says_is_said_first_and_fails_the_run(
    pytester: pytest.Pytester, processes: str
) -> None:
    pytester.makepyfile(own=REGISTRY)

    result = pytester.runpytest_subprocess(
        *("--tools=own:Subject", "--fuzz=0", "-n", processes),
        *("-k", "results/success or reducers/removed", "--compat-report=report.json"),
    )

    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*_ tool-contract: the driver _*", "*", f"failed: {FAULT}"]
    )
    result.stdout.fnmatch_lines(
        ["conforms to the document: no*", "conforms*: no*", FAULT]
    )
    report = json.loads(Path("report.json").read_text())
    [failed] = [
        one for one in report["subjects"][0]["results"] if one["verdict"] == "failed"
    ]
    assert failed["clauses"] == []
