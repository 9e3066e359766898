"""Hosts whose optional methods answer wrongly: HV1-O1 to O8."""

from __future__ import annotations

from typing import Any, cast

from tests.proof.host_v1.method_faults import MethodHost
from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.framing import JSONObject, dumps
from wireproof_reference.host_v1 import Failure, Host, Request, Success


@broken(
    "undefined-left-out",
    "HV1-M4",
    "leaves the value out where it formats a success without a result",
    shown_by="host-v1/optional-methods/formatted-success-without-result",
)
class UndefinedLeftOut(RewritingHost):
    formatted = ""

    def dispatch(self, request: Request) -> Success | Failure:
        if request.method == "format_tool_result":
            result = request.params.get("result")
            is_bare = isinstance(result, dict) and result == {"success": True}
            self.formatted = request.id if is_bare else ""
        return super().dispatch(request)

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is True and frame["id"] == self.formatted:
            del frame["result"]["value"]
        return frame


@broken("config-schema-as-text", "HV1-O1", "answers with a schema as JSON text")
class ConfigSchemaAsText(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return dumps(value).decode() if method == "get_config_schema" else value


@broken("config-schema-null", "HV1-O1", "answers with null where there is no config")
class ConfigSchemaNull(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return None if method == "get_config_schema" else value


@broken("config-schema-fails-later", "HV1-O1", "fails the second time it is asked")
class ConfigSchemaFailsLater(Host):
    asked = 0

    def dispatch(self, request: Request) -> Success | Failure:
        self.asked += request.method == "get_config_schema"
        if request.method == "get_config_schema" and self.asked > 1:
            return self.failure(request, "Gone", "it was asked for before")
        return super().dispatch(request)


@broken(
    "config-schema-fields",
    "HV1-O1",
    "answers with fields that are no JSON Schema",
    level="should",
)
class ConfigSchemaFields(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method == "get_config_schema":
            return {"type": "fields", "required": True}
        return value


@broken("ui-elements-by-name", "HV1-O2", "answers with an object of elements")
class UiElementsByName(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return {"elements": value} if method == "get_ui_elements" else value


@broken("ui-elements-as-text", "HV1-O2", "answers with names of elements")
class UiElementsAsText(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return ["label"] if method == "get_ui_elements" else value


@broken("ui-elements-null", "HV1-O2", "answers with null for a list of elements")
class UiElementsNull(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return None if method == "get_ui_elements" else value


@broken("ui-elements-in-rows", "HV1-O2", "answers with elements in rows of elements")
class UiElementsInRows(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return [value] if method == "get_ui_elements" else value


@broken("tags-joined", "HV1-O3", "answers with tags joined by commas")
class TagsJoined(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return ",".join(value) if method == "get_tags" else value


@broken("tags-as-objects", "HV1-O3", "answers with objects that hold a tag")
class TagsAsObjects(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return [{"tag": tag} for tag in value] if method == "get_tags" else value


@broken("tags-numbered", "HV1-O3", "answers with the numbers of tags")
class TagsNumbered(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return list(range(len(value))) if method == "get_tags" else value


@broken("tags-of-models", "HV1-O3", "answers with a tag of each model, or null")
class TagsOfModels(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if request.method != "get_tags":
            return super().dispatch(request)
        models: Any = request.params.get("models", [])
        return Success(request.id, [model.get("tag") for model in models], None)


@broken(
    "tags-of-named-models",
    "HV1-O3",
    "answers with the name of each model, or null",
    shown_by="host-v1/optional-methods/tags-for-a-model-without-a-name",
)
class TagsOfNamedModels(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if request.method != "get_tags":
            return super().dispatch(request)
        models: Any = request.params.get("models", [])
        return Success(request.id, [model.get("name") for model in models], None)


@broken("required-tags-object", "HV1-O4", "answers with a set as an object")
class RequiredTagsObject(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return dict.fromkeys(value, True) if method == "required_tags" else value


@broken("required-tags-null-inside", "HV1-O4", "answers with null among the tags")
class RequiredTagsNullInside(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return [*value, None] if method == "required_tags" else value


@broken(
    "required-tags-unboxed", "HV1-O4", "answers with the tag itself where it is one"
)
class RequiredTagsUnboxed(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return value[0] if method == "required_tags" and len(value) == 1 else value


@broken(
    "format-a-list",
    "HV1-O5",
    "answers with an array of content parts",
)
class FormatAList(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return (
            [{"type": "text", "text": value}]
            if method == "format_tool_result"
            else value
        )


@broken(
    "envelope-without-content",
    "HV1-O5",
    "answers with an envelope without content",
)
class EnvelopeWithoutContent(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "format_tool_result":
            return value
        return {"type": "provider_native_tool_result", "format": "openai.responses"}


@broken(
    "envelope-with-empty-format",
    "HV1-O5",
    'answers with an envelope of format ""',
)
class EnvelopeWithEmptyFormat(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "format_tool_result":
            return value
        return {"type": "provider_native_tool_result", "format": "", "content": value}


@broken(
    "content-of-an-envelope-lost",
    "HV1-O5",
    "hands on an envelope that a tool gives without its content",
)
class ContentOfAnEnvelopeLost(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        response = super().dispatch(request)
        result = request.params.get("result")
        found = result.get("result") if isinstance(result, dict) else None
        if (
            request.method != "format_tool_result"
            or isinstance(response, Failure)
            or not isinstance(found, dict)
            or "format" not in found
        ):
            return response
        kept = {key: one for key, one in found.items() if key != "content"}
        return Success(response.id, kept, response.state)


@broken("format-fails-for-objects", "HV1-O5", "fails for a result that is an object")
class FormatFailsForObjects(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        result = request.params.get("result")
        wants = request.method == "format_tool_result" and isinstance(result, dict)
        if wants and isinstance(cast("JSONObject", result).get("result"), dict):
            return self.failure(request, "TypeError", "result is not a string")
        return super().dispatch(request)


@broken("format-null-for-a-failure", "HV1-O5", "answers with null for a failure")
class FormatNullForAFailure(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        response = super().dispatch(request)
        result = request.params.get("result")
        if (
            request.method == "format_tool_result"
            and isinstance(response, Success)
            and isinstance(result, dict)
            and result.get("success") is False
        ):
            return Success(response.id, None, response.state)
        return response


@broken(
    "envelope-of-another-format",
    "HV1-O5",
    "answers with an unknown format",
    level="should",
)
class EnvelopeOfAnotherFormat(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "format_tool_result":
            return value
        kind = "provider_native_tool_result"
        return {"type": kind, "format": "acme.messages", "content": value}


@broken("format-an-object", "HV1-O8", "answers with an object for text", level="should")
class FormatAnObject(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return {"text": value} if method == "format_tool_result" else value


@broken(
    "format-an-envelope", "HV1-O8", "answers with an envelope for text", level="should"
)
class FormatAnEnvelope(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        if method != "format_tool_result":
            return value
        kind = "provider_native_tool_result"
        return {"type": kind, "format": "openai.responses", "content": value}


@broken("preview-an-object", "HV1-O6", "answers with a preview as an object")
class PreviewAnObject(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return {"text": value} if method == "format_tool_call_preview" else value


@broken("preview-flat-only", "HV1-O6", "fails for arguments in arguments")
class PreviewFlatOnly(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        arguments = request.params.get("arguments")
        value = arguments.get("value") if isinstance(arguments, dict) else None
        if request.method == "format_tool_call_preview" and isinstance(value, dict):
            return self.failure(request, "TypeError", "unhashable type: 'dict'")
        return super().dispatch(request)


@broken("preview-of-an-argument", "HV1-O6", "fails where there is no first argument")
class PreviewOfAnArgument(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        if (
            request.method == "format_tool_call_preview"
            and request.params.get("arguments") == {}
        ):
            return self.failure(request, "IndexError", "list index out of range")
        return super().dispatch(request)


@broken(
    "preview-null-without-arguments", "HV1-O6", "has null where it has no arguments"
)
class PreviewNullWithoutArguments(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        response = super().dispatch(request)
        if (
            request.method == "format_tool_call_preview"
            and request.params.get("arguments") == {}
            and isinstance(response, Success)
        ):
            return Success(response.id, None, response.state)
        return response


@broken("preview-in-lines", "HV1-O6", "answers with a list of lines")
class PreviewInLines(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        lines = method == "format_tool_call_preview"
        return value.splitlines() if lines else value


@broken("preview-null", "HV1-O6", "answers with null where a tool has no preview")
class PreviewNull(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return None if method == "format_tool_call_preview" else value


@broken("display-text", "HV1-O7", "answers with text to display")
class DisplayText(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return value["text"] if method == "to_display_format" else value


@broken("display-null-for-a-failure", "HV1-O7", "answers with null for a failure")
class DisplayNullForAFailure(Host):
    def dispatch(self, request: Request) -> Success | Failure:
        response = super().dispatch(request)
        result = request.params.get("result")
        if (
            request.method == "to_display_format"
            and isinstance(response, Success)
            and isinstance(result, dict)
            and result.get("success") is False
        ):
            return Success(response.id, None, response.state)
        return response


@broken("display-a-list", "HV1-O7", "answers with a list of blocks")
class DisplayAList(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return [value] if method == "to_display_format" else value


@broken("display-as-text", "HV1-O7", "answers with the object as JSON text")
class DisplayAsText(MethodHost):
    def change(self, method: str, value: Any) -> Any:
        return dumps(value).decode() if method == "to_display_format" else value
