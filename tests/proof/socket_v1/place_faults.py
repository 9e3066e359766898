"""Servers with bugs that programs have, each at one place and for few values.

None was made for a vector: they are what a language, a library or a habit does to a
value that nobody thought of. The crossing of places and corpus finds them.
"""

from __future__ import annotations

import posixpath
from typing import Any
from urllib.parse import unquote
from uuid import UUID

from tests.proof.socket_v1.subject import (
    MendingServer,
    ResultServer,
    RewritingServer,
    broken,
)

from wireproof_reference.framing import JSON, JSONObject


class IdServer(RewritingServer):
    """Changes the requestId of each result."""

    def change(self, key: str) -> str:
        """Return what is sent in place of an id."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["type"] == "tool_result":
            frame["requestId"] = self.change(frame["requestId"])
        return frame


@broken(
    "id-as-a-uuid",
    "SOCK-C1",
    "holds an id as a UUID if it can",
)
class IdAsAUuid(IdServer):
    def change(self, key: str) -> str:
        try:
            return str(UUID(key))
        except ValueError:
            return key


@broken(
    "id-unquoted",
    "SOCK-C1",
    "decodes an id as a part of a URL",
)
class IdUnquoted(IdServer):
    def change(self, key: str) -> str:
        return unquote(key)


class EnvelopeServer(ResultServer):
    """Changes the parts of a ToolResult."""

    part: str

    def change(self, value: Any) -> Any:
        """Return what takes the place of the part."""
        raise NotImplementedError

    def result(self, result: dict[str, Any]) -> Any:
        if self.part in result:
            result[self.part] = self.change(result[self.part])
        return result


@broken("meta-without-nulls", "SOCK-C4", "leaves null members out of meta")
class MetaWithoutNulls(EnvelopeServer):
    part = "meta"

    def change(self, value: Any) -> Any:
        return {key: one for key, one in value.items() if one is not None}


@broken("diagnostics-trimmed", "SOCK-C4", "trims the messages of diagnostics")
class DiagnosticsTrimmed(EnvelopeServer):
    part = "diagnostics"

    def change(self, value: Any) -> Any:
        return [{**one, "message": one["message"].strip(" \t")} for one in value]


@broken(
    "content-or-null",
    "SOCK-C4",
    "takes an empty container for no content",
)
class ContentOrNull(EnvelopeServer):
    part = "content"

    def change(self, value: Any) -> Any:
        return None if value in ({}, []) else value


@broken("details-of-strings", "SOCK-C14", "writes a fraction among details as text")
class DetailsOfStrings(ResultServer):
    def result(self, result: dict[str, Any]) -> Any:
        error = result.get("error") or {}
        if isinstance(error.get("details"), float):
            error["details"] = str(error["details"])
        return result


class CallMendingServer(MendingServer):
    """Mends the arguments or the clientInfo of a call."""

    key: str

    def change(self, value: JSONObject) -> JSONObject:
        """Return what is read in place of it."""
        raise NotImplementedError

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        value = message.get(self.key)
        if message.get("type") == "tool_call" and isinstance(value, dict):
            message[self.key] = self.change(value)
        return message


@broken("reads-digits", "SOCK-C6", "reads a string of digits as an integer")
class ReadsDigits(CallMendingServer):
    key = "arguments"

    def change(self, value: JSONObject) -> JSONObject:
        by = value.get("by")
        if isinstance(by, str) and by.isdecimal() and by.isascii() and by != "1":
            return {**value, "by": int(by)}
        return value


@broken(
    "cwd-normalised", "SOCK-I3", "writes cwd the way of a path library", level="should"
)
class CwdNormalised(CallMendingServer):
    key = "clientInfo"

    def change(self, value: JSONObject) -> JSONObject:
        cwd = value.get("cwd")
        if isinstance(cwd, str) and "//" in cwd:
            return {**value, "cwd": posixpath.normpath(cwd)}
        return value


@broken("drops-blank-keys", "SOCK-C11", "drops a key of one space")
class ArgumentsWithoutBlankKeys(CallMendingServer):
    key = "arguments"

    def change(self, value: JSONObject) -> JSONObject:
        inner = value.get("value")
        if isinstance(inner, dict) and " " in inner:
            kept = {key: one for key, one in inner.items() if key != " "}
            return {**value, "value": kept}
        return value


@broken(
    "finds-value-of",
    "SOCK-C6",
    "finds a tool named valueOf that nobody registered",
)
class FindsValueOf(CallMendingServer):
    key = "arguments"

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        if message.get("toolName") == "valueOf":
            arguments: JSON = {"value": None}
            return {**message, "toolName": "conformance_echo", "arguments": arguments}
        return message
