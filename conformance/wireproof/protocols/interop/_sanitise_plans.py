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
    few_damaged_texts,
    kept_or_empty,
    lenient_texts,
    spellings,
)
from wireproof.protocols.interop._call_plans import arguments_of
from wireproof.protocols.interop._cases import cases, corpus_texts, each
from wireproof.protocols.interop._drawn_values import (
    lists,
    raw_inputs,
    scalars,
    small_values,
)
from wireproof.protocols.interop._shapes import chat_call, custom_item, item_call

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof.fuzzing import Step
    from wireproof.protocols.interop._cases import Case

LONG = 5_000
"""Characters of a text that is made long: more than the usual cuts."""

DEEPEST = 100_000
"""The nesting that INT-Z10 names."""

DEEPEST_VALUE = 200
"""Nesting of a drawn call itself, which every JSON parser reads."""


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
    """Sanitise what was sanitised: nothing changes any more, nor did the argument."""
    found: list[Step] = []
    for index, call in enumerate(drawn):
        name = f"once-{index}"
        first = sanitising(call, {"$type": "object"}, save=name, keeps_input=True)
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
    empty_chat = {"function": {"arguments": EMPTY}}
    found: list[Step] = [
        sanitising({"type": "function", "id": "call_1"}, empty_chat),
        sanitising({"type": "function", "function": {"name": "f"}}, empty_chat),
    ]
    for value in drawn:
        # Objects become their text or none; the text of one is a text.
        members = {"v": value, "w": [value, "\u65e5"]}
        same = {"$json_text": exactly(members)}
        wanted = {"arguments": {"$one_of": [EMPTY, same]}}
        found.append(sanitising(chat_call(members), {"function": wanted}))
        again = json.dumps(json.dumps(members))
        found.append(sanitising(chat_call(again), empty_chat))
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
        item = custom_item(text)
        custom = {"name": "tool", "input": text}
        call = {"id": "call_1", "type": "custom", "custom": custom}
        found += [sanitising(item, exactly(item)), sanitising(call, exactly(call))]
    return OperationPlan(found)


def _items(drawn: Sequence[str]) -> OperationPlan:
    absent = {"type": "function_call", "call_id": "call_1", "name": "tool"}
    kept = {"call_id": "call_1", "name": "tool", "function": {"$absent": True}}
    found = [
        sanitising(absent, {**kept, "arguments": EMPTY}),
        sanitising({**absent, "id": "fc_1"}, {**kept, "id": "fc_1"}),
    ]
    for text in drawn:
        wanted = {**kept, "arguments": kept_or_empty(text)}
        found.append(sanitising(item_call(text), wanted))
    return OperationPlan(found)


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
    expected = {"arguments": wanted}
    steps = [
        {
            "op": "sanitize_tool_call",
            "input": {"call": call},
            "expected": pattern,
            "survives": True,
        }
        for call, pattern in (
            (chat_call(text), {"function": expected}),
            (item_call(text), expected),
        )
    ]
    return OperationPlan(steps)


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


def _typeless(case: Case) -> list[Step]:
    """Return a call without type, which is one of a function (INT-Z12)."""
    text = case.one_of((arguments_of(case), '{"a":', ""), 4)
    call = {"id": case.text, "function": {"name": case.name, "arguments": text}}
    kept = {"name": exactly(case.name), "arguments": kept_or_empty(text)}
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


def _spelled(case: Case) -> list[Step]:
    """Return a valid text that holds texts of the corpus, spelled in one way."""
    members = case.one_of((case.members(), {case.text: case.other}), 5)
    ways = spellings(members)
    chosen = [ways[(case.seed + 7 * turn) % len(ways)] for turn in range(3)]
    if not case.one_of(range(8), 9):
        chosen.append(json.dumps({**members, "long": "x" * LONG}))
    return [sanitising(chat_call(text), _keeps(text)) for text in chosen]


_BREAKS = (
    ("true", "True"),
    ("null", "None"),
    ("false", "FALSE"),
    (":1", ":01"),
    (":1", ":+1"),
    ('"x"', '"\\x"'),
    ('"x"', "'x'"),
    ("}", ",}"),
)
_BREAKABLE = '{"a":true,"b":null,"c":false,"d":1,"e":"x"}'
_TAILS = ("", "x" * 5_000)


def _broken(case: Case) -> list[Step]:
    """Return texts that are broken in one place, short or long."""
    broken = _BREAKABLE.replace(*case.one_of(_BREAKS, 3))
    long = json.dumps({"a": case.text, "z": case.one_of(_TAILS, 4)})
    texts = (broken, long[:-1], long[1:], case.text + long, long + "x")
    return [
        sanitising(chat_call(text), _BECOMES_EMPTY)
        for text in texts
        if fate(text) == "emptied"
    ]


SANITISE_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "sanitise-any-text": st.one_of(few_damaged_texts, corpus_texts()).map(_any_text),
    "sanitise-broken-texts": st.one_of(
        damaged_texts.map(_arguments("emptied")), each(_broken)
    ),
    "sanitise-valid-texts": each(_spelled),
    "sanitise-names": each(_names),
    "sanitise-any-object": lists(st.one_of(_odd_calls, _bare_calls), 4).map(
        _any_object
    ),
    "sanitise-other-values": lists(_no_objects, 6).map(_other_values),
    "sanitise-lenient-json": lenient_texts().map(_arguments("emptied")),
    "sanitise-raw-input": st.one_of(raw_inputs, corpus_texts()).map(_raw_inputs),
    "sanitise-items": few_damaged_texts.map(_items),
    "sanitise-nesting": _nested(),
    "sanitise-duplicate-keys": duplicate_keys().map(_twice),
    "sanitise-other-types": _foreign(),
}
"""What is drawn for each property of sanitising, by its name."""
