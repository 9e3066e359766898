"""What a request's context holds, and what is asked of plugins to make it (INT-G).

A plugin that takes part has the hook `get_tool_interop_contribution()`; a provider or
an extension of one also has `accepted_tool_schema_formats()`.  Both are optional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wireproof_reference.interop.core._compose import DEFAULT_TOOL_INTEROP_REGISTRY
from wireproof_reference.interop.core._errors import MissingRegistryError
from wireproof_reference.interop.core._model import ToolInteropContribution

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wireproof_reference.interop.core._registry import ToolInteropRegistry


def get_registry_from_context(
    context: Mapping[str, object] | None,
) -> ToolInteropRegistry:
    """The registry of the request; the default one where there is no context (INT-G2).

    Raises:
        MissingRegistryError: There is a context, and it has no registry.
    """
    if not context:
        return DEFAULT_TOOL_INTEROP_REGISTRY
    registry = _runtime(context).get("registry")
    if registry is None:
        raise MissingRegistryError("the context has no tool_interop.registry")
    # Not checked further: tests and wrappers have registries of their own.
    return cast("ToolInteropRegistry", registry)


def get_schema_target_formats_from_context(
    context: Mapping[str, object] | None,
) -> list[str] | None:
    """The schema formats that the request accepts; None where it does not say."""
    formats = _runtime(context or {}).get("schema_target_formats")
    return None if formats is None else list(cast("Iterable[str]", formats))


def _runtime(context: Mapping[str, object]) -> Mapping[str, object]:
    return cast("Mapping[str, object]", context.get("tool_interop") or {})


def accepted_tool_schema_formats(
    provider: object, extensions: Iterable[object] = ()
) -> list[str]:
    """The schema formats that a provider and its enabled extensions accept (INT-G6).

    Args:
        provider: Asked first, so that its preferences come first.
        extensions: The enabled ones, in their order.

    Returns:
        No format twice; empty where none of them says.
    """
    formats: dict[str, None] = {}
    for plugin in (provider, *extensions):
        hook = getattr(plugin, "accepted_tool_schema_formats", None)
        if hook is not None:
            formats.update(dict.fromkeys(hook()))
    return list(formats)


def get_tool_interop_contribution(plugin: object) -> ToolInteropContribution:
    """What a plugin adds to the registry; nothing if it has no such hook."""
    hook = getattr(plugin, "get_tool_interop_contribution", None)
    contribution = None if hook is None else hook()
    return ToolInteropContribution() if contribution is None else contribution
