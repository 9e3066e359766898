"""Registries that take names, toolsets, servers or parts of schemas for others."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from tests.proof.tool_contract.changes import (
    everywhere,
    faults,
    on_allowed,
    on_availability,
    on_name,
    on_schema,
    on_server,
    without,
)
from tests.proof.tool_contract.subject import Subject, put, subject_module

from wireproof_reference.tool_contract.core import mcp_server_of

fault = faults(__name__)


def like(name: str, known: Collection[str], form: Any) -> str:
    """Return the known name that has the same form, else the name."""
    return next((one for one in known if form(one) == form(name)), name)


def letters(name: str) -> str:
    """Return the letters and digits of a name, in small letters."""
    return re.sub(r"[\W_]", "", name).lower()


# --- X4: in calls

fault(
    "functions-taken-off",
    "TOOL-X4",
    "takes functions. from the beginning of a call's name",
    on_name(lambda name, _: name.removeprefix("functions.")),
)
fault(
    "namespaces-taken-off",
    "TOOL-X4",
    "looks for what stands behind the last dot, slash or colon of a name",
    on_name(lambda name, _: re.split(r"[./:]", name)[-1]),
)
fault(
    "names-with-hyphens-found",
    "TOOL-X4",
    "takes a hyphen in a name for an underscore",
    on_name(lambda name, _: name.replace("-", "_")),
)
fault(
    "names-by-their-letters",
    "TOOL-X4",
    "compares the letters and digits of names alone",
    on_name(lambda name, known: like(name, known, letters)),
)
fault(
    "closest-name-runs",
    "TOOL-X4",
    "runs the tool whose name is most like an unknown one",
    on_name(
        lambda name, known: (get_close_matches(name, known, 1, 0.9) or [name])[0],
    ),
)
fault(
    "names-are-trimmed",
    "TOOL-X4",
    "trims white space from names",
    on_name(lambda name, _: name.strip()),
)
fault(
    "brackets-taken-off",
    "TOOL-X4",
    "takes quotes and brackets from names",
    on_name(lambda name, _: name.strip("\"'`()")),
)
fault(
    "beginning-of-a-name-runs",
    "TOOL-X4",
    "runs the only tool whose name begins with an unknown one",
    on_name(
        lambda name, known: (
            begun[0]
            if name
            and name not in known
            and len(begun := [one for one in known if one.startswith(name)]) == 1
            else name
        )
    ),
)
fault(
    "server-may-be-left-out",
    "TOOL-X4",
    "finds a server's tool by the tool's own name",
    on_name(lambda name, known: like(name, known, lambda one: one.split("__")[-1])),
)

# --- X4: in the filter

fault(
    "allowed-with-functions-before-it",
    "TOOL-X4",
    "takes functions. from the names that are allowed",
    on_allowed(
        lambda name, allowed: name in {one.split(".")[-1] for one in allowed},
    ),
)
fault(
    "allowed-by-its-letters",
    "TOOL-X4",
    "compares the letters and digits of the names that are allowed alone",
    on_allowed(lambda name, allowed: letters(name) in set(map(letters, allowed))),
)
fault(
    "allowed-by-the-closest-name",
    "TOOL-X4",
    "lets tools pass whose names are like one that is allowed",
    on_allowed(lambda name, allowed: bool(get_close_matches(name, allowed, 1, 0.9))),
)

# --- X5

fault(
    "a-toolset-is-asked-once",
    "TOOL-X5",
    "takes the answer of the first tool of a toolset for all of it",
    on_availability(lambda tool: tool.toolset),
)
fault(
    "a-plugin-is-asked-once",
    "TOOL-X5",
    "takes the answer of the first tool of a plugin for all of it",
    on_availability(lambda tool: tool.plugin),
)
fault(
    "a-server-is-asked-once",
    "TOOL-X5",
    "takes the answer of the first tool of a server for all of it",
    on_availability(lambda tool: mcp_server_of(tool.name)),
)


def _kept_over_reset(subject: Subject) -> None:
    kept: dict[str, Any] = {}
    made = subject_module.data_tool

    def data_tool(data: Any, available: Any) -> Any:
        return made(data, kept.setdefault(data["name"], available))

    put("data_tool", data_tool, subject_module)


fault(
    "availability-kept-over-a-reset",
    "TOOL-X5",
    "asks the test of an earlier tool of the same name",
    _kept_over_reset,
)

# --- X7


def by(pattern: str) -> Any:
    """Return what reads a server by a regular expression."""
    return on_server(lambda name: (m := re.match(pattern, name)) and m[1])


fault(
    "servers-without-underscores",
    "TOOL-X7",
    "takes a tool whose server has an underscore for a built-in one",
    by(r"mcp__([^_]+)__."),
)
fault(
    "servers-of-letters",
    "TOOL-X7",
    "takes a tool whose server has more than letters, digits and hyphens for built in",
    by(r"mcp__([A-Za-z0-9-]+)__."),
)
fault(
    "servers-up-to-an-underscore",
    "TOOL-X7",
    "ends a server at the first underscore",
    by(r"mcp__([^_]*)_"),
)
fault(
    "names-in-three-parts",
    "TOOL-X7",
    "takes a name with more than two double underscores for that of a built-in tool",
    by(r"mcp__((?:(?!__).)+)__(?:(?!__).)+$"),
)
fault(
    "servers-from-the-end",
    "TOOL-X7",
    "ends a server at the last two underscores",
    by(r"mcp__(.+)__."),
)
fault(
    "servers-with-hyphens-for-underscores",
    "TOOL-X7",
    "writes hyphens for the underscores of a server",
    on_server(lambda name: (mcp_server_of(name) or "").replace("_", "-") or None),
)

# --- X12


def named(keyword: str, does: str, change: Any) -> None:
    """Enter a registry that changes schemas wherever a keyword stands."""
    fault(f"schemas-{keyword}", "TOOL-X12", does, on_schema(change))


named("without-titles", "leaves title out, properties too", without("title"))
named(
    "without-defaults",
    "leaves default out, properties too",
    without("default", "examples"),
)
named("without-definitions", "leaves $defs out", without("$defs", "definitions"))
named(
    "closed",
    "closes every object that has properties",
    everywhere(
        lambda one: (
            {"additionalProperties": False, **one} if "properties" in one else one
        )
    ),
)
named(
    "without-empty-ones",
    "leaves empty sub-schemas out",
    everywhere(lambda one: {key: value for key, value in one.items() if value != {}}),
)
named(
    "with-lonely-references",
    "leaves out what stands beside $ref",
    everywhere(
        lambda one: {"$ref": one["$ref"]} if isinstance(one.get("$ref"), str) else one
    ),
)
named(
    "of-openapi",
    "writes a list of types as nullable",
    everywhere(
        lambda one: (
            {**one, "type": one["type"][0], "nullable": True}
            if isinstance(one.get("type"), list)
            else one
        )
    ),
)
named(
    "with-a-type-each",
    "gives every property that is an object a type",
    everywhere(
        lambda one: {
            key: {"type": "string", **value} if value == {} else value
            for key, value in one.items()
        }
    ),
)
named(
    "without-nulls",
    "leaves members that are null out",
    everywhere(
        lambda one: {key: value for key, value in one.items() if value is not None}
    ),
)
named("without-ids", "leaves id and $id out, properties too", without("id", "$id"))
named(
    "without-descriptions",
    "leaves descriptions of properties out, and properties of that name",
    without("description"),
)
