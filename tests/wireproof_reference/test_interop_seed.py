"""The examples of the document that the protocol was taken from, verbatim."""

from __future__ import annotations

from wireproof_reference.framing import JSONObject
from wireproof_reference.interop import (
    ToolInteropTarget,
    compose_registry,
    get_registry_from_context,
    get_schema_target_formats_from_context,
)

REGISTRY = compose_registry()


def test_a_freeform_tool_becomes_a_chat_function() -> None:
    source_schema: JSONObject = {
        "type": "custom",
        "name": "apply_patch",
        "description": "Apply a textual patch to files in the workspace.",
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"},
    }
    context = {
        "tool_interop": {
            "registry": REGISTRY,
            "schema_target_formats": ["openai.chat_completions.function"],
        }
    }
    assert get_registry_from_context(context).convert_schemas(
        [source_schema],
        target=ToolInteropTarget("openai.chat_completions"),
        target_formats=get_schema_target_formats_from_context(context),
    ) == [
        {
            "type": "function",
            "function": {
                "name": "apply_patch",
                "description": "Apply a textual patch to files in the workspace.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "input": {
                            "type": "string",
                            # In the document "Patch text.", which nothing says.
                            "description": (
                                "The whole input of the tool, as raw text. It must"
                                " match this lark grammar:\nstart: /.+/"
                            ),
                        }
                    },
                    "required": ["input"],
                },
            },
        }
    ]


def test_a_responses_call_becomes_a_chat_call() -> None:
    native_item: JSONObject = {
        "type": "function_call",
        "call_id": "call_123",
        "name": "read_file",
        "arguments": '{"path":"README.md"}',
    }
    chat_tool_calls = REGISTRY.convert_tool_calls(
        [native_item],
        target=ToolInteropTarget("openai.chat_completions"),
    )
    assert chat_tool_calls == [
        {
            "id": "call_123",
            "type": "function",
            "function": {"name": "read_file", "arguments": '{"path":"README.md"}'},
        }
    ]
    inspected = REGISTRY.inspect_call(chat_tool_calls[0])
    assert inspected.call_id == "call_123"
    assert inspected.tool_name == "read_file"
    assert inspected.payload == {"path": "README.md"}
    assert inspected.payload_kind == "object"


def test_a_call_that_streaming_corrupted_is_sanitised() -> None:
    corrupted_call: JSONObject = {
        "id": "call_123",
        "type": "function",
        "function": {"name": "read_file", "arguments": '{"path":'},
    }
    assert REGISTRY.sanitize_tool_call(corrupted_call) == {
        "id": "call_123",
        "type": "function",
        "function": {"name": "read_file", "arguments": "{}"},
    }


def test_a_result_goes_from_the_tool_to_both_providers() -> None:
    result: JSONObject = {"path": "README.md", "content": "# Project title"}
    stored = REGISTRY.convert_results(
        [{"result": result, "tool_call_id": "call_123", "tool_name": "read_file"}],
        target="core",
    )
    assert stored == [
        {
            "role": "tool",
            "content": '{"path":"README.md","content":"# Project title"}',
            "toolResult": {
                "type": "tool_result",
                "text": '{"path":"README.md","content":"# Project title"}',
            },
            "metadata": {"tool_call_id": "call_123", "tool_name": "read_file"},
        }
    ]
    assert REGISTRY.convert_results(
        stored, target=ToolInteropTarget("openai.chat_completions")
    ) == [
        {
            "role": "tool",
            "content": '{"path":"README.md","content":"# Project title"}',
            "tool_call_id": "call_123",
            "_metadata": {"tool_name": "read_file"},
        }
    ]
    assert REGISTRY.convert_results(
        stored, target=ToolInteropTarget("openai.responses")
    ) == [
        {
            "type": "function_call_output",
            "call_id": "call_123",
            "output": '{"path":"README.md","content":"# Project title"}',
        }
    ]


def test_an_explicit_envelope_is_preserved_as_structured_content() -> None:
    envelope: JSONObject = {
        "type": "provider_native_tool_result",
        "format": "openai.chat_completions",
        "content": [
            {"type": "text", "text": '<image path="/tmp/image.png">'},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,..."}},
            {"type": "text", "text": "</image>"},
        ],
    }
    stored = REGISTRY.convert_results(
        [{"result": envelope, "tool_call_id": "call_123", "tool_name": "view_image"}],
        target="core",
    )
    assert stored == [
        {
            "role": "tool",
            "content": '<image path="/tmp/image.png">\n</image>',
            "toolResult": envelope,
            "metadata": {"tool_call_id": "call_123", "tool_name": "view_image"},
        }
    ]
    assert REGISTRY.convert_results(stored, target="openai.chat_completions") == [
        {
            "role": "tool",
            "content": envelope["content"],
            "tool_call_id": "call_123",
            "_metadata": {"tool_name": "view_image"},
        }
    ]
