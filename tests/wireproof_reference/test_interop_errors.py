from __future__ import annotations

import pickle

import pytest

from wireproof_reference._errors import WireproofReferenceError
from wireproof_reference.interop import (
    InteropError,
    MalformedCallError,
    MalformedResultError,
    MalformedSchemaError,
    MissingRegistryError,
    NoAdapterError,
    UnknownFormatError,
    UnknownTargetError,
)
from wireproof_reference.interop.core._errors import shown


@pytest.mark.parametrize(
    "kind",
    [
        MalformedCallError,
        MalformedResultError,
        MalformedSchemaError,
        MissingRegistryError,
        NoAdapterError,
        UnknownFormatError,
        UnknownTargetError,
    ],
)
def test_every_error_has_the_one_root(kind: type[InteropError]) -> None:
    assert issubclass(kind, InteropError)


def test_the_root_is_one_of_this_package_and_a_value_error() -> None:
    assert issubclass(InteropError, WireproofReferenceError)
    assert issubclass(InteropError, ValueError)


def test_the_text_is_built_from_the_fields() -> None:
    error = InteropError("broken", format="a.b", tool="read_file", target="a")
    assert str(error) == "broken (tool read_file, format a.b, target a)"
    assert (error.detail, error.format) == ("broken", "a.b")
    assert (error.tool, error.target) == ("read_file", "a")


def test_fields_that_are_not_known_are_not_told() -> None:
    assert str(InteropError("broken", tool="")) == "broken (tool '')"
    assert str(InteropError("broken")) == "broken"


def test_an_error_can_be_sent_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(NoAdapterError("none", tool="t")))  # noqa: S301
    assert type(error) is NoAdapterError
    assert (str(error), error.tool) == ("none (tool t)", "t")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("read_file", "read_file"),
        ("größe 'x'", "größe 'x'"),
        ("", "''"),
        ("a\x1b[2J", r"'a\x1b[2J'"),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (2**64 - 1, "18446744073709551615"),
        (2**64, "a large number"),
        pytest.param(10**5000, "a large number", id="beyond-text"),
        (1.5, "1.5"),
        ({"a": 1}, "an object"),
        ([1], "an array"),
        ({1}, "set"),
    ],
)
def test_a_value_is_told_in_short(value: object, text: str) -> None:
    assert shown(value) == text
