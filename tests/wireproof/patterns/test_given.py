"""Values are chosen for a place, and put into packs."""

from __future__ import annotations

from typing import Any

from wireproof.patterns import Given, given_at, packs


def names(values: dict[str, Any], *taken: str) -> list[str]:
    return [one.name for one in given_at({"values": values}, taken)]


def test_a_place_has_the_values_of_its_kinds() -> None:
    assert names({"kinds": ["null", "boolean"]}) == ["null", "true", "false"]


def test_a_place_may_name_tags_and_values() -> None:
    chosen = {"kinds": ["string", "array"], "tags": ["uuid"], "names": ["empty-array"]}
    found = names(chosen)
    assert "empty-array" in found
    assert "uuid-braces" in found
    assert "empty" not in found


def test_a_place_leaves_out_what_it_says() -> None:
    chosen = {"kinds": ["null", "boolean"], "without": {"falsy": "it is refused"}}
    assert names(chosen) == ["true"]


def test_names_of_tools_are_left_out_where_the_place_says_so() -> None:
    chosen: dict[str, Any] = {"kinds": ["string"], "tags": ["name"]}
    assert "name-get" in names(chosen, "get")
    assert "name-get" not in names({**chosen, "unlisted": True}, "get")
    assert "name-get" in names({**chosen, "unlisted": True}, "other")


def test_a_number_that_no_double_holds_is_never_given() -> None:
    assert names({"kinds": ["number"], "tags": ["beyond-a-double"]}) == []


def test_a_form_is_given_as_the_value_that_it_stands_for() -> None:
    (one,) = given_at({"values": {"kinds": ["string"], "names": ["size-64"]}})
    assert (one.value, one.size) == ("x" * 64, 66)
    assert one.reason.startswith("The size of many fixed fields")


def test_a_pack_has_at_most_fifty_values() -> None:
    given = [Given(f"n-{n}", n, size=1) for n in range(101)]
    assert [len(pack) for pack in packs(given)] == [50, 50, 1]


def test_a_pack_has_at_most_eight_kibibytes_of_values() -> None:
    given = [Given(f"n-{n}", n, size=4096) for n in range(3)]
    assert [len(pack) for pack in packs(given)] == [2, 1]


def test_a_large_value_has_a_pack_of_its_own() -> None:
    given = [Given("a", 1, size=1), Given("b", 2, size=1 << 20), Given("c", 3, size=1)]
    assert [[one.name for one in pack] for pack in packs(given)] == [
        ["a"],
        ["b"],
        ["c"],
    ]


def test_no_values_are_no_packs() -> None:
    assert list(packs([])) == []
