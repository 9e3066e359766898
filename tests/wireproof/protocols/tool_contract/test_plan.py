"""Each example has tools of its own."""

from __future__ import annotations

from wireproof.protocols.tool_contract._plan import ToolPlan


def test_names_of_tools_begin_with_the_text_of_the_example() -> None:
    step = {"name": "mcp__git__fuzz_a", "value": "\ud800", "size": 2**70}

    assert ToolPlan([step]).steps("fuzz-batches-7") == [
        {"name": "mcp__git__fuzz_batches_7_a", "value": "\ud800", "size": 2**70}
    ]
