"""A tool as a registry knows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.tool_contract._context import ToolContext


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool.

    Attributes:
        name: Its name, which the model uses; `mcp__<server>__<tool>` for one of MCP.
        description: What the model reads to decide when to call it.
        schema: The JSON Schema of its arguments; the tool itself sees to it that they
            fit (TOOL-X13).
        execute: Carries out a call: arguments and context in, a `ToolResult` out.
        toolset: The label of its group.
        plugin: The plugin that registered it; None for a built-in tool.
        max_result_chars: Characters that a value may have; None for the budget's.
        capabilities: What it needs of the surroundings.
        is_available: Asked whenever the tools are listed, and before each call
            (TOOL-X5); None for always.
        always_include: Whether the filter by names does not concern it.
        output_is_untrusted: Whether an adversary may have written what it gives.
    """

    name: str
    description: str
    schema: JSONObject
    execute: Callable[[JSON, ToolContext], Awaitable[object]]
    toolset: str | None = None
    plugin: str | None = None
    max_result_chars: int | None = None
    capabilities: Mapping[str, JSON] = field(default_factory=dict[str, "JSON"])
    is_available: Callable[[], bool] | None = None
    always_include: bool = False
    output_is_untrusted: bool = False

    def available(self) -> bool:
        """Ask the tool; one that raises is not available."""
        if self.is_available is None:
            return True
        try:
            return bool(self.is_available())
        except Exception:  # noqa: BLE001 - it is the tool's own code
            return False
