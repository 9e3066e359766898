"""Says what is wrong with a message of the bridge, by the schemas that are shipped."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

from wireproof_vectors import load_schema


def flaws(schema: str, part: str, document: Any) -> list[str]:
    """Say what is wrong with a document by a definition of a schema."""
    whole = load_schema(f"bridge/{schema}")
    validator = Draft202012Validator({**whole, "$ref": f"#/$defs/{part}"})
    return [error.message for error in validator.iter_errors(document)]


def answer_flaws(answer: Any) -> list[str]:
    """Say what is wrong with an answer, whatever its value."""
    validator = Draft202012Validator(load_schema("bridge/answer"))
    return [error.message for error in validator.iter_errors(answer)]
