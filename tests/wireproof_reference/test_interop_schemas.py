from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.interop import (
    CHAT,
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    RESPONSES,
    RESPONSES_CUSTOM,
    RESPONSES_FUNCTION,
    MalformedSchemaError,
    SchemaInspection,
)
from wireproof_reference.interop.core._schemas import SCHEMA_ACCESSORS, SCHEMA_ADAPTERS

REGISTRY = DEFAULT_TOOL_INTEROP_REGISTRY

PARAMETERS: JSONObject = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}
FLAT: JSONObject = {
    "type": "function",
    "name": "read_file",
    "description": "Reads.",
    "parameters": PARAMETERS,
    "strict": True,
}
NESTED: JSONObject = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Reads.",
        "parameters": PARAMETERS,
        "strict": True,
    },
}
FLAT_GRAMMAR: JSONObject = {
    "type": "custom",
    "name": "apply_patch",
    "description": "Patches.",
    "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"},
}
NESTED_GRAMMAR: JSONObject = {
    "type": "custom",
    "custom": {
        "name": "apply_patch",
        "description": "Patches.",
        "format": {
            "type": "grammar",
            "grammar": {"syntax": "lark", "definition": "start: /.+/"},
        },
    },
}
FLAT_TEXT: JSONObject = {"type": "custom", "name": "t", "format": {"type": "text"}}
NESTED_TEXT: JSONObject = {
    "type": "custom",
    "custom": {"name": "t", "format": {"type": "text"}},
}
RAW_TEXT = "The whole input of the tool, as raw text."
TOLD_GRAMMAR = f"{RAW_TEXT} It must match this lark grammar:\nstart: /.+/"


def input_only(description: str) -> JSONObject:
    return {
        "type": "object",
        "properties": {"input": {"type": "string", "description": description}},
        "required": ["input"],
    }


def converted(schema: JSONObject, target_format: str) -> JSON:
    return REGISTRY.convert_schemas([schema], CHAT, [target_format])[0]


@pytest.mark.parametrize(
    ("schema", "target_format", "expected"),
    [
        (FLAT, CHAT_FUNCTION, NESTED),
        (NESTED, RESPONSES_FUNCTION, FLAT),
        (FLAT_GRAMMAR, CHAT_CUSTOM, NESTED_GRAMMAR),
        (NESTED_GRAMMAR, RESPONSES_CUSTOM, FLAT_GRAMMAR),
        (FLAT_TEXT, CHAT_CUSTOM, NESTED_TEXT),
        (NESTED_TEXT, RESPONSES_CUSTOM, FLAT_TEXT),
    ],
)
def test_only_the_nesting_changes_within_a_kind(
    schema: JSONObject, target_format: str, expected: JSONObject
) -> None:
    assert converted(schema, target_format) == expected


NOTHING: JSONObject = {"name": "f", "parameters": {}, "description": ""}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"type": "function", "name": "f", "strict": False},
            {"type": "function", "function": {"name": "f", "strict": False}},
        ),
        (
            {"type": "function", "name": "f", "strict": None},
            {"type": "function", "function": {"name": "f", "strict": None}},
        ),
        (
            {**NOTHING, "type": "function", "strict": False},
            {"type": "function", "function": {**NOTHING, "strict": False}},
        ),
    ],
)
def test_absent_and_empty_keys_stay_so_there_and_back(
    schema: JSONObject, expected: JSONObject
) -> None:
    nested = converted(schema, CHAT_FUNCTION)
    assert nested == expected
    assert converted(expected, RESPONSES_FUNCTION) == schema


@pytest.mark.parametrize(
    ("nested", "flat"),
    [
        ({"type": "custom", "custom": {"name": "t"}}, {"type": "custom", "name": "t"}),
        (
            {"type": "custom", "custom": {"name": "t", "format": {"type": "new"}}},
            {"type": "custom", "name": "t", "format": {"type": "new"}},
        ),
    ],
)
def test_custom_tools_without_a_known_notation_keep_what_they_have(
    nested: JSONObject, flat: JSONObject
) -> None:
    assert converted(nested, RESPONSES_CUSTOM) == flat
    assert converted(flat, CHAT_CUSTOM) == nested


