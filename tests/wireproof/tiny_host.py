"""A host-v1 host of a few tools, quick to start, with one fault on demand."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
VERSION = 2 if FAULT in ("wrong-version", "own-state") else 1
HELD: list[str] = []
TOOLS = {
    "conformance_echo": {"value": {}},
    "conformance_fail": {"message": {"type": "string"}},
    "conformance_throw": {"message": {"type": "string"}},
}


def write(message: dict[str, Any]) -> None:
    if FAULT == "escapes":
        message = {**message, "id": "\x1b[2J\x07\u202e"}
        sys.stderr.write("\x1b[2J\x07")
    if FAULT == "cut-echoes" and "\\u" in json.dumps(message):
        sys.stdout.write('{"v":1,"id":"cut\n')
        sys.stdout.flush()
        return
    line = json.dumps({"v": VERSION, **message}, ensure_ascii=False) + "\n"
    if FAULT == "one-behind":
        HELD.append(line)
        line = HELD.pop(0) if len(HELD) > 1 else ""
    sys.stdout.write(line)
    sys.stdout.flush()


def call(name: Any, arguments: Any) -> Any:
    match name, arguments:
        case "conformance_echo", dict():
            value = arguments.get("value")
            if FAULT == "loses-nulls" and value is None:
                value = "null"
            return {"success": True, "result": {"value": value}}
        case "conformance_fail", {"message": message}:
            return {"success": False, "error": message}
        case "conformance_throw", {"message": message}:
            raise RuntimeError(message)
        case _:
            raise LookupError(f"no tool {name!r} takes these arguments")


def value_of(method: Any, params: dict[str, Any]) -> Any:
    match method:
        case "init":
            return {"n": os.getpid() if FAULT == "own-state" else 0}
        case "get_tool_schemas":
            return [
                {
                    "type": "function",
                    "function": {
                        "name": name,
                        "parameters": {"type": "object", "properties": properties},
                    },
                }
                for name, properties in TOOLS.items()
            ]
        case "execute_tool":
            return call(params.get("tool_name"), params.get("arguments"))
        case _:
            raise LookupError(f"no method {method!r}")


def require_version(request: dict[str, Any]) -> None:
    if FAULT != "any-version" and request.get("v") != 1:
        raise ValueError("not version 1")


def answer(line: bytes) -> None:
    request = json.loads(line)
    key, params = request["id"], request.get("params")
    try:
        require_version(request)
        params = params if isinstance(params, dict) else {}
        result = {"value": value_of(request["method"], params)}
        if FAULT == "plain-list" and request["method"] == "get_tool_schemas":
            result = {"tools": result["value"]}
    except (LookupError, RuntimeError, ValueError) as error:
        detail = {"type": type(error).__name__, "detail": str(error)}
        write({"id": key, "ok": False, "error": detail})
        return
    state = params.get("state", result.get("value"))
    if request["method"] == "init" or isinstance(params.get("state"), dict):
        result["state"] = state
    write({"id": key, "ok": True, "result": result})
    if FAULT == "answers-twice":
        write({"id": key, "ok": True, "result": result})


def lines() -> Iterator[bytes]:
    if FAULT == "dies-of-two":
        while data := os.read(0, 1 << 20):
            if data.count(b"\n") > 1:
                sys.exit("two requests at once")
            yield data
    yield from sys.stdin.buffer


def main() -> None:
    if FAULT == "banner":
        sys.stdout.write("ready\n")
    if FAULT == "dies":
        sys.exit("the configuration is missing")
    if FAULT == "silent":
        sys.stdin.buffer.read()
    for line in lines():
        try:
            answer(line)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
    if FAULT == "last-words":
        sys.stdout.write("good")


main()
