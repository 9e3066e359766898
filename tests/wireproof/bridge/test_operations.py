"""Answers of ops are compared as vectors/README.md and the clauses have it."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof.bridge import look_at_operation
from wireproof.checks import Difference, Words
from wireproof.judge import Look, Reason
from wireproof.report import sentence

ANSWERED = {
    "op": "say",
    "ended": "answered",
    "text": "",
    "seconds": 0.1,
    "status": None,
    "brief": False,
    "keeps": False,
}

REFUSED = {"error": "NoAdapter: tool draw: no way"}

GIVEN = {"call": {"a": [1]}}


def look(seen: dict[str, Any], **step: Any) -> Look | dict[str, Any]:
    """Return what is wrong with what an op came to."""
    whole = {**ANSWERED, "is_in_process": True, "given": GIVEN, "args": None, **seen}
    return look_at_operation({"op": "say", **step}, whole, {})


def told(seen: dict[str, Any], **step: Any) -> tuple[str, tuple[Difference, ...]]:
    """Return what is said of an op that came out otherwise, and what differs."""
    found = look(seen, **step)
    assert isinstance(found, Look)
    assert found.applies
    return sentence(Reason(found.kind, "", found.fields)), tuple(found.differences)


# --- values


def test_a_value_as_expected_holds() -> None:
    assert look({"value": {"a": 1, "b": 2}}, expected={"a": 1}) == {}


def test_a_value_that_differs_is_shown() -> None:
    assert told({"value": {"a": [1, 2]}}, expected={"a": [1, 3]}) == (
        "in what `say` came to, a[1] is 2, not 3",
        (Difference("/a/1", 3, 2),),
    )


def test_a_value_that_differs_as_a_whole_is_shown() -> None:
    assert told({"value": "b"}, expected="a") == (
        'in what `say` came to, the value is "b", not "a"',
        (Difference("the value itself", "a", "b"),),
    )


def test_what_is_not_there_is_shown() -> None:
    _, shown = told({"value": {}}, expected={"a": {"$type": "string"}})
    assert shown == (Difference("/a", "<string>", "nothing there"),)


def test_a_step_that_expects_nothing_takes_any_value() -> None:
    assert look({"value": "any", "args": GIVEN}, keeps_input=True) == {}


def test_an_answer_after_the_limit_of_its_step_is_late() -> None:
    assert told({"value": 1, "seconds": 3.5}, limit_ms=2_000) == (
        "`say` took 3.5 s",
        (Difference("", Words("an answer within 2 s"), Words("say took 3.5 s")),),
    )
    assert look({"value": 1, "seconds": 2.5}, limit_ms=2_000) == {}


def test_a_choice_that_the_answer_does_not_tell_leaves_it_open() -> None:
    found = look({"value": {"a": {"b": 1}}}, if_told=["c"])
    assert isinstance(found, Look)
    assert (found.kind, found.applies) == ("not-told", False)
    assert look({"value": {"a": {"b": 1}}}, if_told=["b"]) == {}


# --- refusals


def test_a_value_is_shown_if_a_refusal_is_due() -> None:
    assert told({"value": []}, error={"mentions": ["draw"]}) == (
        "`say` has to be refused, and came to a value",
        (Difference("", Words("an error that names draw"), []),),
    )


@pytest.mark.parametrize(
    "mentions", [[], ["draw"], ["NoAdapter"], ["NoAdapter", "no way"]]
)
def test_a_refusal_that_names_what_it_has_to_holds(mentions: list[str]) -> None:
    assert look(REFUSED, error={"mentions": mentions}) == {}


@pytest.mark.parametrize(
    ("error", "named"),
    [
        ({"mentions": ["no way", "paint", "type"]}, "paint, type"),
        ({"mentions": [], "one_of": ["paint", "type"]}, "paint or type"),
    ],
)
def test_a_refusal_that_does_not_name_it_is_shown(error: Any, named: str) -> None:
    wanted = Words(f"an error that names {named}")
    assert told(REFUSED, error=error) == (
        f"the error of `say` does not name {named}",
        (Difference("error", wanted, REFUSED["error"]),),
    )


@pytest.mark.parametrize(
    ("step", "wanted"),
    [
        ({"expected": [{"$type": "object"}]}, ["<object>"]),
        ({"keeps_input": True}, "<a value>"),
        ({"record": {}, "expected": "word"}, "word"),
    ],
)
def test_a_refusal_is_shown_if_a_value_is_due(step: Any, wanted: Any) -> None:
    shown = Words("an error (NoAdapter: tool draw: no way)")
    assert told(REFUSED, **step) == (
        "`say` was refused: NoAdapter: tool draw: no way",
        (Difference("", wanted, shown),),
    )


@pytest.mark.parametrize("seen", [REFUSED, {"value": 1}])
def test_either_will_do_if_both_are_allowed(seen: Any) -> None:
    assert look(seen, expected=1, error={"mentions": ["draw"]}) == {}


@pytest.mark.parametrize("seen", [REFUSED, {"value": 2}])
def test_a_wrong_one_is_neither(seen: Any) -> None:
    assert isinstance(look(seen, expected=1, error={"mentions": ["paint"]}), Look)


def test_a_refusal_may_be_recorded() -> None:
    assert look(REFUSED, record={}, save="it") == {}


# --- the argument afterwards


@pytest.mark.parametrize(
    "args",
    [
        {"call": {"a": [1]}},
        {"a": [1]},
        {"call": {"a": [1.0]}},
        {"call": {"a": [1]}, "options": {}},
    ],
)
def test_an_argument_that_is_what_it_was_holds(args: Any) -> None:
    """All arguments are told, or the first alone; a driver may add some."""
    assert look({"value": 1, "args": args}, expected=1, keeps_input=True) == {}


@pytest.mark.parametrize(
    ("args", "before"),
    [
        ({"call": {"a": []}}, {"call": {"a": [1]}}),
        ({"a": [1, 2]}, {"a": [1]}),
        ({"call": {"a": [True]}}, {"call": {"a": [1]}}),
    ],
)
def test_an_argument_that_was_changed_is_shown(args: Any, before: Any) -> None:
    assert told({"value": 1, "args": args}, keeps_input=True) == (
        "`say` changed what it was given",
        (Difference("the argument afterwards", before, args),),
    )


def test_an_argument_is_looked_at_after_a_refusal_too() -> None:
    seen = {**REFUSED, "args": {"call": {}}}
    text, _ = told(seen, error={"mentions": []}, keeps_input=True)
    assert text == "`say` changed what it was given"


def test_a_driver_that_tells_no_arguments_leaves_it_open() -> None:
    found = look({"value": 1}, expected=1, keeps_input=True)
    assert isinstance(found, Look)
    assert (found.kind, found.applies) == ("no-echo", False)


def test_a_wrong_value_counts_before_what_is_not_told() -> None:
    text, _ = told({"value": 1}, expected=2, keeps_input=True)
    assert text == "in what `say` came to, the value is 1, not 2"


# --- shared parts


def test_a_value_of_its_own_holds() -> None:
    assert look({"value": 1, "shares": False}, shares_nothing=True) == {}


def test_a_value_that_shares_a_part_is_told() -> None:
    text, _ = told({"value": 1, "shares": True}, shares_nothing=True)
    assert text == (
        "what `say` came to shares a part that can change with what it was given"
    )


def test_a_driver_that_does_not_tell_what_is_shared_leaves_it_open() -> None:
    found = look({"value": 1, "shares": None}, shares_nothing=True)
    assert isinstance(found, Look)
    assert (found.kind, found.applies) == ("no-sharing-told", False)


# --- values that are kept


def test_a_value_is_kept_whole_or_in_part() -> None:
    expected = {"id": {"$save": "id"}}
    assert look({"value": {"id": "x"}}, save="all", expected=expected) == {
        "all": {"id": "x"},
        "id": "x",
    }


# --- drivers that fail


@pytest.mark.parametrize(
    ("ended", "kind"), [("exited", "op-ended"), ("silent", "op-unanswered")]
)
@pytest.mark.parametrize(
    ("is_in_process", "survives", "is_charged"),
    [(True, False, True), (False, True, True), (False, False, False)],
)
def test_only_a_subject_that_has_to_go_on_is_charged(
    ended: str, kind: str, *, is_in_process: bool, survives: bool, is_charged: bool
) -> None:
    seen = {"ended": ended, "status": 5, "is_in_process": is_in_process}
    found = look(seen, survives=survives)
    assert isinstance(found, Look)
    assert found.kind == kind
    assert (found.rule is None) is is_charged
    # A driver may end by itself: another one is asked before that is charged.
    assert found.of_pace is (survives and not is_in_process)


def test_a_subject_that_was_waited_for_briefly_is_asked_again() -> None:
    found = look({"ended": "silent", "brief": True})
    assert isinstance(found, Look)
    assert found.of_pace
