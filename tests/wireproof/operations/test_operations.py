"""Steps are carried out and compared as vectors/README.md and the clauses have it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import Difference, VectorDefect, Words
from wireproof.operations import (
    AsExpected,
    Differs,
    NotAnswered,
    NotOffered,
    carry_out_steps,
)
from wireproof.operations._operations import op_of
from wireproof.subjects import Bridge, DriverFault, Patience, subject_environment

# Each op is told in its argument `says` what to answer; an echo tells the truth
# unless that says otherwise.
DRIVER = """
import json, os, sys

for line in sys.stdin:
    asked = json.loads(line)
    head = {"id": asked.pop("id"), "ok": True}
    if asked.pop("op") == "describe":
        answer = {"value": {"ops": ["say"]}}
    else:
        echo = asked.pop("echo", False)
        answer = asked["says"]
        if "dies" in answer:
            sys.exit(answer["dies"])
        if echo and "silent" not in answer:
            answer = {"args": asked, **answer}
    os.write(1, json.dumps({**head, **answer}).encode() + b"\\n")
"""

REFUSAL = {"ok": False, "error": {"type": "NoAdapter", "detail": "tool draw: no way"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("driver")
    (path / "driver.py").write_text(DRIVER)
    return path


@pytest.fixture(scope="module")
def kept(folder: Path) -> Iterator[Bridge]:
    bridge = Bridge(
        (sys.executable, "-S", "-E", "driver.py"),
        folder=folder,
        environment=subject_environment({}),
        patience=Patience(None),
        takes_many=True,
    )
    yield bridge
    bridge.stop()


@pytest.fixture
def bridge(kept: Bridge) -> Bridge:
    kept.begin()
    kept.ensure_up()
    return kept


def say(says: Any, **more: Any) -> dict[str, Any]:
    """Return a step whose op is answered as told."""
    return {"op": "say", "input": {"call": {"a": [1]}, "says": says}, **more}


def value(found: Any, **more: Any) -> dict[str, Any]:
    return say({"value": found}, **more)


# --- values


def test_a_value_as_expected_holds(bridge: Bridge) -> None:
    assert (
        carry_out_steps(bridge, [value({"a": 1, "b": 2}, expected={"a": 1})])
        == AsExpected()
    )


def test_a_value_that_differs_is_shown(bridge: Bridge) -> None:
    found = carry_out_steps(bridge, [value({"a": [1, 2]}, expected={"a": [1, 3]})])
    assert found == Differs(
        0,
        "in what say gave, a[1] is 2, not 3",
        (Difference("/a/1", 3, 2),),
    )


def test_a_value_that_differs_as_a_whole_is_shown(bridge: Bridge) -> None:
    assert carry_out_steps(bridge, [value("b", expected="a")]) == Differs(
        0,
        'in what say gave, the value is "b", not "a"',
        (Difference("the value itself", "a", "b"),),
    )


def test_what_is_not_there_is_shown(bridge: Bridge) -> None:
    found = carry_out_steps(bridge, [value({}, expected={"a": {"$type": "string"}})])
    assert isinstance(found, Differs)
    assert found.differences == (Difference("/a", "<string>", "nothing there"),)


def test_the_first_step_that_differs_is_told(bridge: Bridge) -> None:
    steps = [value(1, expected=1), value(2, expected=3), value(4, expected=5)]
    found = carry_out_steps(bridge, steps)
    assert isinstance(found, Differs)
    assert found.step == 1


def test_a_step_that_expects_nothing_takes_any_value(bridge: Bridge) -> None:
    assert carry_out_steps(bridge, [value("any", keeps_input=True)]) == AsExpected()


# --- refusals


def test_a_value_where_a_refusal_is_due_is_shown(bridge: Bridge) -> None:
    assert carry_out_steps(
        bridge, [value([], error={"mentions": ["draw"]})]
    ) == Differs(
        0,
        "say gave a value where it has to refuse",
        (Difference("", Words("an error that names draw"), []),),
    )


@pytest.mark.parametrize(
    "mentions", [[], ["draw"], ["NoAdapter"], ["NoAdapter", "no way"]]
)
def test_a_refusal_that_names_what_it_has_to_holds(
    bridge: Bridge, mentions: list[str]
) -> None:
    assert (
        carry_out_steps(bridge, [say(REFUSAL, error={"mentions": mentions})])
        == AsExpected()
    )


def test_a_refusal_that_does_not_name_it_is_shown(bridge: Bridge) -> None:
    step = say(REFUSAL, error={"mentions": ["no way", "paint", "type"]})
    assert carry_out_steps(bridge, [step]) == Differs(
        0,
        "the error of say does not name paint, type",
        (
            Difference(
                "error",
                "an error that names paint, type",
                "NoAdapter: tool draw: no way",
            ),
        ),
    )


def test_a_refusal_where_a_value_is_due_is_shown(bridge: Bridge) -> None:
    assert carry_out_steps(
        bridge, [say(REFUSAL, expected=[{"$type": "object"}])]
    ) == Differs(
        0,
        "say refused: NoAdapter: tool draw: no way",
        (Difference("", ["<object>"], "an error (NoAdapter: tool draw: no way)"),),
    )


def test_a_refusal_where_only_the_argument_matters_is_shown(bridge: Bridge) -> None:
    found = carry_out_steps(bridge, [say(REFUSAL, keeps_input=True)])
    assert isinstance(found, Differs)
    assert found.differences == (
        Difference("", "<a value>", "an error (NoAdapter: tool draw: no way)"),
    )


@pytest.mark.parametrize("says", [REFUSAL, {"value": 1}])
def test_either_will_do_where_both_are_given(bridge: Bridge, says: Any) -> None:
    step = say(says, expected=1, error={"mentions": ["draw"]})
    assert carry_out_steps(bridge, [step]) == AsExpected()


def test_a_wrong_value_is_none_of_the_two(bridge: Bridge) -> None:
    step = value(2, expected=1, error={"mentions": []})
    assert isinstance(carry_out_steps(bridge, [step]), Differs)


def test_a_wrong_refusal_is_none_of_the_two(bridge: Bridge) -> None:
    step = say(REFUSAL, expected=1, error={"mentions": ["paint"]})
    assert isinstance(carry_out_steps(bridge, [step]), Differs)


# --- records


LABELS = {"empty": {}, "text": {"$type": "string"}, "word": "word"}


@pytest.mark.parametrize(
    ("says", "label"),
    [
        ({"value": {}}, "empty"),
        ({"value": "word"}, "text"),
        ({"value": 5}, "other"),
        (REFUSAL, "refused"),
    ],
)
def test_the_first_label_that_matches_is_recorded(
    bridge: Bridge, says: Any, label: str
) -> None:
    assert carry_out_steps(bridge, [say(says, record=LABELS)]) == AsExpected(
        {"say": label}
    )


def test_a_record_may_stand_beside_what_is_expected(bridge: Bridge) -> None:
    step = value("word", record=LABELS, expected="word")
    assert carry_out_steps(bridge, [step]) == AsExpected({"say": "text"})
    step = value("word", record=LABELS, expected="another")
    assert isinstance(carry_out_steps(bridge, [step]), Differs)


def test_a_refusal_beside_a_record_must_be_allowed(bridge: Bridge) -> None:
    step = say(REFUSAL, record=LABELS, expected="word")
    assert isinstance(carry_out_steps(bridge, [step]), Differs)


# --- the argument afterwards


def test_an_argument_that_is_what_it_was_holds(bridge: Bridge) -> None:
    assert (
        carry_out_steps(bridge, [value(1, expected=1, keeps_input=True)])
        == AsExpected()
    )


def test_an_argument_that_was_changed_is_shown(bridge: Bridge) -> None:
    step = say({"value": 1, "args": {"call": {"a": []}}}, keeps_input=True)
    assert carry_out_steps(bridge, [step]) == Differs(
        0,
        "say changed what it was given",
        (
            Difference(
                "the argument afterwards", {"call": {"a": [1]}}, {"call": {"a": []}}
            ),
        ),
    )


@pytest.mark.parametrize("told", [{"a": [1]}, {"call": {"a": [1]}}])
def test_a_driver_may_tell_the_first_argument_alone(bridge: Bridge, told: Any) -> None:
    step = say({"value": 1, "args": told}, keeps_input=True)
    assert carry_out_steps(bridge, [step]) == AsExpected()


def test_a_first_argument_that_was_changed_is_shown(bridge: Bridge) -> None:
    step = say({"value": 1, "args": {"a": [1, 2]}}, keeps_input=True)
    found = carry_out_steps(bridge, [step])
    assert isinstance(found, Differs)
    assert found.differences == (
        Difference("the argument afterwards", {"a": [1]}, {"a": [1, 2]}),
    )


def test_one_number_may_be_written_in_two_ways(bridge: Bridge) -> None:
    step = say({"value": 1, "args": {"call": {"a": [1.0]}}}, keeps_input=True)
    assert carry_out_steps(bridge, [step]) == AsExpected()


def test_a_number_does_not_become_a_truth_value(bridge: Bridge) -> None:
    step = say({"value": 1, "args": {"call": {"a": [True]}}}, keeps_input=True)
    assert isinstance(carry_out_steps(bridge, [step]), Differs)


def test_arguments_that_a_driver_adds_are_left_alone(bridge: Bridge) -> None:
    args = {"call": {"a": [1]}, "options": {}}
    step = say({"value": 1, "args": args}, keeps_input=True)
    assert carry_out_steps(bridge, [step]) == AsExpected()


def test_an_argument_is_looked_at_after_a_refusal_too(bridge: Bridge) -> None:
    says = {**REFUSAL, "args": {"call": {}}}
    found = carry_out_steps(
        bridge, [say(says, error={"mentions": []}, keeps_input=True)]
    )
    assert isinstance(found, Differs)
    assert found.text == "say changed what it was given"


def test_a_driver_that_tells_no_arguments_leaves_it_open(bridge: Bridge) -> None:
    step = say({"value": 1, "silent": True}, expected=1, keeps_input=True)
    assert carry_out_steps(bridge, [step]) == NotOffered(
        "the driver does not tell its arguments afterwards (echo)"
    )


def test_a_wrong_value_counts_before_what_is_not_told(bridge: Bridge) -> None:
    step = say({"value": 1, "silent": True}, expected=2, keeps_input=True)
    assert isinstance(carry_out_steps(bridge, [step]), Differs)


# --- shared parts


def test_a_value_of_its_own_holds(bridge: Bridge) -> None:
    step = say({"value": 1, "shared": False}, shares_nothing=True)
    assert carry_out_steps(bridge, [step]) == AsExpected()


def test_a_value_that_shares_a_part_is_told(bridge: Bridge) -> None:
    step = say({"value": 1, "shared": True}, shares_nothing=True)
    assert carry_out_steps(bridge, [step]) == Differs(
        0, "what say gave shares a mutable part with what it was given"
    )


def test_a_driver_that_does_not_tell_what_is_shared_leaves_it_open(
    bridge: Bridge,
) -> None:
    assert carry_out_steps(bridge, [value(1, shares_nothing=True)]) == NotOffered(
        "the driver does not tell what its value shares"
    )


# --- values that are kept


def test_a_value_is_used_by_later_steps(bridge: Bridge) -> None:
    steps = [
        value({"value": 7}, save="there"),
        {"op": "say", "input": {"says": {"$use": "there"}}, "expected": 7},
    ]
    assert carry_out_steps(bridge, steps) == AsExpected()


def test_a_value_is_expected_again(bridge: Bridge) -> None:
    steps = [value([7], save="once"), value([8], expected={"$use": "once"})]
    found = carry_out_steps(bridge, steps)
    assert isinstance(found, Differs)
    assert found.step == 1


def test_a_part_that_a_pattern_keeps_is_used(bridge: Bridge) -> None:
    steps = [
        value({"id": "x"}, expected={"id": {"$save": "id"}}),
        value("x", expected={"$use": "id"}),
    ]
    assert carry_out_steps(bridge, steps) == AsExpected()


def test_the_value_of_a_refusal_is_not_kept(bridge: Bridge) -> None:
    steps = [
        say(REFUSAL, record={}, save="it"),
        {"op": "say", "input": {"says": {"$use": "it"}}},
    ]
    with pytest.raises(VectorDefect, match="'it'"):
        carry_out_steps(bridge, steps)


def test_what_looks_like_a_use_inside_a_literal_is_none(bridge: Bridge) -> None:
    given = {"$literal": {"value": {"$use": "nothing"}}}
    step = {"op": "say", "input": {"says": given}}
    assert (
        carry_out_steps(bridge, [{**step, "expected": {"$type": "object"}}])
        == AsExpected()
    )


def test_a_generator_that_nobody_knows_is_a_defect(bridge: Bridge) -> None:
    with pytest.raises(VectorDefect, match=r"\$made_up"):
        carry_out_steps(bridge, [{"op": "say", "input": {"says": {"$made_up": 1}}}])


# --- drivers that fail


def test_a_driver_that_dies_is_told_with_its_step(bridge: Bridge) -> None:
    steps = [value(1, expected=1), say({"dies": 5}), value(1, expected=2)]
    fault = DriverFault("died", "the driver ended with status 5 at say")
    assert carry_out_steps(bridge, steps) == NotAnswered(1, fault)


def test_a_difference_before_the_driver_dies_counts_first(bridge: Bridge) -> None:
    found = carry_out_steps(bridge, [value(1, expected=2), say({"dies": 5})])
    assert isinstance(found, Differs)
    assert found.step == 0


# --- ops


def test_an_op_has_its_arguments_with_generators_expanded() -> None:
    op = op_of({"op": "say", "input": {"a": {"$repeat": "x", "times": 3}}}, {})
    assert (op.name, op.arguments, op.echo) == ("say", {"a": "xxx"}, False)


def test_an_op_may_have_no_arguments() -> None:
    assert op_of({"op": "say"}, {}).arguments == {}


@pytest.mark.parametrize("key", ["keeps_input", "shares_nothing"])
def test_an_echo_is_asked_for_where_a_step_needs_it(key: str) -> None:
    assert op_of({"op": "say", key: True}, {}).echo
