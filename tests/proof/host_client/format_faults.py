"""Clients that keep or lose the structure of a formatted result: HV1-C6."""

from __future__ import annotations

import json

from tests.proof.host_client.subject import broken

from wireproof_reference.framing import JSON, JSONObject, dumps, loads
from wireproof_reference.host_v1 import HostClient, Reply, is_envelope


class FormattingClient(HostClient):
    """Makes something else of what `format_tool_result` gives."""

    def shape(self, value: JSON) -> str | JSONObject:
        """Return what is shown in place of a value."""
        raise NotImplementedError

    async def format_tool_result(
        self, result: JSON, *, within: float | None = None
    ) -> str | JSONObject:
        params: JSONObject = {"result": result, "state": self.state}
        reply: Reply = await self.request("format_tool_result", params, within=within)
        return self.shape(reply.value)


@broken("objects-stay", "HV1-C6", "keeps every object structured")
class ObjectsStay(FormattingClient):
    def shape(self, value: JSON) -> str | JSONObject:
        return value if isinstance(value, str | dict) else dumps(value).decode()


@broken("any-format", "HV1-C6", "keeps envelopes of every format structured")
class AnyFormat(FormattingClient):
    def shape(self, value: JSON) -> str | JSONObject:
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(value, str):
            return value
        if isinstance(value, dict) and kind == "provider_native_tool_result":
            return value
        return dumps(value).decode()


@broken("no-envelopes", "HV1-C6", "makes text of every object")
class NoEnvelopes(FormattingClient):
    def shape(self, value: JSON) -> str | JSONObject:
        return value if isinstance(value, str) else dumps(value).decode()


@broken("quoted-text", "HV1-C6", "makes JSON text of a string")
class QuotedText(FormattingClient):
    def shape(self, value: JSON) -> str | JSONObject:
        return value if is_envelope(value) else dumps(value).decode()


@broken("empty-text-is-none", "HV1-C6", "makes JSON text of the result of an empty one")
class EmptyTextIsNone(HostClient):
    async def format_tool_result(
        self, result: JSON, *, within: float | None = None
    ) -> str | JSONObject:
        shown = await super().format_tool_result(result, within=within)
        return shown or dumps(result).decode()


@broken("parses-text", "HV1-C6", "keeps an envelope that comes as text")
class ParsesText(HostClient):
    async def format_tool_result(
        self, result: JSON, *, within: float | None = None
    ) -> str | JSONObject:
        shown = await super().format_tool_result(result, within=within)
        if isinstance(shown, str) and "provider_native_tool_result" in shown:
            parsed = loads(shown.encode())
            if isinstance(parsed, dict) and parsed.get("format") == "openai.responses":
                return parsed
        return shown


@broken("python-text", "HV1-C6", "shows objects as Python writes them")
class PythonText(HostClient):
    async def format_tool_result(
        self, result: JSON, *, within: float | None = None
    ) -> str | JSONObject:
        shown = await super().format_tool_result(result, within=within)
        if isinstance(shown, str) and shown.startswith('{"'):
            return repr(json.loads(shown))
        return shown


class LooseClient(FormattingClient):
    """Keeps envelopes whose format it takes for a known one."""

    def known(self, name: str) -> str:
        """Return what the name of a format is taken for."""
        return name

    def shape(self, value: JSON) -> str | JSONObject:
        if isinstance(value, dict) and isinstance(name := value.get("format"), str):
            known = is_envelope({**value, "format": self.known(name)})
            return value if known else dumps(value).decode()
        return value if isinstance(value, str) else dumps(value).decode()


@broken("any-case", "HV1-C6", "keeps envelopes whose format has capitals")
class AnyCase(LooseClient):
    def known(self, name: str) -> str:
        return name.lower()


@broken(
    "any-format-of-the-provider",
    "HV1-C6",
    "keeps envelopes whose format begins with the provider's name",
    shown_by="host-client/results/format-that-begins-alike",
)
class AnyFormatOfTheProvider(LooseClient):
    def known(self, name: str) -> str:
        return "openai.responses" if name.startswith("openai.") else name


@broken(
    "content-for-its-object",
    "HV1-C6",
    "gives the text that an object has as content",
    shown_by="host-client/results/object-with-content",
)
class ContentForItsObject(FormattingClient):
    def shape(self, value: JSON) -> str | JSONObject:
        if isinstance(value, str) or is_envelope(value):
            return value
        content = value.get("content") if isinstance(value, dict) else None
        return content if isinstance(content, str) else dumps(value).decode()
