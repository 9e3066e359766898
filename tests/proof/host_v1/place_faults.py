"""Hosts with bugs that programs have, each at one place and for few values.

None was made for a vector: they are what a language, a library or a habit does to a
value that nobody thought of. The crossing of places and corpus finds them.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any
from urllib.parse import unquote
from uuid import UUID

from tests.proof.host_v1.id_faults import IdHost
from tests.proof.host_v1.subject import RewritingHost, broken
from tests.proof.host_v1.value_faults import mapped


def as_uuid(text: str) -> str:
    """Return a text as a library of UUIDs writes it, if that can read it."""
    try:
        return str(UUID(text))
    except ValueError:
        return text


@broken(
    "id-as-a-uuid",
    "HV1-M2",
    "holds an id as a UUID where it can be one",
)
class IdAsAUuid(IdHost):
    def change(self, key: str) -> Any:
        return as_uuid(key)


@broken(
    "id-unquoted",
    "HV1-M2",
    "decodes an id as if it came from a URL",
)
class IdUnquoted(IdHost):
    def change(self, key: str) -> Any:
        return unquote(key)


@broken(
    "id-with-plus-for-space",
    "HV1-M2",
    "decodes an id as if it came from a form",
)
class IdWithPlusForSpace(IdHost):
    def change(self, key: str) -> Any:
        return key.replace("+", " ")


@broken(
    "id-in-nfkc",
    "HV1-M2",
    "normalises an id to NFKC",
)
class IdInNfkc(IdHost):
    def change(self, key: str) -> Any:
        return unicodedata.normalize("NFKC", key)


@broken(
    "id-in-quotes",
    "HV1-M2",
    "takes the quotes off an id",
)
class IdInQuotes(IdHost):
    def change(self, key: str) -> Any:
        quoted = len(key) > 1 and key[0] == key[-1] == '"'
        return key[1:-1] if quoted else key


class PayloadHost(RewritingHost):
    """Changes values in payloads only, at any depth."""

    def change(self, value: Any) -> Any:
        """Return what takes the place of a value."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "event" in frame:
            event = frame["event"]
            event["payload"] = mapped(event["payload"], self.change)
        return frame


@broken("payload-keys-in-camel-case", "HV1-E4", "writes keys of a payload in camelCase")
class PayloadKeysInCamelCase(PayloadHost):
    def change(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {
            re.sub(r"(?<=[a-z])_([a-z])", lambda m: m[1].upper(), key): one
            for key, one in value.items()
        }


@broken("payload-without-proto", "HV1-E4", "loses __proto__ in a payload")
class PayloadWithoutProto(PayloadHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            value.pop("__proto__", None)
        return value


class MessageHost(RewritingHost):
    """Changes the message of a reported failure."""

    def change(self, text: str) -> Any:
        """Return what takes the place of a message."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        value = (frame.get("result") or {}).get("value")
        if isinstance(value, dict) and value.get("success") is False:
            value["error"] = self.change(value["error"])
        return frame


@broken("message-or-default", "HV1-R6", "puts a text of its own for an empty message")
class MessageOrDefault(MessageHost):
    def change(self, text: str) -> Any:
        return text or "unknown error"


@broken("message-without-colours", "HV1-R6", "takes terminal colours out of a message")
class MessageWithoutColours(MessageHost):
    def change(self, text: str) -> Any:
        return re.sub("\x1b\\[[0-9;]*m", "", text)


@broken("message-trimmed", "HV1-R6", "trims Unicode's white space off a message")
class MessageTrimmed(MessageHost):
    def change(self, text: str) -> Any:
        return text.strip("\u00a0\u202f\u2007\u3000\u2003\u2009\u0085\ufeff")


@broken("message-as-a-format", "HV1-R6", "uses a message as a format of printf")
class MessageAsAFormat(MessageHost):
    def change(self, text: str) -> Any:
        return text.replace("%%", "%")


class ResultHost(RewritingHost):
    """Changes values in results of tools only, at any depth."""

    def change(self, value: Any) -> Any:
        """Return what takes the place of a value."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        value = (frame.get("result") or {}).get("value")
        if isinstance(value, dict) and "result" in value:
            value["result"] = mapped(value["result"], self.change)
        return frame


@broken(
    "parses-json-texts",
    "HV1-M10",
    "parses a string that is a JSON object",
)
class ParsesJsonTexts(ResultHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
            try:
                return json.loads(value)
            except ValueError:
                return value
        return value


@broken("revives-uuids", "HV1-M10", "holds a string as a UUID where it can be one")
class RevivesUuids(ResultHost):
    def change(self, value: Any) -> Any:
        return as_uuid(value) if isinstance(value, str) else value


@broken("lists-of-64", "HV1-M10", "cuts lists at 64 elements")
class ListsOf64(ResultHost):
    def change(self, value: Any) -> Any:
        return value[:64] if isinstance(value, list) else value


@broken("objects-of-100", "HV1-M10", "cuts objects at a hundred members")
class ObjectsOf100(ResultHost):
    def change(self, value: Any) -> Any:
        return dict(list(value.items())[:100]) if isinstance(value, dict) else value


@broken("flattens-lists-of-one", "HV1-M10", "makes its element of a list of one string")
class FlattensListsOfOne(ResultHost):
    def change(self, value: Any) -> Any:
        one = isinstance(value, list) and len(value) == 1
        return value[0] if one and isinstance(value[0], str) else value


@broken("follows-dotted-keys", "HV1-M10", "takes the key a.b for a path")
class FollowsDottedKeys(ResultHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict) and "a.b" in value:
            value.setdefault("a", {})["b"] = value.pop("a.b")
        return value


@broken("keys-merged-by-number", "HV1-M10", "reads keys of digits as numbers")
class KeysMergedByNumber(ResultHost):
    def change(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {
            str(int(key)) if re.fullmatch("[0-9]{1,15}", key) else key: one
            for key, one in value.items()
        }


@broken("filters-tokens", "HV1-M10", "takes tokens of chat templates out")
class FiltersTokens(ResultHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(r"<\|[a-z_]+\|>", "", value)
        return value


@broken(
    "integers-of-15-digits",
    "HV1-M10",
    "writes integers with 15 digits",
)
class IntegersOf15Digits(ResultHost):
    def change(self, value: Any) -> Any:
        if type(value) is int and 10**15 < abs(value) < 2**52:
            return int(float(f"{value:.15g}"))
        return value


@broken("decodes-entities", "HV1-M10", "decodes HTML's entities in a result")
class DecodesEntities(ResultHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("&eacute;", "\u00e9")
        return value
