"""Registries that change a value on its way, as programs do that mean well."""

from __future__ import annotations

import html
import json
import re
import unicodedata
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from tests.proof.interop.provider_faults import (
    ChatSubject,
    FinalSubject,
    RequestSubject,
    injected,
    streamed,
)
from tests.proof.interop.result_faults import (
    CoreSubject,
    SaidSubject,
    SentEnvelope,
    SentText,
    is_envelope,
    is_text,
)
from tests.proof.interop.schema_faults import ConvertedSubject
from tests.proof.interop.subject import (
    CallSubject,
    Json,
    MeaningSubject,
    ResultSubject,
    SchemaSubject,
    Subject,
    TextSubject,
    body_of,
    broken,
    is_accepted,
)

MOST_IN_A_LIST = 64
MOST_TOOLS = 128


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with each value in it changed, the innermost first."""
    if isinstance(value, dict):
        value = {key: changed(member, change) for key, member in value.items()}
    elif isinstance(value, list):
        value = [changed(element, change) for element in value]
    return change(value)


def without_keys(*names: str) -> Callable[[Any], Any]:
    """Return a change that leaves out the keys of these names."""

    def change(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: member for key, member in value.items() if key not in names}

    return change


def without_nulls(value: Any) -> Any:
    """Leave out the members of an object that are null."""
    if not isinstance(value, dict):
        return value
    return {key: member for key, member in value.items() if member is not None}


def as_number(value: Any) -> Any:
    """Read a text that looks like an integer."""
    numeric = isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,15}", value)
    return int(value) if numeric else value


def as_uuid(text: str) -> str:
    """Write a UUID as the standard library does."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return text


def without_marks(text: str) -> str:
    """Leave out what cannot be seen."""
    return "".join(one for one in text if unicodedata.category(one) != "Cf")


# --- schemas