def test_nulls_that_chat_does_not_have_are_left_out() -> None:
    schema: JSONObject = {
        "type": "function",
        "name": "f",
        "description": None,
        "parameters": None,
        "strict": None,
    }
    function: JSONObject = {"name": "f", "strict": None}
    assert converted(schema, CHAT_FUNCTION) == {
        "type": "function",
        "function": function,
    }


def test_keys_outside_the_table_stay_in_their_format() -> None:
    assert converted({**FLAT, "defer_loading": True}, CHAT_FUNCTION) == NESTED
    assert converted({**NESTED, "cache": 1}, RESPONSES_FUNCTION) == FLAT


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        (FLAT_GRAMMAR, input_only(TOLD_GRAMMAR)),
        (NESTED_GRAMMAR, input_only(TOLD_GRAMMAR)),
    ],
)
def test_a_custom_tool_becomes_a_function_of_one_text(
    schema: JSONObject, parameters: JSONObject
) -> None:
    members: JSONObject = {
        "name": "apply_patch",
        "description": "Patches.",
        "parameters": parameters,
    }
    assert converted(schema, CHAT_FUNCTION) == {"type": "function", "function": members}
    assert converted(schema, RESPONSES_FUNCTION) == {
        "type": "function",
        **members,
        "strict": False,
    }


@pytest.mark.parametrize(
    "schema", [FLAT_TEXT, NESTED_TEXT, {"type": "custom", "name": "t"}]
)
def test_a_custom_tool_of_any_text_tells_no_grammar(schema: JSONObject) -> None:
    assert converted(schema, CHAT_FUNCTION) == {
        "type": "function",
        "function": {"name": "t", "parameters": input_only(RAW_TEXT)},
    }


@pytest.mark.parametrize(
    ("schema", "meaning"),
    [
        (
            FLAT,
            SchemaInspection(
                "read_file", "Reads.", PARAMETERS, "object", RESPONSES_FUNCTION
            ),
        ),
        (
            NESTED,
            SchemaInspection(
                "read_file", "Reads.", PARAMETERS, "object", CHAT_FUNCTION
            ),
        ),
        (
            FLAT_GRAMMAR,
            SchemaInspection("apply_patch", "Patches.", None, "text", RESPONSES_CUSTOM),
        ),
        (
            NESTED_GRAMMAR,
            SchemaInspection("apply_patch", "Patches.", None, "text", CHAT_CUSTOM),
        ),
        (
            {"type": "function", "name": "f", "parameters": None},
            SchemaInspection("f", None, None, "object", RESPONSES_FUNCTION),
        ),
    ],
)
def test_a_schema_tells_what_it_means(
    schema: JSONObject, meaning: SchemaInspection
) -> None:
    assert REGISTRY.inspect_schema(schema) == meaning


def test_what_is_told_of_parameters_is_a_copy() -> None:
    assert REGISTRY.inspect_schema(FLAT).parameters is not PARAMETERS


@pytest.mark.parametrize(
    ("schema", "target_format", "format_", "detail"),
    [
        (
            {"type": "function"},
            CHAT_FUNCTION,
            RESPONSES_FUNCTION,
            "the name of a tool must be a text, not null",
        ),
        (
            {"type": "function", "function": 5},
            RESPONSES_FUNCTION,
            CHAT_FUNCTION,
            "function must be an object, not 5",
        ),
        (
            {"type": "function", "function": {"name": []}},
            RESPONSES_FUNCTION,
            CHAT_FUNCTION,
            "the name of a tool must be a text, not an array",
        ),
        (
            {"type": "custom", "custom": None},
            RESPONSES_CUSTOM,
            CHAT_CUSTOM,
            "custom must be an object, not null",
        ),
        (
            {"type": "custom", "name": 3},
            CHAT_FUNCTION,
            RESPONSES_CUSTOM,
            "the name of a tool must be a text, not 3",
        ),
    ],
)
def test_a_schema_without_a_name_is_neither_inspected_nor_converted(
    schema: JSONObject, target_format: str, format_: str, detail: str
) -> None:
    with pytest.raises(MalformedSchemaError) as inspecting:
        REGISTRY.inspect_schema(schema)
    with pytest.raises(MalformedSchemaError) as converting:
        converted(schema, target_format)
    assert (inspecting.value.detail, inspecting.value.format) == (detail, format_)
    assert (converting.value.detail, converting.value.format) == (detail, format_)


