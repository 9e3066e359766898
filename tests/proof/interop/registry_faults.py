"""Registries that are composed, kept or asked wrongly: INT-G1 to G7, R6."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.proof.interop.subject import Subject, broken, legal

from wireproof_reference.interop import (
    BUILT_IN_CONTRIBUTION,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    ToolDescriptor,
    ToolInteropContribution,
    ToolInteropRegistry,
    accepted_tool_schema_formats,
    get_registry_from_context,
    get_schema_target_formats_from_context,
)

Layers = dict[str, Sequence[ToolInteropContribution]]

LAYERS = ("config", "provider", "provider_extension", "tool")
PARTS = (
    "schema_accessors",
    "schema_adapters",
    "call_accessors",
    "call_adapters",
    "result_accessors",
    "result_adapters",
)
CHAT = "openai.chat_completions"
OWN = {"bridged": False}


def merged(contributions: Iterable[ToolInteropContribution]) -> dict[str, list[Any]]:
    """Return all parts of some contributions, in their order."""
    known = tuple(contributions)
    return {
        name: [part for one in known for part in getattr(one, name)] for name in PARTS
    }


class ComposedSubject(Subject):
    """Composes registries in its own way."""

    def composed(self, layers: Layers) -> ToolInteropRegistry:
        """Return the registry of these layers."""
        raise NotImplementedError

    def compose_registry(self, **layers: Any) -> Any:
        """Compose."""
        return self.composed(layers)


class PartsSubject(ComposedSubject):
    """Composes registries of parts that are arranged in its own way."""

    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        """Return the parts of one kind, built-in ones not included."""
        return [
            part
            for layer in LAYERS
            for one in layers.get(layer, ())
            for part in getattr(one, name)
        ]

    def composed(self, layers: Layers) -> ToolInteropRegistry:
        own = {name: tuple(self.parts(name, layers)) for name in PARTS}
        return ToolInteropRegistry(
            (ToolInteropContribution(**own), BUILT_IN_CONTRIBUTION)
        )


# --- INT-G1


@broken("tool-before-config", "INT-G1", "asks the tool's layer first", bridged=False)
class ToolBeforeConfig(PartsSubject):
    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        return super().parts(name, layers)[::-1]


@broken(
    "extension-before-provider",
    "INT-G1",
    "asks the provider's extension before the provider",
    bridged=False,
)
class ExtensionBeforeProvider(PartsSubject):
    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        swapped = {
            **layers,
            "provider": layers.get("provider_extension", ()),
            "provider_extension": layers.get("provider", ()),
        }
        return super().parts(name, swapped)


@broken(
    "in-order-of-mention", "INT-G1", "asks layers as they were named", bridged=False
)
class InOrderOfMention(ComposedSubject):
    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in layers.values() for one in layer]
        return ToolInteropRegistry((*known, BUILT_IN_CONTRIBUTION))


@broken(
    "built-ins-first-for-calls",
    "INT-G1",
    "asks its own adapters for calls before contributed ones",
    bridged=False,
)
class BuiltInsFirstForCalls(PartsSubject):
    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        own = BUILT_IN_CONTRIBUTION.call_adapters if name == "call_adapters" else ()
        return [*own, *super().parts(name, layers)]


@broken(
    "last-result-adapter",
    "INT-G1",
    "asks the last adapter for results",
    bridged=False,
)
class LastResultAdapter(PartsSubject):
    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        found = super().parts(name, layers)
        return found[::-1] if name == "result_adapters" else found


@broken("own-accessors-first", "INT-G1", "asks its own accessors first", bridged=False)
class OwnAccessorsFirst(PartsSubject):
    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        own = getattr(BUILT_IN_CONTRIBUTION, name) if "accessors" in name else ()
        return [*own, *super().parts(name, layers)]


@broken(
    "forgets-config", "INT-G1", "does not know the layer of the config", bridged=False
)
class ForgetsConfig(PartsSubject):
    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        kept = {**layers}
        if name == "call_accessors":
            kept.pop("config", None)
        return super().parts(name, kept)


# --- INT-G2


@broken(
    "always-the-default", "INT-G2", "takes the default registry always", bridged=False
)
class AlwaysTheDefault(Subject):
    @staticmethod
    def get_registry_from_context(context: Any) -> Any:
        """Ignore the context."""
        return DEFAULT_TOOL_INTEROP_REGISTRY


@broken("formats-of-its-own", "INT-G2", "takes formats of its own", bridged=False)
class FormatsOfItsOwn(Subject):
    @staticmethod
    def get_schema_target_formats_from_context(context: Any) -> Any:
        """Ignore the context."""
        return [f"{CHAT}.function"]


@broken("sorts-the-formats", "INT-G2", "sorts the context's formats", bridged=False)
class SortsTheFormats(Subject):
    @staticmethod
    def get_schema_target_formats_from_context(context: Any) -> Any:
        """Sort them backwards."""
        found = get_schema_target_formats_from_context(context)
        return None if found is None else sorted(found, reverse=True)


@broken(
    "no-default", "INT-G2", "composes anew where there is no context", bridged=False
)
class NoDefault(Subject):
    @staticmethod
    def get_registry_from_context(context: Any) -> Any:
        """Have no default."""
        if context:
            return context["tool_interop"]["registry"]
        return ToolInteropRegistry((BUILT_IN_CONTRIBUTION,))


# --- INT-G3


@broken(
    "adds-to-the-defaults",
    "INT-G3",
    "keeps each contribution for all",
    bridged=False,
)
class AddsToTheDefaults(ComposedSubject):
    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], list[Any]] = {}

    def composed(self, layers: Layers) -> ToolInteropRegistry:
        own = merged(one for layer in LAYERS for one in layers.get(layer, ()))
        adapters = own["schema_adapters"]
        for adapter in adapters:
            self.kept.setdefault((adapter.source, adapter.target), []).append(adapter)
        late = [one for known in self.kept.values() for one in known]
        own["schema_adapters"] = [*adapters, *late]
        given = {name: tuple(parts) for name, parts in own.items()}
        contribution = ToolInteropContribution(**given)
        return ToolInteropRegistry((contribution, BUILT_IN_CONTRIBUTION))


class _Shared(ToolInteropRegistry):
    """A registry that can be made anew."""


@broken(
    "one-for-all",
    "INT-G3",
    "makes its one registry anew for each request",
    bridged=False,
)
class OneForAll(ComposedSubject):
    def __init__(self) -> None:
        super().__init__()
        self.shared = _Shared((BUILT_IN_CONTRIBUTION,))

    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        _Shared.__init__(self.shared, (*known, BUILT_IN_CONTRIBUTION))
        return self.shared


class _Overlaid(ToolInteropRegistry):
    """A registry that looks into the one that was composed last."""

    last: Any = DEFAULT_TOOL_INTEROP_REGISTRY

    def convert_schemas(self, *args: Any, **named: Any) -> Any:
        if self is not DEFAULT_OVERLAID:
            return super().convert_schemas(*args, **named)
        return _Overlaid.last.convert_schemas(*args, **named)


DEFAULT_OVERLAID = _Overlaid((BUILT_IN_CONTRIBUTION,))


@broken(
    "becomes-the-default", "INT-G3", "makes what it composes the default", bridged=False
)
class BecomesTheDefault(ComposedSubject):
    DEFAULT_TOOL_INTEROP_REGISTRY = DEFAULT_OVERLAID

    @staticmethod
    def get_registry_from_context(context: Any) -> Any:
        """Know that default."""
        return get_registry_from_context(context) if context else DEFAULT_OVERLAID

    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        made = ToolInteropRegistry((*known, BUILT_IN_CONTRIBUTION))
        if known:
            _Overlaid.last = made
        return made


# --- INT-G4


def _is_own(part: Any) -> bool:
    formats = {getattr(part, key, "openai.") for key in ("format", "source", "target")}
    return not all(one.startswith("openai.") for one in formats)


class OwnFormatsSubject(PartsSubject):
    """Drops some parts of formats that are not built in."""

    def drops(self, name: str, part: Any) -> bool:
        """Whether a part of another format is dropped."""
        raise NotImplementedError

    def parts(self, name: str, layers: Layers) -> Sequence[Any]:
        return [
            part
            for part in super().parts(name, layers)
            if not (_is_own(part) and self.drops(name, part))
        ]


@broken(
    "known-schemas-only", "INT-G4", "takes no schema format of another's", bridged=False
)
class KnownSchemasOnly(OwnFormatsSubject):
    def drops(self, name: str, part: Any) -> bool:
        return name == "schema_accessors"


@broken(
    "known-calls-only", "INT-G4", "takes no call format of another's", bridged=False
)
class KnownCallsOnly(OwnFormatsSubject):
    def drops(self, name: str, part: Any) -> bool:
        return name == "call_accessors"


@broken(
    "own-schemas-for-chat-alone",
    "INT-G4",
    "converts others' schemas to chat alone",
    bridged=False,
)
class OwnSchemasForChatAlone(OwnFormatsSubject):
    def drops(self, name: str, part: Any) -> bool:
        return name == "schema_adapters" and not part.target.startswith(CHAT)


@broken(
    "own-calls-for-chat-alone",
    "INT-G4",
    "converts others' calls to chat alone",
    bridged=False,
)
class OwnCallsForChatAlone(OwnFormatsSubject):
    def drops(self, name: str, part: Any) -> bool:
        return name == "call_adapters" and part.target != CHAT


@broken(
    "own-results-for-chat-alone",
    "INT-G4",
    "converts others' results to chat alone",
    bridged=False,
)
class OwnResultsForChatAlone(OwnFormatsSubject):
    def drops(self, name: str, part: Any) -> bool:
        return name == "result_adapters" and part.target != CHAT


# --- INT-G5


class _Copied(ToolInteropRegistry):
    def __deepcopy__(self, memo: Any) -> Any:
        return self


class _Pickled(ToolInteropRegistry):
    def __reduce_ex__(self, protocol: Any) -> Any:
        return _Pickled, ((),)

    def __deepcopy__(self, memo: Any) -> Any:
        raise TypeError("it is not copied")


class _Written(dict[str, Any]):
    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("it is not stored")

    def __init__(self, registry: ToolInteropRegistry) -> None:
        super().__init__()
        for name in dir(registry):
            if not name.startswith("_"):
                setattr(self, name, getattr(registry, name))


@legal(
    "can-be-copied",
    "lets a registry be copied",
    bridged=False,
)
class CanBeCopied(ComposedSubject):
    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        return _Copied((*known, BUILT_IN_CONTRIBUTION))


@legal(
    "can-be-pickled",
    "lets a registry be pickled",
    bridged=False,
)
class CanBePickled(ComposedSubject):
    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        return _Pickled((*known, BUILT_IN_CONTRIBUTION))


@legal(
    "can-be-written",
    "lets a registry be written as JSON",
    bridged=False,
)
class CanBeWritten(ComposedSubject):
    def composed(self, layers: Layers) -> Any:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        return _Written(ToolInteropRegistry((*known, BUILT_IN_CONTRIBUTION)))


# --- INT-G6


class AcceptingSubject(Subject):
    """Gathers the accepted formats in its own way."""

    gather: Callable[[list[str], list[list[str]]], list[str]]

    def accepted_tool_schema_formats(
        self, provider: Any, extensions: Iterable[Any] = ()
    ) -> list[str]:
        """Gather."""
        return self.gathered(
            accepted_tool_schema_formats(provider),
            [one.accepted_tool_schema_formats() for one in extensions],
        )

    def gathered(self, provider: list[str], extensions: list[list[str]]) -> list[str]:
        """Return the formats of a provider and of its extensions."""
        raise NotImplementedError


@broken(
    "formats-twice", "INT-G6", "names a format twice", bridged=False, level="should"
)
class FormatsTwice(AcceptingSubject):
    def gathered(self, provider: list[str], extensions: list[list[str]]) -> list[str]:
        return [*provider, *(one for more in extensions for one in more)]


@broken("formats-sorted", "INT-G6", "sorts the formats", bridged=False, level="should")
class FormatsSorted(AcceptingSubject):
    def gathered(self, provider: list[str], extensions: list[list[str]]) -> list[str]:
        return sorted({*provider, *(one for more in extensions for one in more)})


@broken(
    "extensions-first",
    "INT-G6",
    "puts the formats of extensions first",
    bridged=False,
    level="should",
)
class ExtensionsFirst(AcceptingSubject):
    def gathered(self, provider: list[str], extensions: list[list[str]]) -> list[str]:
        more = [one for found in extensions for one in found]
        return list(dict.fromkeys([*more, *provider]))


@broken("provider-alone", "INT-G6", "asks the provider alone", bridged=False)
class ProviderAlone(AcceptingSubject):
    def gathered(self, provider: list[str], extensions: list[list[str]]) -> list[str]:
        return provider


@broken("last-extension-alone", "INT-G6", "keeps the last extension", bridged=False)
class LastExtensionAlone(AcceptingSubject):
    def gathered(self, provider: list[str], extensions: list[list[str]]) -> list[str]:
        return list(dict.fromkeys([*provider, *(extensions[-1:] or [[]])[0]]))


@broken("first-extension-alone", "INT-G6", "asks one extension alone", bridged=False)
class FirstExtensionAlone(AcceptingSubject):
    def gathered(self, provider: list[str], extensions: list[list[str]]) -> list[str]:
        return list(dict.fromkeys([*provider, *(extensions[:1] or [[]])[0]]))


# --- INT-G7


@broken("plugin-forgotten", "INT-G7", "does not keep the plugin's name", bridged=False)
class PluginForgotten(Subject):
    @staticmethod
    def ToolDescriptor(  # noqa: N802 - it is a class for those who call it
        plugin_name: str, tool_name: str, schema: Any
    ) -> ToolDescriptor:
        """Describe."""
        return ToolDescriptor("", tool_name, schema)


@broken("descriptor-converts", "INT-G7", "keeps a converted schema", bridged=False)
class DescriptorConverts(Subject):
    @staticmethod
    def ToolDescriptor(  # noqa: N802 - it is a class for those who call it
        plugin_name: str, tool_name: str, schema: Any
    ) -> ToolDescriptor:
        """Describe."""
        (made,) = DEFAULT_TOOL_INTEROP_REGISTRY.convert_schemas([schema], CHAT)
        kept: Any = made
        return ToolDescriptor(plugin_name, tool_name, kept)


@dataclass
class _Forgetful:
    plugin_name: str
    tool_name: str
    schema: Any

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name == "schema":
            self.schema = {**found, "sent": True}
        return found


@broken(
    "descriptor-changes",
    "INT-G7",
    "changes the schema that was asked for",
    bridged=False,
)
class DescriptorChanges(Subject):
    ToolDescriptor = _Forgetful


# --- INT-R6


class _AskingSchemas(ToolInteropRegistry):
    def convert_results(self, results: Any, *args: Any, **named: Any) -> Any:
        for one in results:
            if isinstance(one, dict):
                self._schemas.maybe_accessor(one.get("toolResult"))
        return super().convert_results(results, *args, **named)


class _AskingCalls(ToolInteropRegistry):
    def convert_results(self, results: Any, *args: Any, **named: Any) -> Any:
        target: str = args[0] if args else named["target"]
        for one in results:
            stored = one.get("toolResult")
            if isinstance(stored, dict) and isinstance(stored.get("format"), str):
                adapter = self._calls.maybe_adapter(stored["format"], target)
                if adapter is not None and adapter.source not in (
                    CHAT,
                    "openai.responses",
                ):
                    adapter.convert(stored)
        return super().convert_results(results, *args, **named)


class _AskingCallAccessors(ToolInteropRegistry):
    def convert_results(self, results: Any, *args: Any, **named: Any) -> Any:
        for one in results:
            if isinstance(one, dict):
                self._calls.maybe_accessor(one.get("toolResult"))
        return super().convert_results(results, *args, **named)


@broken(
    "asks-call-accessors",
    "INT-R6",
    "asks call accessors what a result is",
    bridged=False,
)
class AsksCallAccessors(ComposedSubject):
    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        return _AskingCallAccessors((*known, BUILT_IN_CONTRIBUTION))


@broken(
    "asks-schema-accessors",
    "INT-R6",
    "asks schema accessors what a result is",
    bridged=False,
)
class AsksSchemaAccessors(ComposedSubject):
    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        return _AskingSchemas((*known, BUILT_IN_CONTRIBUTION))


@broken(
    "asks-call-adapters",
    "INT-R6",
    "asks call adapters to convert a result",
    bridged=False,
)
class AsksCallAdapters(ComposedSubject):
    def composed(self, layers: Layers) -> ToolInteropRegistry:
        known = [one for layer in LAYERS for one in layers.get(layer, ())]
        return _AskingCalls((*known, BUILT_IN_CONTRIBUTION))
