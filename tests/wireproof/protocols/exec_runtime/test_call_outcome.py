from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.exec_runtime._call_outcome import judge_call

GOOD: list[tuple[dict[str, Any], Any]] = [
    ({"expected": {"$equals": None}}, {"result": None}),
    ({"expected": {"$equals": None}}, {"result": None, "error": None}),
    ({"error": {"mentions": []}}, {"error": "no luck"}),
    ({"error": {"mentions": ["luck"]}}, {"error": {"type": "E", "detail": "no luck"}}),
    ({"error": {"mentions": [["400", "0.4"]]}}, {"error": "late: 0.4 s"}),
    ({"error": {"mentions": []}}, {"error": "no luck", "result": None}),
    ({"expected": 1, "error": {"mentions": []}}, {"result": 1}),
    ({"expected": 1, "error": {"mentions": []}}, {"error": ["no", "luck"]}),
    ({"error": {"mentions": [], "wordless": True}}, {"error": ""}),
    ({"record": {}}, {"error": "no luck"}),
]


@pytest.mark.parametrize(("step", "value"), GOOD)
def test_an_outcome_that_is_expected_is_no_difference(
    step: dict[str, Any], value: Any
) -> None:
    assert judge_call(step, value) is None


BAD: list[tuple[dict[str, Any], Any, str]] = [
    ({"expected": 1}, {"result": 2}, "in the result of the call"),
    ({"expected": 1}, {"error": "no luck"}, "the call failed: no luck"),
    ({"error": {"mentions": []}}, {"result": 1}, "a result where it has to fail"),
    ({"error": {"mentions": []}}, {"error": " "}, "failed without a reason"),
    ({"error": {"mentions": []}}, {"error": None}, "failed without a reason"),
    ({"error": {"mentions": [], "wordless": True}}, {"result": ""}, "has to fail"),
    ({"error": {"mentions": ["x"]}}, {"error": "no"}, 'the error does not hold "x"'),
    ({"expected": 1}, {}, "neither a result nor an error"),
    ({"expected": 1}, None, "neither a result nor an error"),
    ({"expected": 1, "error": {"mentions": []}}, {"result": 2}, "in the result"),
]


@pytest.mark.parametrize(("step", "value", "text"), BAD)
def test_an_outcome_that_differs_is_told(
    step: dict[str, Any], value: Any, text: str
) -> None:
    found = judge_call(step, value)
    assert found is not None
    assert text in found.text
