"""Servers that change values: EXEC-S15."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.proof.exec_oneshot.value_faults import changed, lower_keys, without_nulls
from tests.proof.exec_server.server import Server
from tests.proof.exec_server.subject import broken


@broken(
    "falsy-is-nothing",
    "EXEC-S15",
    "gives an empty object for a result that is false or 0",
)
class FalsyIsNothing(Server):
    def execute(self, args: dict[str, Any]) -> Any:
        return super().execute(args) or {}


@broken("drops-nulls", "EXEC-S15", "leaves out members that are null")
class DropsNulls(Server):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        return {"value": without_nulls(arguments.get("value"))}


@broken("rounds", "EXEC-S15", "rounds fractions to six digits")
class Rounds(Server):
    def parse(self, line: bytes) -> Any:
        value = super().parse(line)
        if isinstance(value, dict) and "params" in value:
            text = json.dumps(value["params"])
            value["params"] = json.loads(text, parse_float=_rounded)
        return value


@broken("thirty-two-bits", "EXEC-S15", "holds integers in 32 bits")
class ThirtyTwoBits(Server):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        def cut(one: Any) -> Any:
            whole = isinstance(one, int) and not isinstance(one, bool)
            return (one + 2**31) % 2**32 - 2**31 if whole else one

        return {"value": changed(arguments.get("value"), cut)}


@broken("lower-keys", "EXEC-S15", "writes keys in small letters")
class LowerKeys(Server):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        return {"value": lower_keys(arguments.get("value"))}


@broken(
    "numbers-as-text",
    "EXEC-S15",
    "gives a number that stands alone back as text",
    shown_by="exec-server/values/each-alone",
)
class NumbersAsText(Server):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        value = arguments.get("value")
        return {"value": str(value) if type(value) in (int, float) else value}


@broken("trims", "EXEC-S15", "trims strings")
class Trims(Server):
    def do_echo(self, arguments: dict[str, Any]) -> Any:
        def trimmed(one: Any) -> Any:
            return one.strip() if isinstance(one, str) else one

        return {"value": changed(arguments.get("value"), trimmed)}


def _rounded(text: str) -> float:
    return round(float(text), 6)


@broken(
    "reads-latin-1",
    "EXEC-S15",
    "takes each byte for a letter",
)
class ReadsLatin1(Server):
    def lines(self) -> Iterator[bytes]:
        for line in super().lines():
            yield line.decode("latin-1").encode()
