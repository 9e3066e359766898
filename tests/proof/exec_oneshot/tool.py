"""A one-shot tool with the conformance toolset, in steps that a broken one changes."""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.proof.exec_toolset import ExecToolset, strict_loads


class Failure(Exception):
    """A tool reports failure."""


class Tool(ExecToolset):
    """Reads one object, carries out one tool of the toolset, writes one object."""

    def run(self) -> int:
        """Be the tool; return the exit status."""
        try:
            answer = {"result": self.execute(self.arguments(self.parse(self.read())))}
        except Failure as error:
            answer = self.failure(str(error))
        self.write(self.dump(answer))
        return self.status(answer)

    def read(self) -> bytes:
        """Return what is on stdin."""
        return sys.stdin.buffer.read()

    def parse(self, data: bytes) -> Any:
        """Return the object on stdin."""
        try:
            return strict_loads(data)
        except ValueError as error:
            raise Failure(f"the input is not JSON: {error}") from error

    def arguments(self, request: Any) -> dict[str, Any]:
        """Return the arguments in what was read."""
        if not isinstance(request, dict) or not isinstance(request.get("args"), dict):
            raise Failure("there are no args")
        found: dict[str, Any] = request["args"]
        return found

    def execute(self, args: dict[str, Any]) -> Any:
        """Carry out the tool that the arguments name."""
        name = str(args.get("tool")).removeprefix("conformance_")
        tool = getattr(self, f"do_{name}", None)
        if tool is None:
            raise Failure(f"no tool {name!r}")
        return tool(args.get("arguments", {}))

    def failure(self, text: str) -> dict[str, Any]:
        """Return the object that reports a failure."""
        return {"error": text}

    def dump(self, answer: Any) -> bytes:
        """Return an answer as it is written."""
        return f"{json.dumps(answer)}\n".encode()

    def write(self, data: bytes) -> None:
        """Write an answer."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def status(self, answer: dict[str, Any]) -> int:
        """Return the exit status after an answer."""
        return 0

    # --- the toolset

    def do_echo(self, arguments: dict[str, Any]) -> Any:
        """Give the value back."""
        return {"value": arguments["value"]}

    def do_fail(self, arguments: dict[str, Any]) -> Any:
        """Report failure."""
        raise Failure(arguments["message"])

    def do_throw(self, arguments: dict[str, Any]) -> Any:
        """Fail without being caught but at the top."""
        raise Failure(f"RuntimeError: {arguments['message']}")

    def do_counter(self, arguments: dict[str, Any]) -> Any:
        """Count from nothing."""
        return {"counter": arguments.get("by", 1)}
