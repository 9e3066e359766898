"""What is tried of calls, as steps.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import texts
from wireproof.operations import OperationPlan, exactly
from wireproof.protocols.interop._argument_texts import valid_texts
from wireproof.protocols.interop._drawn_values import (
    call_ids,
    lists,
    raw_inputs,
    tool_names,
)
from wireproof.protocols.interop._shapes import CHAT, RESPONSES, chat_call, item_call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.fuzzing import Step


def _custom_inputs(drawn: Sequence[str]) -> OperationPlan:
    found: list[Step] = []
    for text in drawn:
        custom = {"name": "tool", "input": text}
        item = {"type": "custom_tool_call", "call_id": "call_1", **custom}
        wanted = {"payload": exactly(text), "payload_kind": "text"}
        found.append(
            {
                "op": "inspect_call",
                "input": {"call": {"$literal": item}},
                "expected": wanted,
            }
        )
    return OperationPlan(found)


def _asking(calls: Any, target: str) -> Step:
    return {"op": "convert_tool_calls", "input": {"calls": calls, "target": target}}


def _both_forms(call_id: str, name: str, arguments: str) -> tuple[Any, Any]:
    chat = chat_call(arguments, call_id=call_id, name=name)
    return chat, item_call(arguments, call_id=call_id, name=name)


def _calls_and_back(drawn: Sequence[tuple[str, str, str]]) -> OperationPlan:
    found: list[Step] = []
    for index, parts in enumerate(drawn):
        chat, item = _both_forms(*parts)
        ways = ((chat, RESPONSES, item, CHAT), (item, CHAT, chat, RESPONSES))
        for way, (source, there, one, back) in enumerate(ways):
            name = f"there-{index}-{way}"
            first = _asking([{"$literal": source}], there)
            found.append({**first, "expected": [_in_keys(one)], "save": name})
            again = _asking({"$use": name}, back)
            found.append({**again, "expected": [_in_keys(source)]})
    return OperationPlan(found)


def _in_keys(call: Any) -> Any:
    """Return a pattern of a call's keys, whatever others there are."""
    return {
        key: _in_keys(value) if isinstance(value, dict) else exactly(value)
        for key, value in call.items()
    }


def _calls_in_order(drawn: Sequence[tuple[str, str, str]]) -> OperationPlan:
    forms = [_both_forms(*parts) for parts in drawn]
    source = [pair[index % 2] for index, pair in enumerate(forms)]
    literal = [{"$literal": call} for call in source]
    found = [
        {**_asking(literal, CHAT), "expected": [_in_keys(chat) for chat, _ in forms]},
        {**_asking(literal, RESPONSES), "expected": [_in_keys(i) for _, i in forms]},
    ]
    return OperationPlan(found)


_call_parts = st.tuples(call_ids, tool_names, st.one_of(valid_texts, texts(12)))

CALL_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "custom-inputs": raw_inputs.map(_custom_inputs),
    "calls-there-and-back": lists(_call_parts, 6).map(_calls_and_back),
    "calls-in-order": lists(_call_parts, 8).map(_calls_in_order),
}
"""What is drawn for each property of calls, by its name."""
