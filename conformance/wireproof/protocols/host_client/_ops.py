"""The ops of host-client."""

from __future__ import annotations

OPS = (
    "start",
    "request",
    "execute",
    "request_many",
    "execute_many",
    "format_result",
    "state",
)
"""The ops that a client at full level offers, beside ``close``."""
