"""What an exec tool answers with in either mode: an object with result or error.

A null beside the other of the two counts as absent: languages with fixed records write
it so.
"""

from __future__ import annotations

from typing import Any

KEYS = frozenset({"result", "error"})
"""Of these an answer has one."""


def null_companion(value: dict[str, Any]) -> str:
    """Return the key that is null beside its partner, or ""."""
    kept = plain(value)
    return next((key for key in KEYS & value.keys() if key not in kept), "")


def plain(value: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the null that counts as absent."""
    error, result = value.get("error"), value.get("result")
    if error is None and "error" in value and "result" in value:
        return {key: one for key, one in value.items() if key != "error"}
    if error is not None and result is None and "result" in value:
        return {key: one for key, one in value.items() if key != "result"}
    return value
