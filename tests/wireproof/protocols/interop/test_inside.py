"""Each scenario holds for the reference, and catches a registry that breaks it."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType, SimpleNamespace
from typing import Any, Self

import pytest

import wireproof_reference.interop as reference
import wireproof_reference.interop.providers as reference_providers
from wireproof.protocols.interop._inside import BY_NAME, scenario
from wireproof.protocols.interop._inside import OPS as INSIDE_OPS
from wireproof.protocols.interop._ops import OPS
from wireproof.protocols.interop._protocol import PROTOCOL
from wireproof.subjects._in_process import Served
from wireproof_reference.interop import (
    BUILT_IN_CONTRIBUTION,
    InteropSubject,
    ToolInteropRegistry,
    compose_registry,
)
from wireproof_reference.interop.providers import ChatProvider, execute_calls

Try = Callable[..., dict[str, Any]]

CHAT = "openai.chat_completions"


@pytest.fixture
def try_scenario(monkeypatch: pytest.MonkeyPatch) -> Iterator[Try]:
    """Return what tries a scenario on the reference, some of its names replaced.

    A name of the subject begins with a dot.
    """
    served: list[Served] = []

    def run(name: str, names: Mapping[str, Any]) -> dict[str, Any]:
        module = ModuleType("own")
        vars(module).update(vars(reference))
        vars(module)["providers"] = SimpleNamespace(**vars(reference_providers))
        vars(module)["it"] = InteropSubject(ChatProvider())
        for key, value in names.items():
            place = vars(module)["it"] if key[0] == "." else module
            setattr(place, key.lstrip("."), value)
        monkeypatch.setitem(sys.modules, "own", module)
        served.append(Served("own:it", OPS))
        return scenario(served[-1], name)

    yield run
    for one in served:
        one.close()


def test_each_scenario_can_be_carried_out() -> None:
    assert {one.name for one in PROTOCOL.properties("scenario")} == {
        *BY_NAME,
        "declared-formats",
    }
    assert list(INSIDE_OPS) == ["scenario"]


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_the_reference_does_what_a_scenario_looks_at(
    try_scenario: Try, name: str
) -> None:
    found = try_scenario(name, {})
    assert (found["missing"], found["wrong"]) == ("", "")
    assert found["compared"]
    json.dumps(found)


# --- registries that are wrong


def in_another_order(**layers: Any) -> ToolInteropRegistry:
    config, extension = layers.get("config", ()), layers.get("provider_extension", ())
    return compose_registry(
        config=layers.get("tool", ()),
        provider=extension,
        provider_extension=layers.get("provider", ()),
        tool=config,
    )


def with_the_built_in_first(**layers: Any) -> ToolInteropRegistry:
    found = [part for layer in layers.values() for part in layer]
    return ToolInteropRegistry([BUILT_IN_CONTRIBUTION, *found])


def without_the_tools(tool: Any = (), **layers: Any) -> ToolInteropRegistry:
    return compose_registry(**layers)


def in_the_order_of_the_arguments(**layers: Any) -> ToolInteropRegistry:
    found = [part for layer in layers.values() for part in layer]
    return ToolInteropRegistry([*found, BUILT_IN_CONTRIBUTION])


class Accumulating:
    """Every registry has what was composed before it."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def __call__(
        self,
        config: Any = (),
        provider: Any = (),
        provider_extension: Any = (),
        tool: Any = (),
    ) -> ToolInteropRegistry:
        self.seen[:0] = [*config, *provider, *provider_extension, *tool]
        return ToolInteropRegistry([*self.seen, BUILT_IN_CONTRIBUTION])


class Shared:
    """There is one registry, which each composing changes."""

    def __init__(self) -> None:
        self.latest = compose_registry()

    def __call__(self, **layers: Any) -> Self:
        self.latest = compose_registry(**layers)
        return self

    def convert_schemas(self, schemas: Any, target: Any) -> Any:
        return self.latest.convert_schemas(schemas, target)


