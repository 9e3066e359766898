"""Tool interop: one tool written once, for providers with wire formats of their own.

`compose_registry` gives the registry of a request: it inspects and converts schemas,
calls and results, and repairs calls that a stream has left broken.
`wireproof_reference.interop.providers` shows it in use.
"""

from wireproof_reference.interop._calls import CHAT, RESPONSES
from wireproof_reference.interop._compose import (
    BUILT_IN_CONTRIBUTION,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    compose_registry,
)
from wireproof_reference.interop._context import (
    accepted_tool_schema_formats,
    get_registry_from_context,
    get_schema_target_formats_from_context,
    get_tool_interop_contribution,
)
from wireproof_reference.interop._errors import (
    InteropError,
    MalformedCallError,
    MalformedResultError,
    MalformedSchemaError,
    MissingRegistryError,
    NoAdapterError,
    UnknownFormatError,
    UnknownTargetError,
)
from wireproof_reference.interop._model import (
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
from wireproof_reference.interop._registry import (
    DEFAULT_SCHEMA_FORMATS,
    ToolInteropRegistry,
)
from wireproof_reference.interop._results import CORE, ENVELOPE, TEXT_RESULT
from wireproof_reference.interop._schemas import (
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    RESPONSES_CUSTOM,
    RESPONSES_FUNCTION,
)
from wireproof_reference.interop._subject import (
    InteropSubject,
    Provider,
    chat_subject,
    responses_subject,
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
    "InteropSubject",
    "MalformedCallError",
    "MalformedResultError",
    "MalformedSchemaError",
    "MissingRegistryError",
    "NoAdapterError",
    "PayloadKind",
    "Provider",
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
    "chat_subject",
    "compose_registry",
    "get_registry_from_context",
    "get_schema_target_formats_from_context",
    "get_tool_interop_contribution",
    "responses_subject",
]
