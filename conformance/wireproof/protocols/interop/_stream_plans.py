"""What is tried of streams, as steps. Imports Hypothesis, as all plans do."""

from __future__ import annotations

import json
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

from wireproof.fuzzing import exactly
from wireproof.protocols.interop._argument_texts import EMPTY
from wireproof.protocols.interop._cases import each
from wireproof.protocols.interop._shapes import CHAT, RESPONSES, chat_call, item_call

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from wireproof.fuzzing import OperationPlan, Step
    from wireproof.protocols.interop._cases import Case

_NOTHING: tuple[dict[str, Any], ...] = (
    {"function": None},
    {"id": "", "function": {"name": "", "arguments": ""}},
    {"id": None, "function": {"name": None, "arguments": None}},
)
"""Members of a piece that add nothing (INT-Q13)."""

_ARGUMENTS = "response.function_call_arguments"


def _pieces(case: Case, text: str) -> list[str]:
    size = max(1, len(text) // (1 + case.seed % 9))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _chat_events(case: Case, index: int, text: str, clause: str) -> list[Any]:
    row = [chat_call("", call_id=f"call_{index}", name=case.name)]
    for turn, piece in enumerate(_pieces(case, text)):
        row.append({"function": {"arguments": piece}})
        row += [case.one_of(_NOTHING, turn)] if clause == "INT-Q13" else []
    deltas = [{"tool_calls": [{"index": index, **one}]} for one in row]
    return [{"choices": [{"index": 0, "delta": one}]} for one in deltas]


def _item_events(case: Case, index: int, text: str, clause: str) -> list[Any]:
    item = item_call("", call_id=f"call_{index}", name=case.name)
    row: list[dict[str, Any]] = [{"type": "response.output_item.added", "item": item}]
    if clause != "INT-Q15" or case.has(index):
        pieces = _pieces(case, text)
        row += [{"type": f"{_ARGUMENTS}.delta", "delta": one} for one in pieces]
    if clause == "INT-Q15":
        done = {"type": f"{_ARGUMENTS}.done", "arguments": text}
        whole = {**item, "arguments": text}
        row += [done] if case.has(index + 3) else []
        row.append({"type": "response.output_item.done", "item": whole})
    return [{"output_index": index, "item_id": f"fc_{index}", **one} for one in row]


def _streamed(provider: str, clause: str, case: Case) -> Step:
    """Return a stream of calls, one after the other or by turns."""
    whole = json.dumps(case.members(), ensure_ascii=case.has(5))
    texts = {whole: exactly(whole), whole[:-1]: EMPTY, '{"a": 1}': '{"a": 1}'}
    if clause == "INT-Q14":
        on = whole + case.one_of((" ", "\n"), 7)
        texts = {on: exactly(on), whole * 2: EMPTY}
    row, call = _chat_events, chat_call
    if provider == RESPONSES:
        row, call = _item_events, item_call
    rows = [row(case, index, text, clause) for index, text in enumerate(texts)]
    ordered = chain(*rows) if case.has(11) else chain(*zip_longest(*rows))
    events = {"$literal": [one for one in ordered if one]}
    expected = [
        call(pattern, call_id=f"call_{index}", name=case.name)
        for index, pattern in enumerate(texts.values())
    ]
    given = {"target": provider, "events": events, "ends": "cut"}
    return {"op": "accumulate", "input": given, "expected": expected, "clause": clause}


def _plan(provider: str, *clauses: str) -> SearchStrategy[OperationPlan]:
    return each(lambda case: [_streamed(provider, one, case) for one in clauses])


STREAM_STRATEGIES: dict[str, SearchStrategy[OperationPlan]] = {
    "streams-chat": _plan(CHAT, "INT-Q3", "INT-Q13", "INT-Q14"),
    "streams-responses": _plan(RESPONSES, "INT-Q3", "INT-Q14", "INT-Q15"),
}
"""What is drawn for each property of streams, by its name."""
