"""A call that takes three seconds, on a host of its own beside the other checks.

A host with a time limit of its own may give up such a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TOOL = "conformance_sleep"

_MILLISECONDS = 3_000

_ID = "three-seconds"

LONG_CALL = "host-v1/scenarios/three-seconds"
"""The id of the check."""

LONG_CALL_STEPS: Sequence[Mapping[str, Any]] = (
    {
        "send": {
            "v": 1,
            "id": _ID,
            "method": "execute_tool",
            "params": {
                "tool_name": _TOOL,
                "arguments": {"ms": _MILLISECONDS},
                "state": {"$use": "state"},
            },
        }
    },
    {"expect": {"id": _ID}},
)
"""The call and its response, whatever that is: a host may have a limit."""
