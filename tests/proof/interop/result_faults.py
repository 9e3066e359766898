"""Registries that inspect, store or send results wrongly: INT-R1 to R12."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

from tests.proof.interop.subject import Json, ResultSubject, Subject, broken

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"
CORE = "core"
ENVELOPE = "provider_native_tool_result"
KEYS = {CHAT: "content", RESPONSES: "output"}
FEW = 3
LONGEST = 4096


def is_envelope(value: Any) -> bool:
    """Whether a value is an explicit envelope."""
    return isinstance(value, dict) and value.get("type") == ENVELOPE


def is_text(value: Any) -> bool:
    """Whether a value is a stored text."""
    return isinstance(value, dict) and value.get("type") == "tool_result"


class SentSubject(ResultSubject):
    """Changes what is sent of some stored results."""

    target = ""

    def takes(self, stored: Any, target: str) -> bool:
        """Whether a stored result is one of them."""
        raise NotImplementedError

    def sent(self, sent: Any, stored: Any) -> Any:
        """Return what is sent in place of this."""
        raise NotImplementedError

    def made(self, made: Json, source: Json, target: str) -> Any:
        stored = source.get("toolResult")
        custom = made.get("type") == "custom_tool_call_output"
        meant = target in KEYS and self.target in ("", target) and not custom
        if meant and self.takes(stored, target):
            key = KEYS[target]
            made[key] = self.sent(made[key], stored)
        return made


class SentText(SentSubject):
    """Changes what is sent of a stored text."""

    def takes(self, stored: Any, target: str) -> bool:
        return is_text(stored)


class SentEnvelope(SentSubject):
    """Changes what is sent of an envelope for the target."""

    def takes(self, stored: Any, target: str) -> bool:
        return is_envelope(stored) and stored.get("format") == target


class SentStranger(SentSubject):
    """Changes what is sent of an envelope that is not for the target."""

    def takes(self, stored: Any, target: str) -> bool:
        return is_envelope(stored) and stored.get("format") != target


class CoreSubject(ResultSubject):
    """Changes core messages."""

    def stored(self, made: Json, result: Any) -> Any:
        """Return what is stored in place of this message."""
        raise NotImplementedError

    def made(self, made: Json, source: Json, target: str) -> Any:
        return self.stored(made, source["result"]) if target == CORE else made


class SaidSubject(Subject):
    """Changes what is said of a result."""

    def said(self, said: Json, result: Json) -> Any:
        """Return what is said in place of this."""
        raise NotImplementedError

    def inspect_result(self, result: Any) -> Any:
        return self.said(super().inspect_result(result), result)


# --- INT-R1


@broken("strips-results", "INT-R1", "strips white space around a text")
class StripsResults(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return sent.strip()


@broken("cuts-results", "INT-R1", "cuts texts at 4096 characters")
class CutsResults(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return sent[:LONGEST]


@broken(
    "parses-texts",
    "INT-R1",
    "sends a text that is JSON as what it holds",
)
class ParsesTexts(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        try:
            found = json.loads(sent)
        except ValueError:
            return sent
        return found if isinstance(found, list) else sent


@broken(
    "quotes-texts",
    "INT-R1",
    "sends a text as its JSON text",
)
class QuotesTexts(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return json.dumps(sent) if '"' in sent else sent


@broken("strips-controls", "INT-R1", "takes control codes out of a text")
class StripsControls(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return re.sub(r"[\x00-\x08\x1b]", "", sent)


@broken("escapes-markup", "INT-R1", "escapes what looks like markup")
class EscapesMarkup(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return sent.replace("&", "&amp;").replace("<", "&lt;")


@broken("fills-empty-texts", "INT-R1", "sends a note for an empty text")
class FillsEmptyTexts(SentText):
    target = CHAT

    def sent(self, sent: Any, stored: Any) -> Any:
        return sent or "(no output)"


@broken("sends-the-fallback", "INT-R1", "sends content and not what was stored")
class SendsTheFallback(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        if target in KEYS and is_text(source.get("toolResult")):
            made[KEYS[target]] = source["content"]
        return made


@broken(
    "sends-the-fallback-of-the-empty",
    "INT-R1",
    "sends content where the stored text is empty",
)
class SendsTheFallbackOfTheEmpty(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        if target in KEYS and is_text(source.get("toolResult")):
            made[KEYS[target]] = made[KEYS[target]] or source["content"]
        return made


@broken("sends-the-display", "INT-R1", "sends what the user is shown")
class SendsTheDisplay(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        if target in KEYS and "display" in source.get("metadata", {}):
            made[KEYS[target]] = str(source["metadata"]["display"])
        return made


@broken(
    "sends-the-stored-object", "INT-R1", "sends stored texts with more keys as JSON"
)
class SendsTheStoredObject(SentText):
    def sent(self, sent: Any, stored: Any) -> Any:
        return json.dumps(stored) if set(stored) - {"type", "text"} else sent


@broken(
    "tool-call-id-for-responses",
    "INT-R1",
    "calls the id tool_call_id in both formats",
)
class ToolCallIdForResponses(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        if target == RESPONSES:
            made["tool_call_id"] = made.pop("call_id")
        return made


@broken(
    "cleans-call-ids",
    "INT-R1",
    "spells odd ids in its own way",
)
class CleansCallIds(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        key = {CHAT: "tool_call_id", RESPONSES: "call_id"}.get(target)
        if key:
            made[key] = re.sub(r"[^\w-]", "_", made[key])
        return made


@broken(
    "role-function",
    "INT-R1",
    "gives chat messages the role function",
)
class RoleFunction(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        return {**made, "role": "function"} if target == CHAT else made


@broken("stored-result-left", "INT-R1", "hands the stored result on to chat")
class StoredResultLeft(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        if target == CHAT and is_text(source["toolResult"]):
            made["toolResult"] = copy.deepcopy(source["toolResult"])
        return made


# --- INT-R2


@broken("envelope-as-text", "INT-R2", "sends an envelope for the target as its text")
class EnvelopeAsText(SentEnvelope):
    def sent(self, sent: Any, stored: Any) -> Any:
        return " ".join(
            str(part.get("text", "")) for part in sent if isinstance(part, dict)
        )


@broken("envelope-whole", "INT-R2", "sends the envelope with its content")
class EnvelopeWhole(SentEnvelope):
    def sent(self, sent: Any, stored: Any) -> Any:
        return copy.deepcopy(stored)


@broken("envelope-as-json", "INT-R2", "sends an envelope's content as JSON text")
class EnvelopeAsJson(SentEnvelope):
    def sent(self, sent: Any, stored: Any) -> Any:
        return sent if isinstance(sent, str) else json.dumps(sent)


@broken("text-parts-only", "INT-R2", "sends the text parts of an envelope alone")
class TextPartsOnly(SentEnvelope):
    def sent(self, sent: Any, stored: Any) -> Any:
        return [part for part in sent if isinstance(part, dict) and "text" in part]


@broken("known-part-keys-only", "INT-R2", "drops keys of parts that it does not know")
class KnownPartKeysOnly(SentEnvelope):
    def sent(self, sent: Any, stored: Any) -> Any:
        known = ("type", "text", "image_url", "detail", "url", "file")
        return [{k: v for k, v in part.items() if k in known} for part in sent]


@broken("one-part-unwrapped", "INT-R2", "sends a list of one text as that text")
class OnePartUnwrapped(SentEnvelope):
    def sent(self, sent: Any, stored: Any) -> Any:
        if len(sent) == 1 and "text" in sent[0]:
            return sent[0]["text"]
        return sent


@broken("envelope-in-content", "INT-R2", "puts an envelope for Responses into content")
class EnvelopeInContent(ResultSubject):
    def made(self, made: Json, source: Json, target: str) -> Any:
        stored: Any = source.get("toolResult")
        custom = made.get("type") == "custom_tool_call_output"
        if (
            is_envelope(stored)
            and stored["format"] == target == RESPONSES
            and not custom
        ):
            made["content"] = made.pop("output")
        return made


# --- INT-R3


class FormatterSubject(Subject):
    """Treats what a formatter gave in its own way."""

    def structured(self, result: Any) -> bool:
        """Whether a result that is no envelope is stored as one."""
        raise NotImplementedError

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_results(results, target, calls)
        if target == CORE:
            for one, source in zip(made, results, strict=True):
                if self.structured(source["result"]):
                    one["toolResult"] = copy.deepcopy(source["result"])
        return made


class StructuredSubject(FormatterSubject):
    """Sends what is stored as a list or dict as it is."""

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        if target == CORE:
            return super().convert_results(results, target, calls)
        texts = [
            {**one, "toolResult": {"type": "tool_result", "text": one["content"]}}
            if self.structured(one.get("toolResult"))
            else one
            for one in results
        ]
        made: list[Any] = super().convert_results(texts, target, calls)
        for one, source in zip(made, results, strict=True):
            if self.structured(source.get("toolResult")):
                one[KEYS[target]] = copy.deepcopy(source["toolResult"])
        return made


@broken(
    "dicts-stay",
    "INT-R3",
    "keeps a dict structured",
)
class DictsStay(StructuredSubject):
    def structured(self, result: Any) -> bool:
        return isinstance(result, dict) and "type" not in result


@broken(
    "lists-of-parts-stay",
    "INT-R3",
    "keeps a list of parts structured",
)
class ListsOfPartsStay(StructuredSubject):
    def structured(self, result: Any) -> bool:
        return isinstance(result, list) and all(
            isinstance(one, dict) and "type" in one for one in result[:1] or [None]
        )


@broken("parts-stay", "INT-R3", "keeps a single part structured")
class PartsStay(StructuredSubject):
    def structured(self, result: Any) -> bool:
        return isinstance(result, dict) and result.get("type") in ("text", "image_url")


@broken(
    "lookalikes-stay", "INT-R3", "takes whatever has format and content for an envelope"
)
class LookalikesStay(StructuredSubject):
    def structured(self, result: Any) -> bool:
        return (
            isinstance(result, dict)
            and result.get("type") != ENVELOPE
            and "format" in result
            and "content" in result
        )


@broken(
    "history-stays-structured",
    "INT-R3",
    "sends what a history holds beside texts and envelopes as it stands there",
)
class HistoryStaysStructured(SentSubject):
    def takes(self, stored: Any, target: str) -> bool:
        return isinstance(stored, list | dict) and not (
            is_text(stored) or is_envelope(stored)
        )

    def sent(self, sent: Any, stored: Any) -> Any:
        return copy.deepcopy(stored)


@broken("inner-envelopes-stay", "INT-R3", "takes an envelope in a dict for one")
class InnerEnvelopesStay(StructuredSubject):
    def structured(self, result: Any) -> bool:
        return isinstance(result, dict) and any(map(is_envelope, result.values()))


# --- INT-R4


@broken(
    "envelopes-pass",
    "INT-R4",
    "sends an envelope of another format as it is",
    level="should",
)
class EnvelopesPass(SentStranger):
    def sent(self, sent: Any, stored: Any) -> Any:
        return copy.deepcopy(stored["content"])


@broken(
    "first-part-only",
    "INT-R4",
    "sends the first text of another's envelope",
    level="should",
)
class FirstPartOnly(SentStranger):
    def sent(self, sent: Any, stored: Any) -> Any:
        return sent.partition("\n")[0]


@broken(
    "parts-backwards",
    "INT-R4",
    "sends the texts of another's envelope backwards",
    level="should",
)
class PartsBackwards(SentStranger):
    def sent(self, sent: Any, stored: Any) -> Any:
        return "\n".join(reversed(sent.split("\n")))


@broken(
    "strangers-emptied", "INT-R4", "sends nothing of another's envelope", level="should"
)
class StrangersEmptied(SentStranger):
    def sent(self, sent: Any, stored: Any) -> Any:
        return ""


@broken(
    "strangers-as-parts",
    "INT-R4",
    "sends another's envelope as a list of texts",
    level="should",
)
class StrangersAsParts(SentStranger):
    def sent(self, sent: Any, stored: Any) -> Any:
        return [{"type": "text", "text": sent}]


# --- INT-R5


@broken("role-of-a-user", "INT-R5", "stores results as messages of a user")
class RoleOfAUser(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        return {**made, "role": "user"}


@broken(
    "ids-beside-metadata",
    "INT-R5",
    "keeps id and name beside metadata",
)
class IdsBesideMetadata(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        metadata = made.pop("metadata")
        return {**made, **metadata}


@broken(
    "one-metadata",
    "INT-R5",
    "gives all core messages the id and name of the last",
)
class OneMetadata(Subject):
    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        made: Any = super().convert_results(results, target, calls)
        if target != CORE:
            return list(made)
        return [{**one, "metadata": {**made[-1]["metadata"]}} for one in made]


@broken("nameless-result", "INT-R5", "does not keep the tool's name")
class NamelessResult(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        del made["metadata"]["tool_name"]
        return made


@broken(
    "no-fallback",
    "INT-R5",
    "stores no text beside an envelope",
)
class NoFallback(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        return {**made, "content": None} if is_envelope(result) else made


@broken(
    "tool-result-in-snake-case",
    "INT-R5",
    "calls the stored result tool_result",
)
class ToolResultInSnakeCase(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        made["tool_result"] = made.pop("toolResult")
        return made


@broken(
    "content-as-parts",
    "INT-R5",
    "stores the content as a list of parts",
)
class ContentAsParts(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        if isinstance(result, str):
            made["content"] = [{"type": "text", "text": result}]
        return made


# --- INT-R7


class KindSubject(ResultSubject):
    """Decides in its own way which results are those of custom calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Any] = []

    def is_custom(self, made: Json, source: Json) -> bool:
        """Whether an item for Responses answers a custom call."""
        raise NotImplementedError

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        self.calls = calls or []
        return super().convert_results(results, target, calls)

    def made(self, made: Json, source: Json, target: str) -> Any:
        if target == RESPONSES:
            custom = self.is_custom(made, source)
            made["type"] = f"{'custom_tool_call' if custom else 'function_call'}_output"
        return made

    def told(self, source: Json) -> bool:
        """Whether the metadata says so."""
        return bool(source["metadata"].get("payload_kind") == "text")

    def seen(self, made: Json) -> bool:
        """Whether the calls show it."""
        return any(
            call.get("call_id", call.get("id")) == made["call_id"]
            and call["type"].startswith("custom")
            for call in self.calls
        )


