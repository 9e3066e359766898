from __future__ import annotations

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from wireproof_reference.framing import JSON
from wireproof_reference.interop.core._copying import copied

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values)
def test_a_copy_is_equal(value: JSON) -> None:
    assert copied(value) == value


def test_a_copy_shares_no_object_and_no_array() -> None:
    innermost: JSON = {"b": 1}
    array: JSON = [innermost]
    value: dict[str, JSON] = {"a": array}
    copy = copied(value)
    cast("list[dict[str, JSON]]", copy["a"])[0]["b"] = 2
    cast("list[JSON]", copy["a"]).append(3)
    copy["c"] = 4
    assert value == {"a": [{"b": 1}]}


def test_the_order_of_keys_is_kept() -> None:
    assert list(copied({"b": 1, "a": 2})) == ["b", "a"]


def test_a_value_may_nest_deeper_than_the_interpreters_stack() -> None:
    value: JSON = []
    for _ in range(100_000):
        value = [value]
    copy = copied(value)
    for _ in range(100_000):
        copy = cast("list[JSON]", copy)[0]
    assert copy == []


def test_a_value_that_holds_itself_is_copied_as_such() -> None:
    value: dict[str, object] = {}
    value["self"] = value
    copy = copied(value)
    assert copy is not value
    assert copy["self"] is copy


def test_what_is_not_json_is_shared() -> None:
    odd = {1}
    assert copied([odd])[0] is odd
