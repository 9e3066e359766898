"""A place is tried with many values at once; a failure names the one at fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wireproof.checks import Attempt, Check, Result, Settings, Verdict
from wireproof.checks._verdicts import Difference
from wireproof.crossing import Given, given_at, run_place, without_why
from wireproof.crossing._run import _shown
from wireproof.subjects import Patience

STEPS: dict[str, Any] = {"steps": [{"expect": {"$value": True}}]}
PLACE: dict[str, Any] = {"values": {"kinds": ["null", "boolean", "array"]}, **STEPS}
WHOLE_LINE = {"send_raw": [{"json": {"$value": True}}, {"text": "\n"}]}
CHECK = Check("p/places/one", "One.", ("P-1",), "must", "seed", "vector")


class Suite:
    """A suite whose subject fails for some sets of values."""

    def __init__(self, *faults: Sequence[Any], about_time: bool = False) -> None:
        self.settings = Settings(folder=Path())
        self.patience = Patience(None)
        self.faults = faults
        self.about_time = about_time
        self.tried: list[list[Any]] = []
        self.short: list[bool] = []
        self.keeps_apart = True
        self.unanswered = ""
        self.points_at: Any = None
        self.where = ""
        self.ways: dict[bool, str] = {}

    def result(self, check: Check, verdict: Verdict, reason: str = "") -> Result:
        return Result(
            check.id, check.clauses, check.level, check.source, verdict, reason
        )

    def attempt(
        self, check: Check, steps: Sequence[Mapping[str, Any]], *, begun: bool = False
    ) -> Attempt:
        values = [_plain(step["expect"]) for step in steps if "expect" in step]
        self.tried.append(values)
        self.short.append(self.patience.shortened)
        assert begun is (len(self.tried) == 1)
        if not any(all(one in values for one in fault) for fault in self.faults):
            return Attempt(self.result(check, Verdict.PASSED))
        alone = values[0] if len(values) == 1 and values[0] is True else False
        where = "another place" if alone in self.ways else self.where
        failed = replace(
            self.result(check, Verdict.FAILED, self.ways.get(alone, "it differs")),
            differences=(Difference(where, 1, 2),) if where else (),
        )
        points = self.points_at if self.points_at in values else None
        step = None if points is None else values.index(points)
        return Attempt(failed, self.about_time, step=step, unanswered=self.unanswered)


def _plain(value: Any) -> Any:
    return value["$literal"] if isinstance(value, dict) else value


def test_a_subject_that_keeps_every_value_passes() -> None:
    suite = Suite()
    result = run_place(suite, CHECK, PLACE)
    assert result.verdict is Verdict.PASSED
    (values,) = suite.tried
    assert result.evidence["values"] == len(values)


def test_the_value_at_which_the_step_points_is_tried_alone() -> None:
    suite = Suite([[None]])
    suite.points_at = [None]
    result = run_place(suite, CHECK, PLACE)
    # Then a value of another type, and the plainest of its own.
    assert suite.tried[1:] == [[[None]], [True], [[[]]]]
    assert result.reason == (
        "with the value array-of-null ([null]): it differs "
        '(why it is tried, from other programs: "Filters of null make it empty.")'
    )


@pytest.mark.parametrize(
    "where", ["/result/empty-array/0", "/result/3/x", "/a~1b/empty-array"]
)
def test_the_value_to_which_the_difference_leads_is_tried_alone(where: str) -> None:
    suite = Suite([[]])
    suite.where = where
    result = run_place(suite, CHECK, PLACE)
    assert suite.tried[1:] == [[[]], [True], [[[]]]]
    assert result.reason.startswith("with the value empty-array ([]): it differs")


@pytest.mark.parametrize("fault", [None, True, [], [[]], ["a"], [10, 9, 1, 2, 1]])
def test_a_value_that_nothing_points_at_is_found_by_halves(fault: Any) -> None:
    suite = Suite([fault])
    result = run_place(suite, CHECK, PLACE)
    assert [fault] in suite.tried[-3:]
    assert len(suite.tried) < 15
    assert ": it differs (why it is tried, from other programs: " in result.reason


def test_where_a_value_of_another_sort_fails_too_it_is_named() -> None:
    suite = Suite([None], [True])
    result = run_place(suite, CHECK, PLACE)
    assert result.reason == "with the value null, and with true too: it differs"
    assert result.evidence["values"] == "null, true"


def test_where_any_value_fails_none_is_at_fault() -> None:
    every = [_plain(one.value) for one in given_at(PLACE)]
    result = run_place(Suite(*([one] for one in every)), CHECK, PLACE)
    assert result.reason.startswith("whatever the value, such as null and true: ")
    assert result.reason.endswith(": it differs")


def test_where_all_of_one_type_hold_it_is_not_whatever_the_value() -> None:
    some = [one.value for one in given_at(PLACE) if not isinstance(one.value, bool)]
    result = run_place(Suite(*([_plain(one)] for one in some)), CHECK, PLACE)
    assert result.reason.startswith("with the value ")


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("null", None, "null"),
        ("array-of-one", [1], "array-of-one ([1])"),
        ("long", "x" * 40, "long"),
    ],
)
def test_a_value_is_shown_beside_its_name(name: str, value: object, told: str) -> None:
    assert _shown(Given(name, value)) == told


def test_where_the_plainest_of_its_type_fails_too_that_is_told_first() -> None:
    long = "x" * 4_097
    names = ["size-4097", "space", "null"]
    kinds = ["string", "null"]
    place = {"values": {"kinds": kinds, "tags": [], "names": names}, **STEPS}
    suite = Suite([long], [" "])
    suite.points_at = long
    result = run_place(suite, CHECK, place)
    assert suite.tried[1:] == [[long], [None], [" "]]
    told = 'with the value space (" "), and with size-4097 too: it differs'
    assert result.reason == told
    assert result.evidence["values"] == "space, size-4097"


def test_a_value_that_is_all_of_a_line_is_called_a_line_and_no_member() -> None:
    place = {"values": {"kinds": ["null"]}, "steps": [WHOLE_LINE, *STEPS["steps"]]}
    result = run_place(Suite([None]), CHECK, place)
    assert result.reason == "with the line null: it differs"


def test_why_a_value_is_tried_can_be_left_out() -> None:
    result = run_place(Suite([[None]]), CHECK, PLACE)
    told = "with the value array-of-null ([null]): it differs"
    assert without_why(f"{result.reason} (more)") == f"{told} (more)"


def test_a_value_of_another_sort_that_fails_in_another_way_is_told_with_that() -> None:
    suite = Suite([None], [True])
    suite.ways = {True: "it is not answered"}
    result = run_place(suite, CHECK, PLACE)
    assert result.reason == (
        "with the value null: it differs; with true, in another way: it is not answered"
    )
    assert result.evidence["values"] == "null, true"


def test_values_that_fail_only_together_are_named_together() -> None:
    suite = Suite([None, [[]]])
    result = run_place(suite, CHECK, PLACE)
    named = "null, array-of-an-empty-array"
    assert result.reason == f"with one of the values {named}: it differs"
    assert result.evidence["alone"].startswith("no value was found")


def test_more_than_two_values_that_fail_only_together_are_all_named() -> None:
    suite = Suite([None, True, [[]]])
    result = run_place(suite, CHECK, PLACE)
    named = "null, true, array-of-an-empty-array"
    assert result.reason == f"with one of the values {named}: it differs"


def test_while_the_value_is_looked_for_waits_are_short_and_then_full() -> None:
    suite = Suite([True], about_time=True)
    result = run_place(suite, CHECK, PLACE)
    assert result.reason.startswith("with the value true: it")
    assert not suite.short[0]
    assert all(suite.short[1:-1])
    assert not suite.short[-1]


def test_answers_that_many_values_lose_together_are_no_fault_of_the_values() -> None:
    suite = Suite([None, True], about_time=True)
    result = run_place(suite, CHECK, PLACE)
    assert result.verdict is Verdict.PASSED
    assert not suite.keeps_apart


def test_so_are_answers_that_do_not_come_however_long_they_are_waited_for() -> None:
    suite = Suite([None, True])
    suite.unanswered = "a call"
    assert run_place(suite, CHECK, PLACE).verdict is Verdict.PASSED
    assert not suite.keeps_apart


STRINGS: dict[str, Any] = {
    "values": {"kinds": ["string"], "tags": ["looks-like"]},
    "steps": PLACE["steps"],
}


def test_each_value_is_then_tried_alone() -> None:
    suite = Suite(["0", "1"], about_time=True)
    result = run_place(suite, CHECK, STRINGS)
    assert result.verdict is Verdict.PASSED
    assert ["1"] in suite.tried
    assert ["0"] in suite.tried
    assert all(len(values) == 1 for values in suite.tried[-result.evidence["values"] :])


def test_a_value_that_fails_alone_is_found_among_such() -> None:
    suite = Suite(["0", "1"], ["no"], about_time=True)
    result = run_place(suite, CHECK, STRINGS)
    assert result.reason.startswith('with the value text-no ("no"): it differs')


def test_what_does_not_keep_requests_apart_is_asked_for_one_value_at_a_time() -> None:
    suite = Suite(["0", "1"])
    suite.keeps_apart = False
    result = run_place(suite, CHECK, STRINGS)
    assert result.verdict is Verdict.PASSED
    assert {len(values) for values in suite.tried} == {1}


def test_a_slow_subject_is_tried_with_fewer_values() -> None:
    suite = Suite()
    suite.patience.measured(0.5)
    place = {"values": {"kinds": ["string"]}, "steps": PLACE["steps"]}
    result = run_place(suite, CHECK, place)
    assert result.evidence["values"] == 40


def test_a_place_whose_values_all_mean_something_is_not_applicable() -> None:
    place = {
        "values": {"kinds": ["string"], "names": ["name-get"], "unlisted": True},
        "steps": PLACE["steps"],
    }
    result = run_place(Suite(), CHECK, place, {"get"})
    assert result.verdict is Verdict.NOT_APPLICABLE
