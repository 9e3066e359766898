"""How long steps ask tools to wait."""

from __future__ import annotations

from typing import Any

from wireproof.patterns import delay_of, longest_delay


def sleeping(ms: int, **more: Any) -> dict[str, Any]:
    return {"toolName": "conformance_sleep", "arguments": {"ms": ms}, **more}


def test_the_longest_wait_is_that_of_one_message() -> None:
    steps: list[dict[str, Any]] = [
        {"send": sleeping(80)},
        {"send_many": [sleeping(50), sleeping(120, timeoutMs=90)]},
        {"expect": {}},
    ]
    assert longest_delay(steps) == 0.09
    assert longest_delay([{"expect": {}}]) == 0.0


def test_what_is_awaited_takes_as_long_as_all_that_is_sent_alone() -> None:
    steps: list[dict[str, Any]] = [
        {"send": sleeping(80)},
        {"send": sleeping(20), "waits": False},
    ]
    assert delay_of(steps) == 0.08
