"""What is tried of sanitising texts of arguments, as steps.

One example holds many texts, all cuts of one among them: an example of Hypothesis
costs a thousand times what a text costs. Imports Hypothesis: import it only where
something is fuzzed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import OperationPlan, exactly
from wireproof.protocols.interop._argument_texts import (
    EMPTY,
    PARSES,
    PLAIN_DEPTH,
    TWO_VALUES,
    damaged,
    damaged_texts,
    duplicate_keys,
    fate,
    few_damaged_texts,
    lenient_texts,
    spellings,
    what_becomes,
)
from wireproof.protocols.interop._cases import corpus_texts, each
from wireproof.protocols.interop._shapes import chat_call, item_call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.fuzzing import Step
    from wireproof.protocols.interop._cases import Case

LONG = 5_000
"""Characters of a text that is made long: more than the usual cuts."""

DEEPEST = 10_000
"""The nesting that INT-Z10 demands; more is a SHOULD."""

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
    # What some parsers take, or refuse, may be kept.
    return OperationPlan(
        [
            _becomes(text, PARSES if fate(text) == "kept" else what_becomes(text))
            for text in drawn
        ]
    )


def _becomes(text: str, pattern: Any, **beside: Any) -> Step:
    return sanitising(chat_call(text), {"function": {"arguments": pattern}}, **beside)


_NOT_KEPT = ("emptied", "refused")


def _damaged(drawn: tuple[str, str]) -> OperationPlan:
    """Sanitise what may become of a text: a cut is emptied, not mended."""
    whole, found = drawn[0], [_becomes("{", EMPTY, clause="INT-Z2")]
    for text in damaged(*drawn):
        if fate(text) in _NOT_KEPT:
            cut = whole.startswith(text)
            wanted = EMPTY if cut else what_becomes(text)
            clause = "INT-Z2" if cut else "INT-Z7"
            found.append(_becomes(text, wanted, clause=clause))
    return OperationPlan(found)


def _lenient(drawn: Sequence[str]) -> OperationPlan:
    return OperationPlan(
        [
            _becomes(text, EMPTY if text in TWO_VALUES else what_becomes(text))
            for text in drawn
        ]
    )


def _not_repaired(drawn: Sequence[str]) -> OperationPlan:
    chosen = [text for text in drawn if fate(text) in (*_NOT_KEPT, "loose")]
    return OperationPlan([_becomes(text, EMPTY) for text in chosen])


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
        wanted = {**kept, "arguments": what_becomes(text)}
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
    return OperationPlan([_becomes(text, what_becomes(text)) for text in drawn])


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
    texts = (broken, long[1:], case.text + long, long + "x")
    return [
        _becomes(long[:-1], EMPTY, clause="INT-Z2"),
        *(
            _becomes(text, what_becomes(text), clause="INT-Z7")
            for text in texts
            if fate(text) in _NOT_KEPT
        ),
    ]


TEXT_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "sanitise-any-text": st.one_of(few_damaged_texts, corpus_texts()).map(_any_text),
    "sanitise-broken-texts": st.one_of(damaged_texts.map(_damaged), each(_broken)),
    "sanitise-valid-texts": each(_spelled),
    "sanitise-lenient-json": lenient_texts().map(_lenient),
    "sanitise-repairs": lenient_texts().map(_not_repaired),
    "sanitise-items": few_damaged_texts.map(_items),
    "sanitise-nesting": _nested(),
    "sanitise-duplicate-keys": duplicate_keys().map(_twice),
}
"""What is drawn for each property of texts of arguments, by its name."""
