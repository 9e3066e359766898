"""The objects that scenarios give: schemas, calls, results, accessors, adapters.

Accessors and adapters are plain objects with the few names that the clauses give them.
"""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Callable

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"
ENVELOPE = "provider_native_tool_result"

KINDS = ("schema", "call", "result")
"""What a contribution brings accessors and adapters of."""

PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}}

ACME_RESULT = {"type": ENVELOPE, "format": "acme.results", "content": {"acme": 1}}
"""A result of a format that only a contribution knows."""

Json: TypeAlias = dict[str, Any]


def is_object(value: Any) -> TypeGuard[Json]:
    """Tell whether a value is a JSON object."""
    return isinstance(value, dict)


def chat_schema(name: str = "read_file", description: str = "Reads.") -> Json:
    """Return a function schema of chat completions."""
    function = {"name": name, "description": description, "parameters": PARAMETERS}
    return {"type": "function", "function": function}


def flat_schema(description: str) -> Json:
    """Return a function schema of the Responses format."""
    return {
        "type": "function",
        "name": "read_file",
        "description": description,
        "parameters": PARAMETERS,
    }


def item_call(name: str) -> Json:
    """Return a function call item of the Responses format."""
    return {
        "type": "function_call",
        "call_id": "call_1",
        "name": name,
        "arguments": "{}",
    }


def chat_call(name: str) -> Json:
    """Return a function call of chat completions."""
    function = {"name": name, "arguments": "{}"}
    return {"id": "call_1", "type": "function", "function": function}


def native_envelope(text: str, target: str) -> Json:
    """Return a native result of one text, in the format of a target."""
    kind = "text" if target == CHAT else "input_text"
    content = [{"type": kind, "text": text}]
    return {"type": ENVELOPE, "format": target, "content": content}


def core_result(tool_result: Any) -> Json:
    """Return a tool message of the core that holds a result."""
    return {
        "role": "tool",
        "content": "fallback",
        "toolResult": tool_result,
        "metadata": {"tool_call_id": "call_1", "tool_name": "read_file"},
    }


def adapter_of(source: str, target: str, gives: Callable[[Any], Any]) -> Any:
    """Return an adapter between two formats."""
    return SimpleNamespace(source=source, target=target, convert=gives)


def giving(value: Any) -> Callable[[Any], Any]:
    """Return a function that gives a copy of a value, whatever it is given."""
    return lambda _: copy.deepcopy(value)


def accessor_of(
    kind: str, format_: str, matches: Callable[[Any], bool], **says: Any
) -> Any:
    """Return an accessor of objects of one kind.

    Args:
        kind: One of ``KINDS``.
        format_: The format of the objects that it knows.
        matches: Tells whether it knows an object.
        **says: What it sees in one, beside the usual.
    """
    if kind == "schema":
        usual: Json = {
            "name": "",
            "description": "",
            "parameters": PARAMETERS,
            "payload_kind": "object",
        }
    elif kind == "call":
        usual = {
            "call_id": "call_1",
            "tool_name": "",
            "payload": {},
            "payload_kind": "object",
            "payload_format": format_,
            "payload_metadata": {},
        }
    else:
        usual = {"kind": "native", "text": "", "content": None}
    meaning = SimpleNamespace(**{**usual, "format": format_, **says})
    return SimpleNamespace(format=format_, matches=matches, inspect=giving(meaning))


def has_type(name: str) -> Callable[[Any], bool]:
    """Return what tells whether an object has this type."""
    return lambda found: is_object(found) and found.get("type") == name
