"""A tool host for the protocol host-v1 that needs nothing but Python.

It offers the methods that are required, and the conformance toolset. Each call runs in
a thread of its own; all write through one lock. Lines and threads are limited. It is
meant to be read and copied.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

from conformance_tools import SCHEMAS, TOOLS, call

if TYPE_CHECKING:
    from collections.abc import Iterator

# The descriptors themselves are moved: what a tool prints goes to stderr, and so does
# what a child process of a tool prints. Such a child reads nothing of the requests.
_requests = os.fdopen(os.dup(0), "rb")
_wire = os.fdopen(os.dup(1), "wb")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)
sys.stdout = sys.stderr
_lock = threading.Lock()

# 16 MiB of text, escaped, takes six times as many bytes.
MOST_BYTES = 128 << 20
# Beyond so many calls at a time no other request is read until one has ended.
MOST_CALLS = 256


def send(request_id: str | None, **message: object) -> None:
    """Write one message with its line feed, and flush it."""
    frame = {"v": 1, "id": request_id, **message}
    # Escaped as it is by default, text that has no UTF-8 is no trouble either.
    line = json.dumps(frame, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    with _lock:
        try:
            _wire.write(line)
            _wire.flush()
        except BrokenPipeError:
            os._exit(1)  # the client is gone, and with it the reason to run


def refuse(request_id: str | None, error: BaseException) -> None:
    """Answer with a failure."""
    told = {"type": type(error).__name__, "detail": str(error)}
    send(request_id, ok=False, error=told)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Tell whether a JSON value is an object."""
    return isinstance(value, dict)


def no_json(word: str) -> NoReturn:
    """Refuse a word such as NaN, which Python would read."""
    raise ValueError(f"{word} is not JSON")


def as_float(text: str) -> float:
    """Refuse a number that has no double."""
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ValueError(f"{text} is beyond a double")
    return number


def read(line: bytes) -> dict[str, Any]:
    """Return the request that a line is.

    Raises:
        TypeError: If it is no request.
        ValueError: If it is not JSON.
        RecursionError: If it nests too deep.
    """
    if not line.endswith(b"\n"):
        limit = f"at most {MOST_BYTES} bytes"
        raise ValueError(f"a line ends with a line feed, and has {limit}")
    request = json.loads(
        line.decode(), parse_constant=no_json, parse_float=as_float, parse_int=int
    )
    if not is_object(request) or not isinstance(request.get("id"), str):
        raise TypeError("a request is an object with a string id")
    return request


def optional_object(params: dict[str, Any], key: str) -> dict[str, Any]:
    """Return an object among params; one that is absent, or null, is empty."""
    value = params.get(key)
    if value is None:
        return {}
    if not is_object(value):
        raise TypeError(f"{key} must be an object")
    return value


def carry_out(request: dict[str, Any]) -> dict[str, Any]:
    """Carry out a request; return what its answer has as ``result``."""
    if isinstance(request.get("v"), bool) or request.get("v") != 1:
        raise ValueError("this host speaks version 1")
    params = optional_object(request, "params")
    state = optional_object(params, "state")
    match request.get("method"):
        case "init":
            state = {"config": optional_object(params, "config")}
            return {"value": state, "state": state}
        case "get_tool_schemas":
            return {"value": SCHEMAS, "state": state}
        case "execute_tool":
            # The tool may change the state, which goes back with its result.
            return {"value": execute(request["id"], params, state), "state": state}
        case method:
            raise LookupError(f"there is no method {method!r}")


def execute(
    request_id: str, params: dict[str, Any], state: dict[str, Any]
) -> dict[str, Any]:
    """Call a tool."""
    name, arguments = params.get("tool_name"), params.get("arguments")
    if not isinstance(name, str) or name not in TOOLS:
        raise LookupError(f"there is no tool {name!r}")
    if not is_object(arguments):
        raise TypeError("arguments must be an object")
    return call(name, arguments, state, lambda event: send(request_id, event=event))


def answer(request: dict[str, Any]) -> None:
    """Answer a request; its events come before the answer."""
    try:
        send(request["id"], ok=True, result=carry_out(request))
    except (Exception, SystemExit) as error:  # noqa: BLE001
        # Whatever a tool raises is answered. A tool that calls sys.exit has failed.
        refuse(request["id"], error)


def answer_and_leave(request: dict[str, Any], room: threading.Semaphore) -> None:
    """Answer a request, and make room for another."""
    try:
        answer(request)
    finally:
        room.release()


def read_lines() -> Iterator[bytes]:
    """Yield each line of stdin; of one that is too long no more than its beginning."""
    while line := _requests.readline(MOST_BYTES):
        rest = line
        while len(line) == MOST_BYTES and rest and not rest.endswith(b"\n"):
            rest = _requests.readline(1 << 20)
        yield line


def main() -> None:
    """Serve until stdin is closed, and finish what is in flight."""
    calls: list[threading.Thread] = []
    room = threading.Semaphore(MOST_CALLS)
    for line in read_lines():
        if not line.strip():
            continue
        try:
            request = read(line)
        except (TypeError, ValueError, RecursionError) as error:
            refuse(None, error)
            continue
        calls = [one for one in calls if one.is_alive()]
        room.acquire()
        calls.append(threading.Thread(target=answer_and_leave, args=(request, room)))
        calls[-1].start()
    for one in calls:
        one.join()


if len(sys.argv) > 1:
    sys.exit("usage: python host.py")
main()
