"""A host with one tool, `shout`: NDJSON requests on stdin, responses on stdout."""

import json
import sys
from typing import Any

SCHEMA = {
    "type": "function",
    "function": {
        "name": "shout",
        "description": "Return the text in capital letters.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
}


def execute(tool: object, arguments: dict[str, Any]) -> dict[str, Any]:
    if tool != "shout":
        raise LookupError(f"there is no tool {tool!r}")
    if not isinstance(arguments.get("text"), str):
        return {"success": False, "error": "text is no string"}
    return {"success": True, "result": arguments["text"].upper()}


def carry_out(request: dict[str, Any], params: dict[str, Any]) -> object:
    if request.get("v") != 1 or request["v"] is True:
        raise ValueError("this host speaks version 1")
    match request.get("method"):
        case "init":
            return {}
        case "get_tool_schemas":
            return [SCHEMA]
        case "execute_tool":
            return execute(params.get("tool_name"), params.get("arguments") or {})
        case method:
            raise LookupError(f"there is no method {method!r}")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(request["id"], str):
        raise TypeError("the id is no string")
    told = {"v": 1, "id": request["id"]}
    params = request.get("params")
    params = params if isinstance(params, dict) else {}
    try:
        value = carry_out(request, params)
    except Exception as error:
        detail = {"type": type(error).__name__, "detail": str(error)}
        return {**told, "ok": False, "error": detail}
    result = {"value": value, "state": params.get("state") or {}}
    return {**told, "ok": True, "result": result}


for line in sys.stdin.buffer:
    try:
        told = answer(json.loads(line))
    except Exception as error:
        # It is no request, and has no id that could be answered.
        print(error, file=sys.stderr)
        continue
    print(json.dumps(told), flush=True)
