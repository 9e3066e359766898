from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wireproof_reference.interop_streams import (
    CHAT_CALLS,
    CHAT_EVENTS,
    call_chunk,
    chunk,
)

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop.providers import ChatAccumulator, Delta, Failed


def accumulated(*chunks: JSONObject) -> ChatAccumulator:
    accumulator = ChatAccumulator()
    for value in chunks:
        assert accumulator.receive(value) == Delta(value)
    return accumulator


def delta(**call: JSON) -> JSONObject:
    return chunk({"tool_calls": [call]})


def function(call_id: str, name: str, arguments: JSON) -> JSONObject:
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def test_calls_are_put_together_from_their_deltas() -> None:
    accumulator = accumulated(*CHAT_EVENTS)
    assert accumulator.tool_calls() == CHAT_CALLS
    assert accumulator.finished


def test_a_message_holds_its_text_and_calls() -> None:
    accumulator = accumulated(
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "Let me "}),
        chunk({"content": "look.", "refusal": None}),
        *CHAT_EVENTS[1:4],
    )
    assert accumulator.native_messages() == [
        {"role": "assistant", "content": "Let me look.", "tool_calls": CHAT_CALLS[:1]}
    ]
    assert accumulator.partial() == {
        "content": "Let me look.",
        "tool_calls": CHAT_CALLS[:1],
    }
    assert not accumulator.finished


def test_a_message_with_calls_alone_has_null_as_content() -> None:
    assert accumulated(*CHAT_EVENTS[:4]).native_messages() == [
        {"role": "assistant", "content": None, "tool_calls": CHAT_CALLS[:1]}
    ]


def test_a_refusal_is_kept() -> None:
    accumulator = accumulated(chunk({"refusal": "I "}), chunk({"refusal": "will not."}))
    assert accumulator.native_messages() == [
        {"role": "assistant", "content": None, "refusal": "I will not."}
    ]


def test_nothing_is_added_where_nothing_came() -> None:
    accumulator = accumulated(chunk({"role": "assistant", "content": ""}))
    assert accumulator.native_messages() == []
    assert accumulator.partial() == {"content": "", "tool_calls": []}


@given(st.lists(st.integers(0, 20), max_size=8))
def test_arguments_come_in_any_pieces(offsets: list[int]) -> None:
    text = '{"path": "é😀.md", 1}'
    places = [0, *sorted(offsets), len(text)]
    pieces = [text[a:b] for a, b in pairwise(places)]
    chunks = [call_chunk(0, piece) for piece in pieces]
    accumulator = accumulated(call_chunk(0, "", call_id="c", name="f"), *chunks)
    assert accumulator.tool_calls() == [function("c", "f", text)]


def test_one_chunk_may_hold_deltas_of_several_calls() -> None:
    part: JSONObject = {"arguments": "{}"}
    accumulator = accumulated(
        chunk(
            {
                "tool_calls": [
                    {"index": 0, "id": "a", "function": {"name": "f", **part}},
                    {"index": 1, "id": "b", "function": {"name": "g", **part}},
                    {"index": 0, "function": part},
                ]
            }
        )
    )
    assert accumulator.tool_calls() == [
        function("a", "f", "{}{}"),
        function("b", "g", "{}"),
    ]


def test_calls_stand_in_the_order_of_their_indexes() -> None:
    accumulator = accumulated(
        call_chunk(10, "{}", call_id="c", name="f"),
        call_chunk(2, "{}", call_id="b", name="f"),
        delta(id="d", function={"name": "f", "arguments": "{}"}),
        call_chunk(0, "{}", call_id="a", name="f"),
    )
    ids = [call["id"] for call in accumulator.tool_calls()]
    assert ids == ["a", "b", "c", "d"]


def test_the_id_and_the_name_may_come_late_and_in_pieces() -> None:
    accumulator = accumulated(
        delta(index=0, function={"arguments": "{"}),
        delta(index=0, function={"name": "read_"}),
        delta(index=0, id="call_1", type="function"),
        delta(index=0, function={"name": "file", "arguments": "}"}),
    )
    assert accumulator.tool_calls() == [function("call_1", "read_file", "{}")]


def test_an_id_and_a_name_that_come_again_are_the_same_ones() -> None:
    part = {"name": "f", "arguments": '{"a"'}
    rest = {"name": "f", "arguments": ":1}"}
    accumulator = accumulated(
        delta(index=0, id="a", type="function", function={**part}),
        delta(index=0, id="a", type="function", function={**rest}),
    )
    assert accumulator.tool_calls() == [function("a", "f", '{"a":1}')]


def test_two_calls_with_one_id_stay_two() -> None:
    accumulator = accumulated(
        call_chunk(0, "{", call_id="a", name="f"),
        call_chunk(1, "[", call_id="a", name="f"),
        delta(index=0, id="a", function={"arguments": "}"}),
        delta(index=1, id="a", function={"arguments": "]"}),
    )
    assert accumulator.tool_calls() == [
        function("a", "f", "{}"),
        function("a", "f", "[]"),
    ]


def test_a_new_id_with_a_name_begins_a_new_call_under_the_same_index() -> None:
    accumulator = accumulated(
        call_chunk(0, "{", call_id="a", name="f"),
        call_chunk(0, "[", call_id="b", name="f"),
        delta(index=0, id="a", function={"arguments": "}"}),
        call_chunk(0, "]"),
    )
    assert accumulator.tool_calls() == [
        function("a", "f", "{}"),
        function("b", "f", "[]"),
    ]


