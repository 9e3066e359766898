"""What a runtime sends to tools, and what they answer, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from wireproof_reference._members import as_integer
from wireproof_reference.core import Flaw
from wireproof_reference.framing import JsonError, encode, loads

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject


@dataclass(frozen=True, slots=True)
class Execute:
    """A call to a server tool.

    Attributes:
        id: A positive integer, never the same twice.
        args: The arguments.
    """

    id: int
    args: JSON


@dataclass(frozen=True, slots=True)
class Result:
    """A tool has answered with a result.

    Attributes:
        value: The result, any JSON value.
        id: That of the call; None of a one-shot tool.
    """

    value: JSON
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A tool has answered that it failed.

    Attributes:
        message: What it says.
        id: That of the call; None of a one-shot tool, and where a server cannot tell.
        code: The code of a server, or None.
        data: What else a server says, or None.
    """

    message: str
    id: int | None = None
    code: int | None = None
    data: JSON = None


Answer: TypeAlias = Result | Failure | Flaw
"""What a tool may have written."""


def oneshot_input(args: JSON) -> bytes:
    """All that a one-shot tool gets on its stdin (EXEC-R1).

    Raises:
        EncodeError: JSON cannot hold the arguments.
    """
    return encode({"args": args})


def execute_to_json(call: Execute) -> JSONObject:
    """A call as a message of JSON-RPC (EXEC-R2)."""
    return {
        "jsonrpc": "2.0",
        "id": call.id,
        "method": "execute",
        "params": {"args": call.args},
    }


def read_oneshot_output(data: bytes) -> Answer:
    """Read all that a one-shot tool wrote to its stdout (EXEC-R5)."""
    if not data.strip():
        return Flaw("wrote nothing to stdout")
    try:
        value = loads(data)
    except JsonError as error:
        return Flaw(f"wrote no JSON object to stdout: {error}")
    if not isinstance(value, dict):
        return Flaw("wrote JSON to stdout that is no object")
    value = _without_companion(value)
    if flaw := _members_flaw(value):
        return Flaw(flaw)
    if "result" in value:
        return Result(value["result"])
    text = value["error"]
    if not isinstance(text, str):
        return Flaw("wrote an error that is no string")
    return Failure(text)


def read_response(value: JSON) -> Answer:
    """Read a line that a server tool wrote (EXEC-S2, EXEC-S4)."""
    if not isinstance(value, dict) or "method" in value:
        return Flaw("wrote a line that is no response")
    # An id of ours may be written as 1.0, but not as "1".
    response_id = as_integer(value.get("id"))
    readable_id = None if response_id is None else str(response_id)
    if value.get("jsonrpc") != "2.0":
        return Flaw('wrote a response without jsonrpc "2.0"', readable_id)
    value = _without_companion(value)
    if flaw := _members_flaw(value):
        return Flaw(flaw, readable_id)
    if "result" in value:
        return Result(value["result"], response_id)
    error = value["error"]
    if isinstance(error, dict):
        code, message = as_integer(error.get("code")), error.get("message")
        if code is not None and isinstance(message, str):
            return Failure(message, response_id, code, error.get("data"))
    return Flaw("wrote an error that has no code and message", readable_id)


def _without_companion(value: JSONObject) -> JSONObject:
    """Leave out a null beside its partner, which counts as absent (EXEC-R4)."""
    if "error" not in value:
        return value
    absent = "error" if value["error"] is None else "result"
    if value.get(absent) is not None:
        return value
    return {key: member for key, member in value.items() if key != absent}


def _members_flaw(value: JSONObject) -> str | None:
    if "result" in value and "error" in value:
        return "wrote both result and error"
    if "result" not in value and "error" not in value:
        return "wrote neither result nor error"
    return None
