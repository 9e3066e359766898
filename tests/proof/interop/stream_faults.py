"""Registries that put streams together wrongly: INT-Q3, Q13 to Q16."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from tests.proof.interop.changes import (
    CHAT,
    on_calls,
    on_each_event,
    on_events,
    on_pieces,
    pieces_of,
)
from tests.proof.interop.subject import TABLES, Json, Subject

from wireproof_reference.interop.providers import ChatAccumulator, ResponsesAccumulator

fault = TABLES.faults(__name__, Subject)

ARGUMENTS_DONE = "response.function_call_arguments.done"
INPUT_DONE = "response.custom_tool_call_input.done"
DELTAS = {
    ARGUMENTS_DONE: "response.function_call_arguments.delta",
    INPUT_DONE: "response.custom_tool_call_input.delta",
}


def _holder(call: Json) -> Json:
    holder: Json = call.get("function") or call.get("custom") or call
    return holder


def _parses(text: str) -> bool:
    with suppress(ValueError, RecursionError):
        return isinstance(json.loads(text), dict)
    return False


# --- INT-Q3


def _unsanitised(self: Any, _: Any, target: str, events: list[Any], ends: str) -> Any:
    accumulator = ChatAccumulator() if target == CHAT else ResponsesAccumulator()
    for event in events:
        accumulator.receive(event)
    return accumulator.tool_calls()


def _to_the_last(events: list[Json]) -> list[Json]:
    latest = 0
    for piece in pieces_of(events):
        if piece.get("id"):
            latest = piece.get("index", 0)
        elif "index" in piece:
            piece["index"] = latest
    return events


def _first_head_alone(events: list[Json]) -> list[Json]:
    seen: set[Any] = set()
    for piece in pieces_of(events):
        if piece.get("id") and piece.get("index") in seen:
            piece["id"] = ""
            (piece.get("function") or {}).pop("name", None)
        seen.add(piece.get("index"))
    return events


def _without_repeated_ids(calls: list[Json], events: list[Json]) -> list[Json]:
    found: dict[Any, Json] = {}
    for call in calls:
        found.setdefault(
            call.get("id") if "function" in call else call["call_id"], call
        )
    return list(found.values())


def _names_appended(calls: list[Json], events: list[Json]) -> list[Json]:
    names = [(piece.get("function") or {}).get("name") for piece in pieces_of(events)]
    for call in calls:
        holder = _holder(call)
        holder["name"] *= max(1, names.count(holder["name"]) if len(calls) == 1 else 1)
    return calls


def _one_index(piece: Json) -> None:
    if not piece.get("id") and "index" in piece:
        piece["index"] = 0


def _stripped(piece: Json) -> None:
    function = piece.get("function") or {}
    if function.get("arguments"):
        function["arguments"] = function["arguments"].strip()


def _of_first_output(event: Json) -> Json:
    return {**event, "output_index": 0} if "delta" in event else event


def _as_first_item(event: Json) -> Json:
    if "item_id" in event:
        return {**event, "item_id": "one", "output_index": 0}
    return event


fault(
    "fragments-of-streams",
    "INT-Q3",
    "keeps the calls of a stream as they came",
    lambda subject: type(
        subject.__name__,
        (subject,),
        {"accumulate": lambda self, **given: _unsanitised(self, None, **given)},
    ),
)
fault(
    "pieces-to-the-last-call",
    "INT-Q3",
    "adds each piece to the call that began last",
    on_events(_to_the_last, CHAT),
)
fault(
    "pieces-of-one-index",
    "INT-Q3",
    "looks at the index of the first piece alone",
    on_pieces(_one_index),
)
fault(
    "first-id-under-an-index",
    "INT-Q3",
    "takes all under one index for one call",
    on_events(_first_head_alone, CHAT),
)
fault(
    "streamed-ids-merged",
    "INT-Q3",
    "keeps one of two calls of one id",
    on_calls(_without_repeated_ids),
)
fault(
    "names-appended",
    "INT-Q3",
    "appends a name that each piece repeats",
    on_calls(_names_appended),
)
fault(
    "pieces-stripped",
    "INT-Q3",
    "strips white space around each piece",
    on_pieces(_stripped),
)
fault(
    "first-call-of-a-stream",
    "INT-Q3",
    "keeps one call of a stream",
    on_calls(lambda calls, _: calls[:1]),
)
fault(
    "last-piece-lost",
    "INT-Q3",
    "waits for an event after the last piece",
    on_events(lambda events: events[:-1]),
)
fault(
    "deltas-of-one-item",
    "INT-Q3",
    "adds all deltas to one item",
    on_each_event(_as_first_item),
)
fault(
    "cut-calls-dropped",
    "INT-Q3",
    "drops a call whose arguments broke off",
    on_calls(
        lambda calls, _: [one for one in calls if _holder(one).get("arguments") != "{}"]
    ),
)

# --- INT-Q13


def _null_as_text(piece: Json) -> None:
    function = piece.get("function") or {}
    if "arguments" in function and function["arguments"] is None:
        function["arguments"] = "null"


def _null_name_as_text(piece: Json) -> None:
    function = piece.get("function") or {}
    if "name" in function and function["name"] is None:
        function["name"] = "None"


def _wants_a_function(piece: Json) -> None:
    piece["function"]["arguments"] = piece["function"].get("arguments")


def _without_null_functions(events: list[Json]) -> list[Json]:
    for place, event in enumerate(events):
        if any(one.get("function", {}) is None for one in pieces_of([event])):
            return events[:place]
    return events


def _without_null_chunks(events: list[Json]) -> list[Json]:
    return [
        event
        for event in events
        if all(
            (one.get("function") or {}).get("arguments", "") is not None
            for one in pieces_of([event])
        )
    ]


def _empty_id_begins(calls: list[Json], events: list[Json]) -> list[Json]:
    empty = [one for one in pieces_of(events) if one.get("id") == "" and len(calls) > 0]
    return [*calls, *({"function": {"arguments": "{}"}} for _ in empty[1:])]


def _overwritten(key: str) -> Any:
    def change(calls: list[Json], events: list[Json]) -> list[Json]:
        for piece in pieces_of(events):
            holder = piece if key == "id" else piece.get("function") or {}
            if key in holder and not holder[key] and calls:
                (calls[0] if key == "id" else _holder(calls[0]))[key] = holder[key]
        return calls

    return on_calls(change)


def _named_at_once(events: list[Json]) -> list[Json]:
    heads: dict[Any, Json] = {}
    for piece in pieces_of(events):
        head = heads.setdefault(piece.get("index"), piece)
        if head is not piece:
            (piece.get("function") or {}).pop("name", None)
    return events


def _without_events_after_an_empty_delta(events: list[Json]) -> list[Json]:
    ended: set[Any] = set()
    found: list[Json] = []
    for event in events:
        if event.get("output_index") in ended:
            continue
        if event.get("delta") == "":
            ended.add(event.get("output_index"))
        found.append(event)
    return found


fault(
    "null-is-a-text",
    "INT-Q13",
    "appends the word null to the arguments",
    on_pieces(_null_as_text),
)
fault(
    "null-is-a-name",
    "INT-Q13",
    "appends the word None to the name",
    on_pieces(_null_name_as_text),
)
fault(
    "wants-a-function",
    "INT-Q13",
    "fails at a piece whose function is null or absent",
    on_pieces(_wants_a_function),
)
fault(
    "null-function-ends",
    "INT-Q13",
    "takes a function that is null for the end",
    on_events(_without_null_functions, CHAT),
)
fault(
    "null-arguments-cost-the-chunk",
    "INT-Q13",
    "skips a chunk in which arguments are null",
    on_events(_without_null_chunks, CHAT),
)
fault(
    "empty-id-begins",
    "INT-Q13",
    "begins a call at an empty id",
    on_calls(_empty_id_begins),
)
fault(
    "empty-id-overwrites",
    "INT-Q13",
    "takes an id that is empty or null for the call's",
    _overwritten("id"),
)
fault(
    "empty-name-overwrites",
    "INT-Q13",
    "takes a name that is empty or null for the call's",
    _overwritten("name"),
)
fault(
    "named-at-once",
    "INT-Q13",
    "looks for the name in the first piece alone",
    on_events(_named_at_once, CHAT),
)
fault(
    "empty-delta-ends",
    "INT-Q13",
    "takes an empty delta for the end of its item",
    on_events(_without_events_after_an_empty_delta),
)

# --- INT-Q14


def _until_it_parses(events: list[Json], *, begins: bool = False) -> list[Json]:
    """Lose the pieces after an object, or make calls of them."""
    texts: dict[Any, str] = {}
    for number, piece in enumerate(pieces_of(events)):
        index, function = piece.get("index"), piece.get("function") or {}
        text = function.get("arguments") or ""
        if text and _parses(texts.get(index, "")):
            if begins:
                piece["id"], function["name"] = f"call_new_{number}", "read_file"
            else:
                function["arguments"] = ""
            continue
        texts[index] = texts.get(index, "") + text
    return events


def _items_until_they_parse(events: list[Json]) -> list[Json]:
    texts: dict[Any, str] = {}
    found: list[Json] = []
    for event in events:
        key = event.get("item_id") or event.get("item", {}).get("id")
        if event.get("type") == "response.completed" or _parses(texts.get(key, "")):
            continue
        texts[key] = texts.get(key, "") + event.get("delta", "")
        found.append(event)
    return found


def _early_object_dropped(events: list[Json]) -> list[Json]:
    early: dict[Any, Json] = {}
    for piece in pieces_of(events):
        index, function = piece.get("index"), piece.get("function") or {}
        text = function.get("arguments")
        if index in early and text and text.strip():
            early.pop(index)["arguments"] = ""
        elif text == "{}":
            early[index] = function
    return events


def _first_object(self: Any, accumulate: Any, **given: Any) -> Any:
    del self
    calls = accumulate(**given)
    raw = _unsanitised(None, None, **given)
    for call, whole in zip(calls, raw, strict=False):
        text = str(_holder(whole).get("arguments", ""))
        with suppress(ValueError, RecursionError):
            first, end = json.JSONDecoder().raw_decode(text)
            if isinstance(first, dict):
                _holder(call)["arguments"] = text[:end]
    return calls


fault(
    "stops-when-it-parses",
    "INT-Q14",
    "loses what follows an object",
    on_events(_until_it_parses, CHAT),
)
fault(
    "begins-when-it-parses",
    "INT-Q14",
    "begins a call after an object",
    on_events(lambda events: _until_it_parses(events, begins=True), CHAT),
)
fault(
    "items-end-when-they-parse",
    "INT-Q14",
    "loses what follows an object in an item",
    on_events(_items_until_they_parse, "openai.responses"),
)
fault(
    "early-object-dropped",
    "INT-Q14",
    "takes {} at the beginning for a placeholder",
    on_events(_early_object_dropped, CHAT),
)
fault(
    "first-object-of-a-stream",
    "INT-Q14",
    "keeps the first object of the arguments",
    lambda subject: type(
        subject.__name__,
        (subject,),
        {
            "accumulate": lambda self, **given: _first_object(
                self, super(subject, self).accumulate, **given
            )
        },
    ),
)

# --- INT-Q15


def _done_as_delta(kind: str) -> Any:
    def change(event: Json) -> Json:
        if event.get("type") != kind:
            return event
        text = event.get("arguments", event.get("input"))
        return {**event, "type": DELTAS[kind], "delta": text}

    return on_each_event(change)


def _item_done_as_delta(events: list[Json]) -> list[Json]:
    found: list[Json] = []
    for event in events:
        item = event.get("item", {})
        if event.get("type") == "response.completed":
            continue
        if (
            event.get("type") == "response.output_item.done"
            and item.get("type") == "function_call"
        ):
            where = {"output_index": event["output_index"], "item_id": item["id"]}
            told = {"type": DELTAS[ARGUMENTS_DONE], "delta": item["arguments"]}
            found.append({**where, **told})
        else:
            found.append(event)
    return found


def _deltas_alone(event: Json) -> Json | None:
    if event.get("type") in (ARGUMENTS_DONE, INPUT_DONE, "response.completed"):
        return None
    if event.get("type") == "response.output_item.done":
        item = {**event["item"]}
        for key in ("arguments", "input"):
            if key in item:
                item[key] = ""
        return {**event, "item": item}
    return event


def _without(kind: str) -> Any:
    dropped = (kind, "response.completed", "response.output_item.done")
    return on_each_event(lambda event: None if event.get("type") in dropped else event)


def _deltas_win(events: list[Json]) -> list[Json]:
    texts: dict[Any, str] = {}
    for event in events:
        key = event.get("item_id") or event.get("item", {}).get("id")
        if "delta" in event:
            texts[key] = texts.get(key, "") + event["delta"]
        for holder in (event, event.get("item", {})):
            for name in ("arguments", "input"):
                if name in holder and texts.get(key):
                    holder[name] = texts[key]
    return events


def _equal_or_refused(events: list[Json]) -> list[Json]:
    texts: dict[Any, str] = {}
    for event in events:
        key = event.get("item_id") or event.get("item", {}).get("id")
        if "delta" in event:
            texts[key] = texts.get(key, "") + event["delta"]
        whole = event.get("arguments") or event.get("item", {}).get("arguments")
        if whole and texts.get(key) and whole != texts[key]:
            raise ValueError("the deltas are another text")
    return events


fault(
    "done-appended",
    "INT-Q15",
    "appends the arguments of a done event",
    _done_as_delta(ARGUMENTS_DONE),
    on_each_event(
        lambda event: (
            None
            if event.get("type") in ("response.output_item.done", "response.completed")
            else event
        )
    ),
)
fault(
    "input-done-appended",
    "INT-Q15",
    "appends the input of a done event",
    _done_as_delta(INPUT_DONE),
    on_each_event(
        lambda event: (
            None
            if event.get("type") in ("response.output_item.done", "response.completed")
            else event
        )
    ),
)
fault(
    "item-done-appended",
    "INT-Q15",
    "appends the arguments of a done item",
    on_events(_item_done_as_delta, "openai.responses"),
)
fault(
    "deltas-alone",
    "INT-Q15",
    "puts arguments together of nothing but deltas",
    on_each_event(_deltas_alone),
)
fault(
    "done-event-unread",
    "INT-Q15",
    "does not read the arguments of a done event",
    _without(ARGUMENTS_DONE),
)
fault(
    "deltas-win",
    "INT-Q15",
    "keeps the deltas if the done event differs",
    on_events(_deltas_win, "openai.responses"),
    level="should",
)
fault(
    "differing-done-refused",
    "INT-Q15",
    "fails if the done event differs from the deltas",
    on_events(_equal_or_refused, "openai.responses"),
    level="should",
)

# --- INT-Q16


def _wants_an_index(piece: Json) -> None:
    piece["index"] += 0


def _without_index_lost(events: list[Json]) -> list[Json]:
    for event in events:
        for choice in event.get("choices", ()):
            calls = choice["delta"].get("tool_calls") or []
            calls[:] = [one for one in calls if "index" in one]
    return events


fault(
    "wants-an-index",
    "INT-Q16",
    "fails at a piece without an index",
    on_pieces(_wants_an_index),
    level="should",
)
fault(
    "unindexed-lost",
    "INT-Q16",
    "loses pieces without an index",
    on_events(_without_index_lost, CHAT),
    level="should",
)
fault(
    "wants-an-id",
    "INT-Q16",
    "drops a call that has no id",
    on_calls(
        lambda calls, _: [
            one for one in calls if one.get("id") or "function" not in one
        ]
    ),
    level="should",
)
