"""What does nothing proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wireproof.protocols.interop._controls import Controls
from wireproof.protocols.interop._opening import OPS, PROVIDER_OPS
from wireproof.protocols.interop._suite import InteropSuite
from wireproof.subjects import DriverFault
from wireproof_vectors import load_setup

Open = Callable[..., InteropSuite]

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"

SETUP: Any = load_setup("interop")

# Answers each control of an op of the provider that the variable names.
PROVIDER = """
describe = None
def to_native_messages(self, messages):
    raise ValueError("not here")
def from_native_messages(self, native_messages):
    return native_messages
def finalize(self, final_messages, native_messages, state):
    return state["right"]
"""

PROVIDER_SETUP = {
    "controls": {
        "to_native_messages": {CHAT: [{"input": {"messages": []}, "expected": 1}]},
        "from_native_messages": {
            CHAT: [{"input": {"native_messages": []}, "expected": 1}]
        },
        "initialize_request": {},
        "finalize": {
            name: [
                {
                    "input": {
                        "final_messages": [],
                        "native_messages": [],
                        "state": {"right": name},
                    },
                    "expected": RESPONSES,
                }
            ]
            for name in (CHAT, RESPONSES)
        },
    }
}


def controls(suite: InteropSuite, setup: Any = SETUP) -> Controls:
    suite.bridge.begin()
    suite.bridge.ensure_up()
    return Controls(suite.bridge, setup)


@pytest.mark.parametrize("op", OPS)
def test_there_are_three_controls_of_each_op(op: str) -> None:
    assert len(SETUP["controls"][op]) == 3


@pytest.mark.parametrize("op", PROVIDER_OPS)
@pytest.mark.parametrize("provider", [CHAT, RESPONSES])
def test_there_are_controls_of_each_op_for_each_provider(
    op: str, provider: str
) -> None:
    assert len(SETUP["controls"][op][provider]) == 3


@pytest.mark.parametrize("op", OPS)
def test_the_reference_does_what_each_control_asks_for(
    open_suite: Open, op: str
) -> None:
    assert controls(open_suite()).missing(op, "") == ""


@pytest.mark.parametrize("given", ["[]", "{}", "None", "''", "'{}'", "[{}]", "True"])
@pytest.mark.parametrize("op", OPS)
def test_one_value_for_all_is_no_control(open_suite: Open, op: str, given: str) -> None:
    suite = open_suite(f"def {op}(self, *arguments, **more): return {given}")
    missing = controls(suite).missing(op, "")
    assert isinstance(missing, str)
    assert missing.startswith(f"no plain {op} came out right: what {op} gave ")


@pytest.mark.parametrize("op", OPS)
def test_what_was_given_is_no_control(open_suite: Open, op: str) -> None:
    suite = open_suite(f"def {op}(self, one, *others, **more): return one")
    missing = controls(suite).missing(op, "")
    assert isinstance(missing, str)
    assert missing.startswith(f"no plain {op} came out right: ")


def test_a_refusal_of_everything_is_no_control(open_suite: Open) -> None:
    suite = open_suite("def sanitize_tool_call(self, call): raise ValueError('no')")
    assert controls(suite).missing("sanitize_tool_call", "") == (
        "no plain sanitize_tool_call came out right: "
        "sanitize_tool_call refused: ValueError: no"
    )


def test_one_that_is_right_is_enough(open_suite: Open) -> None:
    setup = {
        "controls": {
            "sanitize_tool_call": [
                {"input": {"call": {"type": "x"}}, "expected": {"type": "y"}},
                {"input": {"call": {"type": "x"}}, "expected": {"type": "x"}},
            ]
        }
    }
    assert controls(open_suite(), setup).missing("sanitize_tool_call", "") == ""


def test_what_is_known_is_not_asked_again(open_suite: Open) -> None:
    suite = open_suite()
    found = controls(suite)
    found.missing("sanitize_tool_call", "")
    asked = len(suite.bridge.sent)
    found.missing("sanitize_tool_call", CHAT)
    assert len(suite.bridge.sent) == asked


def test_an_op_without_a_control_is_told(open_suite: Open) -> None:
    found = controls(open_suite(), {"controls": {}})
    assert found.missing("sanitize_tool_call", "") == "no control of sanitize_tool_call"


def test_a_driver_that_dies_once_gets_another_chance(open_suite: Open) -> None:
    suite = open_suite(
        "def sanitize_tool_call(self, call):\n"
        "    import os\n"
        "    if not os.path.exists('died'):\n"
        "        open('died', 'w').close()\n"
        "        os._exit(1)\n"
        "    return super().sanitize_tool_call(call)"
    )
    found = controls(suite)
    assert found.missing("sanitize_tool_call", "") == ""


def test_a_driver_that_always_dies_is_told(open_suite: Open) -> None:
    suite = open_suite(
        "def sanitize_tool_call(self, call):\n    import os\n    os._exit(1)"
    )
    found = controls(suite).missing("sanitize_tool_call", "")
    assert isinstance(found, DriverFault)
    assert found.text == "the driver ended with status 1 at sanitize_tool_call"


def test_a_registry_of_which_one_op_is_right_is_alive(open_suite: Open) -> None:
    found = controls(open_suite("def inspect_call(self, call): return call"))
    assert found.alive(frozenset({"inspect_call", "inspect_schema"}))


def test_a_registry_of_which_no_op_is_right_is_not_alive(open_suite: Open) -> None:
    found = controls(open_suite("def inspect_call(self, call): return call"))
    assert not found.alive(frozenset({"inspect_call"}))
    assert not found.alive(frozenset())


# --- providers


def test_the_format_of_a_provider_is_that_of_the_control_that_comes_out_right(
    open_suite: Open,
) -> None:
    found = controls(open_suite(PROVIDER), PROVIDER_SETUP)
    assert found.provider(frozenset({"finalize", "from_native_messages"})) == RESPONSES
    assert found.missing("finalize", RESPONSES) == ""


def test_only_ops_that_are_offered_are_tried(open_suite: Open) -> None:
    suite = open_suite(PROVIDER)
    assert controls(suite, PROVIDER_SETUP).provider(frozenset()) == ""
    assert suite.bridge.sent == []


def test_a_provider_that_does_nothing_has_no_format(open_suite: Open) -> None:
    found = controls(open_suite(PROVIDER), PROVIDER_SETUP)
    assert found.provider(frozenset({"from_native_messages"})) == ""
    assert found.missing("from_native_messages", "") == (
        "no plain op of a provider came out right, in either format"
    )


def test_the_format_of_a_provider_is_found_out_once(open_suite: Open) -> None:
    suite = open_suite(PROVIDER)
    found = controls(suite, PROVIDER_SETUP)
    found.provider(frozenset({"finalize"}))
    asked = len(suite.bridge.sent)
    found.provider(frozenset({"finalize"}))
    assert len(suite.bridge.sent) == asked


def test_an_op_that_kills_the_driver_does_not_hide_the_format(
    open_suite: Open,
) -> None:
    dying = "def to_native_messages(self, messages):\n    import os; os._exit(1)"
    found = controls(open_suite(PROVIDER + dying), PROVIDER_SETUP)
    assert found.provider(frozenset(PROVIDER_OPS)) == RESPONSES


def test_a_driver_that_dies_of_each_op_is_told(open_suite: Open) -> None:
    dying = "def finalize(self, **more):\n    import os; os._exit(1)"
    found = controls(open_suite(PROVIDER + dying), PROVIDER_SETUP)
    assert found.provider(frozenset({"finalize"})) == DriverFault(
        "died", "the driver ended with status 1 at finalize"
    )
