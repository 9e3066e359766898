"""Registries that hand on or convert schemas wrongly: INT-S1 to S10."""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Callable
from typing import Any

from tests.proof.interop.subject import (
    Json,
    SchemaSubject,
    Subject,
    body_of,
    broken,
    is_accepted,
    is_flat,
    legal,
)

from wireproof_reference.interop import InteropError, UnknownFormatError

CHAT = "openai.chat_completions.function"
RESPONSES = "openai.responses.function"
RESPONSES_CUSTOM = "openai.responses.custom"
KEYS = ("type", "name", "description", "parameters", "strict", "format")
FEW = 3
LONGEST_NAME = 32
LONGEST_DESCRIPTION = 20


class AcceptedSubject(SchemaSubject):
    """Changes each schema that was to be handed on."""

    def accepted(self, made: Json) -> Any:
        """Return what is given in place of this one."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        return self.accepted(made) if is_accepted(made, source) else made


class ConvertedSubject(SchemaSubject):
    """Changes each schema of a function that was converted from another format."""

    def converted(self, made: Json, body: Json) -> Any:
        """Return what is given in place of this one."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        if is_accepted(made, source) or source["type"] != "function":
            return made
        return self.converted(made, body_of(made))


class CustomSubject(SchemaSubject):
    """Changes each function that was made of a custom tool."""

    def function(self, body: Json, source: Json) -> None:
        """Change the object in which name and parameters stand."""
        raise NotImplementedError

    def made(self, made: Json, source: Json) -> Any:
        if source["type"] == "custom" and made["type"] == "function":
            self.function(body_of(made), source)
        return made


# --- INT-S1


@broken(
    "drops-unknown-keys",
    "INT-S1",
    "hands on the keys that it knows",
)
class DropsUnknownKeys(AcceptedSubject):
    def accepted(self, made: Json) -> Any:
        if "function" in made:
            function = {k: v for k, v in made["function"].items() if k in KEYS}
            return {"type": "function", "function": function}
        return {key: value for key, value in made.items() if key in KEYS}


@broken(
    "adds-strict-to-accepted",
    "INT-S1",
    "adds strict to a Responses function that it hands on",
)
class AddsStrictToAccepted(AcceptedSubject):
    def accepted(self, made: Json) -> Any:
        return {**made, "strict": made.get("strict", True)} if is_flat(made) else made


@broken(
    "adds-parameters-to-accepted",
    "INT-S1",
    "adds empty parameters to a chat function that it hands on",
)
class AddsParametersToAccepted(AcceptedSubject):
    def accepted(self, made: Json) -> Any:
        if "function" in made:
            made["function"].setdefault("parameters", {})
        return made


