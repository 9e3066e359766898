"""What is left of an example that fails: a step, and what it rests on."""

from __future__ import annotations

from typing import Any

from wireproof.operations._fuzz import _with_its_source

SAVES = {"op": "convert", "expected": [{"$save": "one", "match": {"$type": "object"}}]}
OTHER = {"op": "convert", "expected": [{"$save": "two"}]}
USES = {"op": "convert", "input": {"calls": [{"$use": "one"}]}}


def test_a_step_keeps_the_steps_that_save_what_it_uses() -> None:
    steps: list[dict[str, Any]] = [OTHER, SAVES, OTHER, USES]
    assert _with_its_source(steps, 3) == [SAVES, USES]


def test_a_step_that_uses_nothing_stands_alone() -> None:
    assert _with_its_source([SAVES, OTHER, USES], 1) == [OTHER]
