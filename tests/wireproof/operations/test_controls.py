"""What does nothing proves nothing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.wireproof.operations.conftest import CONTROLS, Open

from wireproof.operations import Controls
from wireproof.subjects import DriverFault


def controls(suite: Any, by_op: Any = CONTROLS) -> Controls:
    suite.bridge.begin()
    suite.bridge.ensure_up()
    return Controls(suite.bridge, by_op, suite.conduct)


def test_a_subject_that_is_right_has_its_control(open_suite: Open) -> None:
    assert controls(open_suite()).missing("mend") == ""


@pytest.mark.parametrize("given", ["'{}'", "None", "[]", "True"])
def test_one_value_for_all_is_no_control(open_suite: Open, given: str) -> None:
    by_op = {"mend": [{"input": {"text": "<"}, "expected": "<}"}]}
    suite = open_suite(f"def mend(self, text): return {given}")
    missing = controls(suite, by_op).missing("mend")
    assert isinstance(missing, str)
    assert missing.startswith("no plain mend came out right: in what mend gave, ")


def test_what_was_given_is_no_control(open_suite: Open) -> None:
    missing = controls(open_suite("def mend(self, text): return text")).missing("mend")
    assert isinstance(missing, str)
    assert missing.startswith("no plain mend came out right: ")


def test_a_refusal_of_everything_is_no_control(open_suite: Open) -> None:
    suite = open_suite("def mend(self, text): raise ValueError('no')")
    assert controls(suite).missing("mend") == (
        "no plain mend came out right: mend refused: ValueError: no"
    )


def test_one_that_is_right_is_enough(open_suite: Open) -> None:
    by_op = {
        "mend": [
            {"input": {"text": "{"}, "expected": "wrong"},
            {"input": {"text": "{"}, "expected": "{}"},
        ]
    }
    assert controls(open_suite(), by_op).missing("mend") == ""


def test_what_is_known_is_not_asked_again(open_suite: Open) -> None:
    suite = open_suite()
    found = controls(suite)
    found.missing("mend")
    asked = len(suite.bridge.sent)
    found.missing("mend")
    assert len(suite.bridge.sent) == asked


def test_an_op_without_a_control_is_told(open_suite: Open) -> None:
    assert controls(open_suite(), {}).missing("mend") == "no control of mend"


def test_a_driver_that_dies_once_gets_another_chance(open_suite: Open) -> None:
    suite = open_suite(
        "def mend(self, text):\n"
        "    import os\n"
        "    if not os.path.exists('died'):\n"
        "        open('died', 'w').close()\n"
        "        os._exit(1)\n"
        "    return super().mend(text)"
    )
    assert controls(suite).missing("mend") == ""


def test_a_driver_that_always_dies_is_told(open_suite: Open) -> None:
    suite = open_suite("def mend(self, text):\n    import os\n    os._exit(1)")
    assert controls(suite).missing("mend") == DriverFault(
        "died", "the driver ended with status 1 at mend"
    )


def test_a_subject_of_which_one_op_is_right_is_no_empty_shell(open_suite: Open) -> None:
    found = controls(open_suite("def mend(self, text): return text"))
    assert found.any_right(["mend", "wrap"])


def test_a_subject_of_which_no_op_is_right_is_an_empty_shell(open_suite: Open) -> None:
    found = controls(open_suite("def mend(self, text): return text"))
    assert not found.any_right(["mend"])
    assert not found.any_right([])
