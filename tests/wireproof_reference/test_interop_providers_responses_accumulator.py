from __future__ import annotations

from functools import partial

import pytest
from tests.wireproof_reference.interop_streams import (
    RESPONSES_CALLS,
    RESPONSES_EVENTS,
    RESPONSES_ITEMS,
    arguments_event,
    custom_item,
    function_item,
    input_event,
    item_event,
    message_item,
    response,
    text_event,
    text_part,
)

from wireproof_reference.framing import JSONObject
from wireproof_reference.interop.providers import (
    Delta,
    Failed,
    Finished,
    ResponsesAccumulator,
)

BEFORE_THE_END = -1

added = partial(item_event, "added")
done = partial(item_event, "done")
arguments = partial(arguments_event, "delta")


def accumulated(*events: JSONObject) -> ResponsesAccumulator:
    accumulator = ResponsesAccumulator()
    for event in events:
        accumulator.receive(event)
    return accumulator


def payloads(accumulator: ResponsesAccumulator) -> list[object]:
    return [
        call.get("arguments", call.get("input")) for call in accumulator.tool_calls()
    ]


def test_items_are_put_together_from_their_events() -> None:
    accumulator = accumulated(*RESPONSES_EVENTS)
    assert accumulator.native_messages() == RESPONSES_ITEMS
    assert accumulator.tool_calls() == RESPONSES_CALLS
    assert accumulator.partial() == {
        "content": "Let me look.",
        "tool_calls": RESPONSES_CALLS,
    }
    assert accumulator.finished


def test_items_are_whole_before_the_end_of_the_response() -> None:
    accumulator = accumulated(*RESPONSES_EVENTS[:BEFORE_THE_END])
    assert accumulator.native_messages() == RESPONSES_ITEMS
    assert not accumulator.finished


def test_an_item_is_whole_without_its_deltas() -> None:
    items = map(done, range(4), RESPONSES_ITEMS)
    assert accumulated(*items).native_messages() == RESPONSES_ITEMS


def test_the_end_of_the_response_gives_what_its_events_did_not() -> None:
    end = RESPONSES_EVENTS[BEFORE_THE_END]
    assert accumulated(end).native_messages() == RESPONSES_ITEMS
    some = accumulated(done(1, RESPONSES_ITEMS[1]), added(2, function_item("", 2, "")))
    some.receive(end)
    assert some.native_messages() == RESPONSES_ITEMS


def test_the_end_of_the_response_adds_nothing_twice() -> None:
    without_index = {**done(0, RESPONSES_ITEMS[1]), "output_index": None}
    end: JSONObject = {
        "type": "response.completed",
        "response": response("completed", RESPONSES_ITEMS[1]),
    }
    accumulator = accumulated(without_index, end)
    assert accumulator.native_messages() == [RESPONSES_ITEMS[1]]


def test_an_incomplete_response_is_finished_too() -> None:
    end: JSONObject = {
        "type": "response.incomplete",
        "response": response("incomplete"),
    }
    accumulator = accumulated(added(0, function_item("in_progress", 1, "{")))
    assert accumulator.receive(end) == Finished()
    assert accumulator.tool_calls() == [function_item("incomplete", 1, "{")]


def test_a_function_call_that_was_cut_holds_what_came_of_it() -> None:
    accumulator = accumulated(
        added(0, function_item("in_progress", 1, "")),
        arguments(0, "fc_1", '{"pa'),
        arguments(0, "fc_1", 'th":'),
    )
    assert accumulator.tool_calls() == [function_item("incomplete", 1, '{"path":')]


def test_a_custom_call_that_was_cut_holds_what_came_of_it() -> None:
    accumulator = accumulated(
        added(0, custom_item("")), input_event("delta", 0, "ctc_3", "*** Beg")
    )
    assert accumulator.tool_calls() == [custom_item("*** Beg")]


