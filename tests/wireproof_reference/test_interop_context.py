from __future__ import annotations

from dataclasses import dataclass

import pytest

from wireproof_reference.interop import (
    DEFAULT_TOOL_INTEROP_REGISTRY,
    MissingRegistryError,
    ToolInteropContribution,
    accepted_tool_schema_formats,
    compose_registry,
    get_registry_from_context,
    get_schema_target_formats_from_context,
    get_tool_interop_contribution,
)


def test_the_registry_is_the_requests() -> None:
    registry = compose_registry()
    context = {"core": {}, "config": {}, "tool_interop": {"registry": registry}}
    assert get_registry_from_context(context) is registry


@pytest.mark.parametrize("context", [None, {}])
def test_the_default_is_for_where_there_is_no_context(
    context: dict[str, object] | None,
) -> None:
    assert get_registry_from_context(context) is DEFAULT_TOOL_INTEROP_REGISTRY
    assert get_schema_target_formats_from_context(context) is None


@pytest.mark.parametrize(
    "context",
    [
        {"core": {}},
        {"tool_interop": None},
        {"tool_interop": {}},
        {"tool_interop": {"registry": None}},
    ],
)
def test_a_context_without_a_registry_is_not_made_up_for(
    context: dict[str, object],
) -> None:
    with pytest.raises(MissingRegistryError) as caught:
        get_registry_from_context(context)
    assert str(caught.value) == "the context has no tool_interop.registry"


def test_the_formats_are_the_requests() -> None:
    formats = ["openai.responses.custom", "openai.responses.function"]
    context = {"tool_interop": {"schema_target_formats": formats}}
    assert get_schema_target_formats_from_context(context) == formats
    assert get_schema_target_formats_from_context(context) is not formats


@pytest.mark.parametrize("context", [{"core": {}}, {"tool_interop": {}}])
def test_a_request_need_not_say_its_formats(context: dict[str, object]) -> None:
    assert get_schema_target_formats_from_context(context) is None


@dataclass
class Plugin:
    formats: list[str]
    contribution: ToolInteropContribution | None = None

    def accepted_tool_schema_formats(self) -> list[str]:
        return self.formats

    def get_tool_interop_contribution(self) -> ToolInteropContribution | None:
        return self.contribution


def test_accepted_formats_are_the_providers_then_its_extensions_each_once() -> None:
    provider = Plugin(["b", "a", "b"])
    extensions = [Plugin(["c", "a"]), object(), Plugin(["d"])]
    assert accepted_tool_schema_formats(provider, extensions) == ["b", "a", "c", "d"]
    assert accepted_tool_schema_formats(provider) == ["b", "a"]
    assert accepted_tool_schema_formats(object()) == []


def test_a_contribution_is_what_the_plugin_gives() -> None:
    contribution = ToolInteropContribution()
    assert get_tool_interop_contribution(Plugin([], contribution)) is contribution


@pytest.mark.parametrize("plugin", [Plugin([]), object()])
def test_a_plugin_need_not_contribute(plugin: object) -> None:
    assert get_tool_interop_contribution(plugin) == ToolInteropContribution()