class HandingOn(ToolInteropRegistry):
    """Hands on what it is given, known or not."""

    def convert_schemas(
        self, schemas: Any, target: Any, target_formats: Any = None
    ) -> Any:
        return schemas

    def convert_tool_calls(self, calls: Any, target: Any) -> Any:
        return calls


def handing_on(**layers: Any) -> HandingOn:
    return HandingOn([BUILT_IN_CONTRIBUTION])


class Forgetful(ToolInteropRegistry):
    """Loses what it does not know."""

    def convert_schemas(
        self, schemas: Any, target: Any, target_formats: Any = None
    ) -> Any:
        return super().convert_schemas(schemas[:1], target, target_formats)


def forgetful(**layers: Any) -> Forgetful:
    return Forgetful([BUILT_IN_CONTRIBUTION])


def of_json(**layers: Any) -> dict[str, Any]:
    return {}


class Picklable:
    """Can be pickled, though it is no JSON."""


class Copyable:
    """Can be copied, though not pickled."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("no")

    def __deepcopy__(self, memo: Any) -> Self:
        return self


class Curious(ToolInteropRegistry):
    """Asks a schema adapter for results."""

    def __init__(self, contributions: Any) -> None:
        self.contributions = tuple(contributions)
        super().__init__(self.contributions)

    def convert_results(self, results: Any, target: Any, calls: Any = None) -> Any:
        for contribution in self.contributions:
            for adapter in contribution.schema_adapters:
                if adapter.source == "tool_result":
                    adapter.convert(results[0])
        return super().convert_results(results, target, calls)


def curious(**layers: Any) -> Curious:
    found = [part for layer in layers.values() for part in layer]
    return Curious([*found, BUILT_IN_CONTRIBUTION])


def changing(schemas: Any, target: Any, target_formats: Any = None) -> Any:
    schemas[0]["description"] = ""
    return []


def descriptor(plugin_name: str, tool_name: str, schema: Any) -> Any:
    schema = {**schema, "strict": False}
    return SimpleNamespace(plugin_name=plugin_name, tool_name=tool_name, schema=schema)


def sorted_formats(provider: Any, extensions: Any = ()) -> list[str]:
    plugins = (provider, *extensions)
    found = [name for one in plugins for name in one.accepted_tool_schema_formats()]
    return sorted(set(found))


def repeated_formats(provider: Any, extensions: Any = ()) -> list[str]:
    plugins = (provider, *extensions)
    return [name for one in plugins for name in one.accepted_tool_schema_formats()]


class OfNoContext(ChatProvider):
    """Uses the default registry in one of its two hooks, or in both."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names

    def initialize_request(
        self, native_messages: Any, state: Any, *, context: Any = None
    ) -> Any:
        kept = None if "initialize_request" in self.names else context
        return super().initialize_request(native_messages, state, context=kept)

    def finalize(
        self,
        final_messages: Any,
        native_messages: Any,
        state: Any,
        *,
        context: Any = None,
    ) -> Any:
        kept = None if "finalize" in self.names else context
        return super().finalize(final_messages, native_messages, state, context=kept)


def decoding(calls: Any, tools: Any) -> Any:
    def decoded(tool: Any) -> Any:
        return lambda given: tool(
            json.loads(given) if isinstance(given, str) else given
        )

    return execute_calls(calls, {name: decoded(tool) for name, tool in tools.items()})


class Eager(ChatProvider):
    """Expands attachments in the history."""

    def to_native_messages(self, messages: Any, *, context: Any = None) -> Any:
        native = super().to_native_messages(messages, context=context)
        changed: Any = copy.deepcopy(native)
        changed[0]["content"] = [{"type": "text", "text": "expanded"}]
        return changed


class Lazy(ChatProvider):
    """Never expands them."""

    def initialize_request(
        self, native_messages: Any, state: Any, *, context: Any = None
    ) -> Any:
        found = super().initialize_request(native_messages, state, context=context)
        after: Any = found[1]
        after["request"]["payload"]["messages"] = native_messages
        return native_messages, after