@broken(
    "prefers-the-first-format",
    "INT-S1",
    "converts to the first format though the schema's own is accepted",
)
class PrefersTheFirstFormat(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        if target_formats is None or RESPONSES_CUSTOM in target_formats:
            return super().convert_schemas(schemas, target, target_formats)
        made: list[Any] = []
        for schema in schemas:
            for one in target_formats:
                try:
                    made += super().convert_schemas([schema], target, [one])
                    break
                except InteropError:
                    continue
            else:
                made += super().convert_schemas([schema], target, target_formats)
        return made


@broken("strips-empty-values", "INT-S1", "leaves out what is empty or null")
class StripsEmptyValues(AcceptedSubject):
    def accepted(self, made: Json) -> Any:
        return {
            key: {k: v for k, v in value.items() if v not in ("", None)}
            if isinstance(value, dict)
            else value
            for key, value in made.items()
            if value not in ("", None)
        }


@broken("drops-definitions", "INT-S1", "leaves $defs out of parameters it hands on")
class DropsDefinitions(AcceptedSubject):
    def accepted(self, made: Json) -> Any:
        body_of(made).get("parameters", {}).pop("$defs", None)
        return made


@broken("normalises-schemas", "INT-S1", "hands on descriptions as plain ASCII")
class NormalisesSchemas(AcceptedSubject):
    def accepted(self, made: Json) -> Any:
        body = body_of(made)
        if "description" in body:
            text = unicodedata.normalize("NFKD", body["description"] or "")
            body["description"] = text.encode("ascii", "ignore").decode()
        return made


# --- INT-S2


@broken(
    "drops-strict",
    "INT-S2",
    "loses strict on the way to the other format",
)
class DropsStrict(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        body.pop("strict", None)
        return made


@broken("drops-false-strict", "INT-S2", "loses a strict that is false")
class DropsFalseStrict(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if body.get("strict") is False:
            del body["strict"]
        return made


@broken("strict-by-default", "INT-S2", "makes a function strict that does not say")
class StrictByDefault(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        body.setdefault("strict", True)
        return made


@broken(
    "null-parameters-for-chat",
    "INT-S2",
    "gives a chat function null where it has no parameters",
)
class NullParametersForChat(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if "function" in made:
            body.setdefault("parameters", None)
        return made


@broken(
    "empty-description-added", "INT-S2", "adds an empty description", level="should"
)
class EmptyDescriptionAdded(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        body.setdefault("description", "")
        return made


@broken("empty-description-lost", "INT-S2", "loses a description that is empty")
class EmptyDescriptionLost(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if not body.get("description", True):
            del body["description"]
        return made


@broken("description-lost", "INT-S2", "keeps name, parameters and strict alone")
class DescriptionLost(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        body.pop("description", None)
        return made


@broken("empty-parameters-lost", "INT-S2", "loses parameters that are {}")
class EmptyParametersLost(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if body.get("parameters", True) == {}:
            del body["parameters"]
        return made


@broken("closes-parameters", "INT-S2", "forbids additional properties on its way")
class ClosesParameters(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if body.get("parameters"):
            body["parameters"]["additionalProperties"] = False
        return made


@broken("definitions-lost", "INT-S2", "leaves $defs out of converted parameters")
class DefinitionsLost(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        (body.get("parameters") or {}).pop("$defs", None)
        return made


@broken(
    "nested-and-flat",
    "INT-S2",
    "leaves the nested function beside the flat keys",
)
class NestedAndFlat(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if is_flat(made):
            nested = {key: made[key] for key in KEYS[1:] if key in made}
            made["function"] = copy.deepcopy(nested)
        return made


@broken("flat-and-nested", "INT-S2", "leaves the flat name beside the nested function")
class FlatAndNested(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        return {**made, "name": body["name"]}


@broken("cuts-names", "INT-S2", "cuts names at 32 characters")
class CutsNames(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        body["name"] = body["name"][:LONGEST_NAME]
        return made


@broken("cuts-descriptions", "INT-S2", "cuts descriptions at 20 characters")
class CutsDescriptions(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if body.get("description"):
            body["description"] = body["description"][:LONGEST_DESCRIPTION]
        return made


@broken("types-as-lists", "INT-S2", "writes each type in parameters as a list")
class TypesAsLists(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        properties = (body.get("parameters") or {}).get("properties", {})
        for one in properties.values():
            if isinstance(one.get("type"), str):
                one["type"] = [one["type"]]
        return made


@broken(
    "looks-for-keys-anywhere",
    "INT-S2",
    "takes the properties of a tool for keys of its schema",
)
class LooksForKeysAnywhere(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        properties = (body.get("parameters") or {}).get("properties", {})
        if "strict" in properties:
            body["strict"] = True
        for key in ("description", "name"):
            if key in properties:
                body[key] = properties[key]
        return made


# --- INT-S3


@broken(
    "purpose-lost", "INT-S3", "does not say what a custom tool is for", level="should"
)
class PurposeLost(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body.pop("description", None)


@legal("own-words-first", "puts its own words before the description")
class OwnWordsFirst(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body["description"] = f"Takes text. {body.get('description', '')}"


@broken("parameter-called-text", "INT-S3", "calls the parameter text")
class ParameterCalledText(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        parameters = body["parameters"]
        parameters["properties"] = {"text": parameters["properties"]["input"]}
        parameters["required"] = ["text"]


@broken("input-not-required", "INT-S3", "does not require input")
class InputNotRequired(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        del body["parameters"]["required"]


@broken("two-parameters", "INT-S3", "adds a parameter for the format")
class TwoParameters(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body["parameters"]["properties"]["format"] = {"type": "string"}


@broken("input-may-be-null", "INT-S3", "lets input be null")
class InputMayBeNull(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body["parameters"]["properties"]["input"]["type"] = ["string", "null"]


@broken("input-of-any-type", "INT-S3", "does not say that input is a string")
class InputOfAnyType(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        del body["parameters"]["properties"]["input"]["type"]


@broken("format-left-in-function", "INT-S3", "leaves the format in the function")
class FormatLeftInFunction(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        format_ = body_of(source).get("format", {"type": "text"})
        body["format"] = copy.deepcopy(format_)


@legal("strict-custom", "makes the function strict")
class StrictCustom(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body["strict"] = True


@broken(
    "formatless-takes-nothing",
    "INT-S3",
    "gives no parameters where there is no format",
)
class NoFormatNoParameters(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        if "format" not in body_of(source):
            body["parameters"] = {"type": "object", "properties": {}}


# --- INT-S4


@broken(
    "custom-as-function",
    "INT-S4",
    "turns a custom tool into a function though custom is accepted",
)
class CustomAsFunction(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        accepted = [one for one in target_formats or () if one != RESPONSES_CUSTOM]
        if target == "openai.responses" and target_formats != [RESPONSES_CUSTOM]:
            accepted = accepted or [RESPONSES]
        return super().convert_schemas(schemas, target, accepted or target_formats)


@broken(
    "custom-only-if-first",
    "INT-S4",
    "keeps a custom tool only where custom is the first format",
)
class CustomOnlyIfFirst(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        if target_formats and RESPONSES_CUSTOM in target_formats[1:]:
            target_formats = [one for one in target_formats if one != RESPONSES_CUSTOM]
        return super().convert_schemas(schemas, target, target_formats)


@broken("chat-custom-as-function", "INT-S4", "makes a chat custom tool a function")
class ChatCustomAsFunction(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = []
        for schema in schemas:
            nested = isinstance(schema, dict) and "custom" in schema
            formats = target_formats
            if nested and formats is not None and formats != [RESPONSES_CUSTOM]:
                formats = [one for one in formats if one != RESPONSES_CUSTOM]
            elif nested and formats is None and target == "openai.responses":
                formats = [RESPONSES]
            made += super().convert_schemas([schema], target, formats)
        return made


@broken("grammar-lost", "INT-S4", "keeps a custom tool and loses its grammar")
class GrammarLost(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        if made["type"] == "custom" and made != source and "custom" in source:
            made["format"] = {"type": "text"}
        return made


@broken(
    "chat-grammar-stays-nested",
    "INT-S4",
    "leaves a grammar nested where Responses has it flat",
)
class ChatGrammarStaysNested(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        if made["type"] == "custom" and "custom" in source and "custom" not in made:
            made["format"] = source["custom"].get("format")
        return made


# --- INT-S5


@broken("drops-unreachable", "INT-S5", "drops a schema that no adapter converts")
class DropsUnreachable(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        if not target_formats or target not in {"openai.responses", CHAT[:-9]}:
            return super().convert_schemas(schemas, target, target_formats)
        made: list[Any] = []
        for schema in schemas:
            try:
                made += super().convert_schemas([schema], target, target_formats)
            except UnknownFormatError:
                raise
            except InteropError:
                continue
        return made


@broken(
    "keeps-what-it-made",
    "INT-S5",
    "gives what it made before a refusal with what is converted next",
    shown_by="interop/schema-errors/after-a-refusal-of-the-second",
)
class KeepsWhatItMade(Subject):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.kept: list[Any] = []

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        for schema in schemas:
            self.kept += super().convert_schemas([schema], target, target_formats)
        made, self.kept = self.kept, []
        return made


@legal("nameless-refusal", "refuses a schema without naming the tool")
class NamelessRefusal(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        try:
            return super().convert_schemas(schemas, target, target_formats)
        except InteropError as error:
            raise InteropError(error.detail, target=error.target) from None


@broken("merges-same-name", "INT-S5", "keeps one of two schemas of the same name")
class MergesSameName(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_schemas(schemas, target, target_formats)
        return list({body_of(one).get("name"): one for one in made}.values())


@broken("merges-equal-schemas", "INT-S5", "gives equal schemas once")
class MergesEqualSchemas(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = []
        for one in super().convert_schemas(schemas, target, target_formats):
            if one not in made:
                made.append(one)
        return made


@broken("sorts-schemas", "INT-S5", "gives schemas in the order of their names")
class SortsSchemas(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_schemas(schemas, target, target_formats)
        if len(made) >= FEW:
            made.sort(key=lambda one: str(body_of(one)["name"]))
        return made


@broken("custom-last", "INT-S5", "puts the tools that were custom last")
class CustomLast(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_schemas(schemas, target, target_formats)
        order = [schema["type"] == "custom" for schema in schemas]
        ranked = sorted(range(len(made)), key=order.__getitem__)
        return [made[index] for index in ranked] if len(made) > FEW else made


@broken("nothing-is-null", "INT-S5", "gives null for no schemas")
class NothingIsNull(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> Any:
        return super().convert_schemas(schemas, target, target_formats) or None


@broken("stuck-after-refusal", "INT-S5", "refuses what comes after a refusal")
class StuckAfterRefusal(Subject):
    stuck = False

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        try:
            made = super().convert_schemas(schemas, target, target_formats)
        except InteropError:
            self.stuck = len(schemas) == 1 and "settings" in schemas[0]
            raise
        if self.stuck:
            self.stuck = False
            raise InteropError("still broken")
        return made


# --- INT-S6


@broken("empties-the-source", "INT-S6", "takes the function out of its source")
class EmptiesTheSource(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_schemas(schemas, target, target_formats)
        for schema, one in zip(schemas, made, strict=True):
            if is_flat(one):
                schema.pop("function", None)
        return made


@broken(
    "writes-into-the-source",
    "INT-S6",
    "writes strict into the source",
)
class WritesIntoTheSource(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = super().convert_schemas(schemas, target, target_formats)
        for schema in schemas:
            schema.setdefault("strict", None)
        return made


@broken(
    "shares-parameters",
    "INT-S6",
    "gives the parameters of the source",
    bridged=False,
    level="should",
)
class SharesParameters(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        if source["type"] == made["type"] == "function" and made != source:
            body = body_of(made)
            if "parameters" in body:
                body["parameters"] = body_of(source)["parameters"]
        return made


@broken(
    "hands-on-the-source",
    "INT-S6",
    "hands on the source itself",
    bridged=False,
    level="should",
)
class HandsOnTheSource(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        return source if made == source else made


@broken(
    "copies-the-surface",
    "INT-S6",
    "copies the outermost object only",
    bridged=False,
    level="should",
)
class CopiesTheSurface(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        return dict(source) if made == source else made


@broken("looking-changes", "INT-S6", "adds a description to what it inspects")
class LookingChanges(Subject):
    def inspect_schema(self, schema: Any) -> Any:
        said = super().inspect_schema(schema)
        schema.setdefault("description", "")
        return said


# --- INT-S7


@broken(
    "unknown-passed-on",
    "INT-S7",
    "hands on a schema that it does not know",
    level="should",
)
class UnknownPassedOn(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = []
        for schema in schemas:
            try:
                made += super().convert_schemas([schema], target, target_formats)
            except UnknownFormatError:
                made.append(copy.deepcopy(schema))
        return made


@broken(
    "unknown-dropped",
    "INT-S7",
    "drops a schema that it does not know",
)
class UnknownDropped(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        made: list[Any] = []
        for schema in schemas:
            try:
                made += super().convert_schemas([schema], target, target_formats)
            except UnknownFormatError:
                continue
        return made


@broken(
    "unknown-as-function",
    "INT-S7",
    "makes a function of whatever has a name",
)
class UnknownAsFunction(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        known = [
            {"type": "function", "name": schema["name"], "parameters": {}}
            if isinstance(schema.get("name"), str)
            and schema["type"] not in ("function", "custom")
            else schema
            for schema in schemas
        ]
        return super().convert_schemas(known, target, target_formats)


OF_EVERY_OBJECT = frozenset({"constructor", "toString", "hasOwnProperty", "__proto__"})
"""Some keys under which a table made as an object of JavaScript has something."""


@broken(
    "inherited-targets",
    "INT-S7",
    "looks a target up in what every object has",
    level="should",
)
class InheritedTargets(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        if target in OF_EVERY_OBJECT:
            raise TypeError("formats.includes is not a function")
        return super().convert_schemas(schemas, target, target_formats)


@broken(
    "inherited-types",
    "INT-S7",
    "looks a type up in what every object has",
    level="should",
)
class InheritedTypes(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        if any(schema.get("type") in OF_EVERY_OBJECT for schema in schemas):
            raise TypeError("adapter.convert is not a function")
        return super().convert_schemas(schemas, target, target_formats)


@broken(
    "typeless-refusal",
    "INT-S7",
    "refuses an unknown type without naming it",
    level="should",
)
class TypelessRefusal(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        try:
            return super().convert_schemas(schemas, target, target_formats)
        except UnknownFormatError as error:
            raise InteropError("unknown schema", tool=error.tool) from None


@broken(
    "escapes-types", "INT-S7", "names an unknown type in ASCII escapes", level="should"
)
class EscapesTypes(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        try:
            return super().convert_schemas(schemas, target, target_formats)
        except UnknownFormatError as error:
            raise InteropError(ascii(str(error))) from None


@broken("any-target-is-chat", "INT-S7", "takes an unknown target for chat")
class AnyTargetIsChat(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        known = target if target.startswith("openai.") else "openai.chat_completions"
        return super().convert_schemas(schemas, known, target_formats)


@broken(
    "targetless-refusal", "INT-S7", "refuses a target without naming it", level="should"
)
class TargetlessRefusal(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        if not target.startswith("openai."):
            raise InteropError("no such target")
        return super().convert_schemas(schemas, target, target_formats)


@broken("typeless-is-function", "INT-S7", "takes whatever has no type for a function")
class TypelessIsFunction(Subject):
    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        known: list[Any] = [
            schema
            if "type" in schema
            else {"type": "function", "function": {"name": "", **schema}}
            for schema in schemas
        ]
        return super().convert_schemas(known, target, target_formats)


# --- INT-S9


@broken(
    "format-as-text",
    "INT-S9",
    "writes a custom tool's format as its name",
)
class FormatAsText(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        if made["type"] == "custom" and "custom" in made and made != source:
            made["custom"]["format"] = "grammar"
        return made


@broken(
    "null-description-for-chat",
    "INT-S9",
    "gives a chat function a description of null",
)
class NullDescriptionForChat(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        if "function" in made:
            body.setdefault("description", None)
        return made


@broken(
    "flat-chat-grammar",
    "INT-S9",
    "writes a chat custom tool's grammar flat, as Responses has it",
)
class FlatChatGrammar(SchemaSubject):
    def made(self, made: Json, source: Json) -> Any:
        if made["type"] == "custom" and "custom" in made and made != source:
            made["custom"]["format"] = source.get("format")
        return made


@broken(
    "strict-as-text",
    "INT-S9",
    "writes strict of a custom tool made a function as a text",
)
class StrictAsText(CustomSubject):
    def function(self, body: Json, source: Json) -> None:
        body["strict"] = "false"


# --- INT-S10


class SayingSubject(Subject):
    """Changes what is said of a schema."""

    def said(self, said: Json, schema: Json) -> Any:
        """Return what is said in place of this."""
        raise NotImplementedError

    def inspect_schema(self, schema: Any) -> Any:
        return self.said(super().inspect_schema(schema), schema)


@broken("custom-is-object", "INT-S10", "says that a custom tool takes an object")
class CustomIsObject(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        return {**said, "payload_kind": "object"}


@broken("parameters-for-custom", "INT-S10", "tells parameters of a custom tool")
class ParametersForCustom(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        if said["payload_kind"] == "text":
            said["parameters"] = {"type": "object", "properties": {}}
        return said


@broken("provider-for-format", "INT-S10", "tells the provider in place of the format")
class ProviderForFormat(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        return {**said, "format": said["format"].rpartition(".")[0]}


@broken("description-untold", "INT-S10", "does not tell the description")
class DescriptionUntold(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        return {**said, "description": None}


@broken("parameters-without-definitions", "INT-S10", "tells parameters without $defs")
class ParametersWithoutDefinitions(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        (said["parameters"] or {}).pop("$defs", None)
        return said


@broken("empty-is-no-parameters", "INT-S10", "tells none where parameters are empty")
class EmptyIsNoParameters(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        return {**said, "parameters": said["parameters"] or None}


@broken("lists-properties", "INT-S10", "tells the properties as the parameters")
class ListsProperties(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        if said["parameters"]:
            said["parameters"] = said["parameters"].get("properties", {})
        return said


@broken("nulls-refused", "INT-S10", "cannot inspect a schema with null parameters")
class NullsRefused(SayingSubject):
    def said(self, said: Json, schema: Json) -> Any:
        if None in body_of(schema).values() and "parameters" in schema:
            dict(body_of(schema)["parameters"])
        return said


@broken("required-in-order", "INT-S2", "sorts the names of what parameters require")
class RequiredInOrder(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        def ordered(value: Any) -> Any:
            if isinstance(value, dict) and isinstance(value.get("required"), list):
                return {**value, "required": sorted(value["required"])}
            return value

        return _in_parameters(made, body, ordered)


@broken(
    "keywords-of-strict-mode", "INT-S2", "leaves out keywords that some models lack"
)
class KeywordsOfStrictMode(ConvertedSubject):
    def converted(self, made: Json, body: Json) -> Any:
        lacking = {"format", "patternProperties", "minContains", "unevaluatedItems"}

        def kept(value: Any) -> Any:
            if not isinstance(value, dict):
                return value
            return {k: v for k, v in value.items() if k not in lacking}

        return _in_parameters(made, body, kept)


def _in_parameters(made: Json, body: Json, change: Callable[[Any], Any]) -> Json:
    def inside(value: Any) -> Any:
        if isinstance(value, dict):
            value = {key: inside(member) for key, member in value.items()}
        elif isinstance(value, list):
            value = [inside(element) for element in value]
        return change(value)

    if body.get("parameters"):
        body["parameters"] = inside(body["parameters"])
    return made