def test_a_new_id_without_a_name_is_passed_over() -> None:
    accumulator = accumulated(
        call_chunk(0, "{", call_id="a", name="f"),
        delta(index=0, id="random", function={"arguments": "}"}),
    )
    assert accumulator.tool_calls() == [function("a", "f", "{}")]


def test_without_an_index_the_id_tells_the_call() -> None:
    accumulator = accumulated(
        delta(id="a", function={"name": "f", "arguments": "{"}),
        delta(id="b", function={"name": "g", "arguments": "["}),
        delta(id="a", function={"arguments": "}"}),
        delta(function={"arguments": "]"}),
    )
    assert accumulator.tool_calls() == [
        function("a", "f", "{}"),
        function("b", "g", "[]"),
    ]


def test_without_index_and_id_a_name_begins_a_new_call() -> None:
    accumulator = accumulated(
        delta(function={"name": "f", "arguments": "{}"}),
        delta(function={"name": "f", "arguments": "[]"}),
    )
    assert accumulator.tool_calls() == [
        {"type": "function", "function": {"name": "f", "arguments": "{}"}},
        {"type": "function", "function": {"name": "f", "arguments": "[]"}},
    ]


def test_an_index_that_comes_after_the_id_joins_its_call() -> None:
    accumulator = accumulated(
        delta(id="a", function={"name": "f", "arguments": "{"}),
        delta(index=0, id="a", function={"arguments": "}"}),
        call_chunk(0, " "),
    )
    assert accumulator.tool_calls() == [function("a", "f", "{} ")]


def test_empty_deltas_add_nothing() -> None:
    accumulator = accumulated(
        *CHAT_EVENTS[:3],
        chunk({}),
        call_chunk(0, ""),
        delta(index=0, id="", type=None, function={"name": "", "arguments": None}),
        delta(index=0, function=None),
        delta(index=0),
        *CHAT_EVENTS[3:],
    )
    assert accumulator.tool_calls() == CHAT_CALLS


def test_raw_input_of_a_custom_call_is_put_together() -> None:
    accumulator = accumulated(
        delta(index=0, id="a", type="custom", custom={"name": "patch", "input": ""}),
        delta(index=0, custom={"input": '{"not":'}),
        delta(index=0, custom={"input": " json"}),
    )
    assert accumulator.tool_calls() == [
        {
            "id": "a",
            "type": "custom",
            "custom": {"name": "patch", "input": '{"not": json'},
        }
    ]


def test_a_call_without_a_type_is_known_by_what_it_holds() -> None:
    accumulator = accumulated(
        delta(index=0, id="a", custom={"name": "patch", "input": "x"}),
        delta(index=1, id="b", function={"name": "f", "arguments": "{}"}),
    )
    kinds = [call["type"] for call in accumulator.tool_calls()]
    assert kinds == ["custom", "function"]


def test_what_else_a_call_holds_is_kept() -> None:
    accumulator = accumulated(
        call_chunk(0, "{}", call_id="a", name="f"),
        delta(index=0, extra_content={"signature": "x"}),
    )
    assert accumulator.tool_calls() == [
        {**function("a", "f", "{}"), "extra_content": {"signature": "x"}}
    ]


def test_arguments_that_are_no_text_are_kept_as_they_are() -> None:
    part: JSONObject = {"name": "f", "arguments": {"path": "a.md"}}
    accumulator = accumulated(delta(index=0, id="a", function=part))
    assert accumulator.tool_calls() == [function("a", "f", {"path": "a.md"})]


def test_the_halves_of_a_character_are_joined() -> None:
    accumulator = accumulated(
        call_chunk(0, '{"a":"\ud83d', call_id="a", name="f"),
        call_chunk(0, '\ude00\ud83d"}'),
    )
    text = '{"a":"\U0001f600\ud83d"}'
    assert accumulator.tool_calls() == [function("a", "f", text)]


def test_a_call_that_was_never_named_is_left_out() -> None:
    assert accumulated(call_chunk(0, "{}")).tool_calls() == []


def test_only_the_first_choice_is_taken_in() -> None:
    other: JSONObject = {"index": 1, "delta": {"content": "b"}, "finish_reason": "stop"}
    first = chunk({"content": "a"})
    choices = first["choices"]
    assert isinstance(choices, list)
    accumulator = accumulated({**first, "choices": [*choices, other]})
    assert accumulator.partial()["content"] == "a"
    assert not accumulator.finished


ODD_CHUNKS: list[JSONObject] = [
    {},
    {"choices": None},
    {"choices": []},
    {"choices": [None, 1, {}]},
    {"choices": [{"index": 0, "delta": None, "finish_reason": None}]},
    chunk({"content": 1, "tool_calls": {}}),
    chunk({"tool_calls": [None, [], "x"]}),
    delta(index=True, function=[]),
    delta(index="0", id=1, type=2, function={"name": 3}),
    delta(),
]


@pytest.mark.parametrize("odd", ODD_CHUNKS)
def test_what_makes_no_sense_is_passed_over(odd: JSONObject) -> None:
    accumulator = accumulated(*CHAT_EVENTS[:4], odd, *CHAT_EVENTS[4:])
    assert accumulator.tool_calls() == CHAT_CALLS
    assert accumulator.partial()["content"] == ""


def test_an_error_is_told() -> None:
    error: JSONObject = {"message": "overloaded", "type": "server_error"}
    assert ChatAccumulator().receive({"error": error}) == Failed(error)
    assert ChatAccumulator().receive({"error": "no"}) == Failed({"message": "no"})
