"""A library that mends what a stream has left of a call of a tool."""

import json
from typing import Any


def mend(call: dict[str, Any]) -> dict[str, Any]:
    """Return the call, with `{}` where its arguments are no JSON object."""
    if call.get("type") == "function_call":
        return {**call, "arguments": mended(call.get("arguments"))}
    own = call.get("function")
    is_call = (
        isinstance(own, dict) if "type" not in call else call["type"] == "function"
    )
    if not is_call:
        return call
    function = own if isinstance(own, dict) else {}
    mended_function = {**function, "arguments": mended(function.get("arguments"))}
    return {**call, "function": mended_function}


def mended(arguments: Any) -> str:
    if isinstance(arguments, dict):
        return json.dumps(arguments)
    try:
        # Integers are not made numbers: Python refuses those of thousands of digits.
        value = json.loads(arguments, parse_constant=refuse, parse_int=str)
    except (TypeError, ValueError, RecursionError):
        return "{}"
    return arguments if isinstance(value, dict) else "{}"


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
