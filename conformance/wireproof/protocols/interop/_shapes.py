"""The names of formats, and calls as the fuzzer writes them."""

from __future__ import annotations

from typing import Any

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"

TARGETS = frozenset({CHAT, RESPONSES, "core"})
"""What the ops convert to; a registry may be for some of them only."""

TABLE = frozenset(
    {
        CHAT,
        RESPONSES,
        f"{CHAT}.function",
        f"{CHAT}.custom",
        f"{RESPONSES}.function",
        f"{RESPONSES}.custom",
        "core",
    }
)
"""The formats of the specification's table."""


def chat_call(
    arguments: Any, *, call_id: str = "call_1", name: str = "tool"
) -> dict[str, Any]:
    """Return a function call of chat completions."""
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def item_call(
    arguments: Any, *, call_id: str = "call_1", name: str = "tool"
) -> dict[str, Any]:
    """Return a function call item of the Responses format."""
    return {
        "type": "function_call",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
    }


def custom_item(
    given: Any, *, call_id: str = "call_1", name: str = "tool"
) -> dict[str, Any]:
    """Return a custom call item of the Responses format."""
    return {
        "type": "custom_tool_call",
        "call_id": call_id,
        "name": name,
        "input": given,
    }