def test_a_message_that_was_cut_holds_what_came_of_it() -> None:
    accumulator = accumulated(
        added(0, message_item("in_progress")),
        text_event(0, "msg_0", "Let "),
        {**text_event(0, "msg_0", "me"), "content_index": 0},
        {
            "type": "response.refusal.delta",
            "output_index": 0,
            "item_id": "msg_0",
            "content_index": 1,
            "delta": "No.",
        },
    )
    assert accumulator.native_messages() == [
        message_item(
            "incomplete",
            {"type": "output_text", "text": "Let me", "annotations": []},
            {"type": "refusal", "refusal": "No."},
        )
    ]
    assert accumulator.partial() == {"content": "Let me", "tool_calls": []}


def test_a_message_without_text_is_left_out() -> None:
    accumulator = accumulated(
        added(0, message_item("in_progress")), text_event(0, "msg_0", "")
    )
    assert accumulator.native_messages() == []


def test_reasoning_is_kept_when_done_and_else_left_out() -> None:
    reasoning: JSONObject = {"type": "reasoning", "id": "rs_1", "summary": []}
    accumulator = accumulated(added(0, reasoning), added(1, RESPONSES_ITEMS[1]))
    assert [item["type"] for item in accumulator.native_messages()] == ["function_call"]
    accumulator.receive(done(0, {**reasoning, "encrypted_content": "x"}))
    assert accumulator.native_messages()[0] == {**reasoning, "encrypted_content": "x"}


def test_deltas_of_several_calls_may_be_mixed() -> None:
    accumulator = accumulated(
        added(1, function_item("in_progress", 2, "")),
        added(0, function_item("in_progress", 1, "")),
        arguments(1, "fc_2", "{"),
        arguments(0, "fc_1", "["),
        arguments(1, "fc_2", "}"),
        arguments(0, "fc_1", "]"),
    )
    assert payloads(accumulator) == ["[]", "{}"]


def test_item_ids_that_change_with_each_event_do_no_harm() -> None:
    accumulator = accumulated(
        added(0, {**function_item("in_progress", 1, ""), "id": "a"}),
        arguments(0, "b", '{"path":'),
        arguments(0, "c", "1}"),
        done(0, {**function_item("completed", 1, '{"path":1}'), "id": "d"}),
    )
    assert payloads(accumulator) == ['{"path":1}']


def test_items_that_share_an_index_and_have_no_ids_are_told_by_their_end() -> None:
    first: JSONObject = {"type": "function_call", "name": "f", "arguments": "[1]"}
    second = {**first, "arguments": "[2]"}
    assert payloads(accumulated(done(0, first), done(0, second))) == ["[1]", "[2]"]
    assert payloads(accumulated(added(0, first), done(0, second))) == ["[2]"]


def test_a_message_that_is_announced_again_under_its_id_is_the_same() -> None:
    item = message_item("completed", text_part("a"))
    accumulator = accumulated(done(0, item), done(0, item))
    assert accumulator.native_messages() == [item]


def test_items_that_share_an_index_are_told_by_their_ids() -> None:
    accumulator = accumulated(
        added(0, function_item("in_progress", 1, "")),
        added(0, function_item("in_progress", 2, "")),
        arguments(0, "fc_1", "[1]"),
        arguments(0, "fc_2", "[2]"),
        done(0, function_item("completed", 2, "[2]")),
    )
    assert payloads(accumulator) == ["[1]", "[2]"]


def test_two_calls_with_one_call_id_stay_two() -> None:
    second = {**function_item("completed", 2, "[2]"), "call_id": "call_1"}
    accumulator = accumulated(
        done(0, function_item("completed", 1, "[1]")), done(1, second)
    )
    assert payloads(accumulator) == ["[1]", "[2]"]


