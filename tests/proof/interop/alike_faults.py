"""Registries that take what is nearly a known type, target, format or tool for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.proof.interop.result_faults import CHAT, KEYS, RESPONSES, is_envelope
from tests.proof.interop.subject import (
    CallSubject,
    Json,
    MeaningSubject,
    ResultSubject,
    SchemaSubject,
    Subject,
    body_of,
    broken,
)

TYPES = {
    "function_call": "function_call",
    "custom_tool_call": "custom_tool_call",
    "function": "function",
    "custom": "custom",
}
OUTPUTS = {"function_call_output", "custom_tool_call_output"}


def with_type(it: Any, known: Callable[[str], str | None]) -> Any:
    """Return an object with the known type that its own is taken for."""
    own = it.get("type") if isinstance(it, dict) else None
    found = known(own) if isinstance(own, str) else None
    return {**it, "type": found} if found else it


def by_beginning(own: str) -> str | None:
    """Return the known type that a type begins with."""
    if own in OUTPUTS:
        return None
    return next((one for one in TYPES if own.startswith(one)), None)


def in_any_case(own: str) -> str | None:
    """Return the known type that a type is in small letters."""
    return TYPES.get(own.lower())


# --- S7


@broken(
    "schema-types-by-their-beginning",
    "INT-S7",
    "knows types by their beginning",
    shown_by="interop/schema-errors/type-that-begins-alike",
)
class SchemaTypesByBeginning(Subject):
    """Knows no type but by its beginning."""

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        known = [with_type(one, by_beginning) for one in schemas]
        return super().convert_schemas(known, target, target_formats)


@broken(
    "targets-by-their-beginning",
    "INT-S7",
    "knows targets by their beginning",
    shown_by="interop/schema-errors/target-that-begins-or-ends-alike",
)
class TargetsByBeginning(Subject):
    """Knows no target but by its beginning."""

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        target = next((one for one in KEYS if target.startswith(one)), target)
        return super().convert_schemas(schemas, target, target_formats)


@broken(
    "targets-by-a-part",
    "INT-S7",
    "knows targets by a part of their name",
    shown_by="interop/schema-errors/target-that-begins-or-ends-alike",
)
class TargetsByPart(Subject):
    """Knows no target but by a part."""

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        target = next((one for one in KEYS if one in target), target)
        return super().convert_schemas(schemas, target, target_formats)


# --- Z12


class SanitisedAs(Subject):
    """Sanitises some calls as if they had a known type."""

    known = staticmethod(by_beginning)

    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(with_type(call, self.known))
        return {**made, "type": call["type"]} if "type" in call else made


@broken(
    "sanitises-types-by-their-beginning",
    "INT-Z12",
    "sanitises calls whose type begins like a known one",
    shown_by="interop/sanitise-odd/other-begins-alike",
)
class SanitisesByBeginning(SanitisedAs):
    """Looks at the beginning."""


@broken(
    "sanitises-types-in-any-case",
    "INT-Z12",
    "sanitises calls whose type is a known one in another case",
    shown_by="interop/sanitise-odd/other-in-capitals",
)
class SanitisesInAnyCase(SanitisedAs):
    """Looks at the type in small letters."""

    known = staticmethod(in_any_case)


# --- R4


class FormatsAs(Subject):
    """Takes the formats of some envelopes for the target's."""

    def meant(self, own: str, target: str) -> bool:
        """Whether a format is taken for the target's."""
        raise NotImplementedError

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        def read(one: Json) -> Json:
            stored: Any = one.get("toolResult")
            own = stored["format"] if is_envelope(stored) else None
            if not isinstance(own, str) or not self.meant(own, target):
                return one
            return {**one, "toolResult": {**one["toolResult"], "format": target}}

        known: list[Any] = results
        if target in KEYS:
            known = [read(one) for one in results]
        return super().convert_results(known, target, calls)


@broken(
    "envelopes-by-the-beginning",
    "INT-R4",
    "sends envelopes as they are whose format begins like the target's",
    level="should",
    shown_by="interop/results/envelope-of-a-format-that-begins-alike-to-chat",
)
class EnvelopesByBeginning(FormatsAs):
    """Looks at the beginning."""

    def meant(self, own: str, target: str) -> bool:
        return own.startswith(target)


@broken(
    "envelopes-in-any-case",
    "INT-R4",
    "sends envelopes as they are whose format is the target's in another case",
    level="should",
    shown_by="interop/results/envelope-of-a-format-in-capitals-to-responses",
)
class EnvelopesInAnyCase(FormatsAs):
    """Looks at the format in small letters."""

    def meant(self, own: str, target: str) -> bool:
        return own.lower() == target


