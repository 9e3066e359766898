from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    DEFAULT_TOOL_INTEROP_REGISTRY,
    InteropSubject,
    ToolInteropRegistry,
    UnknownFormatError,
    UnknownTargetError,
    chat_subject,
    compose_registry,
    responses_subject,
)

SUBJECT = InteropSubject()


class Spy:
    """A provider that keeps the contexts it was given."""

    def __init__(self) -> None:
        self.contexts: list[Mapping[str, object] | None] = []

    def initialize_request(
        self,
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Mapping[str, object] | None = None,
    ) -> tuple[list[JSON], JSONObject]:
        self.contexts.append(context)
        return ["initialized", *native_messages], {**state, "new": 1}

    def from_native_messages(
        self,
        native_messages: list[JSON],
        *,
        context: Mapping[str, object] | None = None,
    ) -> list[JSON]:
        self.contexts.append(context)
        return ["core", *native_messages]

    def finalize(
        self,
        final_messages: list[JSON],
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Mapping[str, object] | None = None,
    ) -> tuple[list[JSON], list[JSON], JSONObject]:
        self.contexts.append(context)
        return ["final", *final_messages], ["native", *native_messages], {"last": state}

    def to_native_messages(
        self, messages: list[JSON], *, context: Mapping[str, object] | None = None
    ) -> list[JSON]:
        self.contexts.append(context)
        return ["native", *messages]


class Choosy(Spy):
    def accepted_tool_schema_formats(self) -> list[str]:
        return ["openai.responses.custom", "openai.responses.function"]


REGISTRY_OPS = [
    "convert_schemas",
    "inspect_schema",
    "convert_tool_calls",
    "inspect_call",
    "sanitize_tool_call",
    "inspect_result",
    "convert_results",
    "accumulate",
]


def context_with(formats: list[str] | None) -> dict[str, object]:
    return {
        "core": {},
        "config": {},
        "tool_interop": {
            "registry": DEFAULT_TOOL_INTEROP_REGISTRY,
            "schema_target_formats": formats,
        },
    }


def test_a_subject_describes_itself() -> None:
    described = SUBJECT.describe()
    assert described["name"] == "wireproof reference interop"
    assert described["language"] == "Python"
    assert described["ops"] == REGISTRY_OPS
    assert described["formats"] == [
        "openai.chat_completions.function",
        "openai.responses.function",
        "openai.chat_completions.custom",
        "openai.responses.custom",
    ]


def test_with_a_provider_its_ops_are_offered() -> None:
    assert InteropSubject(Spy()).describe()["ops"] == [
        *REGISTRY_OPS,
        "initialize_request",
        "from_native_messages",
        "finalize",
        "to_native_messages",
    ]


def test_schemas_are_converted_and_inspected() -> None:
    schema: JSONObject = {"type": "function", "name": "f"}
    assert SUBJECT.convert_schemas([schema], "openai.chat_completions") == [
        {"type": "function", "function": {"name": "f"}}
    ]
    assert SUBJECT.convert_schemas(
        [schema], "openai.chat_completions", ["openai.responses.function"]
    ) == [schema]
    assert SUBJECT.inspect_schema(schema) == {
        "name": "f",
        "description": None,
        "parameters": None,
        "payload_kind": "object",
        "format": "openai.responses.function",
    }


def test_calls_are_converted_inspected_and_repaired() -> None:
    call: JSONObject = {
        "type": "function_call",
        "call_id": "c",
        "name": "f",
        "arguments": '{"a":1}',
        "status": "completed",
    }
    assert SUBJECT.convert_tool_calls([call], "openai.chat_completions") == [
        {
            "id": "c",
            "type": "function",
            "function": {"name": "f", "arguments": '{"a":1}'},
        }
    ]
    assert SUBJECT.inspect_call(call) == {
        "call_id": "c",
        "tool_name": "f",
        "payload": {"a": 1},
        "payload_kind": "object",
        "payload_format": "openai.responses",
        "payload_metadata": {"status": "completed"},
    }
    assert SUBJECT.sanitize_tool_call(call) == call


