"""Examples whose tools have names of their own: a registry may keep those of others."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof.fuzzing import Step

NAME: Final = "fuzz_"
"""Stands in the names of the tools of an example; its prefix takes this one's place."""


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """Steps with tools of their own.

    Attributes:
        drawn: The steps, with the names of tools as they were drawn.
    """

    drawn: Sequence[dict[str, Any]]

    def steps(self, prefix: str) -> list[Step]:
        """Return the steps of a vector, with names of tools that begin with a text."""
        own = f"{prefix.replace('-', '_')}_"
        steps: list[Step] = json.loads(json.dumps(self.drawn).replace(NAME, own))
        return steps


def tool(name: str, *steps: Step, **more: Any) -> Step:
    """Return a tool as data."""
    schema = {"type": "object"}
    facts = {"name": name, "description": "A tool.", "schema": schema}
    return {**facts, **more, "steps": list(steps)}


def returning(value: Any, **more: Any) -> Step:
    """Return the step that returns a success."""
    return {"return": {"$literal": {"ok": True, "value": value, **more}}}


def registered(*tools: Step) -> Step:
    """Return the step that registers tools."""
    names = [one["name"] for one in tools]
    return {
        "op": "register",
        "input": {"tools": list(tools)},
        "expected": {"registered": names},
    }


def call(index: int, name: str, args: Any = None) -> Step:
    """Return a call."""
    given = {} if args is None else {"$literal": args}
    return {"toolCallId": f"call-{index}", "name": name, "args": given}


def executed(calls: Sequence[Step], results: Sequence[Any], **more: Any) -> Step:
    """Return the step that carries out calls."""
    return {
        "op": "execute_parallel",
        "input": {"calls": list(calls), **more},
        "expected": {"results": list(results)},
    }
