from __future__ import annotations

from wireproof.protocols.interop._sanitise_plans import sanitising


def test_a_step_passes_the_call_as_it_is() -> None:
    step = sanitising({"$use": 1}, {"a": 1}, save="x")
    assert step == {
        "op": "sanitize_tool_call",
        "input": {"call": {"$literal": {"$use": 1}}},
        "expected": {"a": 1},
        "save": "x",
    }
