from __future__ import annotations

from collections.abc import Callable

import pytest

from wireproof_reference._members import Members, as_integer
from wireproof_reference.framing import JSON, JSONObject

READ = Members(KeyError)

Read = Callable[[JSONObject, str], JSON]


@pytest.mark.parametrize(
    ("read", "member"),
    [
        (READ.any, None),
        (READ.string, ""),
        (READ.integer, 0),
        (READ.object, {}),
        (READ.strings, ["a", "b"]),
        (READ.objects, [{}, {"a": 1}]),
    ],
)
def test_a_member_of_its_type_is_read(read: Read, member: JSON) -> None:
    assert read({"x": member}, "x") == member


@pytest.mark.parametrize(
    ("read", "value", "why"),
    [
        (READ.any, {}, "x is missing"),
        (READ.string, {}, "x must be a string"),
        (READ.string, {"x": None}, "x must be a string"),
        (READ.integer, {"x": "1"}, "x must be an integer"),
        (READ.object, {"x": []}, "x must be an object"),
        (READ.strings, {"x": {}}, "x must be an array"),
        (READ.strings, {"x": ["a", 1]}, "x must be an array of strings"),
        (READ.objects, {}, "x must be an array"),
        (READ.objects, {"x": [[]]}, "x must be an array of objects"),
    ],
)
def test_any_other_member_raises_the_callers_exception(
    read: Read, value: JSONObject, why: str
) -> None:
    with pytest.raises(KeyError) as caught:
        read(value, "x")

    assert caught.value.args == (why,)


def test_an_absent_member_is_its_default() -> None:
    assert READ.string({}, "x", "a") == "a"
    assert READ.integer({}, "x", 1) == 1
    assert READ.object({}, "x", {"a": 1}) == {"a": 1}


@pytest.mark.parametrize(
    ("value", "integer"),
    [(5, 5), (5.0, 5), (5.5, None), (True, None), ("5", None), (None, None)],
)
def test_an_integer_is_one_as_in_json_schema(value: JSON, integer: int | None) -> None:
    assert as_integer(value) == integer
