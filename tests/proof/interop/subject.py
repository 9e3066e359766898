"""What a broken or a legal registry is, and how one is entered in its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from tests.proof.composed import changed
from tests.proof.registry_row import RegistryRow, attributes_of
from tests.proof.row import Tables

from wireproof.protocols import protocol_for
from wireproof_reference.interop import (
    DEFAULT_TOOL_INTEROP_REGISTRY,
    InteropSubject,
    ToolDescriptor,
    ToolInteropContribution,
    accepted_tool_schema_formats,
    compose_registry,
    get_registry_from_context,
    get_schema_target_formats_from_context,
)

Json: TypeAlias = dict[str, Any]


def command_for(target: str) -> tuple[str, ...]:
    """Return what the suite starts for `module:attr`."""
    return protocol_for("adapter").command(target)


class Subject(InteropSubject):
    """The reference without a provider, with the names that scenarios look for."""

    compose_registry: Any = staticmethod(compose_registry)
    get_registry_from_context = staticmethod(get_registry_from_context)
    get_schema_target_formats_from_context = staticmethod(
        get_schema_target_formats_from_context
    )
    accepted_tool_schema_formats = staticmethod(accepted_tool_schema_formats)
    DEFAULT_TOOL_INTEROP_REGISTRY: Any = DEFAULT_TOOL_INTEROP_REGISTRY
    ToolDescriptor: Any = ToolDescriptor
    ToolInteropContribution = ToolInteropContribution


@dataclass(frozen=True, slots=True, kw_only=True)
class AdapterRow(RegistryRow):
    """A registry of adapters that does one thing differently from the reference.

    Attributes:
        bridged: Whether a driver shows what it does as well.
    """

    option = "adapter"
    bridged: bool = True


def _row(subject: type[Any], **attributes: Any) -> AdapterRow:
    """Return the row of a class, which the suite finds by its name."""
    target = f"{subject.__module__}:{subject.__qualname__}"
    return AdapterRow(target=target, **attributes)


TABLES = Tables(_row)
BROKEN, LEGAL = TABLES.broken, TABLES.legal
broken, legal = TABLES.enter_broken, TABLES.enter_legal


def compose_legal(names: Sequence[str]) -> AdapterRow:
    """Return the legal registry that has these variants at once.

    Args:
        names: Those of the variants.
    """
    rows = [LEGAL[name] for name in names]
    attribute = "__".join(row.target.partition(":")[2] for row in rows)
    target = f"tests.proof.interop.together:{attribute}"
    return AdapterRow(target=target, **attributes_of(rows))


def changes() -> dict[str, frozenset[str]]:
    """Return what each legal registry changes, by its name.

    One that stands before another registry, or is none of ours, is left out.
    """
    found: dict[str, frozenset[str]] = {}
    for name, row in LEGAL.items():
        module, _, attribute = row.target.partition(":")
        kind = getattr(import_module(module), attribute)
        if issubclass(kind, Subject):
            own = changed(kind, Subject)
            # Each begins with something else in its hand: no two go together.
            found[name] = own | ({"begins"} if "__init__" in own else set())
    return found


class SchemaSubject(Subject):
    """Changes each schema that was converted, or handed on."""

    def made(self, made: Json, source: Json) -> Any:
        """Return what is given in place of this schema."""
        raise NotImplementedError

    def convert_schemas(
        self, schemas: list[Any], target: str, target_formats: list[str] | None = None
    ) -> list[Any]:
        found: Any = super().convert_schemas(schemas, target, target_formats)
        return list(map(self.made, found, schemas))


class CallSubject(Subject):
    """Changes each call that was converted, or handed on."""

    def made(self, made: Json, source: Json) -> Any:
        """Return what is given in place of this call."""
        raise NotImplementedError

    def convert_tool_calls(self, calls: list[Any], target: str) -> list[Any]:
        found: Any = super().convert_tool_calls(calls, target)
        return list(map(self.made, found, calls))


class ResultSubject(Subject):
    """Changes each message that was made of a result."""

    def made(self, made: Json, source: Json, target: str) -> Any:
        """Return what is given in place of this message."""
        raise NotImplementedError

    def convert_results(
        self, results: list[Any], target: str, calls: list[Any] | None = None
    ) -> list[Any]:
        found: Any = super().convert_results(results, target, calls)
        return [
            self.made(made, source, target)
            for made, source in zip(found, results, strict=True)
        ]


class ArgumentsSubject(Subject):
    """Sanitises the arguments of chat function calls in its own way."""

    def arguments(self, given: Any, right: str) -> Any:
        """Return what the arguments become, which the reference makes `right`."""
        raise NotImplementedError

    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if call.get("type") == "function" and isinstance(call.get("function"), dict):
            given = call["function"].get("arguments")
            right = made["function"]["arguments"]
            made["function"]["arguments"] = self.arguments(given, right)
        return made


class TextSubject(ArgumentsSubject):
    """Sanitises the arguments of chat function calls that are texts in its own way."""

    def text(self, text: str, right: str) -> Any:
        """Return what the text becomes, which the reference makes `right`."""
        raise NotImplementedError

    def arguments(self, given: Any, right: str) -> Any:
        return self.text(given, right) if isinstance(given, str) else right


class MeaningSubject(Subject):
    """Changes what is said of each call."""

    def said(self, said: Json, call: Json) -> Any:
        """Return what is said in place of this."""
        raise NotImplementedError

    def inspect_call(self, call: Any) -> Any:
        said: Any = super().inspect_call(call)
        return self.said(said, call)


def is_flat(made: Json) -> bool:
    """Whether a function schema is of the Responses format."""
    return made.get("type") == "function" and "function" not in made


def body_of(schema: Json) -> Json:
    """Return the object that the keys of a schema or a call stand in."""
    body: Json = schema
    for key in ("function", "custom"):
        body = schema.get(key, body)
    return body


def is_accepted(made: Json, source: Json) -> bool:
    """Whether a schema or call was handed on as it is."""
    return made == source
