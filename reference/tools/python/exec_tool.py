"""Makes an exec tool of a function; copy this file, it needs nothing but Python 3.11.

    from exec_tool import ToolError, serve

    def add(args):
        if "a" not in args:
            raise ToolError("a is missing")
        return args["a"] + args.get("b", 0)

    serve(add)

Without an argument the program answers the one call on stdin; with `--server` it
answers calls, JSON-RPC 2.0 a line, until stdin is closed.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, NoReturn, cast

Tool = Callable[[dict[str, Any]], Any]


class ToolError(Exception):
    """A tool reports failure; the caller is told exactly this message."""


class _Fault(Exception):
    """The tool has failed otherwise than by reporting it."""


def serve(tool: Tool) -> None:
    """Run the tool as this whole program."""
    if sys.argv[1:] not in ([], ["--server"]):
        sys.exit(f"usage: {sys.argv[0].rpartition('/')[2]} [--server]")
    # Stdout belongs to the answers: what the tool prints goes to stderr.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        if sys.argv[1:]:
            for line in sys.stdin.buffer:
                _write(answers, _answer_line(tool, line))
        else:
            _write(answers, _answer_input(tool, sys.stdin.buffer.read()))
    except BrokenPipeError:
        os._exit(1)  # nobody reads the answers


def _answer_input(tool: Tool, data: bytes) -> Any:
    """The object that answers all of stdin."""
    try:
        return {"result": _call(tool, _object(_read(data)))}
    except (ToolError, _Fault) as error:
        return {"error": str(error) or "the tool failed"}
    except ValueError as error:
        return {"error": f"the input is not JSON: {error}"}


def _answer_line(tool: Tool, line: bytes) -> Any:
    """The value that answers a line of JSON-RPC, or None."""
    if not line.strip():
        return None
    try:
        message = _read(line)
    except ValueError as error:
        return _error(None, -32700, f"the line is not JSON: {error}")
    if not isinstance(message, list) or not message:
        return _answer(tool, message)
    batch: list[Any] = message  # pyright: ignore[reportUnknownVariableType]
    return [answer for each in batch if (answer := _answer(tool, each))] or None


def _answer(tool: Tool, message: Any) -> Any:
    request = _object(message)
    number = request.get("id")
    if request.get("jsonrpc") != "2.0":
        return _error(None, -32600, 'a request must be an object of jsonrpc "2.0"')
    if isinstance(number, (bool, list, dict)):
        return _error(None, -32600, "id must be a string or a number")
    if not isinstance(request.get("method"), str):
        return _error(number, -32600, "method must be a string")
    answer = _execute(tool, number, request)
    return answer if "id" in request else None  # a notification has no answer


def _execute(tool: Tool, number: Any, request: dict[str, Any]) -> Any:
    if request["method"] != "execute":
        return _error(number, -32601, f"there is no method {request['method']!r}")
    params = _object(request.get("params"))
    if not isinstance(params.get("args"), dict):
        return _error(number, -32602, "params must hold args, an object")
    try:
        return {"jsonrpc": "2.0", "id": number, "result": _call(tool, params)}
    except ToolError as error:
        return _error(number, -32000, str(error))
    except _Fault as error:
        return _error(number, -32603, str(error))


def _error(number: Any, code: int, message: str) -> Any:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def _object(value: Any) -> dict[str, Any]:
    """A JSON object; an empty one where it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _call(tool: Tool, request: dict[str, Any]) -> Any:
    if not isinstance(request.get("args"), dict):
        raise ToolError("the input must be an object with args, an object")
    try:
        result = tool(request["args"])
        _dump(result)  # what JSON cannot hold fails this call, and no more
    except ToolError:
        raise
    except (Exception, SystemExit) as error:  # a tool that leaves has not answered
        traceback.print_exception(error)
        raise _Fault(f"{type(error).__name__}: {error}") from error
    return result


def _read(data: bytes) -> Any:
    def refuse(text: str) -> NoReturn:
        raise ValueError(f"{text} is no number of JSON")

    def fraction(text: str) -> float:
        return refuse(text) if "inf" in str(float(text)) else float(text)

    try:
        return json.loads(data.decode(), parse_constant=refuse, parse_float=fraction)
    except RecursionError:
        raise ValueError("it nests too deep") from None


def _dump(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _write(answers: BinaryIO, value: Any) -> None:
    if value is not None:
        answers.write(_dump(value).encode() + b"\n")
        answers.flush()
