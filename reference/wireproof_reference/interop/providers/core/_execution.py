"""The tool loop's share: run the calls of a message by what they mean (INT-Q9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from wireproof_reference.interop.core import CORE, get_registry_from_context

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof_reference.framing import JSON
    from wireproof_reference.interop.providers.core._flow import Context

    ToolFunction: TypeAlias = Callable[[JSON], JSON]
    """A tool; is given an object, or the raw text where it is freeform."""


def execute_calls(
    calls: Sequence[JSON],
    tools: Mapping[str, ToolFunction],
    *,
    context: Context = None,
) -> list[JSON]:
    """Run calls one after another.

    Args:
        calls: As they stand in `metadata.tool_calls` of a core message.
        tools: By their names.
        context: The request's, for its registry.

    Returns:
        A core tool message for each call, in order.  The model is told of a tool that
        does not exist, for it is the one that can call another.

    Raises:
        InteropError: A call cannot be read, or a result has no text form.
    """
    registry = get_registry_from_context(context)
    messages: list[JSON] = []
    for call in calls:
        meaning = registry.inspect_call(call)
        tool = tools.get(meaning.tool_name)
        result: JSON = (
            f"there is no tool named {meaning.tool_name!r}"
            if tool is None
            else tool(meaning.payload)
        )
        item: dict[str, JSON] = {
            "result": result,
            "tool_call_id": meaning.call_id,
            "tool_name": meaning.tool_name,
        }
        messages += registry.convert_results([item], CORE, [call])
    return messages