@pytest.mark.parametrize(
    ("name", "names", "where"),
    [
        (
            "layers-of-schema-adapters",
            {".compose_registry": in_another_order},
            "the description by the adapter of config",
        ),
        (
            "layers-of-schema-adapters",
            {".compose_registry": with_the_built_in_first},
            "the description by the adapter of config",
        ),
        (
            "layers-of-schema-adapters",
            {".compose_registry": without_the_tools},
            "the description by the adapter of tool",
        ),
        (
            "layers-of-schema-adapters",
            {".compose_registry": in_the_order_of_the_arguments},
            "the description by the adapter of config",
        ),
        (
            "layers-of-schema-adapters",
            {".compose_registry": Accumulating()},
            "the description by the default",
        ),
        (
            "layers-of-call-adapters",
            {".compose_registry": in_another_order},
            "the name by the adapter of config",
        ),
        (
            "layers-of-call-adapters",
            {".compose_registry": Accumulating()},
            "the name by the default",
        ),
        (
            "layers-of-result-adapters",
            {".compose_registry": in_another_order},
            "the content by the adapter of config",
        ),
        (
            "layers-of-accessors",
            {".compose_registry": in_another_order},
            "the name by config",
        ),
        (
            "layers-of-accessors",
            {".compose_registry": Accumulating()},
            "the name by the default",
        ),
        (
            "registry-of-the-context",
            {"get_registry_from_context": lambda _: compose_registry()},
            "the context's registry",
        ),
        (
            "registry-of-the-context",
            {"get_schema_target_formats_from_context": lambda _: None},
            "the context's formats",
        ),
        (
            "registry-of-the-context",
            {"DEFAULT_TOOL_INTEROP_REGISTRY": compose_registry()},
            "the registry without a context",
        ),
        (
            "composing-changes-nothing-else",
            {".compose_registry": Shared()},
            "the one request's",
        ),
        (
            "composing-changes-nothing-else",
            {".compose_registry": Accumulating()},
            "a later registry",
        ),
        (
            "schema-format-of-its-own",
            {".compose_registry": handing_on},
            f"the contributed schema for {CHAT}",
        ),
        (
            "schema-format-of-its-own",
            {".compose_registry": forgetful},
            f"the number of schemas for {CHAT}",
        ),
        (
            "call-format-of-its-own",
            {".compose_registry": handing_on},
            f"the contributed call for {CHAT}",
        ),
        (
            "result-format-of-its-own",
            {".compose_registry": handing_on},
            f"the contributed result for {CHAT}",
        ),
        (
            "accepted-formats-in-order",
            {"accepted_tool_schema_formats": sorted_formats},
            "of a provider alone",
        ),
        (
            "accepted-formats-in-order",
            {"accepted_tool_schema_formats": repeated_formats},
            "of provider and extensions",
        ),
        (
            "descriptors",
            {"ToolDescriptor": descriptor},
            "the schema before a request",
        ),
        (
            "descriptors",
            {".convert_schemas": changing},
            "the schema after a request",
        ),
        (
            "results-ask-no-other-adapter",
            {".compose_registry": curious},
            "who was asked beside result accessors and adapters",
        ),
        (
            "providers-use-the-context",
            {".provider": OfNoContext("initialize_request")},
            "what initialize_request asked",
        ),
        (
            "providers-use-the-context",
            {".provider": OfNoContext("finalize")},
            "what finalize asked",
        ),
        (
            "execution-by-kind",
            {"execute_calls": decoding},
            "what the tools were given",
        ),
        ("attachments", {"ChatProvider": Eager}, "the content in the history"),
        ("attachments", {"ChatProvider": Lazy}, "the attachment that is sent"),
    ],
)
def test_a_registry_that_breaks_its_clause_is_caught(
    try_scenario: Try, name: str, names: Mapping[str, Any], where: str
) -> None:
    found = try_scenario(name, names)
    assert found["where"] == where
    assert found["wrong"]
    json.dumps(found, default=repr)


