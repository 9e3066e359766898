"""An exec server with the conformance toolset, in steps that a broken one changes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from tests.proof.exec_toolset import ExecToolset, strict_loads


class Refusal(Exception):
    """A request is refused, or a tool reports failure."""

    def __init__(self, code: int, message: str) -> None:
        """Keep the code and the message."""
        self.code = code
        super().__init__(message)


class Server(ExecToolset):
    """Reads requests, one a line, and answers each."""

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self.total = 0

    def run(self) -> int:
        """Be the server; return the exit status."""
        for line in self.lines():
            self.receive(line)
        return 0

    def lines(self) -> Iterator[bytes]:
        """Yield the lines on stdin."""
        yield from sys.stdin.buffer

    def receive(self, line: bytes) -> None:
        """Answer a line, whatever it is."""
        if not line.strip():
            return
        try:
            request = self.parse(line)
        except (ValueError, RecursionError):
            self.respond(None, self.error(-32700, "the line is not JSON"))
            return
        if isinstance(request, list):
            self.receive_batch(request)
        else:
            self.receive_request(request)

    def parse(self, line: bytes) -> Any:
        """Return the JSON value of a line."""
        return strict_loads(line)

    def receive_batch(self, requests: list[Any]) -> None:
        """Refuse a batch."""
        self.respond(None, self.error(-32600, "batches are not taken"))

    def receive_request(self, request: Any) -> None:
        """Answer a request, unless it is a notification."""
        if not self.is_request(request):
            key = request.get("id") if isinstance(request, dict) else None
            self.respond(key, self.error(-32600, "the request is invalid"))
            return
        if "id" not in request:
            self.notified(request)
            return
        self.respond(request["id"], self.answer(request))

    def is_request(self, request: Any) -> bool:
        """Tell whether a value is a request."""
        return (
            isinstance(request, dict)
            and request.get("jsonrpc") == "2.0"
            and isinstance(request.get("method"), str)
            and isinstance(request.get("id", ""), str | int | float)
        )

    def notified(self, request: dict[str, Any]) -> None:
        """Take a notification, which nobody waits for."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the result or the error of a request."""
        try:
            return {"result": self.called(request)}
        except Refusal as error:
            return self.error(error.code, str(error))

    def called(self, request: dict[str, Any]) -> Any:
        """Return what a request results in."""
        if request["method"] != "execute":
            raise Refusal(-32601, f"no method {request['method']}")
        params = request.get("params")
        if not isinstance(params, dict) or not isinstance(params.get("args"), dict):
            raise Refusal(-32602, "params has no object args")
        try:
            return self.execute(params["args"])
        except (KeyError, TypeError, ValueError) as error:
            raise Refusal(-32602, f"the arguments are wrong: {error!r}") from error

    def error(self, code: int, message: str) -> dict[str, Any]:
        """Return the part of a response that reports an error."""
        return {"error": {"code": code, "message": message}}

    def respond(self, key: Any, answer: dict[str, Any]) -> None:
        """Write a response."""
        self.write(self.dump({"jsonrpc": "2.0", "id": key, **answer}))

    def dump(self, response: dict[str, Any]) -> bytes:
        """Return a response as it is written."""
        return f"{json.dumps(response)}\n".encode()

    def write(self, data: bytes) -> None:
        """Write a response."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    # --- the toolset

    def execute(self, args: dict[str, Any]) -> Any:
        """Carry out the tool that the arguments name."""
        name = str(args.get("tool")).removeprefix("conformance_")
        tool = getattr(self, f"do_{name}", None)
        if tool is None:
            raise Refusal(-32000, f"no tool {name!r}")
        return tool(args.get("arguments", {}))

    def do_echo(self, arguments: dict[str, Any]) -> Any:
        """Give the value back."""
        return {"value": arguments.get("value")}

    def do_fail(self, arguments: dict[str, Any]) -> Any:
        """Report failure."""
        raise Refusal(-32000, arguments["message"])

    def do_throw(self, arguments: dict[str, Any]) -> Any:
        """Fail without being caught but at the top."""
        raise Refusal(-32603, f"RuntimeError: {arguments['message']}")

    def do_counter(self, arguments: dict[str, Any]) -> Any:
        """Count."""
        self.total += arguments.get("by", 1)
        return {"counter": self.total}
