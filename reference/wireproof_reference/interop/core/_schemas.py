"""The built-in schema formats, and the adapters between them (INT-S).

A format is a kind (function or custom) and a nesting: chat has the keys in an object of
their own, Responses has them beside `type`.  The adapters are all pairs of them but
those that would make a custom tool of a function.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from wireproof_reference.interop.core._copying import copied
from wireproof_reference.interop.core._errors import MalformedSchemaError, shown
from wireproof_reference.interop.core._model import (
    SchemaInspection,
    ToolSchemaAccessor,
    ToolSchemaAdapter,
)

if TYPE_CHECKING:
    from wireproof_reference.framing import JSON, JSONObject

CHAT_FUNCTION: Final = "openai.chat_completions.function"
CHAT_CUSTOM: Final = "openai.chat_completions.custom"
RESPONSES_FUNCTION: Final = "openai.responses.function"
RESPONSES_CUSTOM: Final = "openai.responses.custom"

_KEYS: Final = {
    "function": ("name", "description", "parameters", "strict"),
    "custom": ("name", "description", "format"),
}


@dataclass(frozen=True, slots=True)
class _Format:
    """One wire format.

    Attributes:
        name: What the registry calls it.
        kind: Its `type`, and the key of its body where it is nested.
        nested: Whether name and the like are in an object of their own.
        nullable: The keys that may be null in the provider's published type.
    """

    name: str
    kind: Literal["function", "custom"]
    nested: bool
    nullable: frozenset[str] = frozenset()


_CHAT_FUNCTION: Final = _Format(
    CHAT_FUNCTION, "function", nested=True, nullable=frozenset(("strict",))
)
_RESPONSES_FUNCTION: Final = _Format(
    RESPONSES_FUNCTION,
    "function",
    nested=False,
    nullable=frozenset(("description", "parameters", "strict")),
)
_CHAT_CUSTOM: Final = _Format(CHAT_CUSTOM, "custom", nested=True)
_RESPONSES_CUSTOM: Final = _Format(RESPONSES_CUSTOM, "custom", nested=False)

_FORMATS: Final = (
    _CHAT_FUNCTION,
    _RESPONSES_FUNCTION,
    _CHAT_CUSTOM,
    _RESPONSES_CUSTOM,
)


def _matches(format_: _Format, schema: JSON) -> bool:
    return (
        isinstance(schema, dict)
        and schema.get("type") == format_.kind
        and (format_.kind in schema) is format_.nested
    )


def _body(format_: _Format, schema: JSON) -> tuple[str, JSONObject]:
    """The tool's name, and the object that it stands in."""
    body = schema
    if format_.nested and isinstance(schema, dict):
        body = schema.get(format_.kind)
    if not isinstance(body, dict):
        detail = f"{format_.kind} must be an object, not {shown(body)}"
        raise MalformedSchemaError(detail, format=format_.name)
    name = body.get("name")
    if not isinstance(name, str):
        detail = f"the name of a tool must be a text, not {shown(name)}"
        raise MalformedSchemaError(detail, format=format_.name)
    return name, body


def _inspect(format_: _Format, schema: JSON) -> SchemaInspection:
    name, body = _body(format_, schema)
    description = body.get("description")
    if not isinstance(description, str | None):
        detail = f"a description must be a text, not {shown(description)}"
        raise MalformedSchemaError(detail, format=format_.name, tool=name)
    if format_.kind == "custom":
        return SchemaInspection(name, description, None, "text", format_.name)
    parameters = body.get("parameters")
    if not isinstance(parameters, dict | None):
        detail = f"parameters must be an object, not {shown(parameters)}"
        raise MalformedSchemaError(detail, format=format_.name, tool=name)
    return SchemaInspection(
        name, description, copied(parameters), "object", format_.name
    )


def _convert(source: _Format, target: _Format, schema: JSON) -> JSONObject:
    name, body = _body(source, schema)
    members = {key: body[key] for key in _KEYS[source.kind] if key in body}
    if source.kind == "custom":
        notation = _Notation(source, name, members.pop("format", None))
        if target.kind == "custom":
            members |= notation.written_for(target)
        else:
            members["parameters"] = notation.parameters()
    if target is _RESPONSES_FUNCTION:
        # Responses asks for the key, and takes an absent one for true.
        members.setdefault("strict", False)
    kept = {
        key: copied(value)
        for key, value in members.items()
        if value is not None or key in target.nullable  # INT-S9
    }
    if target.nested:
        return {"type": target.kind, target.kind: kept}
    return {"type": target.kind, **kept}


class _Notation:
    """What a custom tool says of its input: its `format`."""

    def __init__(self, source: _Format, tool: str, notation: JSON) -> None:
        self._notation = notation
        self._grammar: JSONObject | None = None
        if isinstance(notation, dict) and notation.get("type") == "grammar":
            grammar = notation.get("grammar") if source.nested else notation
            if not isinstance(grammar, dict):
                detail = f"a grammar must be an object, not {shown(grammar)}"
                raise MalformedSchemaError(detail, format=source.name, tool=tool)
            self._grammar = {
                key: grammar[key] for key in ("syntax", "definition") if key in grammar
            }

    def written_for(self, target: _Format) -> JSONObject:
        if self._grammar is None:
            return {"format": self._notation}
        if target.nested:
            return {"format": {"type": "grammar", "grammar": self._grammar}}
        return {"format": {"type": "grammar", **self._grammar}}

    def parameters(self) -> JSONObject:
        """One text, for a provider that has but functions (INT-S3)."""
        description = "The whole input of the tool, as raw text."
        if self._grammar is not None:
            # INT-S8: what the provider does not enforce, the model is told.
            syntax = self._grammar.get("syntax", "")
            definition = self._grammar.get("definition", "")
            description += f" It must match this {syntax} grammar:\n{definition}"
        return {
            "type": "object",
            "properties": {"input": {"type": "string", "description": description}},
            "required": ["input"],
        }


SCHEMA_ACCESSORS: Final = tuple(
    ToolSchemaAccessor(
        format_.name, partial(_matches, format_), partial(_inspect, format_)
    )
    for format_ in _FORMATS
)
"""What knows the formats of the table in the protocol's text."""

SCHEMA_ADAPTERS: Final = tuple(
    ToolSchemaAdapter(source.name, target.name, partial(_convert, source, target))
    for source in _FORMATS
    for target in _FORMATS
    if source is not target and target.kind in (source.kind, "function")
)
"""What turns them into each other."""
