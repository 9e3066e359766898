"""What a check of operations comes to, for subjects and drivers of all kinds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.wireproof.bridge.conftest import DRIVER, OPS, Open

from wireproof.checks import Difference, Result, Verdict

MEND: dict[str, Any] = {"op": "mend", "input": {"text": "{"}}

RIGHT = {**MEND, "expected": "{}"}
WRONG = {**MEND, "expected": "{"}

# The controls come out right, and "n" ends or hangs the process.
DIES = """
def mend(self, text):
    import os, sys
    if text == "n":
        print("a trace", file=sys.stderr, flush=True)
        os._exit(5)
    return super().mend(text)
"""
HANGS = """
def mend(self, text):
    import time
    if text == "n":
        time.sleep(600)
    return super().mend(text)
"""
DIES_LATE = """
asked = 0
def mend(self, text):
    import os
    self.asked += 1
    if self.asked > 3:
        os._exit(5)
    return super().mend(text)
"""
FATAL = {"op": "mend", "input": {"text": "n"}, "expected": "n}"}
FOREVER_WRONG = "def mend(self, text): return text"


REMEMBERS = """
seen = False
def mend(self, text):
    self.seen |= text == "n"
    return "other" if self.seen and text == "{" else super().mend(text)
"""


def only(suite: Any) -> Result:
    (check,) = suite.checks
    result: Result = suite.run(check)
    return result


# --- vectors


def test_what_comes_out_as_it_should_passes(open_suite: Open) -> None:
    result = only(open_suite(steps=[RIGHT]))
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    assert result.evidence == {"frames": 2}
    control, check = result.entries[:2], result.entries[2:]
    assert [entry.direction for entry in control] == ["sent", "received"]
    assert [entry.direction for entry in check] == ["sent", "received"]
    assert (result.id, result.title) == ("mender/own/it", "It holds.")
    assert result.duration_s > 0


@pytest.mark.parametrize(
    ("level", "verdict"),
    [
        ("must", Verdict.FAILED),
        ("should", Verdict.WARNED),
        ("may", Verdict.RECORDED),
    ],
)
def test_a_difference_breaks_the_clause_as_its_level_has_it(
    open_suite: Open, level: str, verdict: Verdict
) -> None:
    result = only(open_suite(steps=[RIGHT, WRONG], level=level))
    assert result.verdict == verdict
    assert result.reason == ('in what `mend` came to, the value is "{}", not "{"')
    assert result.differences == (Difference("the value itself", "{", "{}"),)


@pytest.mark.parametrize("keeps", [True, False])
def test_what_a_subject_keeps_is_left_out_by_a_second_try_if_it_may_keep_something(
    open_suite: Open, *, keeps: bool
) -> None:
    suite = open_suite(REMEMBERS, steps=[RIGHT], keeps=keeps)
    (check,) = suite.checks
    asking = {"op": "mend", "input": {"text": "n"}}
    suite.attempt(check, [asking])
    result = suite.run(check)
    assert result.verdict is (Verdict.PASSED if keeps else Verdict.FAILED)
    assert suite.facts().starts == 1 + keeps


def test_what_may_be_is_recorded(open_suite: Open) -> None:
    step = {**MEND, "record": {"closed": "{}"}}
    result = only(open_suite(steps=[step], level="may"))
    assert result.verdict is Verdict.RECORDED
    assert result.evidence["recorded"] == {"mend": "closed"}


def test_a_record_beside_a_must_does_not_change_its_verdict(open_suite: Open) -> None:
    result = only(open_suite(steps=[{**RIGHT, "record": {}}]))
    assert result.verdict is Verdict.PASSED
    assert result.evidence["recorded"] == {"mend": "other"}


def test_a_step_that_another_clause_is_about_hides_this_one(open_suite: Open) -> None:
    result = only(open_suite(steps=[{**WRONG, "clause": "MEND-2"}]))
    assert (result.verdict, result.because) == (Verdict.NOT_TESTABLE, "MEND-2")
    assert result.reason.startswith("not testable because of MEND-2: in what `mend` ")
    assert result.differences == (Difference("the value itself", "{", "{}"),)


def test_a_step_of_the_clause_itself_fails(open_suite: Open) -> None:
    result = only(open_suite(steps=[{**WRONG, "clause": "MEND-1"}]))
    assert (result.verdict, result.because) == (Verdict.FAILED, None)


def test_of_several_clauses_that_of_the_step_alone_is_charged(open_suite: Open) -> None:
    steps = [RIGHT, {**WRONG, "clause": "MEND-1"}]
    suite = open_suite(steps=steps, clauses=("MEND-2", "MEND-1"))
    assert only(suite).clauses == ("MEND-1",)


def test_a_step_that_cannot_be_carried_out_is_a_fault_of_the_suite(
    open_suite: Open,
) -> None:
    step = {**RIGHT, "input": {"text": {"$use": "nothing"}}}
    result = only(open_suite(steps=[step]))
    assert (result.verdict, result.reason) == (
        Verdict.HARNESS_ERROR,
        "$use names 'nothing', which no step has saved",
    )


def test_a_fault_of_the_suite_ends_one_check_alone(open_suite: Open) -> None:
    suite = open_suite(steps=[{"op": "mend", "input": 5}])
    result = only(suite)
    assert result.verdict is Verdict.HARNESS_ERROR
    assert "Traceback" in result.reason
    assert suite.attempt(suite.checks[0], [RIGHT]).result.verdict is Verdict.PASSED


def test_a_place_is_tried_with_each_value_and_names_the_one_that_is_lost(
    open_suite: Open,
) -> None:
    place = {"kinds": ["string"], "names": ["empty", "text-true", "text-null"]}
    step = {"op": "wrap", "input": {"value": {"$value": True}}}
    kept = {**step, "expected": [{"$value": True}]}
    lost = {**step, "expected": [{"$not": "null"}]}

    right = only(open_suite(steps=[kept], values=place))
    wrong = only(open_suite(steps=[lost], values=place))

    assert (right.verdict, right.evidence["values"]) == (Verdict.PASSED, 3)
    assert wrong.verdict is Verdict.FAILED
    assert wrong.reason.startswith('with the value text-null ("null"): ')


# --- what a check needs


def test_an_op_that_is_not_offered_is_not_applicable(open_suite: Open) -> None:
    result = only(open_suite(steps=[{"op": "tear", "input": {}, "expected": 1}]))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "it needs the op tear, which is not offered",
    )


def test_a_format_that_is_not_declared_is_not_applicable(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"formats": ["acme.tool"]})
    assert only(suite).reason == "it needs the format acme.tool, which is not declared"
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


def test_a_format_that_is_declared_is_tried(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"formats": ["plain"]})
    assert only(suite).verdict is Verdict.PASSED


def test_half_a_pair_is_not_applicable_to_a_driver_that_loses_it(
    open_suite: Open,
) -> None:
    suite = open_suite(steps=[RIGHT], needs={"half_pairs": True}, command=DRIVER)
    assert only(suite).reason == (
        "it needs halfPairs, half of a surrogate pair, which is not declared"
    )
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


def test_half_a_pair_is_tried_on_an_object(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"half_pairs": True})
    assert only(suite).verdict is Verdict.PASSED


def test_what_needs_the_object_is_not_applicable_to_a_driver(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"in_process": True}, command=DRIVER)
    assert only(suite).reason == "it needs an object in Python, named as module:attr"
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


def test_what_needs_the_object_is_tried_on_an_object(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT], needs={"in_process": True})
    assert only(suite).verdict is Verdict.PASSED


@pytest.mark.parametrize("command", [None, DRIVER])
def test_an_argument_that_stays_what_it_was_is_seen_either_way(
    open_suite: Open, command: Any
) -> None:
    named = {"command": command} if command else {}
    suite = open_suite(steps=[{**RIGHT, "keeps_input": True}], **named)
    assert only(suite).verdict is Verdict.PASSED


def test_what_a_driver_does_not_tell_is_not_applicable(open_suite: Open) -> None:
    step = {**RIGHT, "shares_nothing": True}
    result = only(open_suite(steps=[step], command=DRIVER))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "the driver does not tell what its value shares",
    )


def test_without_its_control_a_check_is_not_testable(open_suite: Open) -> None:
    result = only(open_suite(FOREVER_WRONG, steps=[{**RIGHT, "expected": "{"}]))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason.startswith("`mend` comes to nothing right: ")
    assert result.reproduce == "pytest mender/own/it"


def test_what_an_op_does_wrong_is_seen_without_its_control(open_suite: Open) -> None:
    result = only(open_suite(FOREVER_WRONG, steps=[RIGHT]))
    assert result.verdict is Verdict.FAILED
    assert result.differences == (Difference("the value itself", "{}", "{"),)


def test_what_an_empty_shell_does_is_not_testable(open_suite: Open) -> None:
    shell = f"for op in {OPS!r}: locals()[op] = lambda self, *one, **more: None"
    result = only(open_suite(shell, steps=[RIGHT]))
    assert result.verdict is Verdict.NOT_TESTABLE


def test_each_op_of_a_vector_has_its_own_control(open_suite: Open) -> None:
    broken = "def wrap(self, value, target='list'): return value"
    other = {"op": "wrap", "input": {"value": 7}, "expected": 7}
    assert only(open_suite(broken, steps=[RIGHT])).verdict is Verdict.PASSED
    result = only(open_suite(broken, steps=[RIGHT, other]))
    assert result.verdict is Verdict.NOT_TESTABLE


# --- targets

WRAP = {"op": "wrap", "input": {"value": 1, "target": "object"}, "expected": {"in": 1}}


def test_a_mender_that_does_not_say_its_targets_has_all(open_suite: Open) -> None:
    assert only(open_suite(steps=[WRAP])).verdict is Verdict.PASSED


@pytest.mark.parametrize("command", [None, DRIVER])
def test_a_target_that_is_not_offered_is_not_applicable(
    open_suite: Open, command: Any
) -> None:
    named = {"command": command} if command else {}
    result = only(open_suite("targets = ['list']", steps=[RIGHT, WRAP], **named))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "it needs the target object, which the subject lacks",
    )


def test_a_target_that_is_offered_is_tried(open_suite: Open) -> None:
    suite = open_suite("targets = ['object']", steps=[WRAP])
    assert only(suite).verdict is Verdict.PASSED


def test_a_target_that_no_subject_has_is_asked_for_all_the_same(
    open_suite: Open,
) -> None:
    step = {**WRAP, "input": {"value": 1, "target": "pit"}, "expected": [1]}
    result = only(open_suite("targets = ['list']", steps=[step]))
    assert result.verdict is Verdict.PASSED


def test_what_is_no_vector_says_its_targets_itself(open_suite: Open) -> None:
    needs = {"ops": ["wrap"], "targets": ["list", "object"]}
    suite = open_suite("targets = ['list']", kind="scenario", needs=needs)
    assert only(suite).reason == "it needs the target object, which the subject lacks"


@pytest.mark.parametrize("command", [None, DRIVER])
def test_a_target_may_be_offered_by_one_op_alone(
    open_suite: Open, command: Any
) -> None:
    named = {"command": command} if command else {}
    other = "targets = {'mend': ['object'], 'wrap': ['list']}"
    assert only(open_suite(other, steps=[WRAP], **named)).verdict is (
        Verdict.NOT_APPLICABLE
    )
    same = "targets = {'mend': ['list']}"
    assert only(open_suite(same, steps=[WRAP], **named)).verdict is Verdict.PASSED


# --- features

MARKED = {"op": "mend", "input": {"text": "mark"}, "expected": "mark}"}


@pytest.mark.parametrize("command", [None, DRIVER])
def test_a_feature_that_the_subject_lacks_is_not_applicable(
    open_suite: Open, command: Any
) -> None:
    named = {"command": command} if command else {}
    suite = open_suite("lacks = ['mark']", steps=[RIGHT, MARKED], **named)
    result = only(suite)
    assert (result.verdict, result.reason) == (
        Verdict.NOT_APPLICABLE,
        "it needs mark, which the subject lacks",
    )
    assert suite.facts().lacks == ("mark",)


def test_a_feature_that_is_not_used_does_not_matter(open_suite: Open) -> None:
    suite = open_suite("lacks = ['mark', 'other']", steps=[RIGHT])
    assert only(suite).verdict is Verdict.PASSED


def test_a_scenario_says_its_features_itself(open_suite: Open) -> None:
    needs = {"ops": ["mend"], "features": ["mark"]}
    suite = open_suite("lacks = ['mark']", kind="scenario", needs=needs)
    assert only(suite).verdict is Verdict.NOT_APPLICABLE


def test_a_drawn_step_that_uses_a_lacking_feature_is_left_out(open_suite: Open) -> None:
    wrong = """