def test_what_was_expected_and_what_came_is_told(try_scenario: Try) -> None:
    found = try_scenario(
        "layers-of-call-adapters", {".compose_registry": without_the_tools}
    )
    assert found == {
        "missing": "",
        "wrong": "the name by the adapter of tool is not what it should be",
        "where": "the name by the adapter of tool",
        "expected": "from tool",
        "actual": "read_file",
        "compared": [
            "the name by the adapter of config",
            "the name by the adapter of provider",
            "the name by the adapter of provider_extension",
        ],
    }


# --- registries that have less


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("layers-of-schema-adapters", "compose_registry"),
        ("layers-of-call-adapters", "compose_registry"),
        ("layers-of-result-adapters", "compose_registry"),
        ("layers-of-accessors", "compose_registry"),
        ("registry-of-the-context", "get_registry_from_context"),
        ("registry-of-the-context", "get_schema_target_formats_from_context"),
        ("registry-of-the-context", "DEFAULT_TOOL_INTEROP_REGISTRY"),
        ("composing-changes-nothing-else", "compose_registry"),
        ("schema-format-of-its-own", "compose_registry"),
        ("call-format-of-its-own", "compose_registry"),
        ("result-format-of-its-own", "compose_registry"),
        ("accepted-formats", "accepted_tool_schema_formats"),
        ("accepted-formats-in-order", "accepted_tool_schema_formats"),
        ("descriptors", "ToolDescriptor"),
        ("results-ask-no-other-adapter", "compose_registry"),
    ],
)
def test_what_a_registry_lacks_is_told(
    try_scenario: Try, name: str, missing: str
) -> None:
    found = try_scenario(name, {missing: None, f".{missing}": None})
    assert (found["missing"], found["wrong"]) == (missing, "")


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("providers-use-the-context", "provider"),
        ("execution-by-kind", "execute_calls"),
        ("attachments", "ChatProvider"),
    ],
)
def test_a_registry_without_providers_lacks_them(
    try_scenario: Try, name: str, missing: str
) -> None:
    found = try_scenario(name, {"providers": None, ".provider": None})
    assert found["missing"] == missing


def test_a_contribution_of_another_shape_is_lacking(try_scenario: Try) -> None:
    found = try_scenario(
        "layers-of-call-adapters", {"ToolInteropContribution": dict.get}
    )
    assert found["missing"] == "a ToolInteropContribution of call_adapters"


def test_a_plain_object_is_the_contribution_of_a_registry_without_a_class(
    try_scenario: Try,
) -> None:
    found = try_scenario("layers-of-call-adapters", {"ToolInteropContribution": None})
    assert (found["missing"], found["wrong"]) == ("", "")


def test_composing_need_not_come_with_a_default(try_scenario: Try) -> None:
    names = {"DEFAULT_TOOL_INTEROP_REGISTRY": None}
    found = try_scenario("composing-changes-nothing-else", names)
    assert (found["missing"], found["wrong"]) == ("", "")
    assert found["compared"][-1] == "a later registry"


def test_a_registry_that_cannot_be_composed_is_the_subject_itself(
    try_scenario: Try,
) -> None:
    names = {"compose_registry": None, ".compose_registry": None}
    found = try_scenario("registry-cannot-be-stored", names)
    assert found["compared"] == [
        "json.dumps refuses it",
        "pickle.dumps refuses it",
        "copy.deepcopy refuses it",
    ]


@pytest.mark.parametrize(
    ("registry", "taken"),
    [(of_json, "json.dumps"), (Picklable, "pickle.dumps"), (Copyable, "copy.deepcopy")],
)
def test_a_registry_that_can_be_stored_is_told(
    try_scenario: Try, registry: Any, taken: str
) -> None:
    found = try_scenario("registry-cannot-be-stored", {".compose_registry": registry})
    assert f"{taken} takes it" in found["compared"]
    assert found["wrong"] == ""
