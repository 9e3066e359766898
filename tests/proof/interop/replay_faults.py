"""Registries that mend, convert and replay wrongly: one call a row."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.proof.interop.changes import (
    CHAT,
    on_core,
    on_final,
    on_native,
    on_results,
    on_stored,
    on_text,
)
from tests.proof.interop.provider_faults import ChatSubject, ResponsesSubject
from tests.proof.interop.subject import TABLES, Json, Subject
from tests.proof.row import Change, around

fault = TABLES.faults(__name__, Subject)
chat_fault = TABLES.faults(__name__, ChatSubject)
responses_fault = TABLES.faults(__name__, ResponsesSubject)

MEBIBYTE = 1_000_000

# --- sanitising: INT-Z6, Z7, Z10


def _first_value(text: str, right: str) -> str:
    with suppress(ValueError, RecursionError):
        value, end = json.JSONDecoder().raw_decode(text.lstrip())
        if isinstance(value, dict):
            return text.lstrip()[:end]
    return right


def _last_value(text: str, right: str) -> str:
    for start in range(1, min(len(text), 200)):
        with suppress(ValueError, RecursionError):
            if isinstance(json.loads(text[start:]), dict):
                return text[start:] if _first_value(text, "") else right
    return right


def _merged(text: str, right: str) -> str:
    first, last = _first_value(text, ""), _last_value(text, "")
    if not first or not last or right != "{}":
        return right
    return json.dumps({**json.loads(first), **json.loads(last)})


def _without_early_object(text: str, right: str) -> str:
    rest = text.removeprefix("{}").strip()
    with suppress(ValueError, RecursionError):
        if text.startswith("{}") and isinstance(json.loads(rest), dict):
            return rest
    return right


def _kept(condition: Callable[[str], object]) -> Change:
    return on_text(lambda text, right: text if condition(text) else right)


def _refuses(condition: Callable[[str], object]) -> Change:
    def change(text: str, right: str) -> str:
        if condition(text):
            raise ValueError("too long")
        return right

    return on_text(change)


fault(
    "first-of-two-values",
    "INT-Z7",
    "keeps the first of two values",
    on_text(_first_value),
)
fault(
    "last-of-two-values", "INT-Z7", "keeps the last of two values", on_text(_last_value)
)
fault("two-values-merged", "INT-Z7", "merges two objects", on_text(_merged))
fault(
    "early-object-cut",
    "INT-Z7",
    "cuts {} off before an object",
    on_text(_without_early_object),
)
fault(
    "fences-kept",
    "INT-Z7",
    "keeps arguments in a code fence",
    _kept(lambda text: re.fullmatch(r"```(json)?\s*\{.*\}\s*```", text, re.DOTALL)),
)
fault(
    "nul-kept",
    "INT-Z7",
    "keeps arguments with a NUL beside them",
    _kept(lambda text: "{" in text and text != text.strip("\x00")),
)
fault(
    "fences-stripped",
    "INT-Z7",
    "takes arguments out of a code fence",
    on_text(
        lambda text, right: (
            re.sub(r"\A```(json)?\s*|\s*```\Z", "", text)
            if text.startswith("```") and "{" in text
            else right
        )
    ),
    level="should",
)
fault(
    "blanks-kept",
    "INT-Z6",
    "keeps arguments of nothing but white space",
    _kept(lambda text: text and not text.strip()),
)
fault(
    "strings-become-an-input",
    "INT-Z6",
    "puts the text of a string into an object",
    on_text(
        lambda text, right: (
            json.dumps({"input": text}) if re.fullmatch(r'"[^"{}]*"', text) else right
        )
    ),
)
fault(
    "mebibytes-refused",
    "INT-Z10",
    "fails at texts of 1 MiB",
    _refuses(lambda text: len(text) > MEBIBYTE),
)
fault(
    "mebibytes-cut",
    "INT-Z10",
    "cuts a text of 1 MiB and keeps the rest",
    on_text(lambda text, right: text[:4096] if len(text) > MEBIBYTE else right),
)
fault(
    "hundred-thousand-refused",
    "INT-Z10",
    "fails at texts that are 100,000 deep",
    _refuses(lambda text: text.count("[") > 50_000 or text.count("{") > 50_000),
    level="should",
)

# --- results: INT-R1, R3, R11


def _text_key(made: Json) -> str:
    return "content" if "content" in made else "output"


def _as_parts(made: Json, given: Json, target: str) -> Json:
    text = made.get("content")
    if target == CHAT and isinstance(text, str):
        return {**made, "content": [{"type": "text", "text": text}]}
    return made


def _wrong_parts(made: Json, given: Json, target: str) -> Json:
    text = made.get("output")
    if isinstance(text, str):
        return {**made, "output": [{"type": "output_text", "text": text}]}
    return made


def _lines_as_parts(made: Json, given: Json, target: str) -> Json:
    text = made.get("output")
    if isinstance(text, str) and "\n" in text:
        parts = [{"type": "input_text", "text": one} for one in text.splitlines()]
        return {**made, "output": parts}
    return made


def _fallback_for_blanks(made: Json, given: Json, target: str) -> Json:
    stored = given.get("toolResult")
    if isinstance(stored, dict) and not str(stored.get("text", "x")).strip():
        return {**made, _text_key(made): given["content"]}
    return made


def _fallback_for_json(made: Json, given: Json, target: str) -> Json:
    stored = given.get("toolResult")
    text = stored.get("text") if isinstance(stored, dict) else None
    if isinstance(text, str) and text.startswith("{"):
        return {**made, _text_key(made): given["content"]}
    return made


def _wants_utf_8(made: Json, given: Json, target: str) -> Json:
    given["content"].encode()
    return made


def _of_history(change: Callable[[Any], Any]) -> Change:
    """Change what comes of a `toolResult` that another program wrote."""

    def changed(made: Json, given: Json, target: str) -> Json:
        stored = given.get("toolResult")
        known = ("tool_result", "provider_native_tool_result")
        if isinstance(stored, dict) and stored.get("type") in known:
            return made
        found = change(stored)
        return made if found is None else {**made, _text_key(made): found}

    return on_results(changed)


def _refused_string(stored: Any) -> None:
    if isinstance(stored, str):
        raise TypeError("a string is no stored result")


def _known_key(stored: Any) -> str | None:
    if not isinstance(stored, dict):
        return None
    parts = stored.get("content")
    if isinstance(parts, list) and parts and isinstance(parts[0], dict):
        return str(parts[0].get("text", ""))
    return None


def _unwrapped(*keys: str) -> Change:
    def change(value: Any) -> Any:
        if isinstance(value, dict):
            for key in keys:
                if key in value and "type" not in value:
                    return value[key]
        return value

    return on_stored(change)


def _joined_parts(value: Any) -> Any:
    parts = value.get("content") if isinstance(value, dict) else None
    if isinstance(parts, list) and all("text" in one for one in parts) and parts:
        return "".join(str(one["text"]) for one in parts)
    return value


fault(
    "chat-content-as-parts",
    "INT-R1",
    "sends a text to chat as a list of parts",
    on_results(_as_parts),
    level="should",
)
fault(
    "output-of-another-type",
    "INT-R1",
    "sends a text to Responses as parts of a model's output",
    on_results(_wrong_parts),
)
fault(
    "lines-as-parts",
    "INT-R1",
    "loses line ends between the parts of a text",
    on_results(_lines_as_parts),
)
fault(
    "fallback-for-blanks",
    "INT-R1",
    "sends the fallback for a blank text",
    on_results(_fallback_for_blanks),
)
fault(
    "fallback-for-json",
    "INT-R1",
    "sends the fallback for a text that is JSON",
    on_results(_fallback_for_json),
)
fault(
    "halves-refused",
    "INT-R1",
    "fails at half of a surrogate pair",
    on_results(_wants_utf_8),
    bridged=False,
    shown_by="interop/results/text-with-half-a-pair-to-chat",
)
fault(
    "history-strings-refused",
    "INT-R3",
    "fails at a bare string in a history",
    _of_history(_refused_string),
)
fault(
    "history-strings-quoted",
    "INT-R3",
    "writes a bare string in a history as JSON",
    _of_history(lambda one: json.dumps(one) if isinstance(one, str) else None),
)
fault(
    "history-strings-stay-empty",
    "INT-R3",
    "sends nothing of a bare string in a history",
    _of_history(lambda one: "" if isinstance(one, str) else None),
)
fault(
    "history-content-alone",
    "INT-R3",
    "sends the content of a dict in a history",
    _of_history(_known_key),
)
fault(
    "stored-content-alone",
    "INT-R11",
    "stores what a dict has under content",
    _unwrapped("content"),
)
fault(
    "stored-structure-alone",
    "INT-R11",
    "stores what a dict has under structuredContent",
    _unwrapped("structuredContent"),
)
fault(
    "stored-text-alone",
    "INT-R11",
    "stores what a dict has under text",
    _unwrapped("text"),
)
fault(
    "stored-parts-joined",
    "INT-R11",
    "stores the texts of the parts under content",
    on_stored(_joined_parts),
)

# --- replay: INT-Q2, Q7, Q10


def _native_as_given(made: Json, given: Json) -> None:
    made["native_messages"] = given["native_messages"]


def _earlier_as_given(made: Json, given: Json) -> None:
    made["native_messages"][:-1] = given["native_messages"][:-1]


def _by_id(made: Json, given: Json) -> None:
    """Give each call the arguments of the last one with its id."""
    known: dict[str, Any] = {}
    for message in made["native_messages"]:
        for call in message.get("tool_calls") or ():
            known[call["id"]] = call["function"]
    for message in made["native_messages"]:
        for call in message.get("tool_calls") or ():
            call["function"] = known[call["id"]]


def _as_in_core(native: list[Json], core: list[Json]) -> list[Json]:
    texts = [
        call["function"]["arguments"]
        for message in core
        for call in message.get("metadata", {}).get("tool_calls", ())
        if "function" in call
    ]
    for message in native:
        for call in message.get("tool_calls") or (
            [message] if "arguments" in message else ()
        ):
            call.get("function", call)["arguments"] = texts.pop(0)
    return native


def _broken_off_as_in_core(native: list[Json], core: list[Json]) -> list[Json]:
    before = json.loads(json.dumps(native))
    for mended, raw in zip(native, _as_in_core(before, core), strict=True):
        for call, other in zip(
            mended.get("tool_calls") or (), raw.get("tool_calls") or (), strict=True
        ):
            if other["function"]["arguments"].startswith("{"):
                call["function"] = other["function"]
    return native


def _with_empty_tools(_: Any, initialize: Any, **given: Any) -> Any:
    made = initialize(**given)
    payload = made["state"].setdefault("request", {}).setdefault("payload", {})
    payload.setdefault("tools", [])
    return made


def _one_call_an_id(messages: list[Json]) -> list[Json]:
    seen: set[str] = set()
    for message in messages:
        metadata = message.get("metadata", {})
        calls = metadata.get("tool_calls") or []
        new = [one for one in calls if one.get("id", one.get("call_id")) not in seen]
        seen |= {one.get("id", one.get("call_id")) for one in calls}
        if calls:
            metadata["tool_calls"] = new
    return messages


def _last_result_of_an_id(messages: list[Json]) -> list[Json]:
    last = {
        one["metadata"]["tool_call_id"]: one
        for one in messages
        if one["role"] == "tool"
    }
    return [
        last[one["metadata"]["tool_call_id"]] if one["role"] == "tool" else one
        for one in messages
    ]


def _last_call_of_an_id(messages: list[Json]) -> list[Json]:
    last: dict[str, Json] = {}
    for message in messages:
        for call in message.get("metadata", {}).get("tool_calls") or ():
            last[call.get("id", call.get("call_id"))] = call
    for message in messages:
        for calls in (message.get("metadata", {}).get("tool_calls") or [],):
            calls[:] = [last[one.get("id", one.get("call_id"))] for one in calls]
    return messages


def _one_result_an_id(messages: list[Json]) -> list[Json]:
    found: list[Json] = []
    seen: set[str] = set()
    for message in messages:
        call_id = message.get("metadata", {}).get("tool_call_id")
        if message["role"] == "tool" and call_id in seen:
            continue
        seen |= {call_id} if message["role"] == "tool" else set()
        found.append(message)
    return found


chat_fault(
    "native-fragments-left",
    "INT-Q2",
    "does not look into native history at the end",
    on_final(_native_as_given),
)
chat_fault(
    "earlier-fragments-left",
    "INT-Q2",
    "looks at the last native message alone",
    on_final(_earlier_as_given),
)
chat_fault(
    "fragments-by-id",
    "INT-Q2",
    "gives calls of one id the same arguments",
    on_final(_by_id),
)
responses_fault(
    "native-item-fragments-left",
    "INT-Q2",
    "does not look into native items at the end",
    on_final(_native_as_given),
)
chat_fault(
    "core-fragments-written",
    "INT-Q2",
    "writes calls of core messages as they are",
    on_native(_as_in_core),
)
chat_fault(
    "core-objects-unchecked",
    "INT-Q2",
    "writes calls of core messages as they are if they begin an object",
    on_native(_broken_off_as_in_core),
)
responses_fault(
    "core-item-fragments-written",
    "INT-Q2",
    "writes items of core messages as they are",
    on_native(_as_in_core),
)
chat_fault(
    "empty-tools-added",
    "INT-Q7",
    "sends an empty list of tools",
    around("initialize_request", _with_empty_tools),
)
responses_fault(
    "empty-tools-added-to-items",
    "INT-Q7",
    "sends an empty list of tools to Responses",
    around("initialize_request", _with_empty_tools),
)
chat_fault(
    "one-call-an-id",
    "INT-Q10",
    "loses the call of a later turn with a known id",
    on_core(_one_call_an_id),
)
chat_fault(
    "last-call-of-an-id",
    "INT-Q10",
    "writes the last call of an id in each turn",
    on_core(_last_call_of_an_id),
)
chat_fault(
    "last-result-of-an-id",
    "INT-Q10",
    "writes the last result of an id in each turn",
    on_core(_last_result_of_an_id),
)
responses_fault(
    "one-result-an-id",
    "INT-Q10",
    "loses the result of a later turn with a known id",
    on_core(_one_result_an_id),
)
responses_fault(
    "last-item-of-an-id",
    "INT-Q10",
    "writes the last item of an id in each turn",
    on_core(_last_call_of_an_id),
)
