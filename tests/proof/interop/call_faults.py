"""Registries that inspect or convert calls wrongly: INT-C1 to C12."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from tests.proof.interop.subject import (
    CallSubject,
    Json,
    MeaningSubject,
    Subject,
    body_of,
    broken,
    is_accepted,
)

from wireproof_reference.interop import UnknownFormatError

CALLS = ("function", "function_call")
CUSTOM_CALLS = ("custom", "custom_tool_call")
FEW = 3
LONGEST_NAME = 32
LONGEST_INPUT = 4096


class ArgumentsTextSubject(CallSubject):
    """Changes the arguments text of converted function calls."""

    to_responses = False

    def text(self, text: str) -> Any:
        """Return what is given in place of the text."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        if is_accepted(made, source) or source.get("type") not in CALLS:
            return made
        if not isinstance(body_of(source).get("arguments"), str):
            return made
        if "function" in made:
            made["function"]["arguments"] = self.text(made["function"]["arguments"])
        elif self.to_responses:
            made["arguments"] = self.text(made["arguments"])
        return made


class InputSubject(CallSubject):
    """Changes the raw input of converted custom calls."""

    def text(self, text: str) -> Any:
        """Return what is given in place of the text."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        if made != source and source.get("type") in CUSTOM_CALLS:
            body = body_of(made)
            body["input"] = self.text(body["input"])
        return made


# --- INT-C1


@broken("item-id-inspected", "INT-C1", "takes the id of an item for the call's")
class ItemIdInspected(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        return {**said, "call_id": call.get("id", said["call_id"])}


@broken(
    "says-json",
    "INT-C1",
    "calls the kind of an object json",
)
class SaysJson(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "object":
            return {**said, "payload_kind": "json"}
        return said


@broken("formatless", "INT-C1", "does not tell the format")
class Formatless(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        return {**said, "payload_format": ""}


@broken("metadata-as-list", "INT-C1", "tells the extras as a list of names")
class MetadataAsList(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        return {**said, "payload_metadata": list(said["payload_metadata"])}


@broken("own-names", "INT-C1", "says id and name for call_id and tool_name")
class OwnNames(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        said["id"] = said.pop("call_id")
        return said


@broken("short-tool-names", "INT-C1", "cuts tool names at 32 characters")
class ShortToolNames(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        return {**said, "tool_name": said["tool_name"][:LONGEST_NAME]}


@broken("named-by-extras", "INT-C1", "takes a call with extras for a custom one")
class NamedByExtras(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        if any(key.endswith("custom") for key in said["payload_metadata"]):
            return {**said, "payload_kind": "text", "payload": ""}
        return said


# --- INT-C2


class ObjectSubject(MeaningSubject):
    """Changes the payload of function calls whose arguments are a text."""

    def payload(self, payload: Json) -> Any:
        """Return what is told in place of the payload."""
        raise NotImplementedError

    def said(self, said: Json, call: Json) -> Any:
        given = body_of(call).get("arguments")
        if said["payload_kind"] == "object" and isinstance(given, str):
            said["payload"] = self.payload(said["payload"])
        return said


@broken(
    "arguments-undecoded",
    "INT-C2",
    "tells the text of arguments",
)
class ArgumentsUndecoded(ObjectSubject):
    def payload(self, payload: Json) -> Any:
        return json.dumps(payload)


@broken("decodes-twice", "INT-C2", "decodes texts in the arguments that are JSON")
class DecodesTwice(ObjectSubject):
    def payload(self, payload: Json) -> Any:
        found: Json = {}
        for key, value in payload.items():
            found[key] = value
            if isinstance(value, str) and value.startswith(("{", "[")):
                found[key] = json.loads(value)
        return found


@broken("unwraps-input", "INT-C2", "tells the argument input alone where there is one")
class UnwrapsInput(ObjectSubject):
    def payload(self, payload: Json) -> Any:
        return payload["input"] if list(payload) == ["input"] else payload


@broken("drops-nulls", "INT-C2", "leaves out arguments that are null")
class DropsNulls(ObjectSubject):
    def payload(self, payload: Json) -> Any:
        return {key: value for key, value in payload.items() if value is not None}


@broken("numbers-as-texts", "INT-C2", "tells fractions as texts")
class NumbersAsTexts(ObjectSubject):
    def payload(self, payload: Json) -> Any:
        return {
            key: str(value) if isinstance(value, float) else value
            for key, value in payload.items()
        }


@broken("ascii-payload", "INT-C2", "tells texts of the arguments as ASCII")
class AsciiPayload(ObjectSubject):
    def payload(self, payload: Json) -> Any:
        return {
            key: value.encode("ascii", "replace").decode()
            if isinstance(value, str)
            else value
            for key, value in payload.items()
        }


@broken(
    "nothing-for-nothing",
    "INT-C2",
    "tells null where there are no arguments",
)
class NothingForNothing(ObjectSubject):
    def payload(self, payload: Json) -> Any:
        return payload or None


# --- INT-C3


class RawSubject(MeaningSubject):
    """Changes the payload of custom calls."""

    def payload(self, payload: str) -> Any:
        """Return what is told in place of the payload."""
        raise NotImplementedError

    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "text":
            said["payload"] = self.payload(said["payload"])
        return said


@broken("decodes-input", "INT-C3", "decodes the input of a custom call that is JSON")
class DecodesInput(RawSubject):
    def payload(self, payload: str) -> Any:
        try:
            return json.loads(payload)
        except ValueError:
            return payload


@broken("input-that-is-an-object", "INT-C3", "takes input that is JSON for arguments")
class InputThatIsAnObject(RawSubject):
    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "text" and said["payload"].startswith("{"):
            try:
                payload = json.loads(said["payload"])
            except ValueError:
                return said
            return {**said, "payload": payload, "payload_kind": "object"}
        return said


@broken("strips-input", "INT-C3", "strips white space around the input")
class StripsInput(RawSubject):
    def payload(self, payload: str) -> Any:
        return payload.strip() or payload


@broken("wraps-input", "INT-C3", "tells the input in an object")
class WrapsInput(RawSubject):
    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "text" and len(said["payload"]) > LONGEST_NAME:
            return {**said, "payload": {"input": said["payload"]}}
        return said


@broken("normalises-input", "INT-C3", "normalises the Unicode of the input")
class NormalisesInput(RawSubject):
    def payload(self, payload: str) -> Any:
        return unicodedata.normalize("NFKD", payload)


@broken("unescapes-input", "INT-C3", "takes backslashes in the input for escapes")
class UnescapesInput(RawSubject):
    def payload(self, payload: str) -> Any:
        return payload.replace("\\n", "\n").replace("\\\\", "\\")


@broken("cuts-input", "INT-C3", "cuts the input at 4096 characters")
class CutsInput(RawSubject):
    def payload(self, payload: str) -> Any:
        return payload[:LONGEST_INPUT]


@broken("nothing-for-empty-input", "INT-C3", "tells null for an empty input")
class NothingForEmptyInput(RawSubject):
    def payload(self, payload: str) -> Any:
        return payload or None


# --- INT-C4


@broken(
    "re-encodes-arguments",
    "INT-C4",
    "decodes the arguments and encodes them again",
)
class ReEncodesArguments(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        return json.dumps(json.loads(text), separators=(",", ":"))


@broken(
    "sorts-arguments",
    "INT-C4",
    "sorts the keys of arguments",
)
class SortsArguments(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        found = json.loads(text)
        if list(found) == sorted(found):
            return text
        return json.dumps(found, sort_keys=True, separators=(",", ":"))


@broken(
    "strips-arguments",
    "INT-C4",
    "strips white space around the arguments",
)
class StripsArguments(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        return text.strip()


@broken("respells-numbers", "INT-C4", "spells numbers in its own way")
class RespellsNumbers(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        return re.sub(r"(?<=\d)E(?=[-+\d])", "e", text)


@broken("merges-duplicate-keys", "INT-C4", "keeps one of two equal keys")
class MergesDuplicateKeys(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        pairs = json.loads(text, object_pairs_hook=list)
        if len(pairs) == len(dict(pairs)):
            return text
        return json.dumps(dict(pairs))


@broken("ascii-arguments", "INT-C4", "escapes what is not ASCII")
class AsciiArguments(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        return "".join(
            one if one.isascii() else json.dumps(one).strip('"') for one in text
        )


@broken("null-for-empty-arguments", "INT-C4", "gives an empty text for {}")
class NullForEmptyArguments(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        return "" if text == "{}" else text


@broken(
    "decoded-arguments",
    "INT-C4",
    "gives the arguments of a chat call as an object",
)
class DecodedArguments(ArgumentsTextSubject):
    def text(self, text: str) -> Any:
        return json.loads(text)


@broken(
    "item-id-as-id",
    "INT-C4",
    "makes the id of an item the call's",
)
class ItemIdAsId(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if "function" in made and source["type"] == "function_call":
            made["id"] = source.get("id", made["id"])
        return made


@broken("new-ids", "INT-C4", "gives odd ids another spelling")
class NewIds(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if "function" in made and made != source:
            kept = (one if one.isalnum() or one in "_-" else "_" for one in made["id"])
            made["id"] = "".join(kept)
        return made


@broken("short-call-names", "INT-C4", "cuts the names of calls at 32 characters")
class ShortCallNames(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if "function" in made and made != source:
            made["function"]["name"] = made["function"]["name"][:LONGEST_NAME]
        return made


@broken(
    "status-left",
    "INT-C4",
    "leaves the status of an item in the chat call",
)
class StatusLeft(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if "function" in made and "status" in source:
            made["status"] = source["status"]
        return made


@broken(
    "call-id-left",
    "INT-C4",
    "leaves call_id beside id",
)
class CallIdLeft(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if "function" in made and "call_id" in source:
            made["call_id"] = source["call_id"]
        return made


# --- INT-C5


@broken(
    "custom-call-as-function",
    "INT-C5",
    "makes a function call of a custom call for chat",
)
class CustomCallAsFunction(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if source.get("type") != "custom_tool_call" or "custom" not in made:
            return made
        custom = made["custom"]
        arguments = json.dumps({"input": custom["input"]})
        function = {"name": custom["name"], "arguments": arguments}
        return {"id": made["id"], "type": "function", "function": function}


@broken(
    "input-decoded",
    "INT-C5",
    "decodes input that is JSON",
)
class InputDecoded(InputSubject):
    def text(self, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            return text


@broken(
    "input-re-encoded",
    "INT-C5",
    "decodes input that is JSON and encodes it again",
)
class InputReEncoded(InputSubject):
    def text(self, text: str) -> Any:
        try:
            return json.dumps(json.loads(text), separators=(",", ":"))
        except ValueError:
            return text


@broken(
    "input-quoted",
    "INT-C5",
    "encodes the input as a JSON text",
)
class InputQuoted(InputSubject):
    def text(self, text: str) -> Any:
        return json.dumps(text)


@broken(
    "input-repaired",
    "INT-C5",
    "makes {} of input that is broken JSON",
)
class InputRepaired(InputSubject):
    def text(self, text: str) -> Any:
        return "{}" if text.startswith("{") and not text.endswith("}") else text


@broken(
    "input-stripped",
    "INT-C5",
    "strips the input",
)
class InputStripped(InputSubject):
    def text(self, text: str) -> Any:
        return text.strip()


@broken("custom-item-id-as-id", "INT-C5", "makes the id of a custom item the call's")
class CustomItemIdAsId(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        if "custom" in made and source["type"] == "custom_tool_call":
            made["id"] = source.get("id", made["id"])
        return made


# --- INT-C6


class BackSubject(CallSubject):
    """Changes each call that was converted from chat to Responses."""

    def back(self, made: Json) -> Any:
        """Return what is given in place of this call."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        return made if "call_id" in source or "call_id" not in made else self.back(made)