def test_results_are_converted_and_inspected() -> None:
    call: JSON = {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": ""}
    result: JSONObject = {"result": "x", "tool_call_id": "c", "tool_name": "f"}
    [message] = SUBJECT.convert_results([result], "core")
    assert SUBJECT.convert_results([message], "openai.responses", [call]) == [
        {"type": "custom_tool_call_output", "call_id": "c", "output": "x"}
    ]
    assert SUBJECT.inspect_result(message) == {
        "kind": "text",
        "text": "x",
        "format": None,
        "content": None,
    }


def test_an_op_that_fails_raises() -> None:
    with pytest.raises(UnknownFormatError, match="type web_search"):
        SUBJECT.inspect_schema({"type": "web_search"})


def test_a_subject_composes_registries() -> None:
    assert InteropSubject.compose_registry is compose_registry
    assert isinstance(SUBJECT.compose_registry(), ToolInteropRegistry)


def test_provider_ops_are_the_providers_own() -> None:
    subject = InteropSubject(Spy())
    assert subject.initialize_request([1], {"old": 0}) == {
        "native_messages": ["initialized", 1],
        "state": {"old": 0, "new": 1},
    }
    assert subject.from_native_messages([1]) == ["core", 1]
    assert subject.finalize([1], [2], {"a": 3}) == {
        "final_messages": ["final", 1],
        "native_messages": ["native", 2],
        "state": {"last": {"a": 3}},
    }
    assert subject.to_native_messages([1]) == ["native", 1]


def test_every_provider_op_has_a_context() -> None:
    provider = Spy()
    subject = InteropSubject(provider)
    subject.initialize_request([], {})
    subject.from_native_messages([])
    subject.finalize([], [], {})
    subject.to_native_messages([])
    assert provider.contexts == [
        context_with(None),
        context_with(None),
        context_with(None),
        context_with(None),
    ]


def test_without_formats_the_provider_is_asked_for_them() -> None:
    provider = Choosy()
    subject = InteropSubject(provider)
    subject.initialize_request([], {})
    subject.initialize_request([], {}, ["openai.responses.function"])
    assert provider.contexts == [
        context_with(["openai.responses.custom", "openai.responses.function"]),
        context_with(["openai.responses.function"]),
    ]


def test_without_a_provider_its_ops_say_so() -> None:
    with pytest.raises(NotImplementedError, match="no provider"):
        SUBJECT.initialize_request([], {})


def test_the_chat_subject_has_the_chat_provider() -> None:
    after = chat_subject().initialize_request([], {"_tools": [FLAT]})
    assert tools_of(after["state"]) == [{"type": "function", "function": {"name": "f"}}]


def test_the_responses_subject_has_the_responses_provider() -> None:
    after = responses_subject().initialize_request([], {"_tools": [FLAT]})
    assert tools_of(after["state"]) == [FLAT]


FLAT: JSONObject = {"type": "function", "name": "f"}


def tools_of(state: Any) -> JSON:
    tools: JSON = state["request"]["payload"]["tools"]
    return tools


ANNOUNCED: JSONObject = {
    "type": "response.output_item.added",
    "output_index": 0,
    "item": {"type": "function_call", "call_id": "c", "name": "f", "arguments": ""},
}
DELTA = "response.function_call_arguments.delta"
PIECES: list[JSONObject] = [
    ANNOUNCED,
    {"type": DELTA, "output_index": 0, "delta": '{"a":'},
    {"type": DELTA, "output_index": 0, "delta": "1}"},
]


def test_a_stream_is_put_together() -> None:
    (call,) = SUBJECT.accumulate("openai.responses", PIECES, "cut")
    assert call["arguments"] == '{"a":1}'


def test_a_call_that_broke_off_is_sanitised() -> None:
    (call,) = SUBJECT.accumulate("openai.responses", PIECES[:2], "cut")
    assert call["arguments"] == "{}"


def test_what_follows_a_failure_of_the_provider_is_not_read() -> None:
    failed: JSONObject = {"type": "error", "message": "overloaded"}
    events = [*PIECES[:2], failed, *PIECES[2:]]
    (call,) = SUBJECT.accumulate("openai.responses", events, "cut")
    assert call["arguments"] == "{}"


def test_a_stream_of_an_unknown_provider_is_refused() -> None:
    with pytest.raises(UnknownTargetError, match=r"'example\.provider'"):
        SUBJECT.accumulate("example.provider", [], "done")
