"""Streams in the published form of each provider, for tests; an oracle checks them."""

from __future__ import annotations

from itertools import pairwise

from wireproof_reference.framing import JSON, EndOfInput, JSONObject, NeedData
from wireproof_reference.interop.providers import (
    Accumulator,
    ProviderStream,
    StreamEvent,
)

READ_FILE: JSONObject = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Read a file.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}

USER: JSONObject = {"role": "user", "content": "What is in them?"}


def cut(data: bytes, offsets: list[int]) -> list[bytes]:
    return [data[a:b] for a, b in pairwise([0, *sorted(offsets), len(data)])]


def take_in(
    accumulator: Accumulator, *pieces: bytes
) -> tuple[ProviderStream, list[StreamEvent]]:
    """A stream that has come to its end, and what it told."""
    stream = ProviderStream(accumulator)
    events: list[StreamEvent] = []
    for piece in pieces:
        stream.receive_data(piece)
        events += drain(stream)
    stream.receive_eof()
    return stream, events + drain(stream)


def drain(stream: ProviderStream) -> list[StreamEvent]:
    events: list[StreamEvent] = []
    while not isinstance(event := stream.next_event(), NeedData):
        events.append(event)
        if isinstance(event, EndOfInput):
            break
    return events


def chunk(delta: JSONObject, finish_reason: str | None = None) -> JSONObject:
    """A chunk of a chat completion."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1750000000,
        "model": "gpt-4.1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


def call_chunk(index: int, arguments: str, **head: JSON) -> JSONObject:
    """A chunk with a delta of one call; `call_id` and `name` in its first."""
    function: JSONObject = {"arguments": arguments}
    call: JSONObject = {"index": index, "function": function}
    if "call_id" in head:
        call |= {"id": head["call_id"], "type": "function"}
        function["name"] = head["name"]
    return chunk({"tool_calls": [call]})


CHAT_EVENTS: list[JSONObject] = [
    chunk({"role": "assistant", "content": None}),
    call_chunk(0, "", call_id="call_1", name="read_file"),
    call_chunk(0, '{"path":'),
    call_chunk(0, ' "a.md"}'),
    call_chunk(1, "", call_id="call_2", name="read_file"),
    call_chunk(1, '{"path": "\u00e9'),
    call_chunk(1, '\U0001f600.md"}'),
    chunk({}, "tool_calls"),
]
"""Two calls, one after the other."""

CHAT_CALLS: list[JSONObject] = [
    {
        "id": "call_1",
        "type": "function",
        "function": {"name": "read_file", "arguments": '{"path": "a.md"}'},
    },
    {
        "id": "call_2",
        "type": "function",
        "function": {"name": "read_file", "arguments": '{"path": "é😀.md"}'},
    },
]


def numbered(*events: JSONObject) -> list[JSONObject]:
    return [{**event, "sequence_number": n} for n, event in enumerate(events)]


def response(status: str, *output: JSON) -> JSONObject:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1750000000,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": "gpt-4.1",
        "output": [*output],
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
    }


def item_event(kind: str, index: int, item: JSONObject) -> JSONObject:
    return {"type": f"response.output_item.{kind}", "output_index": index, "item": item}


def arguments_event(kind: str, index: int, item_id: str, text: str) -> JSONObject:
    return {
        "type": f"response.function_call_arguments.{kind}",
        "output_index": index,
        "item_id": item_id,
        ("delta" if kind == "delta" else "arguments"): text,
    }


def input_event(kind: str, index: int, item_id: str, text: str) -> JSONObject:
    return {
        "type": f"response.custom_tool_call_input.{kind}",
        "output_index": index,
        "item_id": item_id,
        ("delta" if kind == "delta" else "input"): text,
    }


def text_event(index: int, item_id: str, delta: str) -> JSONObject:
    return {
        "type": "response.output_text.delta",
        "output_index": index,
        "item_id": item_id,
        "content_index": 0,
        "delta": delta,
        "logprobs": [],
    }


def function_item(status: str, number: int, arguments: str) -> JSONObject:
    return {
        "id": f"fc_{number}",
        "type": "function_call",
        "status": status,
        "arguments": arguments,
        "call_id": f"call_{number}",
        "name": "read_file",
    }


def custom_item(text: str) -> JSONObject:
    return {
        "id": "ctc_3",
        "type": "custom_tool_call",
        "call_id": "call_3",
        "name": "apply_patch",
        "input": text,
    }


def message_item(status: str, *content: JSON) -> JSONObject:
    return {
        "id": "msg_0",
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": [*content],
    }


def text_part(text: str) -> JSONObject:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


RESPONSES_ITEMS: list[JSONObject] = [
    message_item("completed", text_part("Let me look.")),
    function_item("completed", 1, '{"path": "a.md"}'),
    function_item("completed", 2, '{"path": "é😀.md"}'),
    custom_item('*** Begin Patch\n{"not": json'),
]

RESPONSES_CALLS: list[JSONObject] = RESPONSES_ITEMS[1:]

RESPONSES_EVENTS: list[JSONObject] = numbered(
    {"type": "response.created", "response": response("in_progress")},
    {"type": "response.in_progress", "response": response("in_progress")},
    item_event("added", 0, message_item("in_progress")),
    text_event(0, "msg_0", "Let me "),
    text_event(0, "msg_0", "look."),
    item_event("done", 0, RESPONSES_ITEMS[0]),
    item_event("added", 1, function_item("in_progress", 1, "")),
    arguments_event("delta", 1, "fc_1", '{"path":'),
    arguments_event("delta", 1, "fc_1", ' "a.md"}'),
    arguments_event("done", 1, "fc_1", '{"path": "a.md"}'),
    item_event("done", 1, RESPONSES_ITEMS[1]),
    item_event("added", 2, function_item("in_progress", 2, "")),
    arguments_event("delta", 2, "fc_2", '{"path": "é'),
    arguments_event("delta", 2, "fc_2", '😀.md"}'),
    arguments_event("done", 2, "fc_2", '{"path": "é😀.md"}'),
    item_event("done", 2, RESPONSES_ITEMS[2]),
    item_event("added", 3, custom_item("")),
    input_event("delta", 3, "ctc_3", "*** Begin Patch\n"),
    input_event("delta", 3, "ctc_3", '{"not": json'),
    input_event("done", 3, "ctc_3", '*** Begin Patch\n{"not": json'),
    item_event("done", 3, RESPONSES_ITEMS[3]),
    {
        "type": "response.completed",
        "response": response("completed", *RESPONSES_ITEMS),
    },
)
"""A message, two function calls and a custom one."""
