"""Registries that do one thing for all ops, but for the controls."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

from wireproof.protocols.tool_contract._ops import OPS, OPTIONAL_OPS
from wireproof_reference.tool_contract import subject


class Controlled:
    """Does what is right where a control asks, and one thing for all else."""

    def __init__(self) -> None:
        self.right: Any = subject()
        for op in (*OPS, *OPTIONAL_OPS):
            setattr(self, op, self.method(op))

    def method(self, op: str) -> Callable[..., Any]:
        """Return the method for an op."""

        def called(**arguments: Any) -> Any:
            return self.answer(op, arguments)

        return called

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        """Return what an op gives."""
        if op == "reset" or "control_" in repr(arguments) or is_plain(op, arguments):
            value = getattr(self.right, op)(**arguments)
            return asyncio.run(awaited(value)) if inspect.isawaitable(value) else value
        return self.otherwise(op, arguments)

    def otherwise(self, op: str, arguments: dict[str, Any]) -> Any:
        """Return what an op gives that no control asks for."""
        raise NotImplementedError


async def awaited(value: Any) -> Any:
    """Wait for what an op gives."""
    return await value


def is_plain(op: str, arguments: dict[str, Any]) -> bool:
    """Tell whether a control without tools asks this."""
    metals = ("copper", "iron", "tin")
    if op == "unregister_reducer":
        return str(arguments["handle"]).startswith("reducer-")
    if op in {"wrap_untrusted", "sanitize_untrusted"}:
        return arguments["content"] in metals
    if op == "visible_progress":
        return any(event["toolName"] == "control" for event in arguments["events"])
    return op == "definitions" and not arguments


class ControlledOrNothing(Controlled):
    """Gives null."""

    def otherwise(self, op: str, arguments: dict[str, Any]) -> Any:
        return None


class ControlledOrEmpty(Controlled):
    """Gives what is empty in the shape of an answer."""

    def otherwise(self, op: str, arguments: dict[str, Any]) -> Any:
        if op == "register":
            return {"registered": [tool["name"] for tool in arguments["tools"]]}
        if op == "execute_parallel":
            return {"results": [], "log": []}
        return [] if op in {"definitions", "visible_progress"} else ""


class ControlledOrRefuses(Controlled):
    """Refuses each call as not available."""

    def otherwise(self, op: str, arguments: dict[str, Any]) -> Any:
        if op == "register":
            return {"registered": [tool["name"] for tool in arguments["tools"]]}
        if op != "execute_parallel":
            raise ValueError("no")
        result = {"ok": False, "error": "no", "code": "not_available"}
        results = [
            {"toolCallId": call["toolCallId"], "name": call["name"], "result": result}
            for call in arguments["calls"]
        ]
        return {"results": results, "log": []}
