"""The conformance toolset as a host-v1 plugin, with every optional method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wireproof_reference.framing import dumps
from wireproof_reference.host_v1._plugin import ToolPlugin
from wireproof_reference.host_v1.core import is_envelope
from wireproof_reference.toolset import conformance_tools

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

_TAG: Final = "conformance"


def conformance_toolset() -> ToolPlugin:
    """A plugin with the conformance tools and all optional methods."""
    return ToolPlugin(
        tools=conformance_tools(),
        init=_init,
        get_config_schema=_get_config_schema,
        get_ui_elements=_get_ui_elements,
        get_tags=_get_tags,
        required_tags=_required_tags,
        format_tool_result=_format_tool_result,
        format_tool_call_preview=_format_tool_call_preview,
        to_display_format=_to_display_format,
    )


def _init(config: JSONObject) -> JSONObject:
    return {"conformance_counter": 0}


def _get_config_schema() -> JSONObject:
    return {"type": "object", "properties": {}}


def _get_ui_elements() -> list[JSONObject]:
    return [{"type": "label", "id": "conformance", "text": "Conformance toolset"}]


def _get_tags(config: JSONObject, models: list[JSONObject]) -> list[str]:
    return [_TAG]


def _required_tags() -> list[str]:
    return [_TAG]


def _format_tool_result(result: JSON, state: JSONObject) -> str | JSONObject:
    shown = result
    if isinstance(result, dict) and "success" in result:
        shown = result.get("result" if result["success"] is True else "error")
    if isinstance(shown, str) or is_envelope(shown):
        return shown
    return dumps(shown).decode()


def _format_tool_call_preview(
    tool_name: str, arguments: JSONObject, state: JSONObject
) -> str:
    return f"{tool_name}({dumps(arguments).decode()})"


def _to_display_format(text: str, result: JSON, state: JSONObject) -> JSONObject:
    return {"type": "text", "text": text}
