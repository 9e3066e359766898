"""Registries that mend, convert, replay and put streams together in their own way."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any

from tests.proof.interop.changes import (
    CHAT,
    RESPONSES,
    on_calls,
    on_core,
    on_each_event,
    on_events,
    on_native,
    on_results,
    on_text,
    pieces_of,
)
from tests.proof.interop.provider_faults import ChatSubject, ResponsesSubject
from tests.proof.interop.subject import TABLES, Json, Subject

variant = TABLES.variants(__name__, Subject)
chat_variant = TABLES.variants(__name__, ChatSubject)
responses_variant = TABLES.variants(__name__, ResponsesSubject)

REPAIRS = "a repair is warned of"
LOOSE = "what some parsers take is warned of"

# --- results


def _output(*cuts: int) -> Any:
    def change(made: Json, given: Json, target: str) -> Json:
        text = made.get("output")
        if not isinstance(text, str):
            return made
        ends = [*cuts, len(text)]
        pieces = [text[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)]
        parts = [{"type": "input_text", "text": one} for one in pieces]
        return {**made, "output": parts}

    return on_results(change)


def _replaced(made: Json, given: Json, target: str) -> Json:
    key = "content" if target == CHAT else "output"
    if isinstance(made.get(key), str):
        made[key] = re.sub("[\ud800-\udfff]", "\ufffd", made[key])
    return made


def _fallback(made: Json, given: Json, target: str) -> Json:
    stored = given.get("toolResult")
    known = ("tool_result", "provider_native_tool_result")
    if isinstance(stored, dict) and stored.get("type") in known:
        return made
    key = "content" if target == CHAT else "output"
    return {**made, key: given["content"]}


variant("output-as-a-part", "sends a text to Responses as one part", _output())
variant("output-as-two-parts", "sends a text to Responses as two parts", _output(3))
variant(
    "chat-text-in-a-part",
    "sends a text to chat as one part",
    on_results(
        lambda made, given, target: (
            {
                **made,
                "content": [{"type": "text", "text": made["content"]}],
            }
            if isinstance(made.get("content"), str)
            else made
        )
    ),
    warns={"INT-R1": "many servers take no list"},
)
variant("halves-replaced", "writes U+FFFD for half of a pair", on_results(_replaced))
variant(
    "history-falls-back",
    "sends the fallback of what another program stored",
    on_results(_fallback),
)

# --- sanitising


def _parsed(text: str, **how: Any) -> str | None:
    with suppress(ValueError, RecursionError):
        value = json.loads(text, **how)
        return json.dumps(value) if isinstance(value, dict) else None
    return None


def _repaired(text: str, right: str) -> str:
    """Mend what is easy: fences, comments, quotes, commas, byte order marks."""
    if right != "{}" or len(text) > 10_000:
        return right
    mended = text.strip("\ufeff\x00 \n;")
    mended = re.sub(r"\A```(json)?\s*|\s*```\Z", "", mended)
    mended = re.sub(r"//[^\n\"]*\n|/\*.*?\*/|#[^\"\n]*\Z", "", mended)
    mended = mended if '"' in mended else mended.replace("'", '"')
    mended = re.sub(r",\s*([}\]])", r"\1", mended)
    return _parsed(mended, strict=False, parse_constant=lambda _: None) or right


def _loose(text: str, right: str) -> str:
    """Keep what the parsers of Python and JavaScript differ in."""
    plain = re.sub("[\xa0\u2003\x0b\x0c]", " ", re.sub(r"(?![0-9])\d", "1", text))
    return text if len(text) < 10_000 and _parsed(plain) else right


def _unwrapped(text: str, right: str) -> str:
    if right == "{}" and text.startswith('"'):
        with suppress(ValueError, RecursionError):
            return _parsed(json.loads(text)) or right
    return right


variant(
    "repairs-arguments",
    "mends what standard parsers refuse",
    on_text(_repaired),
    warns={"INT-Z7": REPAIRS},
)
variant(
    "loose-arguments",
    "keeps NaN, half surrogates, and digits and blanks of all scripts",
    on_text(_loose),
    warns={"INT-Z7": LOOSE},
)
variant(
    "unwraps-strings",
    "takes an object out of a string",
    on_text(_unwrapped),
    warns={"INT-Z6": "a string becomes {}"},
)

# --- streams


def _named_anew(events: list[Json]) -> list[Json]:
    """Begin a call at another name under one index."""
    names: dict[Any, str] = {}
    for number, piece in enumerate(pieces_of(events)):
        name = (piece.get("function") or {}).get("name")
        known = names.get(piece.get("index"))
        if name and known and name != known and not piece.get("id"):
            piece["id"] = f"call_named_{number}"
        if name:
            names[piece.get("index")] = name
    return events


def _to_the_first(events: list[Json]) -> list[Json]:
    """Give what has no index to the call under the first one."""
    pieces = list(pieces_of(events))
    if len({piece["index"] for piece in pieces if "index" in piece}) > 1:
        for piece in pieces:
            piece.setdefault("index", 0)
    return events


def _bare(calls: list[Json], events: list[Json]) -> list[Json]:
    keys = ("id", "type", "function", "custom", "call_id", "name", "arguments", "input")
    return [{key: one[key] for key in keys if key in one} for one in calls]


def _whole_at_the_end(event: Json) -> Json | None:
    return None if event.get("type") == "response.completed" else event


def _refused_errors(events: list[Json]) -> list[Json]:
    for event in events:
        if event.get("type") in ("error", "response.failed"):
            raise RuntimeError("the provider failed")
    return events


variant("another-name-begins", "begins a call at another name", on_events(_named_anew))
variant("unindexed-to-the-first", "adds to the first call", on_events(_to_the_first))
variant("streamed-calls-bare", "keeps no extras of a stream", on_calls(_bare))
variant(
    "completed-unread",
    "reads the items as they are done, not the response at the end",
    on_each_event(_whole_at_the_end),
)
variant(
    "stream-errors-raised",
    "raises what a provider says has failed",
    on_events(_refused_errors, RESPONSES),
)

# --- replay


def _without_orphans(messages: list[Json]) -> list[Json]:
    known: set[Any] = set()
    found: list[Json] = []
    for message in messages:
        metadata = message.get("metadata", {})
        if message["role"] == "tool" and metadata["tool_call_id"] not in known:
            continue
        calls = metadata.get("tool_calls") or []
        known |= {one.get("id", one.get("call_id")) for one in calls}
        found.append(message)
    return found


def _beside_calls(**content: Any) -> Any:
    """Write this content, or none, beside calls without text."""

    def change(native: list[Json], core: list[Json]) -> list[Json]:
        for message in native:
            if message.get("tool_calls") and not message.get("content"):
                message.pop("content", None)
                message.update(content)
        return native

    return on_native(change)


chat_variant("no-orphans", "leaves orphans out", on_core(_without_orphans))
responses_variant("no-orphan-items", "leaves orphans out", on_core(_without_orphans))
chat_variant("content-absent", "writes no content beside calls", _beside_calls())
chat_variant(
    "content-empty", "writes empty content beside calls", _beside_calls(content="")
)
