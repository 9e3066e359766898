"""What is watched on every frame of a server."""

from __future__ import annotations

MONITORED = (
    "SOCK-F1",
    "SOCK-M1",
    "SOCK-M4",
    "SOCK-L1",
    "SOCK-C1",
    "SOCK-C2",
    "SOCK-C3",
    "SOCK-C14",
    "SOCK-E1",
)
"""Clauses that are checked on every frame and so have a result of their own."""

FENCED_CLAUSES = frozenset(
    {
        *("SOCK-F4", "SOCK-F5", "SOCK-F7", "SOCK-M2", "SOCK-M5", "SOCK-M8"),
        *("SOCK-C1", "SOCK-C2", "SOCK-C6", "SOCK-C10", "SOCK-C12", "SOCK-C13"),
        *("SOCK-E2", "SOCK-X1", "SOCK-X2", "SOCK-X3", "SOCK-X4", "SOCK-X8"),
        *("SOCK-I4", "SOCK-I7", "SOCK-A1", "SOCK-A2", "SOCK-A3"),
    }
)
"""Clauses of what must not come or not happen: their checks keep their fences."""

NEEDS_SEEN = {
    "SOCK-L1": "tools_list",
    "SOCK-C1": "tool_result",
    "SOCK-C2": "tool_result",
    "SOCK-C3": "tool_result",
    "SOCK-C14": "tool_result",
    "SOCK-E1": "tool_event",
}
"""Monitored clauses that hold of some frames only, and of which."""
