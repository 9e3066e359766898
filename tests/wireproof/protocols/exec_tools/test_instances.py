from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols._exec_tools._instances import instances

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "least"),
    [
        ({"type": "object"}, {}),
        ({"properties": {"a": TEXT}, "required": ["a"]}, {"a": "text"}),
        ({"properties": {"a": TEXT}}, {}),
        ({"required": ["a"], "properties": {"a": {"enum": [3, 4]}}}, {"a": 3}),
        ({"required": ["a"], "properties": {"a": {"const": None}}}, {"a": None}),
        (
            {"required": ["a"], "properties": {"a": {"type": "integer", "minimum": 7}}},
            {"a": 7},
        ),
        (
            {
                "required": ["a"],
                "properties": {
                    "a": {"type": "number", "multipleOf": 0.5, "maximum": 0}
                },
            },
            {"a": 0},
        ),
        (
            {"required": ["a"], "properties": {"a": {"type": "array", "minItems": 2}}},
            {"a": ["text", "text"]},
        ),
        (
            {
                "required": ["a"],
                "properties": {"a": {"$ref": "#/$defs/b"}},
                "$defs": {"b": {"type": "boolean"}},
            },
            {"a": True},
        ),
        (
            {
                "required": ["a"],
                "properties": {
                    "a": {"type": "string", "pattern": "^[A-Z]{2}[0-9]{2}$"}
                },
            },
            {"a": "AB12"},
        ),
        (
            {
                "required": ["a"],
                "properties": {"a": {"type": "string", "format": "date"}},
            },
            {"a": "2024-02-29"},
        ),
        (
            {
                "required": ["a"],
                "properties": {"a": {"anyOf": [{"type": "null"}, TEXT]}},
            },
            {"a": None},
        ),
    ],
)
def test_the_first_is_the_smallest(schema: dict[str, Any], least: Any) -> None:
    assert instances({"type": "object", **schema})[0] == least


def test_others_have_all_properties_and_other_choices() -> None:
    schema = {
        "type": "object",
        "properties": {"a": TEXT, "b": {"enum": ["x", "y"]}},
        "required": ["a"],
    }
    assert instances(schema) == [
        {"a": "text"},
        {"a": "text", "b": "x"},
        {"a": "text", "b": "y"},
    ]


def test_none_is_made_where_the_plainest_reading_does_not_do() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "string", "pattern": "^wire[0-9]proof$"}},
    }
    assert instances(schema) == []


def test_a_schema_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no JSON Schema"):
        instances({"type": "objekt"})
