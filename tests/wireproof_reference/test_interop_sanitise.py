from __future__ import annotations

import copy
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import MalformedCallError
from wireproof_reference.interop.core._sanitise import sanitize_tool_call


def chat_call(arguments: JSON) -> JSONObject:
    return {
        "id": "call_1",
        "type": "function",
        "function": {"name": "read_file", "arguments": arguments},
    }


def item_call(arguments: JSON) -> JSONObject:
    return {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "read_file",
        "arguments": arguments,
        "status": "incomplete",
    }


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ('{"path":"README.md"}', '{"path":"README.md"}'),
        (' {"b": 1.50,\n"a":1E2} ', ' {"b": 1.50,\n"a":1E2} '),
        ('{"a":1,"a":2}', '{"a":1,"a":2}'),
        ('{"path":', "{}"),
        ("", "{}"),
        ("[1]", "{}"),
        ("null", "{}"),
        ('{"a":NaN}', "{}"),
        ({"path": "README.md"}, '{"path":"README.md"}'),
        (None, "{}"),
        ([], "{}"),
        (3, "{}"),
    ],
)
def test_arguments_are_kept_or_become_an_empty_object(
    arguments: JSON, kept: str
) -> None:
    assert sanitize_tool_call(chat_call(arguments)) == chat_call(kept)
    assert sanitize_tool_call(item_call(arguments)) == item_call(kept)


@pytest.mark.parametrize(
    ("call", "sanitised"),
    [
        ({"type": "function"}, {"type": "function", "function": {"arguments": "{}"}}),
        (
            {"type": "function", "function": "x", "id": "c"},
            {"type": "function", "function": {"arguments": "{}"}, "id": "c"},
        ),
        (
            {"type": "function", "function": {"name": "f", "strict": True}},
            {
                "type": "function",
                "function": {"name": "f", "strict": True, "arguments": "{}"},
            },
        ),
        (
            {"index": 0, "function": {"name": "f", "arguments": '{"a'}},
            {"index": 0, "function": {"name": "f", "arguments": "{}"}},
        ),
        ({"type": "function_call"}, {"type": "function_call", "arguments": "{}"}),
    ],
)
def test_a_function_call_without_its_parts_gets_them(
    call: JSONObject, sanitised: JSONObject
) -> None:
    assert sanitize_tool_call(call) == sanitised


@pytest.mark.parametrize(
    "call",
    [
        {"id": "c", "type": "custom", "custom": {"name": "f", "input": '{"a":'}},
        {"id": "c", "type": "custom", "custom": {"name": "f", "input": "{}"}},
        {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": '{"a":'},
        {"type": "custom_tool_call", "arguments": "{"},
        {"type": "custom", "function": {"arguments": "{"}},
        {"type": "web_search_call", "arguments": "{"},
        {"type": "functions", "function": {"arguments": "{"}},
        {"type": None, "function": {"arguments": "{"}},
        {"type": ["function"], "function": {"arguments": "{"}},
        {"function": "f", "arguments": "{"},
        {"arguments": "{"},
        {},
    ],
)
def test_what_is_no_function_call_is_left_alone(call: JSONObject) -> None:
    assert sanitize_tool_call(copy.deepcopy(call)) == call


class NoTruth:
    """Compares as arrays of numbers do, which have no truth value."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Any:
        raise ValueError("the truth value is ambiguous")


def test_a_type_that_cannot_be_compared_is_left_alone() -> None:
    odd: Any = NoTruth()
    assert sanitize_tool_call({"type": odd})["type"] is odd


def test_what_is_no_dict_is_refused() -> None:
    with pytest.raises(MalformedCallError, match="must be an object, not an array"):
        sanitize_tool_call([])


python_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None))
    | st.binary()
    | st.sampled_from([object, 10**4000, {1}, "function", "function_call", '{"a":']),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner)
        | st.dictionaries(
            st.text() | st.integers() | st.none() | st.tuples(st.floats()), inner
        )
    ),
    max_leaves=8,
)
odd_calls = st.dictionaries(
    st.sampled_from(["type", "function", "arguments", "id", "input", 1, None, (2.5,)]),
    python_values
    | st.fixed_dictionaries({"arguments": python_values})
    | st.sampled_from(["function", "function_call", "custom"]),
)


@given(odd_calls)
def test_no_dict_is_changed_and_none_is_sanitised_twice(call: dict[Any, Any]) -> None:
    before = copy.deepcopy(call)
    once = sanitize_tool_call(call)
    assert repr(call) == repr(before)
    assert repr(sanitize_tool_call(once)) == repr(once)


@given(odd_calls)
def test_the_arguments_of_a_function_call_are_always_an_object(
    call: dict[Any, Any],
) -> None:
    chat = sanitize_tool_call({**call, "type": "function"})
    item = sanitize_tool_call({**call, "type": "function_call"})
    assert isinstance(json.loads(chat["function"]["arguments"]), dict)  # type: ignore[index,call-overload,arg-type] # the test is that it is one
    assert isinstance(json.loads(item["arguments"]), dict)  # type: ignore[arg-type] # the same


def test_a_call_that_holds_itself_is_sanitised() -> None:
    call: dict[str, Any] = {"type": "function_call"}
    call["arguments"] = call
    assert sanitize_tool_call(call)["arguments"] == "{}"


def test_time_is_linear_in_the_depth() -> None:
    def cpu_seconds(depth: int) -> float:
        call = item_call('{"a":' * depth + "1" + "}" * depth)
        began = time.process_time()
        for _ in range(4):
            sanitize_tool_call(call)
        return time.process_time() - began

    cpu_seconds(20_000)
    assert cpu_seconds(200_000) < 40 * max(cpu_seconds(20_000), 0.001)
