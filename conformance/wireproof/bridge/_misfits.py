"""Answers of a driver that do not fit the bridge, whatever the subject does.

The shape of the fields that a driver adds by itself is ``driver`` in the schema of an
op; what the subject gives in them is for the checks.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from wireproof.patterns import json_type
from wireproof_vectors import load_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jsonschema.protocols import Validator


OPS: Final = frozenset(
    {
        "start",
        "request",
        "execute",
        "request_many",
        "execute_many",
        "format_result",
        "state",
        "call",
        "call_many",
        "register",
        "register_reducer",
        "unregister_reducer",
        "execute_parallel",
    }
)
"""The ops whose value has fields of the driver's."""


@cache
def _validator(op: str) -> Validator:
    from jsonschema import Draft202012Validator

    schema: Mapping[str, Any] = load_schema(f"bridge/{op}")
    return Draft202012Validator({**schema, "$ref": "#/$defs/driver"})


def misfit_in(op: str, value: Any) -> str:
    """Return which field of a value does not fit the bridge; empty if all do."""
    if op not in OPS:
        return ""
    error = next(iter(_validator(op).iter_errors(value)), None)
    if error is None:
        return ""
    steps = (f"[{one}]" if isinstance(one, int) else f".{one}" for one in error.path)
    place = "".join(steps)
    if error.validator == "required":
        return f"`{op}`{place} has no {error.message.partition(' is a ')[0]}"
    if error.validator == "anyOf":
        choices: Any = error.validator_value
        keys = ", ".join(one["required"][0] for one in choices)
        return f"`{op}`{place} has none of the keys {keys}"
    kind = json_type(error.instance)
    article = "" if kind == "null" else "an " if kind[0] in "aio" else "a "
    return f"`{op}`{place} is {article}{kind}"
