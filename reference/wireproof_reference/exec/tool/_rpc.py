"""From a line of JSON-RPC 2.0 to the line that answers it; no I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof_reference.exec.tool._calling import ToolError, ToolFault, call
from wireproof_reference.exec.tool._json import dumps, loads

if TYPE_CHECKING:
    from wireproof_reference.exec.tool._calling import ToolFunction
    from wireproof_reference.framing import JSON, JSONObject

# The codes that JSON-RPC 2.0 gives, and one of those that it leaves to servers.
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
TOOL_FAILED = -32000


class _Refusal(Exception):
    """A request is not carried out, or has failed."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


def answer_line(tool: ToolFunction, line: bytes) -> bytes:
    """The line that answers a line, without a line feed.

    Returns:
        An object, an array for a batch, or nothing: for a blank line, a notification
        and a batch of notifications (EXEC-S8).
    """
    if not line.strip():
        return b""
    try:
        message = loads(line)
    except ValueError as error:
        return _error(None, PARSE_ERROR, f"the line is not JSON: {error}")
    if not isinstance(message, list) or not message:
        return _answer(tool, message)
    answers = [answer for each in message if (answer := _answer(tool, each))]
    return b"[" + b",".join(answers) + b"]" if answers else b""


def answer_long_line() -> bytes:
    """The line that answers one too long to be read."""
    return _error(None, PARSE_ERROR, "the line is too long")


def _answer(tool: ToolFunction, message: JSON) -> bytes:
    """The answer to one request, or nothing where it is a notification."""
    request = message if isinstance(message, dict) else {}
    request_id = request.get("id")
    # Only what else is a request can be a notification: an invalid one is answered.
    notified = "id" not in request
    if isinstance(request_id, (bool, list, dict)):
        request_id = None
    try:
        method = _read_method(request)
    except _Refusal as refusal:
        return _error(request_id, refusal.code, refusal.message)
    try:
        result = dumps(_execute(tool, method, request.get("params")))
    except _Refusal as refusal:
        answer = _error(request_id, refusal.code, refusal.message)
    except ValueError as error:
        answer = _error(request_id, INTERNAL_ERROR, f"the result is no JSON: {error}")
    else:
        answer = b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (dumps(request_id), result)
    return b"" if notified else answer


def _read_method(request: JSONObject) -> str:
    if request.get("jsonrpc") != "2.0":
        raise _Refusal(INVALID_REQUEST, 'a request must be an object of jsonrpc "2.0"')
    if isinstance(request.get("id"), (bool, list, dict)):
        raise _Refusal(INVALID_REQUEST, "id must be a string or a number")
    method = request.get("method")
    if not isinstance(method, str):
        raise _Refusal(INVALID_REQUEST, "method must be a string")
    return method


def _execute(tool: ToolFunction, method: str, params: JSON) -> JSON:
    if method != "execute":
        raise _Refusal(METHOD_NOT_FOUND, f"there is no method {method!r}")
    args = params.get("args") if isinstance(params, dict) else None
    if not isinstance(args, dict):
        raise _Refusal(INVALID_PARAMS, "params must hold args, an object")
    try:
        return call(tool, args)
    except ToolError as error:
        raise _Refusal(TOOL_FAILED, str(error)) from error
    except ToolFault as error:
        raise _Refusal(INTERNAL_ERROR, str(error)) from error


def _error(request_id: JSON, code: int, message: str) -> bytes:
    error: JSONObject = {"code": code, "message": message}
    return dumps({"jsonrpc": "2.0", "id": request_id, "error": error})
