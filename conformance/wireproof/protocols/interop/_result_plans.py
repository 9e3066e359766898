"""What is tried of results, as steps.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wireproof.fuzzing import exactly
from wireproof.protocols.interop._cases import MANY, each, together
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
LONG = 5_000
"""Characters of a text that is made long: more than the usual cuts."""


def stored_text(text: str) -> dict[str, Any]:
    return {"type": "tool_result", "text": text}


def envelope(provider: str, content: Any) -> dict[str, Any]:
    """Return an explicit envelope."""
    kind = "provider_native_tool_result"
    return {"type": kind, "format": provider, "content": content}


def core_message(
    stored: Any, content: str, *, call_id: str = "call_1", **more: Any
) -> dict[str, Any]:
    """Return a core tool message."""
    metadata = {"tool_call_id": call_id, "tool_name": "tool", **more}
    parts = {"content": content, "toolResult": stored}
    return {"role": "tool", **parts, "metadata": metadata}


def as_text(key: str, pattern: Any) -> dict[str, Any]:
    """Return the pattern of a text under a key, which may be a list of parts."""
    kind = "text" if key == "content" else "input_text"
    return {"$parts": kind, "match": pattern}


def converting(results: Any, target: str, **more: Any) -> Step:
    """Return the step that converts results, given as they are."""
    given = {"results": {"$literal": results}, "target": target, **more}
    return {"op": "convert_results", "input": given}


def _long(case: Case) -> str:
    """Return a text of a case, now and then one longer than the usual cuts."""
    if case.one_of(range(8), 9):
        return case.one_of((case.text, case.other, json.dumps(case.members())), 3)
    return case.text + "x" * LONG


def _parts(case: Case, provider: str) -> list[dict[str, Any]]:
    kind = "text" if provider == CHAT else "input_text"
    image = {"type": "image_url", "image_url": {"url": "data:,"}}
    parts = [
        {"type": kind, "text": case.text, "x_note": case.value},
        image,
        {"type": kind, "text": case.other},
    ]
    return case.one_of((parts, parts[:1], parts[::-1], parts[2:]), 2)


def _texts(case: Case) -> list[Step]:
    text, call_id = _long(case), case.other
    more = case.one_of(({}, {"display": "shown"}), 4)
    stored = {**stored_text(text), **case.one_of(({}, {"x_note": case.value}), 5)}
    content = case.one_of((text, "another"), 6)
    message = core_message(stored, content, call_id=call_id, **more)
    chat = {
        "role": "tool",
        "content": as_text("content", exactly(text)),
        "tool_call_id": exactly(call_id),
    }
    item = {
        "type": "function_call_output",
        "call_id": exactly(call_id),
        "output": as_text("output", exactly(text)),
    }
    left: dict[str, Any] = {"toolResult": _ABSENT, "metadata": _ABSENT}
    return [
        {
            **converting([message], CHAT),
            "expected": [{**chat, **left, "call_id": _ABSENT}],
        },
        {
            **converting([message], RESPONSES),
            "expected": [{**item, **left, "tool_call_id": _ABSENT, "content": _ABSENT}],
        },
    ]


_KEYS = ((CHAT, "content"), (RESPONSES, "output"))


def _envelopes(case: Case) -> list[Step]:
    found: list[Step] = []
    for target, key in _KEYS:
        parts = _parts(case, target)
        message = core_message(envelope(target, parts), case.text)
        step = converting([message], target)
        found.append({**step, "expected": [{key: exactly(parts)}]})
    return found


def _ordinary(case: Case) -> list[Step]:
    """Return dicts and lists that are no envelopes, however much like one they look."""
    content = [{"type": "text", "text": case.text}]
    alike = {"type": case.other, "format": CHAT, "content": content}
    values: tuple[Any, ...] = (
        case.members(),
        [case.value, case.text],
        content,
        alike,
        {"result": envelope(CHAT, content)},
        {"content": content, "structuredContent": case.value, "text": case.other},
        [],
        {},
    )
    value = case.one_of(values, 2)
    text = json.dumps(value)
    found: list[Step] = []
    for target, key in _KEYS:
        step = converting([core_message(value, text)], target)
        told = as_text(key, {"$json_text": exactly(value)})
        found.append({**step, "expected": [{key: told}]})
    return found


def _strange_envelopes(case: Case) -> list[Step]:
    found: list[Step] = []
    for (target, key), other in zip(_KEYS, (RESPONSES, CHAT), strict=True):
        strange = case.one_of((other, case.other or "acme"), 2)
        kind = "text" if strange != RESPONSES else "input_text"
        texts = [one for one in (case.text, case.other) if one]
        parts = [{"type": kind, "text": one} for one in texts]
        # Told as JSON, any other text is there in escapes.
        words = [one for one in texts if one.isascii() and one.isalnum()]
        message = core_message(envelope(strange, parts), case.text)
        told = as_text(key, {"$contains": words} if words else {"$type": "string"})
        found.append({**converting([message], target), "expected": [{key: told}]})
    return found


def _stored(case: Case, value: Any, expected: Any) -> Step:
    one = {"result": value, "tool_call_id": case.other, "tool_name": case.name}
    return {**converting([one], "core"), "expected": [expected]}


def _core_messages(case: Case) -> list[Step]:
    names = {"tool_call_id": exactly(case.other), "tool_name": exactly(case.name)}
    stored = {"$type": "object"}
    wanted = {"role": "tool", "content": {"$type": "string"}, "toolResult": stored}
    values = (case.text, case.members(), [case.value], envelope(CHAT, []))
    return [_stored(case, value, {**wanted, "metadata": names}) for value in values]


def _core_texts(case: Case) -> list[Step]:
    text = _long(case)
    parts = [{"type": "text", "text": case.text}]
    of_mcp = {"content": parts, "structuredContent": case.value, "text": case.other}
    values: tuple[Any, ...] = (case.members(), [case.value, of_mcp], parts, {}, of_mcp)
    value = case.one_of(values, 2)
    found: list[Step] = []
    for one, same in (
        (text, exactly(text)),
        (value, {"$json_text": exactly(value)}),
    ):
        found.append(
            _stored(case, one, {"content": same, "toolResult": {"text": same}})
        )
    return found


def _core_envelopes(case: Case) -> list[Step]:
    provider = case.one_of((CHAT, RESPONSES, case.other or "acme"), 3)
    whole = {**envelope(provider, _parts(case, provider)), f"x_{case.text}": case.value}
    wanted = {"content": {"$type": "string"}, "toolResult": exactly(whole)}
    return [_stored(case, whole, wanted)]


_KINDS = ("custom_tool_call_output", "function_call_output")


def _custom_results(drawn: list[Case]) -> list[Step]:
    """Return results that are known for those of custom calls in each way, or not."""
    calls: list[Any] = []
    results: list[Any] = []
    wanted: list[Any] = []
    for place, case in enumerate(drawn):
        # The mark keeps "1" at place 2 from being "" at place 12.
        call_id = f"{case.text}-{place}"
        way = case.one_of(("custom", "function", "chat", "text", "object", "none"), 1)
        made = {"custom": custom_item, "function": item_call, "chat": chat_call}
        if way in made:
            calls.append(made[way]("{}", call_id=call_id, name="tool"))
        elif case.has(2):
            calls.append(custom_item("x", call_id=f" {call_id}", name="tool"))
        more = {"payload_kind": way} if way in ("text", "object") else {}
        stored = case.one_of((stored_text(case.other), envelope(RESPONSES, [])), 3)
        results.append(core_message(stored, case.other, call_id=call_id, **more))
        kind = _KINDS[way not in ("custom", "text")]
        wanted.append({"type": kind, "call_id": exactly(call_id)})
    if drawn[0].has(4):
        calls.reverse()
    given = {"calls": {"$literal": calls}} if calls else {}
    return [{**converting(results, RESPONSES, **given), "expected": wanted}]


def _inspecting(stored: Any, expected: Any) -> Step:
    literal = {"$literal": stored}
    return {"op": "inspect_result", "input": {"result": literal}, "expected": expected}


def _seen(case: Case) -> list[Step]:
    provider = case.one_of((CHAT, RESPONSES, case.other or "acme"), 3)
    parts = _parts(case, provider)
    text = {**stored_text(case.text), **case.one_of(({}, {"x_note": case.value}), 4)}
    native = {"kind": "native", "format": exactly(provider), "content": exactly(parts)}
    return [
        _inspecting(text, {"kind": "text", "text": exactly(case.text)}),
        _inspecting(
            envelope(provider, parts), {**native, "text": {"$type": ["string", "null"]}}
        ),
    ]


def _in_order(drawn: list[Case]) -> list[Step]:
    kinds: tuple[Any, ...] = (
        stored_text("x"),
        envelope(CHAT, []),
        envelope(RESPONSES, []),
        {"x": 1},
        [],
    )
    ids = [case.one_of(("call_2", "call_1", case.other), 1) for case in drawn]
    stored = [case.one_of(kinds, 2) for case in drawn]
    results = [
        core_message(one, "{}", call_id=call_id)
        for one, call_id in zip(stored, ids, strict=True)
    ]
    times = drawn[0].one_of((1, MANY), 9)
    results += results[:1] * times
    ids += ids[:1] * times
    calls = [item_call("{}", call_id=call_id) for call_id in sorted(set(ids))]
    given = {"calls": {"$literal": calls}} if drawn[0].has(3) else {}
    values = [
        {"result": "x", "tool_call_id": call_id, "tool_name": "tool"} for call_id in ids
    ]
    told = {CHAT: "tool_call_id", RESPONSES: "call_id"}
    found: list[Step] = [
        {
            **converting(results, target, **given),
            "expected": [{key: exactly(call_id)} for call_id in ids],
        }
        for target, key in told.items()
    ]
    core = [{"metadata": {"tool_call_id": exactly(call_id)}} for call_id in ids]
    found.append({**converting(values, "core"), "expected": core})
    return [
        *found,
        *(
            {**converting([], target), "expected": exactly([])}
            for target in (CHAT, RESPONSES, "core")
        ),
    ]


RESULT_STRATEGIES: dict[str, SearchStrategy[OperationPlan]] = {
    "result-texts": each(_texts),
    "envelopes": each(_envelopes),
    "ordinary-results": each(_ordinary),
    "strange-envelopes": each(_strange_envelopes),
    "core-messages": each(_core_messages),
    "core-results": each(_core_texts),
    "core-envelopes": each(_core_envelopes),
    "custom-results": together(_custom_results),
    "results-seen": each(_seen),
    "results-in-order": together(_in_order),
}
"""What is drawn for each property of results, by its name."""
