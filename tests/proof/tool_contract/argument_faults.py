"""Registries that hand other arguments to tools than came: TOOL-X13."""

from __future__ import annotations

import json
from typing import Any

from tests.proof.tool_contract.call_faults import run, runs
from tests.proof.tool_contract.subject import Json, Subject, broken

PIECE = 1 << 16
"""Bytes that many read of a pipe at a time."""


def read_in_pieces(told: Json) -> Any:
    """Return a message as it is read where each piece of its bytes is decoded alone."""
    line = json.dumps(told, ensure_ascii=False).encode(errors="surrogatepass")
    if len(line) <= PIECE:
        return told
    pieces = [line[at : at + PIECE] for at in range(0, len(line), PIECE)]
    return json.loads("".join(piece.decode(errors="replace") for piece in pieces))


def by_schema(change: Any) -> None:
    """Let `change(args, properties)` be what the tool has of arguments."""

    async def carry_out(tool: Any, args: Any, context: Any) -> Any:
        properties: Any = tool.schema.get("properties")
        if isinstance(args, dict) and isinstance(properties, dict):
            args = change(args, properties)
        return await run(tool, args, context)

    runs(carry_out)


@broken(
    "arguments-get-defaults",
    "TOOL-X13",
    "fills in the defaults of the schema",
    level="should",
    shown_by="tool-contract/arguments/without-a-default",
)
def _defaults(subject: Subject) -> None:
    def change(args: Json, properties: Json) -> Any:
        defaults = {
            name: one["default"] for name, one in properties.items() if "default" in one
        }
        return {**defaults, **args}

    by_schema(change)


@broken(
    "arguments-of-the-schema-alone",
    "TOOL-X13",
    "drops arguments of which the schema says nothing",
    level="should",
    shown_by="tool-contract/arguments/beside-the-schema",
)
def _of_schema(subject: Subject) -> None:
    by_schema(
        lambda args, properties: {
            name: args[name] for name in args if name in properties
        }
    )


@broken(
    "arguments-made-numbers",
    "TOOL-X13",
    "makes numbers of texts where the schema has numbers",
    level="should",
    shown_by="tool-contract/arguments/texts-for-numbers",
)
def _numbers(subject: Subject) -> None:
    def change(args: Json, properties: Json) -> Any:
        found: Json = {}
        for name, one in args.items():
            wanted = properties.get(name, {}).get("type") == "integer"
            number = wanted and isinstance(one, str) and one.isdecimal()
            found[name] = int(one) if number else one
        return found

    by_schema(change)


@broken(
    "arguments-read-in-pieces",
    "TOOL-X13",
    "tears characters of long arguments",
    level="should",
    shown_by="tool-contract/arguments/long-and-not-ascii",
)
def _pieces(subject: Subject) -> None:
    subject.asked = read_in_pieces
