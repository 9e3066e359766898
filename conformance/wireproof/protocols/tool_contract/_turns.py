"""Writes turns as steps of a vector, with the tools that are called in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wireproof.protocols.tool_contract._acts import CALLED, Kind, tool_of

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

Step = dict[str, Any]
Pattern = dict[str, Any]

FIRST_TURN: Final = 101


class Turns:
    """The turns of a sequence, and what is done between them.

    Attributes:
        prefix: Begins the names of the tools.
        steps: The steps so far, but for the tools.
        tools: The tools so far, by the kinds that they are called for.
        turn: The number of the next turn.
    """

    def __init__(self, prefix: str) -> None:
        """Begin with nothing."""
        self.prefix = prefix.replace("-", "_")
        self.steps: list[Step] = []
        self.tools: dict[Kind, Pattern] = {}
        self.turn = FIRST_TURN

    def name_of(self, kind: Kind) -> str:
        """Return the name of the tool that a kind calls."""
        tool = CALLED[kind]
        if tool not in self.tools:
            name = f"{self.prefix}_{tool.replace('-', '_')}"
            self.tools[tool] = tool_of(tool, name)
        name = self.tools[tool]["name"]
        return str(name)

    def call(self, kind: Kind, place: int = 0) -> Pattern:
        """Return a call, at a place of its batch."""
        unknown = f"{self.prefix}_no_such_tool"
        name = unknown if kind is Kind.UNKNOWN else self.name_of(kind)
        return {"toolCallId": f"t{self.turn}-{place}", "name": name, "args": {}}

    def execute(
        self,
        calls: Many[Pattern],
        results: Many[Pattern],
        clause: str,
        context: Pattern | None = None,
        more: Pattern | None = None,
        **expected: Any,
    ) -> Step:
        """Add a turn.

        Args:
            calls: The calls.
            results: Patterns of their results.
            clause: What the turn is charged to.
            context: What else the tools are told.
            more: What else is asked.
            expected: Patterns of what comes beside the results.
        """
        told = {**self.told(), **(context or {})}
        step: Step = {
            "op": "execute_parallel",
            "input": {"calls": list(calls), "context": told, **(more or {})},
            "expected": {"results": list(results), **expected},
            "clause": clause,
        }
        self.steps.append(step)
        self.turn += 1
        return step

    def alone(
        self, kind: Kind, clause: str, result: Pattern, context: Pattern | None = None
    ) -> Step:
        """Add a turn with one call."""
        call = self.call(kind)
        wanted = {"toolCallId": call["toolCallId"], "result": result}
        return self.execute([call], [wanted], clause, context)

    def told(self) -> Pattern:
        """Return what each turn is told that tells it from others."""
        turn = self.turn
        return {"currentTurn": turn, "messageCount": 2 * turn, "sessionId": f"s-{turn}"}

    def of_turn(self) -> Pattern:
        """Return the result of a tool that says what it was told."""
        return {"ok": True, "value": {"$json_text": self.told()}}
