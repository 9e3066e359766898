"""Registries that treat tools of plugins, of servers or always included otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.proof.tool_contract.call_faults import filters, may_run, passes
from tests.proof.tool_contract.reducer_faults import reduced, reduces
from tests.proof.tool_contract.subject import Registry, Subject, broken, put, registry

from wireproof_reference.tool_contract import Tool, ToolFilter, ToolResult

model_text = registry._model_text
outcome_of = Registry._outcome

IsKind = Callable[[Tool], bool]


def is_of_server(tool: Tool) -> bool:
    """Whether a tool is one of an MCP server."""
    return tool.name.startswith("mcp__")


def outcomes(change: Callable[[Tool, Any], tuple[Tool, Any]]) -> None:
    """Let `change(tool, context)` be what a call is carried out with."""

    async def outcome(
        self: Any, call: Any, tool: Tool, context: Any, *more: Any
    ) -> Any:
        return await outcome_of(self, call, *change(tool, context), *more)

    Registry._outcome = outcome


def runs_dry(is_kind: IsKind) -> None:
    """Let a kind of tools run in a dry run."""
    outcomes(
        lambda tool, context: (
            tool,
            replace(context, dry_run=context.dry_run and not is_kind(tool)),
        )
    )


@broken(
    "servers-run-in-dry-runs",
    "TOOL-X8",
    "runs tools of servers under dryRun",
    shown_by="tool-contract/dry-run/every-kind-of-tool",
)
def _servers_run(subject: Subject) -> None:
    runs_dry(is_of_server)


@broken(
    "always-run-in-dry-runs",
    "TOOL-X8",
    "runs tools that are always included under dryRun",
    shown_by="tool-contract/dry-run/every-kind-of-tool",
)
def _always_run(subject: Subject) -> None:
    runs_dry(lambda tool: tool.always_include)


@broken(
    "own-caps-of-servers-ignored",
    "TOOL-B2",
    "ignores own caps of tools of servers",
    shown_by="tool-contract/budget/own-cap-of-every-kind",
)
def _own_caps(subject: Subject) -> None:
    def change(tool: Tool, context: Any) -> tuple[Tool, Any]:
        own = None if is_of_server(tool) else tool.max_result_chars
        return replace(tool, max_result_chars=own), context

    outcomes(change)


@broken(
    "untrusted-is-not-reduced",
    "TOOL-D1",
    "does not reduce untrusted output",
    shown_by="tool-contract/reducers/every-kind-of-tool",
)
def _not_reduced(subject: Subject) -> None:
    def reduce(self: Any, name: str, result: ToolResult, about: Any) -> Any:
        tool = subject._registry._tools[name]
        if tool.output_is_untrusted:
            return result
        return reduced(self, name, result, about)

    reduces(reduce)


@broken(
    "servers-are-not-wrapped",
    "TOOL-U1",
    "does not wrap the output of untrusted tools of servers",
    shown_by="tool-contract/untrusted/wrapped-of-every-kind",
)
def _not_wrapped(subject: Subject) -> None:
    def text(tool: Tool, result: ToolResult) -> Any:
        untrusted = tool.output_is_untrusted and not is_of_server(tool)
        return model_text(replace(tool, output_is_untrusted=untrusted), result)

    put("_model_text", text)


@broken(
    "plugins-are-wrapped",
    "TOOL-U5",
    "wraps the output of all tools of plugins",
    shown_by="tool-contract/untrusted/trusted-of-every-kind",
)
def _wrapped(subject: Subject) -> None:
    def text(tool: Tool, result: ToolResult) -> Any:
        untrusted = tool.output_is_untrusted or tool.plugin is not None
        return model_text(replace(tool, output_is_untrusted=untrusted), result)

    put("_model_text", text)


@broken(
    "plugins-are-always-available",
    "TOOL-X4",
    "does not ask tools of plugins whether they are available",
    shown_by="tool-contract/availability/available-false-of-every-kind",
)
def _always_available(subject: Subject) -> None:
    def let(tool: Tool, allowed: ToolFilter) -> Any:
        asked = tool.is_available if tool.plugin is None else None
        return may_run(replace(tool, is_available=asked), allowed)

    put("_may_run", let)


@broken(
    "named-plugins-pass",
    "TOOL-X7",
    "lets a tool that is named pass whatever its plugin",
    shown_by="tool-contract/filters/plugins-named-but-not-allowed",
)
def _named(subject: Subject) -> None:
    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        named = self.tools is not None and name in self.tools
        return passes(self, name, None if named else plugin, always)

    filters(decide)
