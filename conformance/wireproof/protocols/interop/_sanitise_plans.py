"""What is tried of sanitising texts of arguments, as steps.

One example holds many texts, all cuts of one among them: an example of Hypothesis
costs a thousand times what a text costs. Imports Hypothesis: import it only where
something is fuzzed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

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
from wireproof.protocols.interop._cases import corpus_texts, each
from wireproof.protocols.interop._shapes import chat_call, item_call

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wireproof.fuzzing import Step
    from wireproof.protocols.interop._cases import Case

LONG = 5_000
"""Characters of a text that is made long: more than the usual cuts."""

DEEPEST = 100_000
"""The nesting that INT-Z10 names."""

BECOMES_EMPTY = {"function": {"arguments": EMPTY}}
"""What is expected of a call whose arguments are no object."""


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
            found = [sanitising(chat_call(text), BECOMES_EMPTY) for text in chosen]
            return OperationPlan(found or [sanitising(chat_call(""), BECOMES_EMPTY)])
        return OperationPlan(
            [sanitising(chat_call(text), _keeps(text)) for text in chosen]
        )

    return plan


def _keeps(text: str) -> Any:
    return {"function": {"arguments": exactly(text)}}


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
        sanitising(chat_call(text), BECOMES_EMPTY)
        for text in texts
        if fate(text) == "emptied"
    ]


TEXT_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "sanitise-any-text": st.one_of(few_damaged_texts, corpus_texts()).map(_any_text),
    "sanitise-broken-texts": st.one_of(
        damaged_texts.map(_arguments("emptied")), each(_broken)
    ),
    "sanitise-valid-texts": each(_spelled),
    "sanitise-lenient-json": lenient_texts().map(_arguments("emptied")),
    "sanitise-items": few_damaged_texts.map(_items),
    "sanitise-nesting": _nested(),
    "sanitise-duplicate-keys": duplicate_keys().map(_twice),
}
"""What is drawn for each property of texts of arguments, by its name."""
