from __future__ import annotations

from wireproof.protocols.interop._shapes import TABLE, chat_call, item_call


def test_a_chat_call_is_that_of_the_table() -> None:
    assert chat_call('{"a":1}', call_id="c", name="n") == {
        "id": "c",
        "type": "function",
        "function": {"name": "n", "arguments": '{"a":1}'},
    }


def test_an_item_is_that_of_the_table() -> None:
    assert item_call('{"a":1}', call_id="c", name="n") == {
        "type": "function_call",
        "call_id": "c",
        "name": "n",
        "arguments": '{"a":1}',
    }


def test_the_formats_are_those_of_the_table() -> None:
    assert {
        "openai.chat_completions",
        "openai.chat_completions.function",
        "openai.chat_completions.custom",
        "openai.responses",
        "openai.responses.function",
        "openai.responses.custom",
        "core",
    } == TABLE
