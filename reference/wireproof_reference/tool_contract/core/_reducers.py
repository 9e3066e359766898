"""Reducers: for each tool at most one function that shortens its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from wireproof_reference.tool_contract.core._results import (
    MalformedResult,
    Success,
    ToolResult,
    read_result,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON


@dataclass(frozen=True, slots=True)
class ReducerContext:
    """What a reducer is told of the call (TOOL-D5).

    Attributes:
        args: The arguments of the call.
        turn_count: The number of the turn, counted from 1.
    """

    args: JSON
    turn_count: int


class Reducer(Protocol):
    """Shortens the results of one tool."""

    @property
    def tool_name(self) -> str:
        """The exact name of the tool."""
        ...

    def reduce(self, result: ToolResult, context: ReducerContext) -> object:
        """Give the result that takes this one's place."""
        ...


class ReducerTaken(ValueError):
    """The tool has a reducer already (TOOL-D3)."""


class ReducerRegistry:
    """The reducers of a registry."""

    def __init__(self) -> None:
        self._by_tool: dict[str, Reducer] = {}

    def register(self, reducer: Reducer) -> Callable[[], None]:
        """Add a reducer.

        Returns:
            What removes it again, and nothing else, however often it is called
            (TOOL-D4).

        Raises:
            ReducerTaken: If the tool has one; that one stays.
        """
        name = reducer.tool_name
        if name in self._by_tool:
            raise ReducerTaken(f"{name} has a reducer; remove that one first")
        self._by_tool[name] = reducer

        def remove() -> None:
            if self._by_tool.get(name) is reducer:
                del self._by_tool[name]

        return remove

    def get(self, tool_name: str) -> Reducer | None:
        """The reducer of a tool, if it has one (TOOL-D7)."""
        return self._by_tool.get(tool_name)

    def reduced(
        self, tool_name: str, result: ToolResult, context: ReducerContext
    ) -> ToolResult:
        """Let the tool's reducer shorten a success.

        What one raises, or gives that is no result, leaves the original (TOOL-D2, D6).
        """
        reducer = self.get(tool_name)
        if reducer is None or not isinstance(result, Success):
            return result
        try:
            return read_result(reducer.reduce(result, context))
        except MalformedResult:
            return result
        except Exception:  # noqa: BLE001 - it is somebody else's code
            return result
