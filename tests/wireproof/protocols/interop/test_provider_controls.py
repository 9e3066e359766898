"""The controls of the ops of interop, and the format of a provider."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wireproof.protocols.interop._ops import OPS, PROVIDER_OPS
from wireproof.protocols.interop._provider_controls import ProviderControls
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

PROVIDER_SETUP: Any = {
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


def started(suite: InteropSuite) -> InteropSuite:
    suite.bridge.begin()
    suite.bridge.ensure_up()
    return suite


def provider(suite: InteropSuite) -> ProviderControls:
    controls = PROVIDER_SETUP["controls"]
    return ProviderControls(started(suite).bridge, controls, suite.conduct)


@pytest.mark.parametrize("op", OPS)
def test_there_are_three_controls_or_more_of_each_op(op: str) -> None:
    assert len(SETUP["controls"][op]) >= 3


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
    assert started(open_suite()).control_missing(op) == ""


@pytest.mark.parametrize("given", ["[]", "{}", "None", "''", "'{}'", "[{}]", "True"])
@pytest.mark.parametrize("op", OPS)
def test_one_value_for_all_is_no_control(open_suite: Open, op: str, given: str) -> None:
    suite = open_suite(f"def {op}(self, *arguments, **more): return {given}")
    missing = started(suite).control_missing(op)
    assert isinstance(missing, str)
    assert missing.startswith(f"no plain {op} came out right: in what {op} gave, ")


@pytest.mark.parametrize("op", OPS)
def test_what_was_given_is_no_control(open_suite: Open, op: str) -> None:
    suite = open_suite(f"def {op}(self, one, *others, **more): return one")
    missing = started(suite).control_missing(op)
    assert isinstance(missing, str)
    assert missing.startswith(f"no plain {op} came out right: ")


# --- providers


def test_the_format_of_a_provider_is_that_of_the_control_that_comes_out_right(
    open_suite: Open,
) -> None:
    found = provider(open_suite(PROVIDER))
    assert found.format(frozenset({"finalize", "from_native_messages"})) == RESPONSES
    assert found.missing("finalize") == ""


def test_only_ops_that_are_offered_are_tried(open_suite: Open) -> None:
    suite = open_suite(PROVIDER)
    assert provider(suite).format(frozenset()) == ""
    assert suite.bridge.sent == []


def test_a_provider_that_does_nothing_has_no_format(open_suite: Open) -> None:
    found = provider(open_suite(PROVIDER))
    assert found.format(frozenset({"from_native_messages"})) == ""
    assert found.missing("from_native_messages") == (
        "no plain op of a provider came out right, in either format"
    )


def test_the_format_of_a_provider_is_found_out_once(open_suite: Open) -> None:
    suite = open_suite(PROVIDER)
    found = provider(suite)
    found.format(frozenset({"finalize"}))
    asked = len(suite.bridge.sent)
    found.format(frozenset({"finalize"}))
    assert len(suite.bridge.sent) == asked


def test_an_op_that_kills_the_driver_does_not_hide_the_format(
    open_suite: Open,
) -> None:
    dying = "def to_native_messages(self, messages):\n    import os; os._exit(1)"
    found = provider(open_suite(PROVIDER + dying))
    assert found.format(frozenset(PROVIDER_OPS)) == RESPONSES


def test_a_driver_that_dies_of_each_op_is_told(open_suite: Open) -> None:
    dying = "def finalize(self, **more):\n    import os; os._exit(1)"
    found = provider(open_suite(PROVIDER + dying))
    assert found.format(frozenset({"finalize"})) == DriverFault(
        "died", "the driver ended with status 1 at finalize"
    )
