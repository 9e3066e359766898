"""Servers that change values: SOCK-C1, C3, C5, C6, C11, L1, M1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from tests.proof.socket_v1.subject import (
    MendingServer,
    ResultServer,
    RewritingServer,
    broken,
)

from wireproof_reference.framing import JSON
from wireproof_reference.socket_v1 import (
    Call,
    ServerConnection,
    SocketServer,
    ToolCall,
    ToolDefinition,
    ToolError,
    ToolResult,
)


class IdServer(RewritingServer):
    """Changes the requestId of events and results."""

    def spell(self, request_id: str) -> Any:
        """Return what is sent in place of this id."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] in {"tool_event", "tool_result"}:
            frame["requestId"] = self.spell(frame["requestId"])
        return frame


@broken(
    "ids-trimmed",
    "SOCK-C1",
    "trims the requestId",
)
class IdsTrimmed(IdServer):
    def spell(self, request_id: str) -> Any:
        return request_id.strip()


@broken(
    "ids-as-numbers",
    "SOCK-M1",
    "turns a requestId that looks like a number into one",
)
class IdsAsNumbers(IdServer):
    def spell(self, request_id: str) -> Any:
        return int(request_id) if request_id.isdigit() else request_id


@broken(
    "ids-cut-at-255",
    "SOCK-C1",
    "cuts the requestId at 255 characters",
)
class IdsCutAt255(IdServer):
    def spell(self, request_id: str) -> Any:
        return request_id[:255]


@broken(
    "ids-of-an-object",
    "SOCK-C1",
    "takes an id named like a member of every object for one in flight",
)
class IdsOfAnObject(SocketServer):
    def start_call(self, peer: Any, message: ToolCall) -> None:
        if message.request_id not in {"__proto__", "constructor", "toString"}:
            super().start_call(peer, message)


@broken(
    "any-envelope",
    "SOCK-C3",
    "hands on whatever envelope a tool returns",
    level="should",
)
class AnyEnvelope(SocketServer):
    def envelope(self, returned: JSON | ToolResult) -> ToolResult:
        if isinstance(returned, ToolResult):
            return returned
        return super().envelope(returned)


@broken(
    "half-an-error",
    "SOCK-C3",
    "looks at the code of an error that a tool returns, and not for a message",
    level="should",
)
class HalfAnError(SocketServer):
    def envelope(self, returned: JSON | ToolResult) -> ToolResult:
        if isinstance(returned, ToolResult) and returned.json.get("ok") is False:
            error = returned.json.get("error")
            if isinstance(error, dict) and error.get("code") == "TOOL_FAILED":
                return returned
        return super().envelope(returned)


@broken(
    "errors-with-their-type",
    "SOCK-C5",
    "puts Error: in front of the message of a tool's error",
)
class ErrorsWithTheirType(SocketServer):
    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        if isinstance(error, ToolError):
            message = f"Error: {error.message}"
            return ToolResult.failure(error.code, message, error.details)
        return super().tool_failed(call, error)


@broken(
    "codes-from-messages",
    "SOCK-C5",
    "takes the message of an uncaught error for a code where it is the name of one",
)
class CodesFromMessages(SocketServer):
    def tool_failed(self, call: Call, error: BaseException) -> ToolResult:
        text: Any = str(error)
        if text in {"CANCELLED", "TIMEOUT", "PERMISSION_DENIED", "UNKNOWN_TOOL"}:
            return ToolResult.failure(text, text)
        return super().tool_failed(call, error)


class CoercingServer(SocketServer):
    """Takes arguments for valid that are of another type."""

    def coerces(self, value: Any) -> bool:
        """Whether it takes a value for another that is valid."""
        raise NotImplementedError

    def check_arguments(self, call: Call, tool: ToolDefinition) -> ToolResult | None:
        refusal = super().check_arguments(call, tool)
        wrong = any(map(self.coerces, call.message.arguments.values()))
        return None if wrong else refusal


@broken(
    "coerces-texts",
    "SOCK-C6",
    "takes the text of a number for a number",
)
class CoercesTexts(CoercingServer):
    def coerces(self, value: Any) -> bool:
        return isinstance(value, str) and value.isdigit()


