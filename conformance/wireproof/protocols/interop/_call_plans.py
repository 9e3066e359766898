"""What is tried of calls, as steps.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.fuzzing import exactly
from wireproof.protocols.interop._cases import MANY, each, mentions, together
from wireproof.protocols.interop._shapes import (
    CHAT,
    RESPONSES,
    chat_call,
    custom_item,
    item_call,
)

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from wireproof.fuzzing import OperationPlan, Step
    from wireproof.protocols.interop._cases import Case

_ABSENT = {"$absent": True}


def arguments_of(case: Case) -> str:
    """Return an arguments text, spelled in one of several ways."""
    members = case.members()
    return case.one_of(
        (
            json.dumps(members),
            json.dumps(members, separators=(",", ":"), ensure_ascii=False),
            json.dumps(members, indent=2, sort_keys=True) + "\n",
            " " + json.dumps({"n": 1.0, "input": case.text}).replace("1.0", "1.00E0"),
            "{}",
            '{"a":1,"a":2}',
        ),
        1,
    )


def inspecting(call: Any, expected: Any) -> Step:
    """Return the step that inspects a call."""
    literal = {"$literal": call}
    return {"op": "inspect_call", "input": {"call": literal}, "expected": expected}


def asking(calls: Any, target: str) -> Step:
    """Return the step that converts calls."""
    return {"op": "convert_tool_calls", "input": {"calls": calls, "target": target}}


def _converting(call: Any, target: str, expected: Any) -> Step:
    return {**asking([{"$literal": call}], target), "expected": [expected]}


def _texts_of(case: Case) -> tuple[str, str]:
    """Return an id, which may be odd, and a name, both within a provider's limits."""
    return case.one_of((case.text[:64], "call_1"), 2), case.name


def _extras(case: Case) -> dict[str, Any]:
    """Return keys that items have beside those of the table, or none."""
    found: tuple[dict[str, Any], ...] = (
        {},
        {"id": "fc_1", "status": "completed"},
        {"x-note": case.value, "x-custom": case.text},
    )
    return case.one_of(found, 3)


def _in_keys(call: Any) -> Any:
    """Return a pattern of a call's keys, whatever others there are."""
    return {
        key: _in_keys(value) if isinstance(value, dict) else exactly(value)
        for key, value in call.items()
    }


def _meaning(case: Case) -> list[Step]:
    call_id, name = _texts_of(case)
    told = {"call_id": exactly(call_id), "tool_name": exactly(name)}
    function = {**told, "payload_kind": "object", "payload": {"$type": "object"}}
    custom = {**told, "payload_kind": "text", "payload": "x"}
    extras = _extras(case)
    item = {**item_call("{}", call_id=call_id, name=name), **extras}
    raw = {**custom_item("x", call_id=call_id, name=name), **extras}
    call = chat_call("{}", call_id=call_id, name=name)
    formats = {
        "payload_format": {"$type": "string"},
        "payload_metadata": {"$type": "object"},
    }
    return [
        inspecting(call, {**function, **formats}),
        inspecting(item, {**function, **formats}),
        inspecting(raw, {**custom, **formats}),
    ]


def _arguments_seen(case: Case) -> list[Step]:
    found: list[Step] = []
    for members in (case.members(), {"input": case.text}, {}, {"v": case.value}):
        text = json.dumps(
            members, ensure_ascii=case.has(2), indent=case.one_of((None, 1))
        )
        wanted = {"payload": exactly(members), "payload_kind": "object"}
        found += [inspecting(call(text), wanted) for call in (chat_call, item_call)]
    return found


def _input_of(case: Case) -> str:
    return case.one_of(
        (
            case.text,
            case.other + case.text,
            json.dumps(case.members(), indent=1),
            json.dumps(case.members())[: 1 + case.seed % 20],
            json.dumps(case.text),
            json.dumps({"input": case.text}),
            f"```json\n{json.dumps(case.value)}\n```",
        ),
        4,
    )


def _raw_seen(case: Case) -> list[Step]:
    given = _input_of(case)
    wanted = {"payload": exactly(given), "payload_kind": "text"}
    return [inspecting({**custom_item(given), **_beside(case)}, wanted)]


def _beside(case: Case) -> dict[str, Any]:
    """Return arguments that stand beside the input of a custom call, or none."""
    found: tuple[dict[str, Any], ...] = ({}, {"arguments": arguments_of(case)})
    return case.one_of(found, 5)


def _to_chat(case: Case) -> list[Step]:
    call_id, name = _texts_of(case)
    text = case.one_of((arguments_of(case), case.text, case.other), 4)
    parts = {"call_id": call_id, "name": name}
    item = {**item_call(text, **parts), **_extras(case)}
    left = {"call_id": _ABSENT, "status": _ABSENT, "name": _ABSENT}
    wanted = {**_in_keys(chat_call(text, **parts)), **left}
    return [_converting(item, CHAT, wanted)]


def _custom_to_chat(case: Case) -> list[Step]:
    call_id, name = _texts_of(case)
    given = _input_of(case)
    item = {**custom_item(given, call_id=call_id, name=name), **_beside(case)}
    nested = {"name": exactly(name), "input": exactly(given)}
    chat = {"id": exactly(call_id), "type": "custom", "custom": nested}
    return [_converting(item, CHAT, {"$one_of": [exactly(item), chat]})]


