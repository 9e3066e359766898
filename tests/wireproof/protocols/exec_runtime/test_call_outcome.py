from __future__ import annotations

from typing import Any

import pytest

from wireproof.protocols.exec_runtime._call_outcome import look_at_call

NO_MENTIONS: dict[str, Any] = {"error": {"mentions": []}}

GOOD: list[tuple[dict[str, Any], Any]] = [
    ({"expected": {"$equals": None}}, {"result": None}),
    ({"expected": {"$equals": None}}, {"result": None, "error": None}),
    (NO_MENTIONS, {"error": "no luck"}),
    ({"error": {"mentions": ["luck"]}}, {"error": {"type": "E", "detail": "no luck"}}),
    ({"error": {"mentions": [["400", "0.4"]]}}, {"error": "late: 0.4 s"}),
    (NO_MENTIONS, {"error": "no luck", "result": None}),
    ({"expected": 1, **NO_MENTIONS}, {"result": 1}),
    ({"expected": 1, **NO_MENTIONS}, {"error": ["no", "luck"]}),
    ({"error": {"mentions": [], "wordless": True}}, {"error": ""}),
    ({"record": {}}, {"error": "no luck"}),
]


@pytest.mark.parametrize(("step", "value"), GOOD)
def test_an_outcome_that_is_expected_is_no_difference(
    step: dict[str, Any], value: Any
) -> None:
    assert look_at_call(step, value) is None


WORDLESS = {"error": {"mentions": [], "wordless": True}}

BAD: list[tuple[dict[str, Any], Any, str, bool]] = [
    ({"expected": 1}, {"result": 2}, "call-differs", False),
    ({"expected": 1}, {"error": "no luck"}, "call-failed", True),
    ({"expected": 1}, {"error": " "}, "call-wordless", True),
    (NO_MENTIONS, {"result": 1}, "call-with-a-result", False),
    (NO_MENTIONS, {"error": " "}, "call-wordless", False),
    (NO_MENTIONS, {"error": None}, "call-wordless", False),
    (WORDLESS, {"result": ""}, "call-with-a-result", False),
    ({"error": {"mentions": ["x"]}}, {"error": "no"}, "call-error-lacks", False),
    ({"expected": 1}, {}, "call-unclear", False),
    ({"expected": 1}, None, "call-unclear", False),
    ({"expected": 1, **NO_MENTIONS}, {"result": 2}, "call-differs", False),
]


@pytest.mark.parametrize(("step", "value", "kind", "of_pace"), BAD)
def test_an_outcome_that_differs_is_told_and_a_failure_may_be_one_of_pace(
    step: dict[str, Any], value: Any, kind: str, *, of_pace: bool
) -> None:
    found = look_at_call(step, value)
    assert found is not None
    assert (found.kind, found.of_pace) == (kind, of_pace)