@broken("proto-unsaid", "INT-S1", "loses keys called __proto__ of what it hands on")
class ProtoUnsaid(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        kept = changed(made, without_keys("__proto__"))
        return kept if is_accepted(made, source) else made


@broken("enums-of-one-unwrapped", "INT-S1", "writes an enum of one as its value")
class EnumsOfOneUnwrapped(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        def unwrapped(value: Any) -> Any:
            if isinstance(value, dict) and isinstance(value.get("enum"), list):
                [*_, last] = value["enum"] or [None]
                return {
                    **value,
                    "enum": last if len(value["enum"]) == 1 else value["enum"],
                }
            return value

        return changed(made, unwrapped) if is_accepted(made, source) else made


@broken("nulls-in-parameters-lost", "INT-S2", "loses nulls in parameters on the way")
class NullsInParametersLost(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if body.get("parameters"):
            body["parameters"] = changed(body["parameters"], without_nulls)
        return made


@broken("falsy-defaults-lost", "INT-S2", "takes a default that is false for none")
class FalsyDefaultsLost(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        def without(value: Any) -> Any:
            if isinstance(value, dict) and not value.get("default", True):
                return {k: v for k, v in value.items() if k != "default"}
            return value

        if body.get("parameters"):
            body["parameters"] = changed(body["parameters"], without)
        return made


@broken("integers-for-texts", "INT-S2", "reads texts in parameters as integers")
class IntegersForTexts(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if body.get("parameters"):
            body["parameters"] = changed(body["parameters"], as_number)
        return made


@broken("constructor-lost", "INT-S2", "loses parameters called as objects' own keys")
class ConstructorLost(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        own = without_keys("constructor", "toString", "hasOwnProperty", "valueOf")
        if body.get("parameters"):
            body["parameters"] = changed(body["parameters"], own)
        return made


@broken(
    "purpose-on-one-line",
    "INT-S3",
    "folds the white space of a description",
    level="should",
)
class PurposeOnOneLine(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        body = body_of(made)
        if source["type"] == "custom" != made["type"] and body.get("description"):
            body["description"] = " ".join(body["description"].split())
        return made


@broken("definitions-trimmed", "INT-S4", "trims a grammar that goes to chat or back")
class DefinitionsTrimmed(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        form: Json = body_of(made).get("format") or {}
        grammar: Json = form.get("grammar", form)
        if made["type"] == "custom" and made != source and "definition" in grammar:
            grammar["definition"] = grammar["definition"].strip()
        return made


@broken("most-tools", "INT-S5", "drops the schemas after the 128th")
class MostTools(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        return super().convert_schemas(schemas, target, target_formats)[:MOST_TOOLS]


@broken("types-of-python", "INT-S7", "takes a type that it knows in another spelling")
class TypesOfPython(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        known = [
            {**one, "type": "function"}
            if one.get("type") in ("class", "object")
            else one
            for one in schemas
        ]
        return super().convert_schemas(known, target, target_formats)


@broken("description-on-one-line", "INT-S10", "tells descriptions on one line")
class DescriptionOnOneLine(Subject):
    def inspect_schema(self, schema: Any) -> Any:
        said: Any = super().inspect_schema(schema)
        if said["description"]:
            said["description"] = said["description"].replace("\n", " ")
        return said


# --- calls


@broken("ids-from-urls", "INT-C1", "decodes percent signs in the ids that it tells")
class IdsFromUrls(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        return {**said, "call_id": unquote(said["call_id"])}


@broken(
    "arguments-as-numbers",
    "INT-C2",
    "tells texts that look like integers as such",
)
class ArgumentsAsNumbers(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "object":
            said["payload"] = changed(said["payload"], as_number)
        return said


@broken(
    "proto-unread",
    "INT-C2",
    "does not tell an argument called __proto__",
)
class ProtoUnread(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "object":
            said["payload"] = changed(said["payload"], without_keys("__proto__"))
        return said


@broken("input-without-marks", "INT-C3", "leaves marks that nobody sees out of input")
class InputWithoutMarks(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "text":
            said["payload"] = without_marks(said["payload"])
        return said


class ToChatSubject(CallSubject):
    """Changes function calls that were converted to chat."""

    def chat(self, made: Json) -> None:
        """Change the call."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        if source.get("type") == "function_call" and "function" in made:
            self.chat(made)
        return made


@broken("uuids-respelled", "INT-C4", "writes ids that are UUIDs in its own way")
class UuidsRespelled(ToChatSubject):
    def chat(self, made: Json) -> None:
        made["id"] = as_uuid(made["id"])


@broken(
    "empty-ids-made-up",
    "INT-C4",
    "makes up an id where it is empty",
)
class EmptyIdsMadeUp(ToChatSubject):
    def chat(self, made: Json) -> None:
        made["id"] = made["id"] or "call_0"


@broken(
    "names-in-snake-case",
    "INT-C4",
    "puts underscores for hyphens in names",
)
class NamesInSnakeCase(ToChatSubject):
    def chat(self, made: Json) -> None:
        made["function"]["name"] = made["function"]["name"].replace("-", "_")


@broken("line-ends-of-input", "INT-C5", "writes the line ends of input in its own way")
class LineEndsOfInput(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if source.get("type") == "custom_tool_call" and "custom" in made:
            made["custom"]["input"] = made["custom"]["input"].replace("\r\n", "\n")
        return made


@broken("responses-ids-trimmed", "INT-C6", "trims the ids of calls for Responses")
class ResponsesIdsTrimmed(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if "call_id" in made and "id" in source and made != source:
            made["call_id"] = made["call_id"].strip()
        return made


@broken("most-calls", "INT-C8", "drops the calls after the 64th")
class MostCalls(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        return super().convert_tool_calls(calls, target)[:MOST_IN_A_LIST]


@broken("nulls-of-calls-lost", "INT-C12", "loses the nulls of a call it hands on")
class NullsOfCallsLost(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        return changed(made, without_nulls) if is_accepted(made, source) else made


# --- sanitising


@broken("proto-emptied", "INT-Z3", "empties arguments in which it sees __proto__")
class ProtoEmptied(TextSubject):
    def text(self, text: str, right: str) -> Any:
        return "{}" if "__proto__" in text else right


@broken("mebibytes-emptied", "INT-Z3", "empties arguments of a mebibyte and more")
class MebibytesEmptied(TextSubject):
    def text(self, text: str, right: str) -> Any:
        return "{}" if len(text) >= 1 << 20 else right


@broken("names-normalised", "INT-Z4", "normalises the names of the calls it keeps")
class NamesNormalised(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        function = made.get("function")
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            function["name"] = unicodedata.normalize("NFC", function["name"])
        return made


# --- results


@broken("entities-read", "INT-R1", "reads HTML entities in results")
class EntitiesRead(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return html.unescape(sent)


@broken("silence-told", "INT-R1", "puts a note for an empty text")
class SilenceTold(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return sent or "(no output)"


@broken("dates-respelled", "INT-R1", "writes dates in results in its own way")
class DatesRespelled(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        try:
            return datetime.fromisoformat(sent).isoformat()
        except ValueError:
            return sent


@broken("envelope-nulls-lost", "INT-R2", "loses the nulls of an envelope's parts")
class EnvelopeNullsLost(SentEnvelope):
    def sent(self, sent: Any, stored: Any) -> Any:
        return changed(sent, without_nulls)


@broken("history-texts-joined", "INT-R3", "joins the texts of a list in a history")
class HistoryTextsJoined(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        stored = source.get("toolResult")
        if isinstance(stored, list) and stored:
            texts = [
                str(one["text"])
                for one in stored
                if isinstance(one, dict) and isinstance(one.get("text"), str)
            ]
            if texts:
                key = "output" if "output" in made else "content"
                made[key] = "\n".join(texts)
        return made


@broken("unnamed-tools", "INT-R5", "keeps null where the name of a tool looks like one")
class UnnamedTools(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        names = made["metadata"]
        if names["tool_name"] in ("null", "undefined", "None"):
            names["tool_name"] = None
        return made


@broken(
    "known-by-true-ids",
    "INT-R7",
    "knows no custom call whose id is empty",
    level="should",
)
class KnownByTrueIds(Subject):
    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        known = [c for c in calls or () if c.get("call_id", c.get("id"))]
        return super().convert_results(results, target, known)


@broken(
    "known-by-first-ids", "INT-R7", "compares the beginnings of ids", level="should"
)
class KnownByFirstIds(Subject):
    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_results(results, target, calls)
        known = {
            one["call_id"][:2]
            for one in calls or ()
            if one.get("type") == "custom_tool_call" and one["call_id"]
        }
        for one in made:
            if one.get("call_id", "")[:2] in known:
                one["type"] = "custom_tool_call_output"
        return made


@broken("entities-seen", "INT-R9", "reads HTML entities in the text that it tells")
class EntitiesSeen(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return (
            {**said, "text": html.unescape(said["text"])} if is_text(result) else said
        )


@broken("most-results", "INT-R10", "drops the results after the 64th")
class MostResults(Subject):
    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        return super().convert_results(results, target, calls)[:MOST_IN_A_LIST]


@broken("line-ends-of-results", "INT-R11", "stores line ends in its own way")
class LineEndsOfResults(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        if isinstance(result, str):
            text = result.replace("\r\n", "\n").replace("\r", "\n")
            made["content"] = made["toolResult"]["text"] = text
        return made


@broken("proto-unstored", "INT-R11", "loses a key called __proto__ of what it stores")
class ProtoUnstored(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        if isinstance(result, dict) and not is_envelope(result):
            text = json.dumps(changed(result, without_keys("__proto__")))
            made["content"] = made["toolResult"]["text"] = text
        return made


@broken("falsy-of-envelopes-lost", "INT-R12", "loses what is false of an envelope")
class FalsyOfEnvelopesLost(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        def without(value: Any) -> Any:
            if not isinstance(value, dict):
                return value
            return {k: v for k, v in value.items() if v or k == "content"}

        if is_envelope(result):
            made["toolResult"] = changed(made["toolResult"], without)
        return made


# --- providers


@broken(
    "fragments-in-notes",
    "INT-Q2",
    "keeps the whole stream in the state",
)
class FragmentsInNotes(FinalSubject):
    def left(self, made: Json, given: Json) -> Any:
        partial = streamed(given["state"])
        if partial:
            texts = [body_of(call).get("arguments") for call in partial]
            made["state"]["log"] = texts


@broken(
    "waits-for-a-choice",
    "INT-Q11",
    "injects no tools where a choice has been made",
)
class WaitsForAChoice(RequestSubject):
    def requested(self, payload: Json, before: Json, state: Json) -> Any:
        if injected(payload, before) and "tool_choice" in before:
            del payload["tools"]


@broken("history-without-nulls", "INT-Q10", "loses nulls of the history that it sends")
class HistoryWithoutNulls(ChatSubject):
    def initialize_request(
        self,
        native_messages: list[Any],
        state: Json,
        target_formats: list[str] | None = None,
    ) -> Any:
        made: Any = super().initialize_request(native_messages, state, target_formats)
        return {
            **made,
            "native_messages": changed(made["native_messages"], without_nulls),
        }
