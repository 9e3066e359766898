"""Which tools a turn may use: toolset, servers of MCP, and plugins (TOOL-X6, X7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

MCP_PREFIX: Final = "mcp__"


@dataclass(frozen=True, slots=True)
class ToolFilter:
    """What a turn allows; None where it does not filter.

    Attributes:
        tools: Names of the built-in tools.
        mcp_servers: Names of MCP servers, whose tools are `mcp__<server>__<tool>`.
        plugins: Ids of plugins; an empty collection leaves built-in tools only.
    """

    tools: Collection[str] | None = None
    mcp_servers: Collection[str] | None = None
    plugins: Collection[str] | None = None

    def allows(
        self, name: str, *, plugin: str | None = None, always: bool = False
    ) -> bool:
        """Tell whether a tool may be used.

        Args:
            name: The tool's name.
            plugin: The plugin that registered it; None for a built-in tool.
            always: Whether the filter by names does not concern it.
        """
        server = mcp_server_of(name)
        if server is not None and not _passes(self.mcp_servers, server):
            return False
        if plugin is not None and not _passes(self.plugins, plugin):
            return False
        if server is not None or plugin is not None or always:
            return True
        return _passes(self.tools, name)


def mcp_server_of(name: str) -> str | None:
    """The MCP server that a tool's name tells; None for any other tool."""
    if not name.startswith(MCP_PREFIX):
        return None
    server, between, tool = name.removeprefix(MCP_PREFIX).partition("__")
    return server if server and between and tool else None


def _passes(allowed: Collection[str] | None, name: str) -> bool:
    return allowed is None or name in allowed
