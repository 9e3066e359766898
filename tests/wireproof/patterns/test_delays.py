"""How long steps ask tools to wait."""

from __future__ import annotations

from typing import Any

from wireproof.patterns import delay_of


def sleeping(ms: int, **more: Any) -> dict[str, Any]:
    return {"toolName": "conformance_sleep", "arguments": {"ms": ms}, **more}


def test_what_is_awaited_takes_as_long_as_all_that_is_sent_alone() -> None:
    steps: list[dict[str, Any]] = [
        {"send": sleeping(80)},
        {"send": sleeping(20), "waits": False},
    ]
    assert delay_of(steps) == 0.08
