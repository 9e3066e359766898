"""The methods beside `execute_tool`: from params and state to a value."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from wireproof_reference._errors import WireproofReferenceError
from wireproof_reference._members import Members
from wireproof_reference.host_v1._plugin import ToolPlugin, tool_schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSONObject

Method: TypeAlias = "Callable[[JSONObject, JSONObject], object]"
"""Takes params and state; what it gives becomes `result.value`."""


class RequestRefused(WireproofReferenceError):
    """A request is answered with a failure, for what it asks cannot be done.

    Attributes:
        type: The kind of error.
        detail: What is wrong with the request.
    """

    def __init__(self, type_: str, detail: str) -> None:
        self.type = type_
        self.detail = detail
        super().__init__(detail)


PARAMS: Final = Members(partial(RequestRefused, "InvalidParams"))
"""Reads the params of a request."""


def methods_of(plugin: ToolPlugin) -> dict[str, Method]:
    """What a plugin offers beside `execute_tool`; the values are JSON."""
    methods: dict[str, Method] = {
        "init": lambda params, state: plugin.init(PARAMS.object(params, "config", {})),
        "get_tool_schemas": lambda params, state: list(map(tool_schema, plugin.tools)),
    }
    if get_config_schema := plugin.get_config_schema:
        methods["get_config_schema"] = lambda params, state: get_config_schema()
    if get_ui_elements := plugin.get_ui_elements:
        methods["get_ui_elements"] = lambda params, state: get_ui_elements()
    if get_tags := plugin.get_tags:
        methods["get_tags"] = lambda params, state: get_tags(
            PARAMS.object(params, "config", {}), _read_objects(params, "models")
        )
    if required_tags := plugin.required_tags:
        methods["required_tags"] = lambda params, state: required_tags()
    if format_tool_result := plugin.format_tool_result:
        methods["format_tool_result"] = lambda params, state: format_tool_result(
            PARAMS.any(params, "result"), state
        )
    if format_tool_call_preview := plugin.format_tool_call_preview:
        methods["format_tool_call_preview"] = lambda params, state: (
            format_tool_call_preview(
                PARAMS.string(params, "tool_name"),
                PARAMS.object(params, "arguments"),
                state,
            )
        )
    if to_display_format := plugin.to_display_format:
        methods["to_display_format"] = lambda params, state: to_display_format(
            PARAMS.string(params, "text"), PARAMS.any(params, "result"), state
        )
    return methods


def _read_objects(params: JSONObject, name: str) -> list[JSONObject]:
    value = params.get(name, [])
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return cast("list[JSONObject]", value)
    raise RequestRefused("InvalidParams", f"{name} must be an array of objects")
