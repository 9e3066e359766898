"""The tools that a server offers, and what may be asked of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from wireproof_reference._schemas import ArgumentSchema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.socket_v1._context import CallContext
    from wireproof_reference.socket_v1.core import ToolResult

Capability: TypeAlias = Literal[
    "read-only",
    "writes-files",
    "controls-browser",
    "starts-process",
    "accesses-network",
    "destructive",
]
"""What a tool may do to the world."""

CAPABILITIES: Final[frozenset[str]] = frozenset(get_args(Capability))

NEED_GRANT: Final[frozenset[Capability]] = frozenset(
    ("writes-files", "controls-browser", "starts-process", "destructive")
)
"""A tool with one of these is denied unless it was granted (SOCK-I7)."""


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool that a server offers.

    Attributes:
        name: What it is called by.
        description: A sentence for whoever chooses among tools.
        input_schema: JSON Schema (2020-12) of its arguments.
        run: Takes the arguments, which are valid, and the context of the call; returns
            a raw value or a `ToolResult`.
        capabilities: What it may do to the world.
        timeout_ms: Milliseconds that a call may take, where the call does not say.
    """

    name: str
    description: str
    input_schema: JSONObject
    run: Callable[[JSONObject, CallContext], Awaitable[JSON | ToolResult]]
    capabilities: tuple[Capability, ...] = ()
    timeout_ms: int | None = None

    def descriptor(self) -> JSONObject:
        """The tool as `tools_list` shows it (SOCK-L1)."""
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
            "capabilities": list(self.capabilities),
        }


class ToolRegistry:
    """Tools by their names, and what was granted to them.

    Args:
        tools: The tools.
        grants: Capabilities that need a grant and have it; whoever starts the server
            decides, never a client (SOCK-I4).
        trusted: Whether the input schemas of the tools are known to be JSON Schemas;
            then jsonschema, which is slow to import, waits for the first call.

    Raises:
        ValueError: Two tools have one name, or a capability is not one.
        jsonschema.SchemaError: An input schema is no JSON Schema.
    """

    def __init__(
        self,
        tools: Iterable[ToolDefinition] = (),
        *,
        grants: Iterable[Capability] = (),
        trusted: bool = False,
    ) -> None:
        self._trusted = trusted
        self._tools: dict[str, ToolDefinition] = {}
        self._schemas: dict[str, ArgumentSchema] = {}
        self._grants = frozenset(grants)
        _check_capabilities("the grants", self._grants)
        for tool in tools:
            self.add(tool)

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The tools, in the order in which they were added."""
        return tuple(self._tools.values())

    def add(self, tool: ToolDefinition) -> None:
        """Offer one more tool; raises as the class does."""
        if tool.name in self._tools:
            raise ValueError(f"there is a tool {tool.name!r} already")
        _check_capabilities(f"the tool {tool.name!r}", tool.capabilities)
        if not self._trusted:
            ArgumentSchema(tool.input_schema).check()
        self._tools[tool.name] = tool

    def find(self, name: str) -> ToolDefinition | None:
        """The tool of that name, or None."""
        return self._tools.get(name)

    def argument_flaw(self, tool: ToolDefinition, arguments: JSONObject) -> str | None:
        """What is wrong with arguments, or None.

        It names the place and the rule and never quotes a value, which may be secret.
        """
        schema = self._schemas.get(tool.name)
        if schema is None:
            schema = self._schemas[tool.name] = ArgumentSchema(tool.input_schema)
        return schema.flaw(arguments)

    def missing_grants(self, tool: ToolDefinition) -> tuple[Capability, ...]:
        """The capabilities that a tool has and nobody granted, sorted."""
        return tuple(sorted(NEED_GRANT.intersection(tool.capabilities) - self._grants))


def _check_capabilities(owner: str, capabilities: Iterable[str]) -> None:
    unknown = sorted(set(capabilities) - CAPABILITIES)
    if unknown:
        raise ValueError(f"{owner} must not have the capabilities {unknown}")
