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

NEEDS_SEEN = {
    "SOCK-L1": "tools_list",
    "SOCK-C1": "tool_result",
    "SOCK-C2": "tool_result",
    "SOCK-C3": "tool_result",
    "SOCK-C14": "tool_result",
    "SOCK-E1": "tool_event",
}
"""Monitored clauses that hold of some frames only, and of which."""
