"""Answers of drivers are read as the bridge has them."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.bridge import Answer, Description
from wireproof.bridge._messages import Misfit, description_of, read_answer
from wireproof.patterns import in_line

UNFIT = "the driver's answers do not fit the bridge: "


def misfit_of(found: Any, op: str = "mirror") -> str:
    with pytest.raises(Misfit) as raised:
        read_answer(found, op)
    return str(raised.value)


def undescribed(said: Any) -> str:
    with pytest.raises(Misfit) as raised:
        description_of(said)
    return str(raised.value)


# --- answers


@pytest.mark.parametrize("value", [None, 5, [], {"a": 1}])
def test_a_value_is_an_answer(value: Any) -> None:
    assert read_answer({"ok": True, "value": value}, "mirror") == Answer(value)


def test_a_driver_may_tell_arguments_shared_parts_and_seconds() -> None:
    told = {"args": {"a": 1}, "shared": True, "seconds": 0.5}
    found = read_answer({"ok": True, "value": 1, **told}, "mirror")
    assert found == Answer(1, None, {"a": 1}, shared=True, seconds=0.5)


@pytest.mark.parametrize(
    ("error", "refusal"),
    [
        ({"type": "NoAdapter", "detail": "no way"}, "NoAdapter: no way"),
        ({"type": "NoAdapter", "detail": ""}, "NoAdapter"),
    ],
)
def test_a_refusal_is_an_answer(error: Any, refusal: str) -> None:
    found = read_answer({"ok": False, "error": error}, "mirror")
    assert (found.ok, found.refusal) == (False, refusal)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"ok": True},
        {"ok": 1, "value": 1},
        {"ok": False},
        {"ok": False, "error": "no"},
        {"ok": False, "error": {"type": "E"}},
    ],
)
def test_an_answer_that_lacks_something_does_not_fit(told: Any) -> None:
    assert misfit_of({"id": 2, **told}) == (
        f"{UNFIT}an answer has ok and value, or ok and error, not: "
        f"{in_line({'id': 2, **told})}"
    )


def test_fields_that_the_driver_adds_have_their_shape() -> None:
    assert misfit_of({"ok": True, "value": []}, "call") == f"{UNFIT}`call` is an array"


# --- what a driver says of itself


def test_a_driver_says_what_it_is() -> None:
    said = {
        "name": "it",
        "version": "2",
        "language": "Go",
        "ops": ["b", "a"],
        "formats": ["own.format"],
        "targets": ["a.b"],
        "expression": "m.it",
        "lacks": ["custom"],
        "serial": True,
    }
    assert description_of(said) == Description(
        "it",
        "2",
        "Go",
        frozenset({"a", "b"}),
        ("own.format",),
        {"": frozenset({"a.b"})},
        ("custom",),
        "m.it",
        serial=True,
    )


def test_a_driver_may_say_its_targets_for_each_op() -> None:
    found = description_of({"ops": ["a"], "targets": {"a": ["x"]}})
    assert found.offers_target("a", "x")
    assert not found.offers_target("a", "y")
    assert found.offers_target("b", "y")


def test_a_driver_need_say_no_more_than_its_ops() -> None:
    found = description_of({"ops": ["a"], "formats": None})
    assert found == Description("", "", "", frozenset({"a"}), ())


@pytest.mark.parametrize(
    "said",
    [
        *([], "ops", None, {"name": "it"}, {"ops": None}, {"ops": 3}),
        *({"ops": "mirror"}, {"ops": {"mirror": 1}}, {"ops": [3]}),
    ],
)
def test_a_description_without_the_names_of_ops_does_not_fit(said: Any) -> None:
    assert undescribed(said) == (
        f"{UNFIT}describe gave no object with the names of its ops"
    )


@pytest.mark.parametrize("key", ["formats", "lacks"])
@pytest.mark.parametrize("value", [3, "own", [3]])
def test_what_is_no_array_of_names_does_not_fit(key: str, value: Any) -> None:
    assert undescribed({"ops": [], key: value}) == (
        f"{UNFIT}describe gave {key} that are no array of names"
    )


@pytest.mark.parametrize("targets", [3, "a", {"a": 3}, {"a": [3]}])
def test_targets_that_are_no_names_do_not_fit(targets: Any) -> None:
    assert "describe gave targets" in undescribed({"ops": [], "targets": targets})
