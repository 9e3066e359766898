"""Servers that take a name in another style for one that they know: SOCK-M5, C6."""

from __future__ import annotations

from tests.proof.socket_v1.subject import MendingServer, broken
from tests.proof.style import snake_case

from wireproof_reference.framing import JSON


class StyleServer(MendingServer):
    """Reads a name in the style that it knows."""

    key: str

    def mend(self, message: dict[str, JSON]) -> dict[str, JSON]:
        name = message.get(self.key)
        return (
            {**message, self.key: snake_case(name)}
            if isinstance(name, str)
            else message
        )


@broken("types-in-any-style", "SOCK-M5", "takes listTools for list_tools")
class TypesInAnyStyle(StyleServer):
    key = "type"


@broken("tools-in-any-style", "SOCK-C6", "takes conformanceEcho for conformance_echo")
class ToolsInAnyStyle(StyleServer):
    key = "toolName"