@broken("booleans-are-integers", "SOCK-C6", "takes true for 1")
class BooleansAreIntegers(CoercingServer):
    def coerces(self, value: Any) -> bool:
        return isinstance(value, bool)


@broken("rounds-fractions", "SOCK-C6", "takes a fraction for the integer below it")
class RoundsFractions(CoercingServer):
    def coerces(self, value: Any) -> bool:
        return isinstance(value, float)


@broken(
    "tools-of-an-object",
    "SOCK-C6",
    "finds a tool by the name of a member of every object, and cannot call it",
)
class ToolsOfAnObject(SocketServer):
    def check_tool(self, call: Call) -> ToolResult | None:
        if call.message.tool_name in {"__proto__", "constructor", "toString"}:
            return ToolResult.failure("TOOL_FAILED", "tool.run is not a function")
        return super().check_tool(call)


@broken("tools-by-case", "SOCK-C6", "ignores case in the name of a tool")
class ToolsByCase(MendingServer):
    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if isinstance(message.get("toolName"), str):
            message["toolName"] = str(message["toolName"]).lower()
        return message


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy of a value, each value in it changed from within."""
    if isinstance(value, dict):
        return change({key: changed(one, change) for key, one in value.items()})
    if isinstance(value, list):
        return change([changed(one, change) for one in value])
    return change(value)


class ContentServer(ResultServer):
    """Changes each value of a content."""

    def change(self, value: Any) -> Any:
        """Return what is sent in place of a value."""
        raise NotImplementedError

    def result(self, result: dict[str, Any]) -> Any:
        if "content" in result:
            result["content"] = changed(result["content"], self.change)
        return result


@broken(
    "loses-proto",
    "SOCK-C11",
    "loses the key __proto__",
)
class LosesProto(ContentServer):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            value.pop("__proto__", None)
        return value


@broken(
    "empty-object-is-list",
    "SOCK-C11",
    "writes an empty object as []",
)
class EmptyObjectIsList(ContentServer):
    def change(self, value: Any) -> Any:
        return [] if value == {} else value


@broken(
    "normalises",
    "SOCK-C11",
    "normalises texts to NFC",
)
class Normalises(ContentServer):
    def change(self, value: Any) -> Any:
        return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


@broken(
    "cuts-at-nul",
    "SOCK-C11",
    "cuts texts at U+0000",
)
class CutsAtNul(ContentServer):
    def change(self, value: Any) -> Any:
        return value.partition("\0")[0] if isinstance(value, str) else value


@broken(
    "single-precision",
    "SOCK-C11",
    "rounds fractions to seven digits",
)
class SinglePrecision(ContentServer):
    def change(self, value: Any) -> Any:
        return float(f"{value:.7g}") if isinstance(value, float) else value


@broken(
    "keys-in-lower-case",
    "SOCK-C11",
    "writes keys in lower case",
)
class KeysInLowerCase(ContentServer):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key).lower(): one for key, one in value.items()}
        return value


@broken(
    "tools-by-name",
    "SOCK-M1",
    "lists tools as an object by their names",
)
class ToolsByName(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tools_list":
            frame["tools"] = {one["name"]: one for one in frame["tools"]}
        return frame


@broken("schema-as-text", "SOCK-L1", "lists an inputSchema as JSON text")
class SchemaAsText(RewritingServer):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tools_list":
            frame["tools"][0]["inputSchema"] = '{"type":"object"}'
        return frame


WITHOUT_A_POINT = re.compile(rb"(?<=[:\[,])-?\d+[eE][+]?\d+(?=[,\]}])")
"""Some of the numbers that YAML 1.1 takes for texts."""


class YamlReader(ServerConnection):
    """Reads lines as YAML 1.1 does."""

    def receive_data(self, data: bytes) -> None:
        super().receive_data(WITHOUT_A_POINT.sub(rb'"\g<0>"', data))


@broken(
    "exponents-as-texts",
    "SOCK-C11",
    "reads lines as YAML, to which a number with an exponent and no point is a text",
)
class ExponentsAsTexts(SocketServer):
    def make_connection(self) -> ServerConnection:
        return YamlReader()