def test_without_indexes_the_ids_tell_the_items() -> None:
    events: list[JSONObject] = [
        added(0, function_item("in_progress", 1, "")),
        added(0, function_item("in_progress", 2, "")),
        arguments(0, "fc_2", "[2]"),
        arguments(0, "fc_1", "[1]"),
        done(0, function_item("completed", 1, "[1]")),
    ]
    for event in events:
        del event["output_index"]
    assert payloads(accumulated(*events)) == ["[1]", "[2]"]


def test_deltas_may_come_before_their_item() -> None:
    accumulator = accumulated(
        arguments(0, "fc_1", "{}"), added(0, function_item("in_progress", 1, ""))
    )
    assert payloads(accumulator) == ["{}"]


def test_deltas_of_an_item_that_never_came_are_left_out() -> None:
    accumulator = accumulated(arguments(0, "fc_1", "{}"))
    assert accumulator.native_messages() == []


def test_whole_arguments_count_more_than_their_deltas() -> None:
    accumulator = accumulated(
        added(0, function_item("in_progress", 1, "")),
        arguments(0, "fc_1", "{"),
        arguments_event("done", 0, "fc_1", "{}"),
    )
    assert payloads(accumulator) == ["{}"]


def test_deltas_count_where_an_item_is_done_without_arguments() -> None:
    accumulator = accumulated(
        added(0, function_item("in_progress", 1, "")),
        arguments(0, "fc_1", "{}"),
        done(0, function_item("completed", 1, "")),
    )
    assert accumulator.tool_calls() == [function_item("completed", 1, "{}")]


def test_arguments_that_came_with_the_item_stay_without_deltas() -> None:
    accumulator = accumulated(
        added(0, function_item("in_progress", 1, "{}")), arguments(0, "fc_1", "")
    )
    assert payloads(accumulator) == ["{}"]


def test_an_item_that_is_done_is_not_announced_again() -> None:
    accumulator = accumulated(
        done(0, function_item("completed", 1, "{}")),
        added(0, function_item("in_progress", 1, "")),
    )
    assert accumulator.tool_calls() == [function_item("completed", 1, "{}")]


def test_a_text_that_is_done_is_the_text_of_its_item() -> None:
    item = message_item("completed", text_part("All of it."))
    accumulator = accumulated(
        added(0, message_item("in_progress")),
        text_event(0, "msg_0", "All "),
        done(0, item),
    )
    assert accumulator.native_messages() == [item]


ODD_EVENTS: list[JSONObject] = [
    {},
    {"type": None},
    {"type": "response.queued"},
    {"type": "response.output_item.added", "output_index": 1},
    {"type": "response.output_item.done", "output_index": 1, "item": None},
    {"type": "response.function_call_arguments.delta", "output_index": 1},
    {"type": "response.function_call_arguments.delta", "output_index": 9, "delta": 1},
    {"type": "response.function_call_arguments.done", "output_index": 1},
    {"type": "response.output_text.delta", "output_index": 0, "delta": None},
    {"type": "response.output_text.delta"},
]


@pytest.mark.parametrize("odd", ODD_EVENTS)
def test_what_makes_no_sense_is_passed_over(odd: JSONObject) -> None:
    accumulator = accumulated(*RESPONSES_EVENTS[:9])
    assert accumulator.receive(odd) == Delta(odd)
    for event in RESPONSES_EVENTS[9:]:
        accumulator.receive(event)
    assert accumulator.native_messages() == RESPONSES_ITEMS


def test_an_error_is_told() -> None:
    error: JSONObject = {"type": "error", "code": "server_error", "message": "no"}
    assert ResponsesAccumulator().receive(error) == Failed(error)
    bare: JSONObject = {"error": {"message": "no"}}
    assert ResponsesAccumulator().receive(bare) == Failed({"message": "no"})


def test_a_failed_response_is_told() -> None:
    failed: JSONObject = {
        **response("failed"),
        "error": {"code": "x", "message": "no"},
    }
    event: JSONObject = {"type": "response.failed", "response": failed}
    assert ResponsesAccumulator().receive(event) == Failed(
        {"code": "x", "message": "no"}
    )
