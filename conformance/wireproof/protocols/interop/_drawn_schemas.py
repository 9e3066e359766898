"""Schemas of functions and custom tools, made of what a case holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.protocols.interop._shapes import CHAT, RESPONSES

if TYPE_CHECKING:
    from wireproof.protocols.interop._cases import Case

CHAT_FUNCTION = f"{CHAT}.function"
CHAT_CUSTOM = f"{CHAT}.custom"
FUNCTION = f"{RESPONSES}.function"
CUSTOM = f"{RESPONSES}.custom"
NOWHERE = "wireproof.nowhere"
"""A format that no registry knows."""

_STRICT_CHOICES: tuple[bool | None, ...] = (None, None, False, True)

KEYWORDS: tuple[str, ...] = (
    *("title", "type", "description", "pattern", "items", "enum", "required"),
    *("properties", "optional", "default", "id", "const", "format", "$ref"),
)
"""Names of properties, definitions and data that are keywords elsewhere."""


def parameters_of(case: Case) -> dict[str, Any]:
    """Return parameters that hold the texts and the value at some depth."""
    keyword = case.one_of(KEYWORDS, 9)
    inner = case.one_of(
        (
            {"type": "object", "default": {keyword: case.value, "title": case.text}},
            {"type": "object", "properties": {keyword: {"items": {}, "title": "T"}}},
            {"$ref": "#/$defs/a", "description": case.text, "default": None},
            {"type": "string", "description": case.text, "default": case.other},
            {"enum": [case.text, case.value]},
            {"const": case.value, "title": case.text},
            {"type": ["number", "null"], "minimum": 0, "examples": [case.value]},
            {"type": "array", "items": {"anyOf": [{"const": case.text}, {}]}},
            {"type": "object", "properties": {case.other: {"type": "null"}}},
            {"$ref": "#/$defs/a", "x-note": case.value},
        ),
        1,
    )
    whole: dict[str, Any] = {
        "type": "object",
        "properties": {case.text: inner, keyword: inner, "strict": {"type": "boolean"}},
    }
    more: tuple[dict[str, Any], ...] = (
        {},
        {"required": [case.text]},
        {"additionalProperties": False, "required": []},
        {"$defs": {"a": inner, keyword: inner, case.other: {}}, "description": "D."},
        {"properties": {}},
    )
    return {**whole, **case.one_of(more, 2)}


def function_of(case: Case) -> dict[str, Any]:
    """Return the body of a function with some of its keys."""
    body: dict[str, Any] = {"name": case.name}
    if case.has(3):
        body["description"] = case.one_of((case.text, case.other, ""), 4)
    if case.has(5):
        body["parameters"] = case.one_of(({}, parameters_of(case)), 6)
    strict = case.one_of(_STRICT_CHOICES, 7)
    if strict:
        body["parameters"] = closed_of(case)
    return body if strict is None else {**body, "strict": strict}


def closed_of(case: Case) -> dict[str, Any]:
    """Return parameters that a provider accepts in strict mode."""
    names = dict.fromkeys((case.name, case.one_of(KEYWORDS[:-1], 9)))
    return {
        "type": "object",
        "properties": {name: {"type": "string", "title": "T"} for name in names},
        "required": list(names),
        "additionalProperties": False,
    }


def custom_of(case: Case) -> dict[str, Any]:
    """Return a custom tool of the Responses format with some of its keys."""
    grammar = {"type": "grammar", "definition": case.other}
    forms: tuple[dict[str, Any], ...] = (
        {},
        {"format": {"type": "text"}},
        {"format": {**grammar, "syntax": "lark"}},
        {"format": {**grammar, "syntax": "regex"}},
    )
    described = {"description": case.text} if case.has(3) else {}
    form = case.one_of(forms, 4)
    return {"type": "custom", "name": case.name, **described, **form}


def chat(function: Any) -> Any:
    """Return a function in the form of Chat Completions."""
    return {"type": "function", "function": function}


def flat(function: Any) -> Any:
    """Return a function in the form of Responses."""
    return {"type": "function", **function}


def custom_in_chat(custom: dict[str, Any]) -> dict[str, Any]:
    """Return a custom tool as chat has it: a grammar is an object of its own there."""
    body = {key: value for key, value in custom.items() if key != "type"}
    form = body.get("format", {})
    if form.get("type") == "grammar":
        grammar = {key: value for key, value in form.items() if key != "type"}
        body["format"] = {"type": "grammar", "grammar": grammar}
    return {"type": "custom", "custom": body}
