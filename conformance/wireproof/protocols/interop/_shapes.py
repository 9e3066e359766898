"""The names of formats, and calls as the fuzzer writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator

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


FEATURES: dict[str, dict[str, frozenset[str]]] = {
    "custom": {
        "type": frozenset({"custom", "custom_tool_call", "custom_tool_call_output"}),
        "payload_kind": frozenset({"text"}),
    },
    "envelopes": {"type": frozenset({"provider_native_tool_result"})},
}
"""The features that a registry may lack: the members of the objects that show them."""


def is_of(feature: str, one: dict[str, Any]) -> bool:
    """Tell whether an object shows a feature that a registry may lack."""
    members = FEATURES.get(feature, {})
    return any(
        isinstance(one.get(key), str) and one[key] in values
        for key, values in members.items()
    )


def objects_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects in what an op is given."""
    if is_object(value):
        yield value
        value = list(value.values())
    if is_array(value):
        for one in value:
            yield from objects_in(one)


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
