from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def try_host(pytester: pytest.Pytester, tiny: str) -> Callable[..., pytest.RunResult]:
    """Return what runs pytest on the tiny host, without fuzzing."""

    def run(*arguments: str, fault: str = "") -> pytest.RunResult:
        return pytester.runpytest_inprocess(
            f"--host={tiny} {fault}", "--fuzz=0", *arguments
        )

    return run


@pytest.fixture
def read_report(pytester: pytest.Pytester) -> Callable[..., dict[str, Any]]:
    """Return what reads the report of the run before."""

    def read(name: str = "report.json") -> dict[str, Any]:
        report: dict[str, Any] = json.loads((pytester.path / name).read_bytes())
        return report

    return read
