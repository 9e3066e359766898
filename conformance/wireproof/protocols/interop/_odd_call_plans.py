"""What is tried of sanitising calls that are not as most are, as steps.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import OperationPlan, exactly, texts
from wireproof.protocols.interop._argument_texts import EMPTY, fate, what_becomes
from wireproof.protocols.interop._call_plans import arguments_of
from wireproof.protocols.interop._cases import cases, corpus_texts, each
from wireproof.protocols.interop._drawn_values import (
    lists,
    raw_inputs,
    scalars,
    small_values,
)
from wireproof.protocols.interop._sanitise_plans import BECOMES_EMPTY, sanitising
from wireproof.protocols.interop._shapes import chat_call, custom_item, item_call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.fuzzing import Step
    from wireproof.protocols.interop._cases import Case

DEEPEST_VALUE = 200
"""Nesting of a drawn call itself, which every JSON parser reads."""


def _names(case: Case) -> list[Step]:
    text = case.one_of((arguments_of(case), "{", "[1]", None), 4)
    name = case.one_of((case.name, case.other), 2)
    given = {} if text is None else {"arguments": text}
    call = {
        "id": case.text,
        "type": "function",
        "function": {"name": name, **given},
        **case.one_of(({}, {"index": 0}, {"x_note": case.value}), 3),
    }
    wanted = {
        **{key: exactly(value) for key, value in call.items()},
        "function": {"name": exactly(name)},
    }
    item = {"type": "function_call", "call_id": case.text, "name": name, **given}
    kept = {key: item[key] for key in ("type", "call_id", "name")}
    return [
        sanitising(call, wanted),
        sanitising(item, {key: exactly(value) for key, value in kept.items()}),
    ]


def _any_object(drawn: Sequence[Any]) -> OperationPlan:
    """Sanitise what was sanitised: nothing changes any more."""
    found: list[Step] = []
    for index, call in enumerate(drawn):
        name = f"once-{index}"
        first = sanitising(call, {"$type": "object"}, save=name)
        again = {
            "op": "sanitize_tool_call",
            "input": {"call": {"$use": name}},
            "expected": {"$use": name},
        }
        found += [first, again]
    return OperationPlan(found)


def _nest(depth: int) -> Any:
    value: Any = 1
    for _ in range(min(depth, DEEPEST_VALUE)):
        value = [value]
    return value


_parts = st.one_of(small_values, st.sampled_from(["{", "{}", '{"a":', "null"]))
_odd_functions = st.one_of(
    _parts, st.dictionaries(st.sampled_from(["name", "arguments", "x"]), _parts)
)
_types = st.sampled_from(["function", "function_call", "custom", "custom_tool_call"])
_odd_calls = st.fixed_dictionaries(
    {},
    optional={
        "id": _parts,
        "call_id": _parts,
        "type": st.one_of(_types, _types, _parts),
        "function": _odd_functions,
        "custom": _odd_functions,
        "name": _parts,
        "arguments": _parts,
        "input": _parts,
        "": _parts,
    },
)

_named_arguments: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"arguments": _parts}, optional={"name": _parts}
)
_calls_of_little: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"type": _types}, optional={"id": st.just("call_1"), "function": _named_arguments}
)
_deep_objects: st.SearchStrategy[dict[str, Any]] = st.integers(1, 2_000).map(
    lambda depth: {"type": "x", "x": _nest(depth)}
)
_bare_calls = st.one_of(_calls_of_little, _deep_objects)
"""Calls that have little of what calls have, and what is deep."""

_no_objects = st.one_of(scalars, st.lists(small_values, max_size=2), st.just("{"))


def _other_values(drawn: Sequence[Any]) -> OperationPlan:
    found: list[Step] = [
        sanitising({"type": "function", "id": "call_1"}, BECOMES_EMPTY),
        sanitising({"type": "function", "function": {"name": "f"}}, BECOMES_EMPTY),
    ]
    for value in drawn:
        # Objects become their text or none; the text of one is a text.
        members = {"v": value, "w": [value, "\u65e5"]}
        same = {"$json_text": exactly(members)}
        wanted = {"arguments": {"$one_of": [EMPTY, same]}}
        found.append(sanitising(chat_call(members), {"function": wanted}))
    for value in drawn:
        text = value if isinstance(value, str) and fate(value) == "emptied" else None
        text = json.dumps(value) if text is None else text
        found.append(sanitising(chat_call(text), BECOMES_EMPTY))
        found.append(sanitising(item_call(text), {"arguments": EMPTY}))
        if not isinstance(value, str):
            found.append(sanitising(chat_call(value), BECOMES_EMPTY))
            found.append(sanitising(item_call(value), {"arguments": EMPTY}))
            broken = {"id": "call_1", "type": "function", "function": value}
            found.append(sanitising(broken, BECOMES_EMPTY))
    return OperationPlan(found)


def _raw_inputs(drawn: Sequence[str]) -> OperationPlan:
    found: list[Step] = []
    for text in drawn:
        item = custom_item(text)
        custom = {"name": "tool", "input": text}
        call = {"id": "call_1", "type": "custom", "custom": custom}
        found += [sanitising(item, exactly(item)), sanitising(call, exactly(call))]
    return OperationPlan(found)


_KNOWN_TYPES = frozenset({"function", "function_call", "custom", "custom_tool_call"})
_other_types = st.one_of(
    texts(8),
    st.sampled_from(["message", "reasoning", "web_search_call", "FUNCTION", "tool"]),
).filter(lambda name: name not in _KNOWN_TYPES)


def _typeless(case: Case) -> list[Step]:
    """Return a call without type, which is one of a function (INT-Z12)."""
    text = case.one_of((arguments_of(case), '{"a":', ""), 4)
    call = {"id": case.text, "function": {"name": case.name, "arguments": text}}
    kept = {"name": exactly(case.name), "arguments": what_becomes(text)}
    # A registry may add the type: only what is there is looked at.
    return [sanitising(call, {"id": exactly(case.text), "function": kept})]


@st.composite
def _foreign(draw: st.DrawFn) -> OperationPlan:
    found: list[Step] = [
        step for case in draw(cases())[-2:] for step in _typeless(case)
    ]
    for call in draw(st.lists(_odd_calls, min_size=1, max_size=4)):
        other = {**call, "type": draw(_other_types)}
        found.append(sanitising(other, exactly(other)))
    return OperationPlan(found)


ODD_CALL_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "sanitise-names": each(_names),
    "sanitise-any-object": lists(st.one_of(_odd_calls, _bare_calls), 4).map(
        _any_object
    ),
    "sanitise-other-values": lists(_no_objects, 6).map(_other_values),
    "sanitise-raw-input": st.one_of(raw_inputs, corpus_texts()).map(_raw_inputs),
    "sanitise-other-types": _foreign(),
}
"""What is drawn for each property of such calls, by its name."""
