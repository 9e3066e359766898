"""What a host serves: tools, and the optional methods beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.toolset import Tool


def _no_state(config: JSONObject) -> JSONObject:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPlugin:
    """The tools of a host, and the methods that it offers beside the required ones.

    A method that is None is not offered.  All of them are called in the host's own
    task, so they should return at once; a tool may take its time.

    Attributes:
        tools: The tools.
        init: From the config to the initial tool state.
        get_config_schema: JSON Schema of the config that `init` takes.
        get_ui_elements: Elements for a settings page.
        get_tags: Tags to offer, from the config and the models.
        required_tags: Tags without which the tools are of no use.
        format_tool_result: From a tool's result and the state to what the model is
            shown: text, or a `provider_native_tool_result` envelope.
        format_tool_call_preview: From tool name, arguments and state to a line of text.
        to_display_format: From text, result and state to what a user is shown.
    """

    tools: Sequence[Tool]
    init: Callable[[JSONObject], JSONObject] = _no_state
    get_config_schema: Callable[[], JSONObject] | None = None
    get_ui_elements: Callable[[], list[JSONObject]] | None = None
    get_tags: Callable[[JSONObject, list[JSONObject]], list[str]] | None = None
    required_tags: Callable[[], list[str]] | None = None
    format_tool_result: Callable[[JSON, JSONObject], str | JSONObject] | None = None
    format_tool_call_preview: Callable[[str, JSONObject, JSONObject], str] | None = None
    to_display_format: Callable[[str, JSON, JSONObject], JSONObject] | None = None


def tool_schema(tool: Tool) -> JSONObject:
    """A tool's schema in the format of OpenAI's chat completions."""
    function: JSONObject = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}
