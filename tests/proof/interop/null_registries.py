"""Registries that do nothing, or the same whatever is asked; some know the controls."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from wireproof.patterns import expand
from wireproof.protocols.interop._ops import ACCUMULATE, OPS, PROVIDER_OPS
from wireproof_reference.interop import chat_subject
from wireproof_vectors import load_setup


class Null:
    """Offers every op, and does one thing for all."""

    def __init__(self) -> None:
        for op in (*OPS, *PROVIDER_OPS, ACCUMULATE):
            setattr(self, op, self.method(op))

    def method(self, op: str) -> Callable[..., Any]:
        """Return the method for an op."""

        def called(**arguments: Any) -> Any:
            return self.answer(op, arguments)

        return called

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        """Return what an op gives."""
        raise NotImplementedError


class GivesItBack(Null):
    """Gives back what it is given."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        return next(iter(arguments.values()))


class GivesAllBack(Null):
    """Gives back all that it is given."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        return arguments


class EmptyObject(Null):
    """Gives {}."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        return {}


class Nothing(Null):
    """Gives null."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        return None


class EmptyList(Null):
    """Gives []."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        return []


class EmptyText(Null):
    """Gives a text."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        return ""


class NoJson(Null):
    """Gives what is no JSON."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        return float("nan")


class Refuses(Null):
    """Refuses."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        raise ValueError("no")


class RefusesByName(Null):
    """Refuses, and names all that it was given."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        raise ValueError(json.dumps(arguments, ensure_ascii=False)[:2000])


class Exits(Null):
    """Ends the process in Python's way."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        sys.exit(3)


class SameCall(Null):
    """Gives one chat call for all."""

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        function = {"name": "read_file", "arguments": "{}"}
        return {"id": "call_1", "type": "function", "function": function}


class Controlled(Null):
    """Does what is right where it is asked what a control asks."""

    def __init__(self) -> None:
        self.right = chat_subject()
        self.known: dict[str, list[Any]] = {}
        setup: Any = load_setup("interop")
        for op, controls in setup["controls"].items():
            found = controls
            if isinstance(controls, dict):
                found = [one for listed in controls.values() for one in listed]
            self.known[op] = [expand(control["input"], {}) for control in found]
        super().__init__()

    def answer(self, op: str, arguments: dict[str, Any]) -> Any:
        if arguments in self.known[op]:
            return getattr(self.right, op)(**arguments)
        return self.otherwise(next(iter(arguments.values())))

    def otherwise(self, given: Any) -> Any:
        """Return what is given where it is no control."""
        raise NotImplementedError


class ControlledOrBack(Controlled):
    """Gives back what is no control."""

    def otherwise(self, given: Any) -> Any:
        return given


class ControlledOrEmpty(Controlled):
    """Gives {} for what is no control."""

    def otherwise(self, given: Any) -> Any:
        return {}


class ControlledOrRefuses(Controlled):
    """Refuses what is no control."""

    def otherwise(self, given: Any) -> Any:
        raise ValueError("no")
