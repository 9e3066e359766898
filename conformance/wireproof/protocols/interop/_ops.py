"""The ops of interop."""

from __future__ import annotations

from pathlib import Path

OPS = (
    "convert_schemas",
    "inspect_schema",
    "convert_tool_calls",
    "inspect_call",
    "sanitize_tool_call",
    "inspect_result",
    "convert_results",
)
"""The ops that a registry at full level offers."""

PROVIDER_OPS = (
    "to_native_messages",
    "from_native_messages",
    "initialize_request",
    "finalize",
)
"""The optional ops, the one that best tells a provider's format first."""

ACCUMULATE = "accumulate"
"""The optional op to which the vectors of kind ``stream`` are put."""

INSIDE = Path(__file__).parent / "_inside" / "__init__.py"
"""The package whose ops look at a registry in its own process."""
