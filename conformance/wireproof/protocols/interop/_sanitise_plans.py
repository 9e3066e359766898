"""What is tried of sanitising: calls of all kinds, as steps.

One example holds many texts, all cuts of one among them: an example of Hypothesis
costs a thousand times what a text costs. Imports Hypothesis: import it only where
something is fuzzed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import texts
from wireproof.operations import OperationPlan, exactly
from wireproof.protocols.interop._argument_texts import (
    EMPTY,
    PLAIN_DEPTH,
    damaged_texts,
    duplicate_keys,
    fate,
    kept_or_empty,
    lenient_texts,
    objects,
    spellings,
    valid_texts,
)
from wireproof.protocols.interop._drawn_values import (
    lists,
    raw_inputs,
    scalars,
    small_values,
)
from wireproof.protocols.interop._shapes import chat_call, item_call

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof.fuzzing import Step

DEEPEST = 100_000
"""The nesting that INT-Z10 names."""


def sanitising(call: Any, expected: Any, **beside: Any) -> Step:
    """Return the step that sanitises a call."""
    literal = {"$literal": call}
    return {
        "op": "sanitize_tool_call",
        "input": {"call": literal},
        "expected": expected,
        **beside,
    }


def _any_text(drawn: Sequence[str]) -> OperationPlan:
    parses = {"$json_text": {"$type": "object"}}
    return OperationPlan(
        [
            sanitising(
                chat_call(text),
                {
                    "function": {
                        # What some parsers refuse may be kept, so it is not parsed.
                        "arguments": kept_or_empty(text)
                        if fate(text) == "either"
                        else parses
                    }
                },
            )
            for text in drawn
        ]
    )


def _arguments(kind: str) -> Callable[[Sequence[str]], OperationPlan]:
    """Return what makes steps of the texts that have one fate."""

    def plan(drawn: Sequence[str]) -> OperationPlan:
        chosen = [text for text in drawn if fate(text) == kind]
        if kind == "emptied":
            found = [sanitising(chat_call(text), _BECOMES_EMPTY) for text in chosen]
            return OperationPlan(found or [sanitising(chat_call(""), _BECOMES_EMPTY)])
        return OperationPlan(
            [sanitising(chat_call(text), _keeps(text)) for text in chosen]
        )

    return plan


_BECOMES_EMPTY = {"function": {"arguments": EMPTY}}


def _keeps(text: str) -> Any:
    return {"function": {"arguments": exactly(text)}}


def _names(drawn: Sequence[tuple[str, str, str]]) -> OperationPlan:
    found: list[Step] = []
    for call_id, name, text in drawn:
        call = chat_call(text, call_id=call_id, name=name)
        wanted = {
            "id": exactly(call_id),
            "type": "function",
            "function": {"name": exactly(name)},
        }
        found.append(sanitising(call, wanted))
        item = item_call(text, call_id=call_id, name=name)
        kept = {"call_id": exactly(call_id), "name": exactly(name)}
        found.append(sanitising(item, {"type": "function_call", **kept}))
    return OperationPlan(found)


def _any_object(drawn: Sequence[Any]) -> OperationPlan:
    """Sanitise what was sanitised: nothing changes any more, nor did the argument."""
    found: list[Step] = []
    for index, call in enumerate(drawn):
        name = f"once-{index}"
        first = sanitising(call, {"$type": "object"}, save=name)
        if index % 2:
            first["keeps_input"] = True
        again = {
            "op": "sanitize_tool_call",
            "input": {"call": {"$use": name}},
            "expected": {"$use": name},
        }
        found += [first, again]
    return OperationPlan(found)


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

_no_objects = st.one_of(scalars, st.lists(small_values, max_size=2), st.just("{"))


def _other_values(drawn: Sequence[Any]) -> OperationPlan:
    found: list[Step] = []
    empty_chat = {"function": {"arguments": EMPTY}}
    for value in drawn:
        text = value if isinstance(value, str) and fate(value) == "emptied" else None
        text = json.dumps(value) if text is None else text
        found.append(sanitising(chat_call(text), empty_chat))
        found.append(sanitising(item_call(text), {"arguments": EMPTY}))
        if not isinstance(value, str):
            found.append(sanitising(chat_call(value), empty_chat))
            found.append(sanitising(item_call(value), {"arguments": EMPTY}))
            broken = {"id": "call_1", "type": "function", "function": value}
            found.append(sanitising(broken, empty_chat))
    return OperationPlan(found)


def _raw_inputs(drawn: Sequence[str]) -> OperationPlan:
    found: list[Step] = []
    for text in drawn:
        item = {
            "type": "custom_tool_call",
            "call_id": "call_1",
            "name": "tool",
            "input": text,
        }
        custom = {"name": "tool", "input": text}
        call = {"id": "call_1", "type": "custom", "custom": custom}
        found += [sanitising(item, exactly(item)), sanitising(call, exactly(call))]
    return OperationPlan(found)


def _items(drawn: Sequence[str]) -> OperationPlan:
    return OperationPlan(
        [
            sanitising(item_call(text), {"arguments": kept_or_empty(text)})
            for text in drawn
        ]
    )


@st.composite
def _nested(draw: st.DrawFn) -> OperationPlan:
    """Nesting up to the depth of INT-Z10, closed or not."""
    depth = draw(st.one_of(st.integers(0, 2_000), st.just(DEEPEST)))
    opening, closing = draw(
        st.sampled_from([("[", "]"), ('{"a":', "}"), ('[{"":', "}]")])
    )
    closed = draw(st.booleans())
    parts: list[Any] = ['{"a":', {"$repeat": opening, "times": depth}, "1"]
    if closed:
        parts += [{"$repeat": closing, "times": depth}, "}"]
    text = {"$join": parts}
    wanted: Any = {"$one_of": [text, EMPTY]} if closed else EMPTY
    if closed and depth * len(closing) < PLAIN_DEPTH:
        wanted = text
    call = chat_call(text)
    step: Step = {
        "op": "sanitize_tool_call",
        "input": {"call": call},
        "expected": {"function": {"arguments": wanted}},
        "survives": True,
    }
    return OperationPlan([step])


def _twice(drawn: Sequence[str]) -> OperationPlan:
    return OperationPlan(
        [
            sanitising(
                chat_call(text), {"function": {"arguments": kept_or_empty(text)}}
            )
            for text in drawn
        ]
    )


_KNOWN_TYPES = frozenset({"function", "function_call", "custom", "custom_tool_call"})
_other_types = st.one_of(
    texts(8),
    st.sampled_from(["message", "reasoning", "web_search_call", "FUNCTION", "tool"]),
).filter(lambda name: name not in _KNOWN_TYPES)


@st.composite
def _foreign(draw: st.DrawFn) -> OperationPlan:
    found: list[Step] = []
    for call in draw(st.lists(_odd_calls, min_size=1, max_size=4)):
        other = {**call, "type": draw(_other_types)}
        found.append(sanitising(other, exactly(other)))
    return OperationPlan(found)


SANITISE_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "sanitise-any-text": st.one_of(damaged_texts, lists(texts(20), 4)).map(_any_text),
    "sanitise-broken-texts": damaged_texts.map(_arguments("emptied")),
    "sanitise-valid-texts": objects.map(spellings).map(_arguments("kept")),
    "sanitise-names": lists(st.tuples(texts(10), texts(10), valid_texts), 3).map(
        _names
    ),
    "sanitise-any-object": lists(_odd_calls, 4).map(_any_object),
    "sanitise-other-values": lists(_no_objects, 6).map(_other_values),
    "sanitise-lenient-json": lenient_texts().map(_arguments("emptied")),
    "sanitise-raw-input": raw_inputs.map(_raw_inputs),
    "sanitise-items": damaged_texts.map(_items),
    "sanitise-nesting": _nested(),
    "sanitise-duplicate-keys": duplicate_keys().map(_twice),
    "sanitise-other-types": _foreign(),
}
"""What is drawn for each property of sanitising, by its name."""
