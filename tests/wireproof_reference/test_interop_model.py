from __future__ import annotations

import dataclasses

import pytest

from wireproof_reference.interop import (
    CallInspection,
    ResultInspection,
    SchemaInspection,
    ToolCallAccessor,
    ToolDescriptor,
    ToolInteropContribution,
    ToolInteropTarget,
    ToolSchemaAdapter,
)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (
            SchemaInspection,
            ["name", "description", "parameters", "payload_kind", "format"],
        ),
        (
            CallInspection,
            [
                "call_id",
                "tool_name",
                "payload",
                "payload_kind",
                "payload_format",
                "payload_metadata",
            ],
        ),
        (ResultInspection, ["kind", "text", "format", "content"]),
        (ToolDescriptor, ["plugin_name", "tool_name", "schema"]),
        (
            ToolInteropContribution,
            [
                "schema_accessors",
                "schema_adapters",
                "call_accessors",
                "call_adapters",
                "result_accessors",
                "result_adapters",
            ],
        ),
        (ToolInteropTarget, ["provider"]),
    ],
)
def test_values_have_the_fields_that_the_protocol_names(
    kind: type, fields: list[str]
) -> None:
    assert [field.name for field in dataclasses.fields(kind)] == fields


def test_values_cannot_be_changed() -> None:
    target = ToolInteropTarget("openai.responses")
    with pytest.raises(dataclasses.FrozenInstanceError):
        target.provider = "other"  # type: ignore[misc] # the test is that it raises


def test_a_descriptor_keeps_the_authored_schema() -> None:
    schema = {"type": "custom", "name": "apply_patch"}
    descriptor = ToolDescriptor("patches", "apply_patch", {**schema})
    assert descriptor.schema == schema


def test_an_accessor_asks_the_functions_that_it_was_given() -> None:
    meaning = CallInspection("c", "t", {}, "object", "acme.call", {})
    accessor = ToolCallAccessor("acme.call", lambda obj: obj == 1, lambda obj: meaning)
    assert accessor.format == "acme.call"
    assert accessor.matches(1)
    assert not accessor.matches(2)
    assert accessor.inspect(1) is meaning


def test_an_adapter_asks_the_function_that_it_was_given() -> None:
    adapter = ToolSchemaAdapter("a", "b", lambda obj: [obj])
    assert (adapter.source, adapter.target) == ("a", "b")
    assert adapter.convert(1) == [1]
