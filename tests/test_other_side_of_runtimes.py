"""Every runtime that conforms works with the reference's tools, in both modes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.bridge import Driver
from tests.proof.exec_runtime.table import LEGAL

RUNTIMES = Path(__file__).parent.parent / "reference" / "runtimes"

SHIPPED = {
    "reference": (sys.executable, "-m", "wireproof_reference", "exec", "runtime"),
    "python": (sys.executable, str(RUNTIMES / "python" / "driver.py")),
}

SAMPLE = 8
"""One variant of so many is tried in each run."""


def tool(mode: str) -> Any:
    words = ["-m", "wireproof_reference", "exec", mode]
    return {"command": sys.executable, "args": words, "timeout_ms": 20_000}


def calls_both_modes(program: Sequence[str]) -> None:
    with Driver(*program) as driver:
        driver.value("bind", name="once", exec=tool("tool"))
        driver.value("bind", name="stays", exec={**tool("server"), "runtime": "server"})
        echo = {"tool": "conformance_echo", "arguments": {"value": [None, "7", 1.5]}}
        fail = {"tool": "conformance_fail", "arguments": {"message": "out of cheese"}}
        count = {"tool": "conformance_counter", "arguments": {}}
        null = {"tool": "conformance_return", "arguments": {"value": None}}
        for name in ("once", "stays"):
            told = driver.value("call", tool=name, args=echo)
            assert told["result"] == {"value": [None, "7", 1.5]}
        assert "out of cheese" in str(driver.value("call", tool="stays", args=fail))
        assert driver.value("call", tool="stays", args=null)["result"] is None
        for number in (1, 2):
            told = driver.value("call", tool="stays", args=count)
            assert told["result"] == {"counter": number}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_runtime_calls_the_tools_of_the_reference(name: str) -> None:
    calls_both_modes(SHIPPED[name])


def test_the_runtime_on_node_calls_the_tools_of_the_reference(node: str) -> None:
    calls_both_modes((node, str(RUNTIMES / "node" / "driver.mjs")))


@pytest.mark.parametrize("name", [*LEGAL][::SAMPLE])
def test_a_legal_variant_calls_the_tools_of_the_reference(name: str) -> None:
    calls_both_modes(LEGAL[name].program)


@pytest.mark.sweep
@pytest.mark.parametrize("name", LEGAL)
def test_every_legal_variant_calls_the_tools_of_the_reference(name: str) -> None:
    calls_both_modes(LEGAL[name].program)
