"""Registries that list tools otherwise than they were registered: TOOL-X12."""

from __future__ import annotations

from typing import Any

from tests.proof.tool_contract.call_faults import lists
from tests.proof.tool_contract.subject import Json, Subject, broken, put

NAMES_OF_OBJECTS = {"constructor", "hasOwnProperty", "toString", "valueOf"}
"""What every object of JavaScript has under these names."""


def on_schemas(subject: Subject, change: Any) -> None:
    """Let each schema be changed where it is listed."""
    lists(subject, lambda one: {**one, "parameters": change(one["parameters"])})


@broken(
    "allowed-twice-is-listed-twice",
    "TOOL-X12",
    "lists a tool as often as it is allowed",
    shown_by="tool-contract/filters/allowed-twice",
)
def _twice(subject: Subject) -> None:
    listed = subject.definitions

    def definitions(**allowed: Any) -> Any:
        found: Any = listed(**allowed)
        wanted = allowed.get("allowedTools") or []
        return [one for one in found for _ in range(max(1, wanted.count(one["name"])))]

    put("definitions", definitions, subject)


@broken(
    "names-of-objects-are-taken",
    "TOOL-X12",
    "finds something under names that its language's objects have",
    shown_by="tool-contract/definitions/name-that-objects-have",
)
def _taken(subject: Subject) -> None:
    register = subject.register

    def registered(tools: list[Any]) -> Any:
        taken = [tool["name"] for tool in tools if tool["name"] in NAMES_OF_OBJECTS]
        if taken:
            raise ValueError(f"there is a tool {taken[0]} already")
        return register(tools)

    put("register", registered, subject)


@broken(
    "schema-gets-properties",
    "TOOL-X12",
    "adds properties to schemas that have none",
    shown_by="tool-contract/definitions/schema-of-a-type-alone",
)
def _properties(subject: Subject) -> None:
    on_schemas(subject, lambda schema: {"properties": {}, **schema} if schema else {})


@broken(
    "schema-lists-sorted",
    "TOOL-X12",
    "sorts lists of texts in schemas",
    shown_by="tool-contract/definitions/schema-lists-out-of-order",
)
def _sorted(subject: Subject) -> None:
    def arranged(it: Any) -> Any:
        if isinstance(it, dict):
            return {key: arranged(one) for key, one in it.items()}
        if isinstance(it, list):
            texts = it and all(isinstance(one, str) for one in it)
            return sorted(it) if texts else [arranged(one) for one in it]
        return it

    on_schemas(subject, arranged)


@broken(
    "lists-less-the-second-time",
    "TOOL-X12",
    "resolves definitions in the schemas themselves, and loses them",
    shown_by="tool-contract/definitions/listed-again",
)
def _less(subject: Subject) -> None:
    seen: set[str] = set()

    def change(one: Json) -> Any:
        again = one["name"] in seen
        seen.add(one["name"])
        schema = one["parameters"]
        left = {key: schema[key] for key in schema if key != "$defs"}
        return {**one, "parameters": left if again else schema}

    lists(subject, change)


@broken(
    "lists-128",
    "TOOL-X12",
    "lists no more tools than 128",
    shown_by="tool-contract/definitions/more-than-128",
)
def _most(subject: Subject) -> None:
    listed = subject.definitions

    def definitions(**allowed: Any) -> Any:
        return listed(**allowed)[:128]

    put("definitions", definitions, subject)
