"""Formats that a registry declares beside those of the table, exercised (INT-G4, S1).

Nothing is known of such a format but its name, so the registry's own adapters make
its objects: a function schema goes there, is inspected, handed on and taken back. A
way that the registry refuses is one for which it has no adapter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Check, Difference, Verdict, Words
from wireproof.patterns import is_array, is_object, json_equal
from wireproof.protocols.interop._scenarios import PREFIX
from wireproof.protocols.interop._shapes import CHAT, RESPONSES, TABLE
from wireproof.subjects import DriverFault, Op

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.checks import Result
    from wireproof.operations import BridgedSuite
    from wireproof.subjects import Answer

OWN_FORMATS = Check(
    f"{PREFIX}declared-formats",
    "A format of the registry's own is reached, inspected, handed on and left again.",
    ("INT-G4", "INT-S1"),
    "must",
    "seed",
    "scenario",
    {"ops": ["convert_schemas", "inspect_schema"], "features": ["target_formats"]},
)

NAME = "read_file"
_FUNCTION = {
    "name": NAME,
    "description": "Read a file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
}
SOURCES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (CHAT, {"type": "function", "function": _FUNCTION}),
    (RESPONSES, {"type": "function", **_FUNCTION}),
)


class _NotAnswered(Exception):
    def __init__(self, fault: DriverFault) -> None:
        self.fault = fault
        super().__init__(fault.text)


class _Unexpected(Exception):
    def __init__(self, text: str, where: str, expected: Any, actual: Any) -> None:
        self.text = text
        self.shown = Difference(where, expected, actual)
        super().__init__(text)


def run_own_formats(suite: BridgedSuite, check: Check) -> Result:
    """Exercise each format that is not of the table.

    Args:
        suite: The suite, bound to its registry.
        check: ``OWN_FORMATS``; ``unmet`` has found nothing that is in its way.
    """
    described = suite.bridge.ensure_up()
    if isinstance(described, DriverFault):
        return suite.not_answered(check, described)
    own = [name for name in described.formats if name not in TABLE]
    if not own:
        reason = "it declares no format of its own"
        return suite.result(check, Verdict.NOT_APPLICABLE, reason)
    try:
        ways = {name: _exercise(suite, name) for name in own}
    except _NotAnswered as error:
        return suite.not_answered(check, error.fault)
    except _Unexpected as error:
        return suite.failed(check, error.text, (error.shown,))
    if not any(ways.values()):
        reason = f"no function schema can be converted to {', '.join(own)}"
        return suite.result(check, Verdict.NOT_APPLICABLE, reason)
    return replace(suite.result(check, Verdict.PASSED), evidence={"ways": ways})


def _exercise(suite: BridgedSuite, name: str) -> list[str]:
    """Take a schema to a format and back; return the ways that exist."""
    ways: list[str] = []
    for target, source in SOURCES:
        made = _convert(suite, source, target, name)
        if made is None:
            continue
        ways.append(f"from {target}.function")
        again = _convert(suite, made, target, name)
        if not json_equal(made, again):
            text = f"a schema of {name} is not handed on where {name} is accepted"
            raise _Unexpected(text, name, made, again)
        seen = _ask(suite, Op("inspect_schema", {"schema": made}))
        if seen.ok:
            wanted = {"name": NAME, "format": name}
            found = {key: _member(seen.value, key) for key in wanted}
            if found != wanted:
                text = f"inspect_schema says something else of a schema of {name}"
                raise _Unexpected(text, name, wanted, found)
        for back, shape in SOURCES:
            left = _convert(suite, made, back, f"{back}.function")
            if left is None:
                continue
            ways.append(f"to {back}.function")
            inner = _member(left, "function") if "function" in shape else left
            told: Any = seen.value if seen.ok else {}
            # What its accessor sees in the object is there to be taken along.
            for key in ("name", "description", "parameters"):
                held: Any = NAME if key == "name" else _member(told, key)
                if held == _FUNCTION[key] != _member(inner, key):
                    text = (
                        f"the {key} is lost on the way from {name} to {back}.function"
                    )
                    raise _Unexpected(text, key, held, _member(inner, key))
    return list(dict.fromkeys(ways))


def _convert(suite: BridgedSuite, schema: Any, target: str, accepted: str) -> Any:
    """Return the converted schema, or None where the registry refuses the way."""
    arguments = {"schemas": [schema], "target": target, "target_formats": [accepted]}
    answer = _ask(suite, Op("convert_schemas", arguments))
    if not answer.ok:
        return None
    found: Any = answer.value
    if not is_array(found) or len(found) != 1:
        text = f"one schema converted to {accepted} is not one schema"
        raise _Unexpected(text, accepted, Words("an array of 1 element"), found)
    return found[0]


def _ask(suite: BridgedSuite, op: Op) -> Answer:
    answer = suite.bridge.ask(op)
    if isinstance(answer, DriverFault):
        raise _NotAnswered(answer)
    return answer


def _member(value: Any, key: str) -> Any:
    return value.get(key) if is_object(value) else None