@broken("re-encodes-back", "INT-C6", "encodes arguments again on the way to Responses")
class ReEncodesBack(BackSubject):
    def back(self, made: Json) -> Any:
        if "arguments" in made:
            text = json.dumps(json.loads(made["arguments"]), sort_keys=True)
            made["arguments"] = text
        return made


@broken(
    "ids-of-its-own",
    "INT-C6",
    "gives a call a new id on the way to Responses",
)
class IdsOfItsOwn(BackSubject):
    def back(self, made: Json) -> Any:
        return {**made, "call_id": f"fc_{made['call_id']}"}


@broken("forgets-custom", "INT-C6", "makes a chat custom call a function call")
class ForgetsCustom(BackSubject):
    def back(self, made: Json) -> Any:
        if made["type"] == "custom_tool_call":
            arguments = json.dumps({"input": made.pop("input")})
            return {**made, "type": "function_call", "arguments": arguments}
        return made


@broken(
    "nested-left",
    "INT-C6",
    "leaves the function in the item",
)
class NestedLeft(BackSubject):
    def back(self, made: Json) -> Any:
        return {**made, "function": {"name": made["name"]}}


# --- INT-C7


@broken("empties-the-call", "INT-C7", "takes keys out of the call that it converts")
class EmptiesTheCall(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made = super().convert_tool_calls(calls, target)
        for call in calls:
            call.pop("id", None)
            call.pop("call_id", None)
        return made


@broken("marks-the-call", "INT-C7", "adds a type to the calls that it is given")
class MarksTheCall(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made = super().convert_tool_calls(calls, target)
        for call, one in zip(calls, made, strict=True):
            if call == one:
                call["converted"] = True
        return made


@broken(
    "takes-the-status-away",
    "INT-C7",
    "takes the status out of the calls that it converts",
)
class TakesTheStatusAway(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made = super().convert_tool_calls(calls, target)
        for call in calls:
            call.pop("status", None)
        return made


@broken("inspecting-decodes", "INT-C7", "puts decoded arguments into what it inspects")
class InspectingDecodes(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        if said["payload_kind"] == "object":
            body_of(call)["arguments"] = said["payload"]
        return said


@broken(
    "encodes-arguments-in-place",
    "INT-C7",
    "makes a text of arguments that are an object, in the call that it is given",
    shown_by="interop/calls/source-kept-with-object-arguments",
)
class EncodesArgumentsInPlace(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        for call in calls:
            body = body_of(call)
            if isinstance(body.get("arguments"), dict):
                body["arguments"] = json.dumps(body["arguments"])
        made: list[Any] = super().convert_tool_calls(calls, target)
        return made


# --- INT-C8


@broken("merges-ids", "INT-C8", "keeps one of two calls of one id")
class MergesIds(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = super().convert_tool_calls(calls, target)
        return list({one.get("id", one.get("call_id")): one for one in made}.values())


@broken("merges-equal-calls", "INT-C8", "keeps one of two equal calls")
class MergesEqualCalls(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = []
        for one in super().convert_tool_calls(calls, target):
            if one not in made:
                made.append(one)
        return made


@broken("numbers-duplicates", "INT-C8", "gives the second call of an id another id")
class NumbersDuplicates(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = super().convert_tool_calls(calls, target)
        seen: set[str] = set()
        for one in made:
            key = "id" if "id" in one else "call_id"
            if one.get(key) in seen:
                one[key] = f"{one[key]}_2"
            seen.add(one.get(key))
        return made


@broken("sorts-calls", "INT-C8", "gives calls in the order of their ids")
class SortsCalls(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = super().convert_tool_calls(calls, target)
        if len(made) >= FEW:
            made.sort(key=lambda one: str(one.get("id", one.get("call_id"))))
        return made


@broken("custom-calls-last", "INT-C8", "puts custom calls last")
class CustomCallsLast(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = super().convert_tool_calls(calls, target)
        if len(made) <= FEW:
            return made
        return sorted(made, key=lambda one: one["type"] in CUSTOM_CALLS)


@broken("no-calls-is-null", "INT-C8", "gives null for no calls")
class NoCallsIsNull(Subject):
    def convert_tool_calls(self, calls: list[Any], target: str) -> Any:
        return super().convert_tool_calls(calls, target) or None


# --- INT-C9


class UnknownSubject(Subject):
    """Deals in its own way with a call that it does not know."""

    def unknown(self, call: Any) -> list[Any]:
        """Return what is given in place of the call."""
        raise NotImplementedError

    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        made: list[Any] = []
        for call in calls:
            try:
                made += super().convert_tool_calls([call], target)
            except UnknownFormatError:
                made += self.unknown(call)
        return made


@broken(
    "drops-unknown-calls",
    "INT-C9",
    "drops a call that it does not know",
    level="should",
)
class DropsUnknownCalls(UnknownSubject):
    def unknown(self, call: Any) -> list[Any]:
        return []


@broken(
    "guesses-calls", "INT-C9", "makes a function call of whatever it is", level="should"
)
class GuessesCalls(UnknownSubject):
    def unknown(self, call: Any) -> list[Any]:
        function = {"name": str(call.get("name")), "arguments": "{}"}
        return [{"id": "", "type": "function", "function": function}]


@broken(
    "silent-refusal", "INT-C9", "refuses a call without naming its type", level="should"
)
class SilentRefusal(UnknownSubject):
    def unknown(self, call: Any) -> list[Any]:
        raise ValueError("cannot convert")


@broken(
    "null-for-unknown",
    "INT-C9",
    "gives null for a call that it does not know",
    level="should",
)
class NullForUnknown(UnknownSubject):
    def unknown(self, call: Any) -> list[Any]:
        return [None]


# --- INT-C10


@broken(
    "refuses-objects", "INT-C10", "refuses arguments that are an object", level="should"
)
class RefusesObjects(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        json.loads(body_of(call).get("arguments", "{}"))
        return said


@broken(
    "objects-as-repr",
    "INT-C10",
    "writes arguments that are an object as Python does",
    level="should",
)
class ObjectsAsRepr(CallSubject):
    def made(self, made: Json, source: Json) -> Any:
        given = body_of(source).get("arguments")
        if isinstance(given, dict):
            body_of(made)["arguments"] = str(given)
        return made


@broken(
    "objects-are-lost",
    "INT-C10",
    "takes arguments that are an object for none",
    level="should",
)
class ObjectsAreLost(MeaningSubject):
    def said(self, said: Json, call: Json) -> Any:
        if isinstance(body_of(call).get("arguments"), dict):
            return {**said, "payload": {}}
        return said


# --- INT-C12


class StayingSubject(CallSubject):
    """Changes each call that was to be handed on."""

    def staying(self, made: Json) -> Any:
        """Return what is given in place of this call."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        return self.staying(made) if is_accepted(made, source) else made


@broken("strips-extras", "INT-C12", "hands on the keys of the table alone")
class StripsExtras(StayingSubject):
    def staying(self, made: Json) -> Any:
        keys: tuple[str, ...] = ("id", "type", "function", "custom")
        if "call_id" in made:
            keys = ("type", "call_id", "name", "arguments", "input")
        return {key: value for key, value in made.items() if key in keys}


@broken("completes-status", "INT-C12", "says that each item is completed")
class CompletesStatus(StayingSubject):
    def staying(self, made: Json) -> Any:
        return {**made, "status": "completed"} if "status" in made else made


@broken("adds-an-index", "INT-C12", "numbers the calls that it hands on")
class AddsAnIndex(StayingSubject):
    def staying(self, made: Json) -> Any:
        return {"index": 0, **made}


@broken(
    "re-encodes-what-stays", "INT-C12", "encodes the arguments of calls that stay again"
)
class ReEncodesWhatStays(StayingSubject):
    def staying(self, made: Json) -> Any:
        body = body_of(made)
        if isinstance(body.get("arguments"), str):
            body["arguments"] = json.dumps(json.loads(body["arguments"]))
        return made


@broken("custom-calls-go", "INT-C12", "makes a chat custom call that stays an item")
class CustomCallsGo(StayingSubject):
    def staying(self, made: Json) -> Any:
        if "custom" not in made:
            return made
        return {
            "type": "custom_tool_call",
            "call_id": made["id"],
            **made["custom"],
        }
