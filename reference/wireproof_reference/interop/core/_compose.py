"""The built-in contribution, and registries made of it and others (INT-G1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wireproof_reference.interop.core._calls import CALL_ACCESSORS, CALL_ADAPTERS
from wireproof_reference.interop.core._model import ToolInteropContribution
from wireproof_reference.interop.core._registry import ToolInteropRegistry
from wireproof_reference.interop.core._results import RESULT_ACCESSORS, RESULT_ADAPTERS
from wireproof_reference.interop.core._schemas import SCHEMA_ACCESSORS, SCHEMA_ADAPTERS

if TYPE_CHECKING:
    from collections.abc import Iterable

BUILT_IN_CONTRIBUTION: Final = ToolInteropContribution(
    schema_accessors=SCHEMA_ACCESSORS,
    schema_adapters=SCHEMA_ADAPTERS,
    call_accessors=CALL_ACCESSORS,
    call_adapters=CALL_ADAPTERS,
    result_accessors=RESULT_ACCESSORS,
    result_adapters=RESULT_ADAPTERS,
)
"""The formats of the protocol's text, and what leads from each to the others."""


def compose_registry(
    *,
    config: Iterable[ToolInteropContribution] = (),
    provider: Iterable[ToolInteropContribution] = (),
    provider_extension: Iterable[ToolInteropContribution] = (),
    tool: Iterable[ToolInteropContribution] = (),
) -> ToolInteropRegistry:
    """Compose the registry of one request; no other registry changes (INT-G3).

    The first accessor that matches an object is asked, and the first adapter between
    two formats: those of the config before those of the provider, and so on in the
    order of the arguments, the built-in ones last.
    """
    return ToolInteropRegistry(
        (*config, *provider, *provider_extension, *tool, BUILT_IN_CONTRIBUTION)
    )


DEFAULT_TOOL_INTEROP_REGISTRY: Final = compose_registry()
"""For code that belongs to no request; all else takes its request's (INT-G2)."""
