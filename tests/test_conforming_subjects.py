"""What the project ships conforms in full, however it is started."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conforming_subjects import (
    FURTHER,
    PASSED,
    RUNTIMES,
    SUBJECTS,
    VECTORS,
    Subject,
    built,
)

FRAME = 200_000
"""Bytes that a JSON report may have beside its results."""

MOST_BYTES_A_RESULT = 1_400
"""Bytes that it may have for each of them, on average."""

FEW_SCENARIOS = (*VECTORS, "-k", "requests or environment/one-shot")


@pytest.fixture(scope="session")
def go_host(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of the Go host."""
    return built("hosts", tmp_path_factory.mktemp("go"))


@pytest.fixture(scope="session")
def go_tool(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of the exec tool in Go."""
    return built("tools", tmp_path_factory.mktemp("go"))


@pytest.fixture
def jq() -> str:
    """Path of jq, which no test group can install."""
    path = shutil.which("jq")
    if path is None:
        pytest.skip("there is no jq")
    return path


Conforms = Callable[[Subject], None]


@pytest.fixture
def assert_conforms(request: pytest.FixtureRequest, tmp_path: Path) -> Conforms:
    """Run the whole suite on a subject, and look at the report."""

    def check(one: Subject) -> None:
        path = str(request.getfixturevalue(one.needs)) if one.needs else ""
        report = tmp_path / "report.json"
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "0"),
                f"--{one.option}={one.command.replace('@', path)}",
                *(f"--fail-on={one.fail_on}", f"--compat-report={report}"),
                *one.options,
                *one.part,
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-6000:]
        subject: dict[str, Any]
        (subject,) = json.loads(report.read_text())["subjects"]
        results = len(subject["results"])
        assert report.stat().st_size <= FRAME + results * MOST_BYTES_A_RESULT
        assert subject["conformant"] is not subject.get("partial", False)
        assert subject["level"] == one.level
        assert {result["verdict"] for result in subject["results"]} <= one.verdicts

    return check


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_it_conforms(subject: Subject, assert_conforms: Conforms) -> None:
    assert_conforms(subject)


@pytest.mark.sweep
@pytest.mark.parametrize("subject", FURTHER.values(), ids=FURTHER)
def test_it_conforms_in_full(subject: Subject, assert_conforms: Conforms) -> None:
    assert_conforms(subject)


@pytest.mark.parametrize("subject", RUNTIMES.values(), ids=RUNTIMES)
def test_an_example_runtime_holds_what_a_few_scenarios_try(
    subject: Subject, assert_conforms: Conforms
) -> None:
    assert_conforms(replace(subject, options=FEW_SCENARIOS, verdicts=PASSED))
