from __future__ import annotations

import pytest

from wireproof_reference.framing import JSON
from wireproof_reference.interop import (
    InteropError,
    SchemaInspection,
    ToolSchemaAccessor,
    ToolSchemaAdapter,
    UnknownFormatError,
)
from wireproof_reference.interop.core._table import (
    Table,
    sequence,
    tool_name,
    type_name,
)


def never(obj: JSON) -> bool:
    return False


def always(obj: JSON) -> bool:
    return True


def meaning(obj: JSON) -> SchemaInspection:
    return SchemaInspection("t", None, None, "object", "f")


def same(obj: JSON) -> JSON:
    return obj


NEVER = ToolSchemaAccessor("never", never, meaning)
FIRST = ToolSchemaAccessor("first", always, meaning)
SECOND = ToolSchemaAccessor("second", always, meaning)
AB = ToolSchemaAdapter("a", "b", same)
LATER_AB = ToolSchemaAdapter("a", "b", same)
AC = ToolSchemaAdapter("a", "c", same)


def test_the_first_accessor_that_matches_speaks_for_an_object() -> None:
    table = Table("schema", [NEVER, FIRST, SECOND], [])
    assert table.accessor({}) is FIRST
    assert table.maybe_accessor({}) is FIRST


def test_the_first_adapter_between_two_formats_is_the_one_asked() -> None:
    table = Table[SchemaInspection]("schema", [], [AB, LATER_AB, AC])
    assert table.maybe_adapter("a", "b") is AB
    assert table.maybe_adapter("a", "c") is AC
    assert table.maybe_adapter("b", "a") is None


def test_formats_are_those_known_and_those_led_to() -> None:
    table = Table("schema", [FIRST, NEVER, FIRST], [AC, AB])
    assert table.formats == ("first", "never", "c", "b")
    assert table.targets == ("c", "b")


@pytest.mark.parametrize(
    ("obj", "text"),
    [
        (
            {"type": "web_search", "name": "find"},
            "no accessor knows a schema of type web_search (tool find, target t)",
        ),
        ({"type": 5}, "no accessor knows a schema of type 5 (target t)"),
        ({}, "no accessor knows a schema of type none (target t)"),
        ([], "a schema must be an object, not an array (target t)"),
        (None, "a schema must be an object, not null (target t)"),
    ],
)
def test_an_object_that_no_accessor_knows_is_named(obj: JSON, text: str) -> None:
    table = Table("schema", [NEVER], [])
    assert table.maybe_accessor(obj) is None
    with pytest.raises(UnknownFormatError) as caught:
        table.accessor(obj, target="t")
    assert str(caught.value) == text


def test_lists_and_tuples_are_sequences() -> None:
    assert sequence([1, 2], "calls") == [1, 2]
    assert sequence((1, 2), "calls") == [1, 2]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "calls must be a list, not null"),
        ({}, "calls must be a list, not an object"),
        ("ab", "calls must be a list, not ab"),
    ],
)
def test_other_values_are_not(value: object, text: str) -> None:
    with pytest.raises(InteropError) as caught:
        sequence(value, "calls")
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("obj", "name"),
    [
        ({"name": "f"}, "f"),
        ({"function": {"name": "f"}}, "f"),
        ({"custom": {"name": "f"}}, "f"),
        ({"name": 1, "function": "x", "custom": {}}, None),
        ("f", None),
    ],
)
def test_a_tools_name_is_looked_for_where_formats_have_it(
    obj: JSON, name: str | None
) -> None:
    assert tool_name(obj) == name


@pytest.mark.parametrize(
    ("obj", "name"),
    [({"type": "function"}, "function"), ({"type": None}, "null"), ("x", "none")],
)
def test_a_type_is_told_if_there_is_one(obj: JSON, name: str) -> None:
    assert type_name(obj) == name
