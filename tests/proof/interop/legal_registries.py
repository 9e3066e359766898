"""Registries that conform in their own way."""

from __future__ import annotations

import copy
import json
import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.proof.interop.length_faults import MOST_OF_A_NAME
from tests.proof.interop.provider_faults import (
    ChatSubject,
    FinalSubject,
    RequestSubject,
    ResponsesSubject,
)
from tests.proof.interop.result_faults import (
    CoreSubject,
    SaidSubject,
    SentStranger,
    is_envelope,
)
from tests.proof.interop.sanitise_faults import ItemSubject, is_deep
from tests.proof.interop.schema_faults import ConvertedSubject, CustomSubject
from tests.proof.interop.subject import (
    ArgumentsSubject,
    CallSubject,
    Json,
    MeaningSubject,
    ResultSubject,
    SchemaSubject,
    Subject,
    TextSubject,
    body_of,
    is_flat,
    legal,
)

from wireproof_reference.interop import (
    BUILT_IN_CONTRIBUTION,
    CallInspection,
    InteropError,
    ToolInteropContribution,
    ToolInteropRegistry,
    ToolSchemaAccessor,
    ToolSchemaAdapter,
    UnknownFormatError,
)

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"
OPS = (
    "convert_schemas",
    "inspect_schema",
    "convert_tool_calls",
    "inspect_call",
    "sanitize_tool_call",
    "inspect_result",
    "convert_results",
)


