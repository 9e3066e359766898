"""Time that grows as the text does, and time that grows as its square."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.wireproof.protocols.interop.conftest import DRIVER

from wireproof.checks import Check, Result, Verdict
from wireproof.protocols.interop._growth import KINDS, TRIED, measure_growth
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.run import EngineSuite

Open = Callable[..., EngineSuite]

# Takes the square of the number of brackets, whatever the machine's speed.
QUADRATIC = """
def sanitize_tool_call(self, call):
    text = call["function"]["arguments"]
    found = super().sanitize_tool_call(call)
    if isinstance(text, str):
        for _ in range(text.count("[") // 80):
            text.count("[")
    return found
"""
# Copies what is left of a text at each of its blocks: nothing at the length of others.
LATE = """
def sanitize_tool_call(self, call):
    text = call["function"]["arguments"]
    found = super().sanitize_tool_call(call)
    if isinstance(text, str):
        for start in range(0, len(text), 8_192):
            text[start:].count("[")
    return found
"""
# Takes its time for any call, as a driver does that reads long lines piece by piece.
READS_SLOWLY = """
def sanitize_tool_call(self, call):
    text = str(call)
    for _ in range(text.count("[") // 80):
        text.count("[")
    return super().sanitize_tool_call(call)
"""
DIES = """
def sanitize_tool_call(self, call):
    if len(str(call)) > 50_000:
        import os; os._exit(6)
    return super().sanitize_tool_call(call)
"""


def growth() -> Check:
    fuzzed = PROTOCOL.properties("fuzz")
    (check,) = (one for one in fuzzed if one.name == "sanitise-growth")
    return check


def run(open_suite: Open, methods: str = "", **options: Any) -> Result:
    suite = open_suite(methods, checks=[growth()], **options)
    return suite.run(suite.checks[0])


def test_linear_time_passes_with_its_ratios(open_suite: Open) -> None:
    result = run(open_suite)
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")
    assert set(result.evidence["ratios"]) == set(KINDS)
    assert max(result.evidence["ratios"].values()) <= 24


def test_quadratic_time_fails_and_says_of_which_texts(open_suite: Open) -> None:
    result = run(open_suite, QUADRATIC)
    assert result.verdict is Verdict.WARNED
    assert result.reason.startswith("8 times the text takes ")
    (difference,) = result.differences
    # It counts the brackets of both: which is told is a matter of the machine.
    assert difference.where in {"arrays, not closed", "arrays, closed"}
    assert result.reason.endswith(f" times as long: {difference.where}")
    assert result.evidence["ratios"][difference.where] > 24


def test_the_time_in_which_a_driver_reads_a_line_is_no_time_of_sanitising(
    open_suite: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The other texts have no bracket that it would read slowly.
    monkeypatch.setattr(f"{measure_growth.__module__}.TRIED", TRIED[:1])
    result = run(open_suite, READS_SLOWLY, command=DRIVER)
    assert (result.verdict, result.reason) == (Verdict.PASSED, "")


@pytest.mark.sweep
def test_quadratic_time_that_shows_in_mebibytes_fails(open_suite: Open) -> None:
    result = run(open_suite, LATE)
    assert result.verdict is Verdict.WARNED
    assert result.reason.endswith(" times as long: a string, not closed")


def test_a_registry_that_dies_of_a_long_text_fails(open_suite: Open) -> None:
    result = run(open_suite, DIES)
    assert (result.verdict, result.reason) == (
        Verdict.WARNED,
        "the subject exited with status 6 and did not answer `sanitize_tool_call`",
    )


def test_a_driver_that_dies_of_a_long_text_fails_too(open_suite: Open) -> None:
    result = run(open_suite, DIES, command=DRIVER)
    assert result.verdict is Verdict.WARNED
    assert result.reproduce == "pytest interop/fuzz/sanitise-growth"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("arrays, not closed", '{"a":[[[[[[[['),
        ("arrays, closed", '{"a":[[[[[[[[]]]]]]]]}'),
        ("objects, not closed", '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":'),
        ("objects, closed", '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}}'),
        ("a string, not closed", '{"a":"\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\'),
        ("escaped quotes", '{"a":"\\"\\"\\"\\"\\"\\"\\"\\""}'),
        ("many keys", '{"k0":1}'),
        ("backslashes and quotes, not closed", '{"a":"\\"\\"\\"\\"\\"\\"\\"\\"'),
        ("white space", "{        "),
    ],
)
def test_a_text_is_of_its_kind(kind: str, text: str) -> None:
    assert KINDS[kind](8) == text
