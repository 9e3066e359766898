"""The types that the provider publishes, as the `openai` package has them.

That package takes seconds to import: it is imported where a test asks for a type, and
no worker that collects the tests waits for it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import TypeAdapter

CHAT, RESPONSES = "openai.types.chat", "openai.types.responses"

TYPES = {
    "chat function": (CHAT, "ChatCompletionFunctionToolParam"),
    "chat custom": (CHAT, "ChatCompletionCustomToolParam"),
    "chat function call": (CHAT, "ChatCompletionMessageFunctionToolCallParam"),
    "chat custom call": (CHAT, "ChatCompletionMessageCustomToolCallParam"),
    "chat result": (CHAT, "ChatCompletionToolMessageParam"),
    "chat chunk": (CHAT, "ChatCompletionChunk"),
    "responses function": (RESPONSES, "FunctionToolParam"),
    "responses custom": (RESPONSES, "CustomToolParam"),
    "responses function call": (RESPONSES, "ResponseFunctionToolCallParam"),
    "responses custom call": (RESPONSES, "ResponseCustomToolCallParam"),
    "responses result": (
        f"{RESPONSES}.response_input_item_param",
        "FunctionCallOutput",
    ),
    "responses custom result": (RESPONSES, "ResponseCustomToolCallOutputParam"),
    "responses event": (RESPONSES, "ResponseStreamEvent"),
}
"""Where each type stands, by what it describes."""


@cache
def published(kind: str) -> TypeAdapter[Any]:
    """Return what tells whether a value is of a published type.

    Args:
        kind: A key of ``TYPES``.
    """
    module, name = TYPES[kind]
    adapters = import_module("pydantic")
    adapter: TypeAdapter[Any] = adapters.TypeAdapter(
        getattr(import_module(module), name)
    )
    return adapter