# --- S2, C4, C6


def has_input_alone(parameters: Any) -> bool:
    """Whether a function has one parameter, named input."""
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    return isinstance(properties, dict) and list(properties) == ["input"]


@broken(
    "input-alone-is-custom",
    "INT-S2",
    "makes a custom tool of a function with one text named input",
    shown_by="interop/schemas/function-of-one-text-named-input",
)
class InputAloneIsCustom(SchemaSubject):
    """Takes such functions for what a custom tool became."""

    def made(self, made: Json, source: Json) -> Any:
        body = body_of(made)
        functions = {made["type"], source["type"]} == {"function"}
        if not functions or not has_input_alone(body.get("parameters")):
            return made
        text = {"type": "text"}
        return {"type": "custom", "name": body["name"], "format": text}


@broken(
    "could-be-strict",
    "INT-S2",
    "makes functions strict that take no further arguments",
    shown_by="interop/schemas/chat-to-responses-closed-no-strict",
)
class CouldBeStrict(SchemaSubject):
    """Makes strict what could be."""

    def made(self, made: Json, source: Json) -> Any:
        body = body_of(made)
        parameters = body.get("parameters")
        functions = {made["type"], source["type"]} == {"function"}
        closed = (
            isinstance(parameters, dict)
            and parameters.get("additionalProperties") is False
        )
        if made != source and functions and closed and "strict" not in body_of(source):
            body["strict"] = True
        return made


def input_alone(arguments: Any) -> Any:
    """Return the one argument input that is there; None where there are others."""
    try:
        found = json.loads(arguments)
    except (TypeError, ValueError, RecursionError):
        return None
    alone = isinstance(found, dict) and list(found) == ["input"]
    return found["input"] if alone and isinstance(found["input"], str) else None


@broken(
    "input-alone-is-raw",
    "INT-C4",
    "makes a custom call for chat of one with one text named input",
    shown_by="interop/calls/argument-named-input",
)
class InputAloneIsRaw(CallSubject):
    """Takes such calls for those of a custom tool."""

    def made(self, made: Json, source: Json) -> Any:
        if source.get("type") != "function_call" or "function" not in made:
            return made
        raw = input_alone(source.get("arguments"))
        if raw is None:
            return made
        custom = {"name": source["name"], "input": raw}
        return {"id": made["id"], "type": "custom", "custom": custom}


@broken(
    "input-alone-is-raw-for-responses",
    "INT-C6",
    "makes a custom item of a chat call with one text named input",
    shown_by="interop/calls/argument-named-input-to-responses",
)
class InputAloneIsRawItem(CallSubject):
    """Takes such calls for those of a custom tool."""

    def made(self, made: Json, source: Json) -> Any:
        if made.get("type") != "function_call" or made == source:
            return made
        raw = input_alone(made["arguments"])
        if raw is None:
            return made
        ids = {"call_id": made["call_id"], "name": made["name"]}
        return {"type": "custom_tool_call", **ids, "input": raw}


@broken(
    "namespaces-taken-off",
    "INT-C4",
    "takes functions_ from the beginning of names",
    shown_by="interop/calls/name-with-a-namespace",
)
class NamespacesTakenOff(CallSubject):
    """Takes a prefix for a namespace."""

    def made(self, made: Json, source: Json) -> Any:
        body = body_of(made)
        if made != source and isinstance(body.get("name"), str):
            body["name"] = body["name"].removeprefix("functions_")
        return made


# --- C1, R1


@broken(
    "extras-of-all-calls",
    "INT-C1",
    "tells of a call what was beside those before",
    shown_by="interop/inspect-calls/metadata-of-its-own",
)
class ExtrasOfAllCalls(MeaningSubject):
    """Has one object for what is beside calls."""

    def __init__(self) -> None:
        super().__init__()
        self._extras: Json = {}

    def said(self, said: Json, call: Json) -> Any:
        self._extras.update(said["payload_metadata"])
        return {**said, "payload_metadata": dict(self._extras)}


@broken(
    "texts-with-halves-emptied",
    "INT-R1",
    "sends nothing of a text that UTF-8 cannot carry whole",
    bridged=False,
    shown_by="interop/results/text-with-half-a-pair-to-chat",
)
class TextsWithHalvesEmptied(ResultSubject):
    """Gives up texts that it cannot encode."""

    def made(self, made: Json, source: Json, target: str) -> Any:
        key = {CHAT: "content", RESPONSES: "output"}.get(target, "")
        if isinstance(made.get(key), str):
            try:
                made[key].encode()
            except UnicodeEncodeError:
                made[key] = ""
        return made
