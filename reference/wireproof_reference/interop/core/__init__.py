"""What interop is, without I/O: formats, adapters and the registry of them."""

from wireproof_reference.interop.core._calls import (
    CHAT,
    RESPONSES,
)
from wireproof_reference.interop.core._compose import (
    BUILT_IN_CONTRIBUTION,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    compose_registry,
)
from wireproof_reference.interop.core._context import (
    accepted_tool_schema_formats,
    get_registry_from_context,
    get_schema_target_formats_from_context,
    get_tool_interop_contribution,
)
from wireproof_reference.interop.core._copying import (
    copied,
)
from wireproof_reference.interop.core._errors import (
    InteropError,
    MalformedCallError,
    MalformedResultError,
    MalformedSchemaError,
    MissingRegistryError,
    NoAdapterError,
    UnknownFormatError,
    UnknownTargetError,
)
from wireproof_reference.interop.core._model import (
    Accessor,
    Adapter,
    CallInspection,
    PayloadKind,
    ResultInspection,
    SchemaInspection,
    ToolCallAccessor,
    ToolCallAdapter,
    ToolDescriptor,
    ToolInteropContribution,
    ToolInteropTarget,
    ToolResultAccessor,
    ToolResultAdapter,
    ToolSchemaAccessor,
    ToolSchemaAdapter,
)
from wireproof_reference.interop.core._registry import (
    DEFAULT_SCHEMA_FORMATS,
    ToolInteropRegistry,
)
from wireproof_reference.interop.core._results import (
    CORE,
    ENVELOPE,
    TEXT_RESULT,
)
from wireproof_reference.interop.core._schemas import (
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    RESPONSES_CUSTOM,
    RESPONSES_FUNCTION,
)

__all__ = [
    "BUILT_IN_CONTRIBUTION",
    "CHAT",
    "CHAT_CUSTOM",
    "CHAT_FUNCTION",
    "CORE",
    "DEFAULT_SCHEMA_FORMATS",
    "DEFAULT_TOOL_INTEROP_REGISTRY",
    "ENVELOPE",
    "RESPONSES",
    "RESPONSES_CUSTOM",
    "RESPONSES_FUNCTION",
    "TEXT_RESULT",
    "Accessor",
    "Adapter",
    "CallInspection",
    "InteropError",
    "MalformedCallError",
    "MalformedResultError",
    "MalformedSchemaError",
    "MissingRegistryError",
    "NoAdapterError",
    "PayloadKind",
    "ResultInspection",
    "SchemaInspection",
    "ToolCallAccessor",
    "ToolCallAdapter",
    "ToolDescriptor",
    "ToolInteropContribution",
    "ToolInteropRegistry",
    "ToolInteropTarget",
    "ToolResultAccessor",
    "ToolResultAdapter",
    "ToolSchemaAccessor",
    "ToolSchemaAdapter",
    "UnknownFormatError",
    "UnknownTargetError",
    "accepted_tool_schema_formats",
    "compose_registry",
    "copied",
    "get_registry_from_context",
    "get_schema_target_formats_from_context",
    "get_tool_interop_contribution",
]
