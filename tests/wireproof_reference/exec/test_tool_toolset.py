from __future__ import annotations

import os
from typing import Any

import pytest

from wireproof_reference.exec.tool import ToolError, conformance_tool
from wireproof_reference.exec.tool._toolset import _TOOLS
from wireproof_vectors import load_toolset


def call(tool: str, **arguments: Any) -> Any:
    return conformance_tool({"tool": tool, "arguments": arguments})


def test_every_tool_of_the_exec_column_is_there() -> None:
    names = {tool.name for tool in load_toolset() if "exec" in tool.protocols}
    assert set(_TOOLS) == names


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        ("conformance_echo", {"value": None}, {"value": None}),
        ("conformance_return", {"value": False}, False),
        ("conformance_sleep", {"ms": 0.0}, {"slept_ms": 0}),
        ("conformance_blob", {"size": 3}, "xxx"),
        ("conformance_stderr", {"size": 3}, {"written": 3}),
        ("conformance_print", {"text": "t"}, {"printed": True}),
    ],
)
def test_a_tool_does_what_the_toolset_says(
    tool: str, arguments: Any, result: Any
) -> None:
    assert call(tool, **arguments) == result


def test_the_counter_counts_on() -> None:
    before = call("conformance_counter", by=0)["counter"]
    call("conformance_counter")
    assert call("conformance_counter", by=-3) == {"counter": before - 2}


def test_the_environment_is_that_of_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(os.environ, "WP_SET", "1")
    monkeypatch.delenv("WP_UNSET", raising=False)
    assert call("conformance_env", names=["WP_SET", "WP_UNSET"]) == {
        "WP_SET": "1",
        "WP_UNSET": None,
    }


def test_a_failure_has_exactly_its_message() -> None:
    with pytest.raises(ToolError, match=r"^no$"):
        call("conformance_fail", message="no")


def test_a_thrown_error_is_none_of_the_tools_own() -> None:
    with pytest.raises(RuntimeError, match=r"^m$"):
        call("conformance_throw", message="m")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({}, "tool must be a string"),
        ({"tool": "nope"}, "there is no tool 'nope'"),
        ({"tool": "conformance_echo", "arguments": 5}, "arguments must be an object"),
        ({"tool": "conformance_echo"}, "value is missing"),
        ({"tool": "conformance_blob"}, "size must be an integer"),
        (
            {"tool": "conformance_sleep", "arguments": {"ms": True}},
            "ms must be an integer",
        ),
        (
            {"tool": "conformance_env", "arguments": {"names": "A"}},
            "names must be an array",
        ),
        (
            {"tool": "conformance_env", "arguments": {"names": [1]}},
            "names must be an array of strings",
        ),
    ],
)
def test_wrong_arguments_are_reported(args: Any, message: str) -> None:
    with pytest.raises(ToolError, match=f"^{message}$"):
        conformance_tool(args)