@pytest.mark.parametrize(
    ("schema", "detail"),
    [
        (
            {"type": "function", "name": "f", "description": 5},
            "a description must be a text, not 5",
        ),
        (
            {"type": "function", "function": {"name": "f", "parameters": []}},
            "parameters must be an object, not an array",
        ),
    ],
)
def test_odd_members_are_told_with_the_tools_name(
    schema: JSONObject, detail: str
) -> None:
    with pytest.raises(MalformedSchemaError) as caught:
        REGISTRY.inspect_schema(schema)
    assert (caught.value.detail, caught.value.tool) == (detail, "f")


def test_a_grammar_that_is_none_is_told_with_the_tools_name() -> None:
    schema: JSONObject = {
        "type": "custom",
        "custom": {"name": "t", "format": {"type": "grammar", "definition": "x"}},
    }
    with pytest.raises(MalformedSchemaError) as caught:
        converted(schema, RESPONSES_CUSTOM)
    assert str(caught.value) == (
        "a grammar must be an object, not null"
        " (tool t, format openai.chat_completions.custom)"
    )


@pytest.mark.parametrize("schema", [None, [], "function", 3, {}, {"type": "x"}])
def test_other_values_match_no_format(schema: JSON) -> None:
    assert not any(accessor.matches(schema) for accessor in SCHEMA_ACCESSORS)


@pytest.mark.parametrize("schema", [FLAT, NESTED, FLAT_GRAMMAR, NESTED_GRAMMAR])
def test_exactly_one_format_matches(schema: JSON) -> None:
    assert [a.matches(schema) for a in SCHEMA_ACCESSORS].count(True) == 1


def test_a_function_becomes_no_custom_tool() -> None:
    assert {(adapter.source, adapter.target) for adapter in SCHEMA_ADAPTERS} == {
        (CHAT_FUNCTION, RESPONSES_FUNCTION),
        (RESPONSES_FUNCTION, CHAT_FUNCTION),
        (CHAT_CUSTOM, RESPONSES_CUSTOM),
        (RESPONSES_CUSTOM, CHAT_CUSTOM),
        (CHAT_CUSTOM, CHAT_FUNCTION),
        (CHAT_CUSTOM, RESPONSES_FUNCTION),
        (RESPONSES_CUSTOM, CHAT_FUNCTION),
        (RESPONSES_CUSTOM, RESPONSES_FUNCTION),
    }


members = st.fixed_dictionaries(
    {"name": st.text()},
    optional={
        "description": st.text(),
        "parameters": st.dictionaries(st.text(), st.lists(st.integers())),
        "strict": st.none() | st.booleans(),
    },
)


@given(members)
def test_functions_come_back_equal_and_stay_as_they_were(body: JSONObject) -> None:
    flat: JSONObject = {"type": "function", **body}
    before = copy.deepcopy(flat)
    [nested] = REGISTRY.convert_schemas([flat], CHAT)
    assert nested == {"type": "function", "function": body}
    again = [{"strict": False, **before}]
    assert REGISTRY.convert_schemas([nested], RESPONSES) == again
    assert flat == before


@pytest.mark.parametrize(
    ("schema", "target_format"),
    [
        (NESTED, CHAT_FUNCTION),
        (NESTED, RESPONSES_FUNCTION),
        (FLAT_GRAMMAR, CHAT_CUSTOM),
    ],
)
def test_what_is_converted_can_be_changed_without_the_source(
    schema: JSONObject, target_format: str
) -> None:
    before = copy.deepcopy(schema)
    _wreck(converted(schema, target_format))
    assert schema == before


def _wreck(value: JSON) -> None:
    if isinstance(value, dict):
        for member in value.values():
            _wreck(member)
        value.clear()
    elif isinstance(value, list):
        for item in value:
            _wreck(item)
        value.clear()
