"""Registries that take filters for something else than they are: TOOL-X4 and X7."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from tests.proof.tool_contract.call_faults import filters, passes
from tests.proof.tool_contract.subject import Json, Subject, broken, put

from wireproof_reference.tool_contract import ToolFilter
from wireproof_reference.tool_contract.core import mcp_server_of

Passes = Callable[[str, Collection[str]], bool]


def narrowed(allowed: Collection[str] | None, name: str | None, lets: Passes) -> Any:
    """Return what is allowed of one name, where `lets(name, allowed)` says whether."""
    if allowed is None or name is None:
        return allowed
    return [name] if lets(name, allowed) else []


def names(lets: Passes) -> None:
    """Let `lets(name, allowed)` say which tools pass the filter by names."""

    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        tools = narrowed(self.tools, name, lets)
        return passes(replace(self, tools=tools), name, plugin, always)

    filters(decide)


def servers(lets: Callable[[str, Collection[str], str], bool]) -> None:
    """Let `lets(server, allowed, name)` say which servers pass."""

    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        found = narrowed(
            self.mcp_servers,
            mcp_server_of(name),
            lambda server, allowed: lets(server, allowed, name),
        )
        return passes(replace(self, mcp_servers=found), name, plugin, always)

    filters(decide)


def plugins(lets: Passes) -> None:
    """Let `lets(plugin, allowed)` say which plugins pass."""

    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        found = narrowed(self.plugins, plugin, lets)
        return passes(replace(self, plugins=found), name, plugin, always)

    filters(decide)


# --- X4


@broken(
    "allowed-as-patterns",
    "TOOL-X4",
    "takes allowed names for patterns",
    shown_by="tool-contract/filters/allowed-that-match-as-a-pattern",
)
def _patterns(subject: Subject) -> None:
    names(lambda name, allowed: any(re.fullmatch(one, name) for one in allowed))


@broken(
    "allowed-as-globs",
    "TOOL-X4",
    "takes allowed names for what a shell matches files with",
    shown_by="tool-contract/filters/allowed-with-wildcards",
)
def _globs(subject: Subject) -> None:
    names(lambda name, allowed: any(fnmatchcase(name, one) for one in allowed))


@broken(
    "allowed-in-any-case",
    "TOOL-X4",
    "allows names whatever their case",
    shown_by="tool-contract/filters/allowed-in-another-case",
)
def _any_case(subject: Subject) -> None:
    names(lambda name, allowed: name.lower() in {one.lower() for one in allowed})


@broken(
    "allowed-with-either-dash",
    "TOOL-X4",
    "takes hyphens in allowed names for underscores",
    shown_by="tool-contract/filters/allowed-with-a-hyphen",
)
def _dashes(subject: Subject) -> None:
    names(
        lambda name, allowed: (
            name.replace("-", "_") in {one.replace("-", "_") for one in allowed}
        )
    )


@broken(
    "allowed-by-labels",
    "TOOL-X4",
    "allows the tools whose toolset is labelled with an allowed name",
    shown_by="tool-contract/filters/allowed-as-a-label",
)
def _labels(subject: Subject) -> None:
    listed = subject.definitions

    def labelled(told: Json) -> Json:
        allowed = told.get("allowedTools")
        tools = subject._registry._tools.values()
        more = [tool.name for tool in tools if tool.toolset in (allowed or ())]
        return told if allowed is None else {**told, "allowedTools": [*allowed, *more]}

    def definitions(**allowed: Any) -> Any:
        return listed(**labelled(allowed))

    subject.asked = labelled
    put("definitions", definitions, subject)


# --- X7


@broken(
    "servers-by-their-end",
    "TOOL-X7",
    "allows servers that end like an allowed one",
    shown_by="tool-contract/filters/mcp-server-that-ends-alike",
)
def _end(subject: Subject) -> None:
    servers(
        lambda server, allowed, name: any(server.endswith(one) for one in allowed),
    )


@broken(
    "servers-anywhere-in-a-name",
    "TOOL-X7",
    "allows a tool in whose name an allowed server stands anywhere",
    shown_by="tool-contract/filters/mcp-server-that-ends-alike",
)
def _anywhere(subject: Subject) -> None:
    servers(
        lambda server, allowed, name: any(f"__{one}__" in name for one in allowed),
    )


@broken(
    "plugins-in-one-text",
    "TOOL-X7",
    "looks for plugins in the text of the allowed ones",
    shown_by="tool-contract/filters/plugins-in-an-allowed-one",
)
def _one_text(subject: Subject) -> None:
    plugins(lambda plugin, allowed: plugin in ",".join(allowed))


@broken(
    "plugins-in-any-case",
    "TOOL-X7",
    "allows plugins whatever their case",
    shown_by="tool-contract/filters/plugins-in-an-allowed-one",
)
def _plugins_in_any_case(subject: Subject) -> None:
    plugins(lambda plugin, allowed: plugin.lower() in {one.lower() for one in allowed})


@broken(
    "filters-stay",
    "TOOL-X7",
    "keeps the filters of servers and plugins for turns that have none",
    shown_by="tool-contract/filters/of-one-turn",
)
def _stay(subject: Subject) -> None:
    kept: Json = {}
    reset = subject.reset

    def asked(told: Json) -> Json:
        kept.update(told.get("filterOpts") or {})
        return {**told, "filterOpts": dict(kept)}

    def forget() -> Any:
        kept.clear()
        reset()

    subject.asked = asked
    put("reset", forget, subject)


@broken(
    "servers-to-the-last-underscores",
    "TOOL-X7",
    "takes all before the last two underscores for the server",
)
def _last_underscores(subject: Subject) -> None:
    def decide(self: ToolFilter, name: str, plugin: Any, always: Any) -> Any:
        server, _, tool = name.removeprefix("mcp__").rpartition("__")
        if name.startswith("mcp__") and server:
            name = f"mcp__{server.replace('__', '.')}__{tool}"
        return passes(self, name, plugin, always)

    filters(decide)
