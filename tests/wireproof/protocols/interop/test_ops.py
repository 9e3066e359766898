from __future__ import annotations

from wireproof.protocols.interop._ops import OPS, PROVIDER_OPS


def test_the_ops_are_those_of_the_bridge() -> None:
    assert OPS == (
        "convert_schemas",
        "inspect_schema",
        "convert_tool_calls",
        "inspect_call",
        "sanitize_tool_call",
        "inspect_result",
        "convert_results",
    )
    assert set(PROVIDER_OPS) == {
        "initialize_request",
        "from_native_messages",
        "finalize",
        "to_native_messages",
    }
