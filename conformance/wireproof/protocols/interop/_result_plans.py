"""What is tried of results, as steps.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from wireproof.fuzzing import texts
from wireproof.operations import OperationPlan, exactly
from wireproof.protocols.interop._drawn_values import call_ids, lists, small_values
from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.fuzzing import Step


def _result_texts(drawn: Sequence[tuple[str, str]]) -> OperationPlan:
    results = [
        {
            "role": "tool",
            "content": text,
            "toolResult": {"type": "tool_result", "text": text},
            "metadata": {"tool_call_id": call_id, "tool_name": "tool"},
        }
        for call_id, text in drawn
    ]
    chat = [
        {"role": "tool", "content": exactly(text), "tool_call_id": exactly(call_id)}
        for call_id, text in drawn
    ]
    items = [
        {
            "type": "function_call_output",
            "call_id": exactly(call_id),
            "output": exactly(text),
        }
        for call_id, text in drawn
    ]
    given = {"$literal": results}
    return OperationPlan(
        [
            {
                "op": "convert_results",
                "input": {"results": given, "target": target},
                "expected": wanted,
            }
            for target, wanted in ((CHAT, chat), (RESPONSES, items))
        ]
    )


def _core_results(drawn: Sequence[Any]) -> OperationPlan:
    found: list[Step] = []
    for value in drawn:
        same = (
            exactly(value) if isinstance(value, str) else {"$json_text": exactly(value)}
        )
        one = {"result": value, "tool_call_id": "call_1", "tool_name": "tool"}
        wanted = {
            "role": "tool",
            "content": same,
            "toolResult": {"text": same},
            "metadata": {"tool_call_id": "call_1", "tool_name": "tool"},
        }
        found.append(
            {
                "op": "convert_results",
                "input": {"results": [{"$literal": one}], "target": "core"},
                "expected": [wanted],
            }
        )
    return OperationPlan(found)


_stored = st.one_of(
    texts(20),
    st.dictionaries(texts(6), small_values, max_size=3),
    st.lists(small_values, max_size=3),
)

RESULT_STRATEGIES: dict[str, st.SearchStrategy[OperationPlan]] = {
    "result-texts": lists(st.tuples(call_ids, texts(20)), 4).map(_result_texts),
    "core-results": lists(_stored, 4).map(_core_results),
}
"""What is drawn for each property of results, by its name."""