def _there_and_back(case: Case) -> list[Step]:
    call_id, name = _texts_of(case)
    text, given = arguments_of(case), _input_of(case)
    parts = {"call_id": call_id, "name": name}
    chat, item = chat_call(text, **parts), item_call(text, **parts)
    raw = custom_item(given, **parts)
    ways = (
        (chat, RESPONSES, _only(item), CHAT),
        (item, CHAT, _only(chat), RESPONSES),
        (raw, CHAT, {"$type": "object"}, RESPONSES),
    )
    found: list[Step] = []
    for way, (source, there, one, back) in enumerate(ways):
        name = f"there-{way}"
        found.append({**_converting(source, there, {"$save": name, "match": one})})
        again = asking([{"$use": name}], back)
        found.append({**again, "expected": [_only(source)]})
    return found


def _only(call: Any) -> Any:
    """Return a pattern of a call's keys, without those of the other format."""
    left = ("call_id", "name", "arguments") if "id" in call else ("id", "function")
    return {**dict.fromkeys(left, _ABSENT), **_in_keys(call)}


def _call_kept(case: Case) -> list[Step]:
    text = arguments_of(case)
    calls = (
        chat_call(text),
        {**item_call(text), "x-note": case.value},
        custom_item(case.text),
        {**item_call(case.members()), **_extras(case)},
    )
    found = [
        {**asking([{"$literal": call}], target), "keeps_input": True}
        for call in calls[:3]
        for target in (CHAT, RESPONSES)
    ]
    looked = {"op": "inspect_call", "keeps_input": True}
    return [*found, {**looked, "input": {"call": {"$literal": calls[3]}}}]


def _in_order(drawn: list[Case]) -> list[Step]:
    forms = (chat_call, item_call, custom_item)
    calls = [
        case.one_of(forms, 1)(
            "{}", call_id=case.one_of(("c", case.text[:64])), name=str(place)
        )
        for place, case in enumerate(drawn)
    ]
    calls += [calls[-1], *calls[:1] * drawn[0].one_of((1, MANY), 9)]
    literal = [{"$literal": call} for call in calls]
    ids = [call.get("call_id", call.get("id")) for call in calls]
    either = [{"$one_of": [{"id": exactly(i)}, {"call_id": exactly(i)}]} for i in ids]
    return [
        *(
            {**asking(literal, target), "expected": either}
            for target in (CHAT, RESPONSES)
        ),
        *(
            {**asking([], target), "expected": exactly([])}
            for target in (CHAT, RESPONSES)
        ),
    ]


_KNOWN = frozenset({"function", "function_call", "custom", "custom_tool_call"})


def _unknown(case: Case) -> list[Step]:
    odd = case.text if case.text not in _KNOWN else "mcp_call"
    call = {**item_call("{}"), **_extras(case), "type": odd}
    known = chat_call("{}")
    return [
        {
            **asking([known, {"$literal": call}, known], target),
            "expected": [{"$type": "object"}, exactly(call), {"$type": "object"}],
            "error": {"mentions": mentions(odd)},
        }
        for target in (CHAT, RESPONSES)
    ]


def _objects(case: Case) -> list[Step]:
    members = case.members()
    wanted = {"payload": exactly(members), "payload_kind": "object"}
    either = {"$one_of": [exactly(members), {"$json_text": exactly(members)}]}
    there = {"id": "call_1", "function": {"name": "tool", "arguments": either}}
    return [
        inspecting(chat_call(members), wanted),
        inspecting(item_call(members), wanted),
        _converting(item_call(members), CHAT, there),
    ]


def _handed_on(case: Case) -> list[Step]:
    call_id, name = _texts_of(case)
    parts = {"call_id": call_id, "name": name}
    extra = {f"x-{case.text}": case.value}
    text = case.one_of((arguments_of(case), case.text), 4)
    calls = (
        (chat_call(text, **parts), CHAT),
        (item_call(text, **parts) | _extras(case), RESPONSES),
        (custom_item(_input_of(case), **parts), RESPONSES),
    )
    return [
        _converting({**call, **extra}, target, exactly({**call, **extra}))
        for call, target in calls
    ]


_ITEM_KEYS = ("type", "call_id", "name", "arguments", "id", "status", "namespace")
_PUBLISHED: dict[str, Any] = {
    CHAT: {"id": {}, "type": {}, "function": {"required": ["name", "arguments"]}},
    RESPONSES: {key: {} for key in _ITEM_KEYS},
}
"""The keys of the provider's published type of a function call."""


def _published(case: Case) -> list[Step]:
    call_id, name = _texts_of(case)
    item = {**item_call(case.text, call_id=call_id, name=name), **_extras(case)}
    call = {**chat_call(case.text, call_id=call_id, name=name), "x-note": case.value}
    return [
        _converting(
            source,
            target,
            {"$schema": {"properties": keys, "additionalProperties": False}},
        )
        for (target, keys), source in zip(_PUBLISHED.items(), (item, call), strict=True)
    ]


CALL_STRATEGIES: dict[str, SearchStrategy[OperationPlan]] = {
    "calls-seen": each(_meaning),
    "arguments-seen": each(_arguments_seen),
    "custom-inputs": each(_raw_seen),
    "calls-to-chat": each(_to_chat),
    "custom-calls-to-chat": each(_custom_to_chat),
    "calls-there-and-back": each(_there_and_back),
    "calls-kept": each(_call_kept),
    "calls-in-order": together(_in_order),
    "calls-unknown": each(_unknown),
    "calls-with-objects": each(_objects),
    "calls-unchanged": each(_handed_on),
    "calls-published": each(_published),
}
"""What is drawn for each property of calls, by its name."""
