from __future__ import annotations

import pytest
from jsonschema import SchemaError

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.socket_v1 import (
    CallContext,
    Capability,
    ToolDefinition,
    ToolRegistry,
    conformance_registry,
)
from wireproof_vectors import load_toolset


async def nothing(arguments: JSONObject, context: CallContext) -> JSON:
    return None


def tool(schema: JSONObject, *capabilities: Capability) -> ToolDefinition:
    return ToolDefinition("t", "d", schema, nothing, capabilities)


def test_the_conformance_tools_are_those_of_the_toolset() -> None:
    specified = [
        (spec.name, spec.description, spec.parameters, tuple(spec.capabilities))
        for spec in load_toolset()
        if "socket-v1" in spec.protocols
    ]
    offered = [
        (t.name, t.description, t.input_schema, t.capabilities)
        for t in conformance_registry().tools
    ]
    assert offered == specified


def test_a_tool_is_found_by_its_name() -> None:
    definition = tool({})
    registry = ToolRegistry([definition])
    assert registry.find("t") is definition
    assert registry.find("T") is None
    assert registry.tools == (definition,)


def test_names_are_unique() -> None:
    with pytest.raises(ValueError, match="there is a tool 't' already"):
        ToolRegistry([tool({}), tool({})])


def test_a_schema_must_be_one() -> None:
    with pytest.raises(SchemaError):
        ToolRegistry([tool({"type": "nope"})])


def test_capabilities_must_be_known() -> None:
    with pytest.raises(ValueError, match=r"the tool 't' must not have .* \['fly'\]"):
        ToolRegistry([tool({}, "fly")])  # type: ignore[arg-type]  # the very mistake
    with pytest.raises(ValueError, match=r"the grants must not have .* \['fly'\]"):
        ToolRegistry(grants=["fly"])  # type: ignore[list-item]  # the very mistake


@pytest.mark.parametrize(
    ("schema", "arguments", "flaw"),
    [
        ({}, {"any": 1}, None),
        ({"properties": {"n": {"type": "integer"}}}, {"n": 5.0}, None),
        (
            {"properties": {"n": {"type": "integer"}}},
            {"n": True},
            'n must satisfy {"type":"integer"}',
        ),
        (
            {"properties": {"a": {"items": {"maxLength": 1}}}},
            {"a": ["x", "secret"]},
            'a[1] must satisfy {"maxLength":1}',
        ),
        (
            {"required": ["n"]},
            {"password": "secret"},
            'arguments must satisfy {"required":["n"]}',
        ),
        (
            {"required": ["n" * 300]},
            {},
            'arguments must satisfy {"required":["' + "n" * 186 + "…",
        ),
    ],
)
def test_arguments_are_checked_and_never_quoted(
    schema: JSONObject, arguments: JSONObject, flaw: str | None
) -> None:
    definition = tool(schema)
    registry = ToolRegistry([definition])
    assert registry.argument_flaw(definition, arguments) == flaw


@pytest.mark.parametrize(
    ("capabilities", "grants", "missing"),
    [
        ((), (), ()),
        (("read-only", "accesses-network"), (), ()),
        (("writes-files",), (), ("writes-files",)),
        (("starts-process",), ("starts-process",), ()),
        (
            ("destructive", "controls-browser", "read-only"),
            ("writes-files",),
            ("controls-browser", "destructive"),
        ),
    ],
)
def test_what_changes_the_world_needs_a_grant(
    capabilities: tuple[Capability, ...],
    grants: tuple[Capability, ...],
    missing: tuple[Capability, ...],
) -> None:
    definition = tool({}, *capabilities)
    registry = ToolRegistry([definition], grants=grants)
    assert registry.missing_grants(definition) == missing
