"""An adapter registry with a few odd ops, to try a driver with."""

from __future__ import annotations

from typing import Any


class Registry:
    """Offers some of the ops only."""

    def inspect_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Change the argument and fail."""
        schema["changed"] = True
        raise ValueError("no such schema")

    def inspect_result(self, result: object) -> object:
        """Give what is no JSON."""
        return float("nan")

    async def sanitize_tool_call(self, call: dict[str, Any]) -> dict[str, Any]:
        """Print, and give the call back."""
        print("a word of the subject")  # noqa: T201 - the driver keeps it off stdout
        return call


def make() -> Registry:
    """Make one."""
    return Registry()


made = Registry()


class Described(Registry):
    """Describes itself."""

    def describe(self) -> dict[str, Any]:
        """Say that this is it."""
        return {"name": "it", "version": "2", "language": "Python", "ops": []}