lacks = ['mark']
def mend(self, text):
    return text if text == "mark" else super().mend(text)
"""
    suite = open_suite(wrong, kind="fuzz", needs={"ops": ["mend"]})
    suite.carry_out(suite.checks[0])
    tried = suite.attempt(suite.checks[0], [MARKED, RIGHT, MARKED])
    assert tried.result.verdict is Verdict.PASSED
    assert tried.counted == {"frames": 1}
    differs = {**RIGHT, "expected": "other"}
    assert suite.attempt(suite.checks[0], [MARKED, differs]).step == 1
    none = suite.attempt(suite.checks[0], [MARKED])
    assert none.result.verdict is Verdict.NOT_APPLICABLE


# --- drivers and processes that do not answer


def test_a_mender_that_ends_its_process_fails(open_suite: Open) -> None:
    result = only(open_suite(DIES, steps=[FATAL]))
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the subject exited with status 5 and did not answer `mend`",
    )
    assert result.stderr == "a trace\n"


def test_a_mender_that_hangs_fails(open_suite: Open) -> None:
    result = only(open_suite(HANGS, steps=[FATAL], timeout=3.0))
    assert result.verdict is Verdict.FAILED
    assert result.reason.startswith("`mend` was not answered within ")


def test_a_driver_that_dies_says_nothing_of_the_mender(open_suite: Open) -> None:
    result = only(open_suite(DIES, steps=[FATAL], command=DRIVER))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_TESTABLE,
        (
            "the subject exited with status 5 and did not answer `mend`: "
            "a fault of the driver, not a wrong answer"
        ),
    )
    assert result.stderr == "a trace\n"


def test_a_driver_that_dies_where_it_has_to_survive_fails(open_suite: Open) -> None:
    step = {**FATAL, "survives": True}
    result = only(open_suite(DIES, steps=[step], command=DRIVER))
    assert (result.verdict, result.reason) == (
        Verdict.FAILED,
        "the subject exited with status 5 and did not answer `mend`",
    )


def test_a_driver_that_dies_after_so_many_ops_is_tried_again(
    open_suite: Open,
) -> None:
    steps = [RIGHT, RIGHT, {**RIGHT, "survives": True}]
    result = only(open_suite(DIES_LATE, steps=steps, command=DRIVER))
    assert (result.verdict, result.evidence["tries"]) == (Verdict.PASSED, 2)


def test_the_next_check_has_a_new_process(open_suite: Open) -> None:
    suite = open_suite(DIES, steps=[FATAL])
    (check,) = suite.checks
    suite.run(check)
    assert suite.attempt(check, [RIGHT]).result.verdict is Verdict.PASSED
    assert suite.facts().starts == 2


def test_a_mender_that_ends_its_process_in_the_control_fails(
    open_suite: Open,
) -> None:
    dying = "def mend(self, text):\n    import os; os._exit(5)"
    assert only(open_suite(dying, steps=[RIGHT])).verdict is Verdict.FAILED
    result = only(open_suite(dying, steps=[RIGHT], command=DRIVER))
    assert result.verdict is Verdict.NOT_TESTABLE


def test_an_object_that_cannot_be_imported_is_not_testable(open_suite: Open) -> None:
    result = only(open_suite(steps=[RIGHT], module="1 / 0"))
    assert (result.verdict, result.reason) == (
        Verdict.NOT_TESTABLE,
        (
            "`describe` was refused: "
            "Unusable: cannot import own: ZeroDivisionError: division by zero"
        ),
    )
    assert result.reproduce == "pytest mender/own/it"


def test_a_driver_that_does_not_come_up_can_be_tried_by_hand(open_suite: Open) -> None:
    command = (sys.executable, "-c", "raise SystemExit('no configuration')")
    result = only(open_suite(steps=[RIGHT], command=command))
    assert result.verdict is Verdict.NOT_TESTABLE
    assert result.reason == (
        "the subject exited with status 1 before it answered anything"
    )
    assert result.ended == "the subject exited with status 1"
    assert result.stderr == "no configuration\n"
    assert result.reproduce is not None
    done = subprocess.run(
        ["/bin/sh", "-c", result.reproduce], capture_output=True, check=False, text=True
    )
    assert "no configuration" in done.stderr


def test_an_example_of_the_fuzzer_is_tried_on_a_driver_that_is_up(
    open_suite: Open,
) -> None:
    command = (sys.executable, "-c", "raise SystemExit(1)")
    suite = open_suite(command=command)
    result = suite.attempt(suite.checks[0], [RIGHT]).result
    assert result.verdict is Verdict.NOT_TESTABLE


# --- reproduction


def test_the_line_of_an_object_calls_the_method_itself(
    open_suite: Open, tmp_path: Path
) -> None:
    wrong = "def mend(self, text): return 5 if text == 'n' else super().mend(text)"
    result = only(open_suite(wrong, steps=[FATAL]))
    assert result.reproduce is not None
    assert "python -c 'import own; print(own.Subject()." in result.reproduce
    line = result.reproduce.replace("python -c", f"{sys.executable} -c", 1)
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "5\n"


@pytest.mark.parametrize(
    "parameters", ["one, to", "one, *, target", "*, value, target"]
)
def test_the_line_of_an_object_calls_the_method_as_the_suite_does(
    open_suite: Open, tmp_path: Path, parameters: str
) -> None:
    wrong = f"def wrap(self, {parameters}): return 'wrong'"
    step = {"op": "wrap", "input": {"value": 1, "target": "list"}}
    controls = {"wrap": [{"input": step["input"], "expected": "wrong"}]}
    suite = open_suite(wrong, steps=[{**step, "expected": [1]}], controls=controls)
    result = only(suite)
    assert result.reproduce is not None
    done = subprocess.run(
        ["/bin/sh", "-c", result.reproduce.replace("python", sys.executable, 1)],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "wrong\n"


def test_the_line_of_a_driver_pipes_what_was_sent(
    open_suite: Open, tmp_path: Path
) -> None:
    result = only(open_suite(steps=[RIGHT, WRONG], command=DRIVER))
    assert result.reproduce is not None
    quick = result.reproduce.replace("sleep 1", "true")
    done = subprocess.run(
        ["/bin/sh", "-c", quick],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    described, *values = [
        json.loads(line)["value"] for line in done.stdout.splitlines()
    ]
    assert "mend" in described["ops"]
    assert values == ["{}", "{}"]


def test_steps_that_rest_on_others_are_shown_with_their_values(
    open_suite: Open,
) -> None:
    again = {
        "op": "mend",
        "input": {"text": {"$use": "it"}},
        "expected": "{",
    }
    result = only(open_suite(steps=[{**RIGHT, "save": "it"}, again]))
    assert result.reproduce is not None
    assert 'own.Subject().mend("{}")' in result.reproduce


def test_what_has_to_be_awaited_is_shown_by_pytest(open_suite: Open) -> None:
    slow = "async def wrap(self, value, target=None): return [value]"
    result = only(open_suite(slow, steps=[WRONG]))
    assert result.reproduce == "pytest mender/own/it"


def test_an_argument_that_was_changed_is_shown_by_pytest(open_suite: Open) -> None:
    changing = (
        "def wrap(self, value, target='list'):\n"
        "    found = [list(value)] if isinstance(value, list) else [value]\n"
        "    if isinstance(value, list): value.clear()\n"
        "    return found"
    )
    step = {"op": "wrap", "input": {"value": [1]}, "keeps_input": True}
    result = only(open_suite(changing, steps=[{**step, "expected": [[1]]}]))
    assert result.reason == "`wrap` changed what it was given"
    assert result.reproduce == "pytest mender/own/it"


def test_what_is_too_long_for_a_line_is_shown_by_pytest(open_suite: Open) -> None:
    step = {**WRONG, "input": {"text": {"$repeat": "x", "times": 10_000}}}
    options = ("--adapter=own:Subject",)
    result = only(open_suite(steps=[step], reproduce_options=options))
    assert result.reproduce == "pytest mender/own/it --adapter=own:Subject"


# --- scenarios and properties


def test_a_scenario_is_carried_out_as_steps(open_suite: Open) -> None:
    result = only(open_suite(kind="scenario"))
    assert result.verdict is Verdict.PASSED


def test_a_scenario_of_an_empty_shell_is_not_testable(open_suite: Open) -> None:
    shell = f"for op in {OPS!r}: locals()[op] = lambda self, *one, **more: None"
    assert only(open_suite(shell, kind="scenario")).verdict is Verdict.NOT_TESTABLE


@pytest.mark.usefixtures("unhurried")
def test_a_property_is_fuzzed(open_suite: Open) -> None:
    result = only(open_suite(kind="fuzz", needs={"ops": ["mend"]}, fuzz=3))
    assert result.verdict is Verdict.PASSED
    assert result.evidence["examples"] == 3
    assert result.evidence["frames"] >= 3


@pytest.mark.usefixtures("unhurried")
def test_a_property_that_fails_keeps_the_step_alone(open_suite: Open) -> None:
    wrong = "def mend(self, text): return text + '}' * (1 + text.count('b'))"
    result = only(open_suite(wrong, kind="fuzz", needs={"ops": ["mend"]}, fuzz=50))
    assert result.verdict is Verdict.FAILED
    (step,) = result.evidence["steps"]
    assert step["input"] == {"text": "b"}


# --- the subject


def test_a_mender_with_all_ops_is_at_full_level(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT])
    only(suite)
    facts = suite.facts()
    assert (facts.level, facts.starts) == ("full", 1)
    assert facts.latency_ms > 0


def test_a_mender_that_nothing_is_known_of_is_at_wire_level(open_suite: Open) -> None:
    assert open_suite().facts().level == "wire"
    assert open_suite().facts().starts == 0


def test_a_mender_that_does_nothing_is_at_wire_level(open_suite: Open) -> None:
    shell = f"for op in {OPS!r}: locals()[op] = lambda self, *one, **more: None"
    suite = open_suite(shell, steps=[RIGHT])
    only(suite)
    assert suite.facts().level == "wire"


def test_the_end_brings_no_further_results(open_suite: Open) -> None:
    suite = open_suite(steps=[RIGHT])
    only(suite)
    assert suite.finish() == []