@legal("refuses-long-names", "refuses a name that no provider takes")
class RefusesLongNames(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        for schema in schemas:
            name = body_of(schema).get("name") if isinstance(schema, dict) else None
            if isinstance(name, str) and len(name) > MOST_OF_A_NAME:
                raise InteropError(f"no provider takes the name {name}")
        return super().convert_schemas(schemas, target, target_formats)


@legal("plain", "is the reference")
class Plain(Subject):
    pass


@legal("plain-chat", "is the reference with its chat provider")
class PlainChat(ChatSubject):
    pass


@legal("plain-responses", "is the reference with its Responses provider")
class PlainResponses(ResponsesSubject):
    pass


# --- schemas


class FilledForResponses(ConvertedSubject):
    """Fills what Responses wants to see."""

    filling: Mapping[str, Any] = {}

    def converted(self, made: Json, body: Json) -> Any:
        return (
            {**made, **{k: made.get(k, v) for k, v in self.filling.items()}}
            if is_flat(made)
            else made
        )


@legal("null-parameters", "adds null parameters for Responses")
class NullParameters(FilledForResponses):
    filling: Mapping[str, Any] = {"parameters": None}


@legal("strict-null", "adds a strict of null for Responses")
class StrictNull(FilledForResponses):
    filling: Mapping[str, Any] = {"strict": None}


@legal("strict-false", "adds null parameters and a strict of false for Responses")
class StrictFalse(FilledForResponses):
    filling: Mapping[str, Any] = {"parameters": None, "strict": False}


@legal(
    "nulls-for-none",
    "says null where a description or a strict is absent",
    warns={"INT-S2": "a description is null"},
)
class NullsForNone(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        # Chat's type has no null for a description, that of Responses has one.
        body.setdefault("strict" if "function" in made else "description", None)
        return made


@legal("closed-input", "closes the parameters of a custom tool made a function")
class ClosedInput(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body["parameters"]["additionalProperties"] = False
        body["strict"] = False


@legal("bare-input", "does not describe the input of a custom tool made a function")
class BareInput(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body.pop("strict", None)
        body["parameters"]["properties"]["input"] = {"type": "string"}


@legal("grammar-in-the-description", "tells the grammar in the tool's description")
class GrammarInTheDescription(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body["description"] = f"{body.get('description', '')} {json.dumps(source)}"


@legal("keys-backwards", "gives the keys of schemas and calls in another order")
class KeysBackwards(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        return dict(reversed(made.items()))

    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = super().convert_tool_calls(calls, target)
        return [dict(reversed(one.items())) for one in made]


@legal("refuses-same-names", "refuses two schemas of one name")
class RefusesSameNames(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_schemas(schemas, target, target_formats)
        names = [body_of(one).get("name") for one in made]
        twice = {name for name in names if names.count(name) > 1}
        if twice and len({json.dumps(one) for one in made}) > 1:
            raise InteropError(f"two tools are called {twice}")
        return made


@legal("knows-no-chat-custom", "does not know custom tools of chat")
class KnowsNoChatCustom(Subject):
    def describe(self) -> Any:
        said = super().describe()
        formats: Any = said["formats"]
        return {**said, "formats": [one for one in formats if one != f"{CHAT}.custom"]}

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        for one in schemas:
            if isinstance(one, dict) and isinstance(one.get("custom"), dict):
                raise UnknownFormatError(
                    "unknown: custom", tool=one["custom"].get("name")
                )
        return super().convert_schemas(schemas, target, target_formats)

    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        if target != CHAT:
            return super().convert_tool_calls(calls, target)
        made: list[Any] = []
        for call in calls:
            custom = isinstance(call, dict) and call.get("type") == "custom_tool_call"
            made += (
                [copy.deepcopy(call)]
                if custom
                else super().convert_tool_calls([call], target)
            )
        return made


@legal("declares-nothing", "declares no formats")
class DeclaresNothing(Subject):
    def describe(self) -> Any:
        said = dict(super().describe())
        del said["formats"]
        return said


@legal("empty-for-none", "says {} and an empty text for what a schema does not have")
class EmptyForNone(Subject):
    def inspect_schema(self, schema: Any) -> Any:
        said: Any = super().inspect_schema(schema)
        said["description"] = said["description"] or ""
        if said["payload_kind"] == "object":
            said["parameters"] = said["parameters"] or {}
        return said


# --- calls


@legal("broken-arguments-are-none", "says {} for arguments that are broken")
class BrokenArgumentsAreNone(Subject):
    def inspect_call(self, call: Any) -> Any:
        try:
            return super().inspect_call(call)
        except InteropError:
            return super().inspect_call(super().sanitize_tool_call(call))


@legal(
    "inspects-as-objects", "gives its own objects, and lists as tuples", bridged=False
)
class InspectsAsObjects(Subject):
    def inspect_call(self, call: Any) -> Any:
        return CallInspection(**super().inspect_call(call))  # type: ignore[arg-type]

    def convert_tool_calls(self, calls: list[Any], target: str) -> Any:
        return tuple(super().convert_tool_calls(calls, target))

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> Any:
        return tuple(super().convert_schemas(schemas, target, target_formats))

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> Any:
        return iter(super().convert_results(results, target, calls))


@legal("no-extras", "has no metadata of a call, and a format name of its own")
class NoExtras(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        return {**said, "payload_metadata": {}, "payload_format": "acme"}


@legal("unknown-calls-stay", "leaves calls that it does not know as they are")
class UnknownCallsStay(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = []
        for call in calls:
            try:
                made += super().convert_tool_calls([call], target)
            except UnknownFormatError:
                made.append(copy.deepcopy(call))
        return made


@legal("custom-items-in-chat", "hands custom items on to chat as they are")
class CustomItemsInChat(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if source.get("type") == "custom_tool_call":
            return copy.deepcopy(source)
        return made


@legal("objects-stay-in-calls", "leaves arguments that are an object one")
class ObjectsStayInCalls(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        given = body_of(source).get("arguments")
        if isinstance(given, dict):
            body_of(made)["arguments"] = copy.deepcopy(given)
        return made


# --- sanitisation


@legal("objects-emptied", "makes {} of arguments that are an object")
class ObjectsEmptied(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        return right if isinstance(given, str) else "{}"


@legal("objects-with-spaces", "writes arguments that are an object with spaces")
class ObjectsWithSpaces(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        return json.dumps(given) if isinstance(given, dict) else right


@legal("surrogates-emptied", "makes {} of what escapes half a surrogate pair")
class SurrogatesEmptied(TextSubject):
    def text(self, text: str, right: str) -> Any:
        if re.search(r"\\ud[89a-f]", text, re.IGNORECASE) and not is_deep(text):
            try:
                json.dumps(json.loads(text), ensure_ascii=False).encode()
            except ValueError:
                return "{}"
        return right


@legal("deeper-emptied", "makes {} of what is more than 600 deep")
class DeeperEmptied(TextSubject):
    def text(self, text: str, right: str) -> Any:
        return "{}" if text.count("[") + text.count("{") > 600 else right


@legal("deep-kept", "keeps whole text of any depth")
class DeepKept(TextSubject):
    def text(self, text: str, right: str) -> Any:
        arrays, objects = text.count("["), text.count("{")
        whole = (
            '{"a":' + "[" * arrays + "]" * arrays + "}",
            '{"a":' * objects + "1" + "}" * objects,
        )
        return text if objects and text in whole else right


def _as_double(digits: str) -> float:
    if math.isinf(number := float(digits)):
        raise OverflowError
    return number


@legal(
    "huge-numbers-emptied",
    "makes {} of numbers that no double holds",
    warns={"INT-Z3": "it is a SHOULD to keep them"},
)
class HugeNumbersEmptied(TextSubject):
    def text(self, text: str, right: str) -> Any:
        try:
            json.loads(text, parse_float=_as_double)
        except OverflowError:
            return "{}"
        except (ValueError, RecursionError):
            pass
        return right


@legal("typeless-is-a-call", "makes a function call of what has no type")
class TypelessIsACall(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if "type" not in call and not isinstance(call.get("function"), dict):
            made["type"] = "function"
            made["function"] = {"arguments": "{}"}
        return made


@legal("items-completed", "says that an emptied item is completed")
class ItemsCompleted(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        if "status" in made and made != call:
            made["status"] = "completed"
        return made


@legal(
    "hands-back-the-same", "hands back a call that it need not change", bridged=False
)
class HandsBackTheSame(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        return call if made == call else made


# --- results


@legal("no-metadata", "sends chat messages without metadata")
class NoMetadata(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        made.pop("_metadata", None)
        return made


@legal("names-in-metadata", "sends the tool's name and more in metadata of its own")
class NamesInMetadata(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        if target == CHAT:
            made["_metadata"] = {"tool_name": source["metadata"]["tool_name"], "v": 1}
        return made


@legal("display", "keeps what the user is shown")
class Display(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        made["metadata"]["display"] = made["content"][:80]
        return made


@legal("empty-fallback", "stores an empty text beside an envelope")
class EmptyFallback(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        return {**made, "content": ""} if is_envelope(result) else made


@legal("spacious-json", "stores dicts and lists as JSON with white space")
class SpaciousJson(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        if not is_envelope(result) and not isinstance(result, str):
            text = json.dumps(result, indent=2, ensure_ascii=False)
            made |= {
                "content": text,
                "toolResult": {"type": "tool_result", "text": text},
            }
        return made


@legal("strangers-told", "tells of the parts that it leaves out")
class StrangersTold(SentStranger):
    def sent(self, sent: Any, stored: Any) -> Any:
        return f"{sent}\n[content of {stored['format']}]"


@legal("strangers-as-json", "sends the content of another's envelope as JSON text")
class StrangersAsJson(SentStranger):
    def sent(self, sent: Any, stored: Any) -> Any:
        return json.dumps(stored["content"])


@legal("results-with-more", "says more of a result, and no format for a text")
class ResultsWithMore(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return {**said, "bytes": len(said["text"]), "format": said["format"]}


@legal("says-the-result-format", "tells a format for a text too")
class SaysTheResultFormat(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        told = said["format"]
        return {**said, "format": "tool_result" if told is None else told}


@legal("native-without-text", "tells no text of what is native")
class NativeWithoutText(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return {**said, "text": said["text"] if said["kind"] == "text" else None}


@legal("leaves-out-nothing-seen", "leaves out what a schema does not have")
class LeavesOutNothingSeen(Subject):
    def inspect_schema(self, schema: Any) -> Any:
        seen: Json = super().inspect_schema(schema)
        return {key: value for key, value in seen.items() if value is not None}


@legal("empty-content-beside-calls", "sends an empty content beside rebuilt calls")
class EmptyContentBesideCalls(ChatSubject):
    def to_native_messages(self, messages: Any) -> Any:
        made: list[Any] = super().to_native_messages(messages)
        return [self.filled(one) for one in made]

    def filled(self, message: Json) -> Json:
        """Return a message whose content is a text, whatever it calls."""
        if message.get("content", "") is None and message.get("tool_calls"):
            return {**message, "content": ""}
        return message


# --- registries


_OWN = "acme.tool"


def _is_own(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("type") == "acme_tool"


def _own_contribution() -> ToolInteropContribution:
    flat = f"{RESPONSES}.function"
    nested = f"{CHAT}.function"
    adapters = (
        ToolSchemaAdapter(
            nested, _OWN, lambda one: {"type": "acme_tool", **_json(one)["function"]}
        ),
        ToolSchemaAdapter(flat, _OWN, lambda one: {**_json(one), "type": "acme_tool"}),
        ToolSchemaAdapter(_OWN, flat, lambda one: {**_json(one), "type": "function"}),
    )
    said = BUILT_IN_CONTRIBUTION.schema_accessors[1]

    def inspect(one: Any) -> Any:
        found = said.inspect({**one, "type": "function"})
        return type(found)(
            found.name, found.description, found.parameters, "object", _OWN
        )

    accessor = ToolSchemaAccessor(_OWN, _is_own, inspect)
    return ToolInteropContribution(
        schema_accessors=(accessor,), schema_adapters=adapters
    )


def _json(one: Any) -> Json:
    found: Json = copy.deepcopy(one)
    return found


@legal("own-format", "has a schema format of its own")
class OwnFormat(Subject):
    def __init__(self) -> None:
        super().__init__()
        self._registry = ToolInteropRegistry(
            (_own_contribution(), BUILT_IN_CONTRIBUTION)
        )


@legal("no-compose", "has no compose_registry, and no other names", bridged=False)
class NoCompose:
    def __init__(self) -> None:
        plain = Plain()
        for op in OPS:
            setattr(self, op, getattr(plain, op))


@legal("without-results", "has no ops for results")
class WithoutResults:
    def __init__(self) -> None:
        plain = Plain()
        for op in OPS[:5]:
            setattr(self, op, getattr(plain, op))


@legal("asynchronous", "has asynchronous methods")
class Asynchronous:
    def __init__(self) -> None:
        self.plain = Plain()

    async def convert_schemas(
        self, schemas: Any, target: Any, target_formats: Any = None
    ) -> Any:
        return self.plain.convert_schemas(schemas, target, target_formats)

    async def inspect_schema(self, schema: Any) -> Any:
        return self.plain.inspect_schema(schema)

    async def convert_tool_calls(self, calls: Any, target: Any) -> Any:
        return self.plain.convert_tool_calls(calls, target)

    async def inspect_call(self, call: Any) -> Any:
        return self.plain.inspect_call(call)

    async def sanitize_tool_call(self, call: Any) -> Any:
        return self.plain.sanitize_tool_call(call)


class _OneTarget(Subject):
    """Refuses to convert to what it does not say to offer."""

    targets: tuple[str, ...]

    def _offered(self, target: str) -> str:
        if target in {CHAT, RESPONSES, "core"} and target not in self.targets:
            raise LookupError(f"the target {target} is not offered here")
        return target

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        return super().convert_schemas(schemas, self._offered(target), target_formats)

    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        return super().convert_tool_calls(calls, self._offered(target))

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        return super().convert_results(results, self._offered(target), calls)


@legal("chat-alone", "converts to chat alone, and says so", bridged=False)
class ChatAlone(_OneTarget):
    targets = (CHAT, "core")


@legal("responses-alone", "converts to Responses alone, and says so", bridged=False)
class ResponsesAlone(_OneTarget):
    targets = (RESPONSES,)


@legal("prints", "prints what it does", bridged=False)
class Prints(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        sys.stdout.write('{"id":1,"ok":true,"value":"printed"}\n')
        sys.stdout.flush()
        sys.stderr.write("sanitising\n" * 10)
        return super().sanitize_tool_call(call)


@dataclass
class _Odd(Exception):
    """An error whose text is empty."""

    known: str


@legal("odd-errors", "refuses with errors of its own")
class OddErrors(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        try:
            return super().convert_schemas(schemas, target, target_formats)
        except InteropError as error:
            raise KeyError({"why": str(error), "tools": schemas}) from None


# --- providers


@legal("core-as-given", "leaves fragments in core messages to the next request")
class CoreAsGiven(FinalSubject):
    def left(self, made: Json, given: Json) -> Any:
        made["final_messages"] = given["final_messages"]


@legal("own-state", "keeps what it likes in payload and state")
class OwnState(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        payload["stream"] = True
        state["acme"] = {"turn": 1}


@legal("own-metadata", "keeps what it likes in core messages")
class OwnMetadata(ChatSubject):
    def from_native_messages(self, native_messages: list[Any]) -> Any:
        made: list[Any] = super().from_native_messages(native_messages)
        for message in made:
            message["metadata"] = {**message.get("metadata", {}), "acme": [1]}
        return made
