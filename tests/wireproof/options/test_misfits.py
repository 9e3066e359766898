"""A driver whose answers do not fit the bridge: one finding, charged to no clause."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.bridge import PYTHON_DRIVER

from wireproof_vectors import load_schema

ROOT = Path(__file__).parents[3]
SLIPPING = str(ROOT / "tests" / "slipping_driver.py")
REFERENCE = [sys.executable, "-m", "wireproof_reference"]
ADAPTER = [
    sys.executable,
    str(PYTHON_DRIVER),
    "wireproof_reference.interop:chat_subject",
]
REGISTRY = str(ROOT / "reference" / "registries" / "node" / "driver.mjs")
UNFIT = "the driver's answers do not fit the bridge: "


@pytest.mark.parametrize(
    ("option", "command", "op", "value", "checks", "text"),
    [
        (
            "host-client",
            [*REFERENCE, "host-client"],
            "state",
            "[]",
            "host-client/state/state-asked-for or host-client/calls/every-type",
            "`state` is an array",
        ),
        (
            "exec-runtime",
            [*REFERENCE, "exec", "runtime"],
            "call_many",
            '[{"value": 1}]',
            "concurrency/one-shot-own-answers or bindings",
            "`call_many`[0] has none of the keys result, error",
        ),
        (
            "tools",
            ["node", REGISTRY],
            "register_reducer",
            '{"handle": null}',
            "tool-contract/reducers/appends or tool-contract/reducers/shortens",
            "`register_reducer`.handle is null",
        ),
        (
            "adapter",
            ADAPTER,
            "describe",
            '{"ops": ["inspect_call"], "formats": 7}',
            "interop/inspect-calls",
            "describe gave formats that are no array of names",
        ),
    ],
    ids=["host-client", "exec-runtime", "tools", "adapter"],
)
def test_a_driver_that_slips_is_one_finding(
    pytester: pytest.Pytester,
    node: str,
    option: str,
    command: list[str],
    op: str,
    value: str,
    checks: str,
    text: str,
) -> None:
    program = [node if word == "node" else word for word in command]
    slipping = shlex.join([sys.executable, SLIPPING, op, value, *program])
    result = pytester.runpytest_inprocess(
        f"--{option}={slipping}",
        "--fuzz=0",
        "--compat-report=report.json",
        "--compat-report=report.html",
        "--compat-report=report.md",
        "-k",
        checks,
    )

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    report = json.loads(Path(pytester.path, "report.json").read_text("utf-8"))
    assert [*Draft202012Validator(load_schema("report")).iter_errors(report)] == []
    results = report["subjects"][0]["results"]
    failed = [one for one in results if one["verdict"] == "failed"]
    assert [(one["clauses"], one["reason"]) for one in failed] == [([], UNFIT + text)]
    hidden = {one["reason"] for one in results if one["verdict"] == "not testable"}
    assert all(UNFIT + text in one for one in hidden)
    assert hidden
    result.stdout.fnmatch_lines([f"{UNFIT}{text}".replace("[", "[[]"), "conforms to*"])
