"""A library that converts function schemas in one direction only."""

from __future__ import annotations

from copy import deepcopy
from typing import Any


def to_responses(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a chat function in the format of Responses."""
    if schema.get("type") != "function":
        raise ValueError(f"cannot convert a schema of type {schema.get('type')!r}")
    if "function" not in schema:
        return deepcopy(schema)
    return {"type": "function", "strict": False, **deepcopy(schema["function"])}


class OneWay:
    """What it does not have is said here; the checks of it are not applicable."""

    targets = ("openai.responses",)
    lacks = ("custom", "target_formats")

    def convert_schemas(self, schemas: list[Any], target: str) -> list[Any]:
        """Return the schemas in the format of Responses."""
        if target != "openai.responses":
            raise ValueError(f"cannot convert to {target}")
        return [to_responses(schema) for schema in schemas]
