"""Tools that change values: EXEC-O8."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.proof.exec_oneshot.subject import broken
from tests.proof.exec_oneshot.tool import Tool


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with each scalar in it changed."""
    if isinstance(value, dict):
        return {key: changed(one, change) for key, one in value.items()}
    if isinstance(value, list):
        return [changed(one, change) for one in value]
    return change(value)


@broken(
    "ascii-only",
    "EXEC-O8",
    "replaces what is not ASCII by question marks",
)
class AsciiOnly(Tool):
    def parse(self, data: bytes) -> Any:
        return changed(
            super().parse(data),
            lambda one: (
                one.encode("ascii", "replace").decode() if isinstance(one, str) else one
            ),
        )


@broken("rounds", "EXEC-O8", "rounds fractions to six digits")
class Rounds(Tool):
    def parse(self, data: bytes) -> Any:
        return (
            json.loads(data, parse_float=lambda text: round(float(text), 6))
            if _is_json(data)
            else super().parse(data)
        )


@broken("single-precision", "EXEC-O8", "holds integers in 32 bits")
class ThirtyTwoBits(Tool):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        def cut(one: Any) -> Any:
            whole = isinstance(one, int) and not isinstance(one, bool)
            return (one + 2**31) % 2**32 - 2**31 if whole else one

        return {"value": changed(arguments["value"], cut)}


@broken("drops-nulls", "EXEC-O8", "leaves out members that are null")
class DropsNulls(Tool):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        return {"value": without_nulls(arguments["value"])}


@broken(
    "falsy-is-nothing",
    "EXEC-O8",
    "gives an empty object for a result that is false or 0",
)
class FalsyIsNothing(Tool):
    def execute(self, args: dict[str, Any]) -> Any:
        return super().execute(args) or {}


@broken(
    "numbers-as-text",
    "EXEC-O8",
    "gives a number that stands alone back as text",
    shown_by="exec-oneshot/values/each-alone",
)
class NumbersAsText(Tool):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        value = arguments["value"]
        return {"value": str(value) if type(value) in (int, float) else value}


@broken("trims", "EXEC-O8", "trims strings")
class Trims(Tool):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        value = changed(
            arguments["value"], lambda one: one.strip() if isinstance(one, str) else one
        )
        return {"value": value}


@broken(
    "folds-error-lines",
    "EXEC-O8",
    "writes the text of an error on one line",
)
class FoldsErrorLines(Tool):
    def failure(self, text: str) -> dict[str, Any]:
        return {"error": " ".join(text.split()) or "failed"}


@broken(
    "numbers-from-text", "EXEC-O8", "turns strings that look like numbers into numbers"
)
class NumbersFromText(Tool):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        def guess(one: Any) -> Any:
            try:
                return float(one) if isinstance(one, str) and "_" not in one else one
            except ValueError:
                return one

        return {"value": changed(arguments["value"], guess)}

    def dump(self, answer: Any) -> bytes:
        return super().dump(changed(answer, lambda one: None if one != one else one))  # noqa: PLR0124


@broken("lower-keys", "EXEC-O8", "writes keys in small letters")
class LowerKeys(Tool):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        return {"value": lower_keys(arguments["value"])}


def without_nulls(value: Any) -> Any:
    """Return a value without members that are null."""
    if isinstance(value, dict):
        return {k: without_nulls(one) for k, one in value.items() if one is not None}
    if isinstance(value, list):
        return [without_nulls(one) for one in value]
    return value


def lower_keys(value: Any) -> Any:
    """Return a value with its keys in small letters."""
    if isinstance(value, dict):
        return {key.lower(): lower_keys(one) for key, one in value.items()}
    if isinstance(value, list):
        return [lower_keys(one) for one in value]
    return value


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True