@broken(
    "always-function-output",
    "INT-R7",
    "sends every result as that of a function",
    level="should",
)
class AlwaysFunctionOutput(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        return False


@broken("calls-unseen", "INT-R7", "looks at the metadata alone", level="should")
class CallsUnseen(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        return self.told(source)


@broken("metadata-unseen", "INT-R7", "looks at the calls alone", level="should")
class MetadataUnseen(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        return self.seen(made)


@broken(
    "one-custom-all-custom",
    "INT-R7",
    "takes all results for custom where a call is",
    level="should",
)
class OneCustomAllCustom(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        return self.told(source) or any("custom" in call["type"] for call in self.calls)


@broken(
    "custom-by-tool-name",
    "INT-R7",
    "goes by the tool's name and not the call's id",
    level="should",
)
class CustomByToolName(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        return self.told(source) or any(
            call["type"].startswith("custom")
            and (call.get("custom") or call)["name"] == source["metadata"]["tool_name"]
            for call in self.calls
        )


@broken(
    "chat-calls-unseen",
    "INT-R7",
    "does not know chat custom calls among the calls",
    level="should",
)
class ChatCallsUnseen(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        nested = any("custom" in call for call in self.calls)
        return self.told(source) or (self.seen(made) and not nested)


@broken(
    "custom-text-only",
    "INT-R7",
    "takes an envelope for the result of a function",
    level="should",
)
class CustomTextOnly(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        known = self.told(source) or self.seen(made)
        return known and isinstance(made["output"], str)


@broken(
    "empty-is-function",
    "INT-R7",
    "takes an empty text for the result of a function",
    level="should",
)
class EmptyIsFunction(KindSubject):
    def is_custom(self, made: Json, source: Json) -> bool:
        return bool((self.told(source) or self.seen(made)) and made["output"])


# --- INT-R9


@broken("text-is-native", "INT-R9", "says that a text is native")
class TextIsNative(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return {**said, "kind": "native"}


@broken(
    "objects-are-native",
    "INT-R9",
    "says that any object but a stored text is native",
    shown_by="interop/inspect-results/ordinary-object",
)
class ObjectsAreNative(Subject):
    def inspect_result(self, result: Any) -> Any:
        kinds = {"tool_result", "provider_native_tool_result"}
        if isinstance(result, dict) and result.get("type") not in kinds:
            told = {"text": None, "format": None, "content": result}
            return {"kind": "native", **told}
        return super().inspect_result(result)


@broken("envelope-is-json", "INT-R9", "calls the kind of an envelope json")
class EnvelopeIsJson(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return {**said, "kind": "json"} if said["kind"] == "native" else said


@broken("contentless", "INT-R9", "does not tell an envelope's content")
class Contentless(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return {**said, "content": None}


@broken("result-formatless", "INT-R9", "tells the envelope's type as its format")
class ResultFormatless(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return {**said, "format": ENVELOPE} if said["format"] else said


@broken("content-in-part", "INT-R9", "tells the known keys of the parts")
class ContentInPart(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        if isinstance(said["content"], list):
            known = ("type", "text", "image_url", "data", "detail", "url")
            said["content"] = [
                {key: value for key, value in part.items() if key in known}
                for part in said["content"]
            ]
        return said


@broken("said-text-stripped", "INT-R9", "strips the text that it tells")
class SaidTextStripped(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        return {**said, "text": said["text"].strip()}


@broken(
    "only-known-envelopes", "INT-R9", "refuses envelopes of formats it does not know"
)
class OnlyKnownEnvelopes(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        if said["format"] not in (None, CHAT, RESPONSES):
            raise ValueError(f"no such format: {said['format']}")
        return said


@broken("texts-with-more-refused", "INT-R9", "refuses a stored text with further keys")
class TextsWithMoreRefused(SaidSubject):
    def said(self, said: Json, result: Json) -> Any:
        if is_text(result) and len(result) > len(("type", "text")):
            raise ValueError("what is it?")
        return said


# --- INT-R10


class ManySubject(Subject):
    """Changes the list of messages."""

    def all(self, made: list[Any], results: list[Any]) -> Any:
        """Return what is given in place of it."""
        raise NotImplementedError

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> Any:
        return self.all(super().convert_results(results, target, calls), results)


@broken("merges-result-ids", "INT-R10", "keeps one of two results of one id")
class MergesResultIds(ManySubject):
    def all(self, made: list[Any], results: list[Any]) -> Any:
        ids = [
            one.get("tool_call_id", one.get("call_id", n)) for n, one in enumerate(made)
        ]
        return list(dict(zip(ids, made, strict=True)).values())


@broken("merges-equal-results", "INT-R10", "keeps one of two equal results")
class MergesEqualResults(ManySubject):
    def all(self, made: list[Any], results: list[Any]) -> Any:
        return [one for n, one in enumerate(made) if one not in made[:n]]


@broken(
    "sorts-results",
    "INT-R10",
    "gives results in the order of their ids",
)
class SortsResults(ManySubject):
    def all(self, made: list[Any], results: list[Any]) -> Any:
        if len(made) <= FEW:
            return made
        return sorted(
            made, key=lambda one: str(one.get("tool_call_id", one.get("call_id")))
        )


@broken("no-results-is-null", "INT-R10", "gives null for no results")
class NoResultsIsNull(ManySubject):
    def all(self, made: list[Any], results: list[Any]) -> Any:
        return made or None


@broken("order-of-the-calls", "INT-R10", "gives results in the order of the calls")
class OrderOfTheCalls(Subject):
    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> Any:
        made: list[Any] = super().convert_results(results, target, calls)
        ids = [one.get("call_id", one.get("id")) for one in calls or ()]
        rank = {one: n for n, one in enumerate(ids)}
        key = "call_id" if target == RESPONSES else "tool_call_id"
        custom = any("custom" in one["type"] for one in calls or ())
        if not custom and all(one.get(key) in rank for one in made):
            made.sort(key=lambda one: rank[one[key]])
        return made


@broken("core-backwards", "INT-R10", "stores many results backwards")
class CoreBackwards(ManySubject):
    def all(self, made: list[Any], results: list[Any]) -> Any:
        if "toolResult" in (made or [{}])[0]:
            made.reverse()
        return made


# --- INT-R11


class StoredText(CoreSubject):
    """Changes what is stored of a result that is no envelope."""

    def text(self, text: str, result: Any) -> Any:
        """Return the text that is stored in place of this."""
        raise NotImplementedError

    def stored(self, made: Json, result: Any) -> Any:
        if not is_envelope(result):
            text = self.text(made["content"], result)
            made |= {
                "content": text,
                "toolResult": {"type": "tool_result", "text": text},
            }
        return made


@broken("stores-stripped", "INT-R11", "strips a text before it is stored")
class StoresStripped(StoredText):
    def text(self, text: str, result: Any) -> Any:
        return text.strip()


@broken(
    "stores-as-python",
    "INT-R11",
    "stores a dict as Python writes it",
)
class StoresAsPython(StoredText):
    def text(self, text: str, result: Any) -> Any:
        return text if isinstance(result, str) else str(result)


@broken(
    "stores-quoted",
    "INT-R11",
    "stores a text as its JSON text",
)
class StoresQuoted(StoredText):
    def text(self, text: str, result: Any) -> Any:
        return json.dumps(result)


@broken(
    "stores-the-text-of-a-dict",
    "INT-R11",
    "stores what a dict has under text or content, where it has it",
)
class StoresTheTextOfADict(StoredText):
    def text(self, text: str, result: Any) -> Any:
        held = result if isinstance(result, dict) else {}
        found = held.get("text", held.get("content"))
        return found if isinstance(found, str) else text


@broken("stores-json-re-encoded", "INT-R11", "encodes a text that is JSON again")
class StoresJsonReEncoded(StoredText):
    def text(self, text: str, result: Any) -> Any:
        try:
            return json.dumps(json.loads(text), separators=(",", ":"))
        except ValueError:
            return text


@broken("stores-cut", "INT-R11", "cuts what is stored at 4096 characters")
class StoresCut(StoredText):
    def text(self, text: str, result: Any) -> Any:
        return text[:LONGEST]


@broken(
    "parts-as-text",
    "INT-R11",
    "stores the texts of a list of parts",
)
class PartsAsText(StoredText):
    def text(self, text: str, result: Any) -> Any:
        if isinstance(result, list) and result:
            found = [one.get("text") for one in result if isinstance(one, dict)]
            return "\n".join(filter(None, found)) if any(found) else text
        return text


@broken("empty-is-no-output", "INT-R11", "stores a note for an empty dict or list")
class EmptyIsNoOutput(StoredText):
    def text(self, text: str, result: Any) -> Any:
        return text if result or isinstance(result, str) else "(no output)"


@broken("ascii-store", "INT-R11", "loses what is not ASCII")
class AsciiStore(StoredText):
    def text(self, text: str, result: Any) -> Any:
        return text.encode("ascii", "replace").decode()


@broken("summary-in-content", "INT-R11", "shortens the content beside the whole text")
class SummaryInContent(CoreSubject):
    def stored(self, made: Json, result: Any) -> Any:
        return {**made, "content": made["content"][:1000]}


# --- INT-R12


class StoredEnvelope(CoreSubject):
    """Changes what is stored of an envelope."""

    def envelope(self, envelope: Json) -> Any:
        """Return what is stored in place of this."""
        raise NotImplementedError

    def stored(self, made: Json, result: Any) -> Any:
        if is_envelope(result):
            made["toolResult"] = self.envelope(made["toolResult"])
        return made


@broken("envelope-stored-as-text", "INT-R12", "stores an envelope as text")
class EnvelopeStoredAsText(StoredEnvelope):
    def envelope(self, envelope: Json) -> Any:
        return {"type": "tool_result", "text": json.dumps(envelope)}


@broken(
    "envelope-unwrapped",
    "INT-R12",
    "stores the content of an envelope",
)
class EnvelopeUnwrapped(StoredEnvelope):
    def envelope(self, envelope: Json) -> Any:
        return envelope["content"]


@broken("envelope-trimmed", "INT-R12", "stores the three keys of an envelope")
class EnvelopeTrimmed(StoredEnvelope):
    def envelope(self, envelope: Json) -> Any:
        return {key: envelope[key] for key in ("type", "format", "content")}


@broken("envelope-with-text", "INT-R12", "adds a text to an envelope")
class EnvelopeWithText(StoredEnvelope):
    def envelope(self, envelope: Json) -> Any:
        return {**envelope, "text": ""}


@broken("known-envelopes-alone", "INT-R12", "stores envelopes of known formats alone")
class KnownEnvelopesAlone(StoredEnvelope):
    def envelope(self, envelope: Json) -> Any:
        if envelope["format"] in (CHAT, RESPONSES):
            return envelope
        return {"type": "tool_result", "text": json.dumps(envelope)}


@broken("images-dropped", "INT-R12", "drops the images of an envelope that it stores")
class ImagesDropped(StoredEnvelope):
    def envelope(self, envelope: Json) -> Any:
        parts = [one for one in envelope["content"] if "image" not in one["type"]]
        return {**envelope, "content": parts}
