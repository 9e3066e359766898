"""The registry and one provider behind the ops of the bridge, as an object.

Its methods are the ops, with the same names, arguments and JSON shapes.
"""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, Protocol, TypedDict

from wireproof_reference.interop.core import (
    CHAT,
    DEFAULT_TOOL_INTEROP_REGISTRY,
    RESPONSES,
    UnknownTargetError,
    accepted_tool_schema_formats,
    compose_registry,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.interop.providers import Accumulator

_REGISTRY_OPS: Final = (
    "convert_schemas",
    "inspect_schema",
    "convert_tool_calls",
    "inspect_call",
    "sanitize_tool_call",
    "inspect_result",
    "convert_results",
)
_STREAM_OPS: Final = ("accumulate",)
_PROVIDER_OPS: Final = (
    "initialize_request",
    "from_native_messages",
    "finalize",
    "to_native_messages",
)


class Provider(Protocol):
    """What the subject asks of a provider.

    A provider may also have the hook `accepted_tool_schema_formats()`.
    """

    def initialize_request(
        self,
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Mapping[str, object] | None = None,
    ) -> tuple[list[JSON], JSONObject]:
        """Put what the request needs into `state["request"]["payload"]`."""
        ...

    def from_native_messages(
        self,
        native_messages: list[JSON],
        *,
        context: Mapping[str, object] | None = None,
    ) -> list[JSON]:
        """Turn the provider's messages into core ones."""
        ...

    def finalize(
        self,
        final_messages: list[JSON],
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Mapping[str, object] | None = None,
    ) -> tuple[list[JSON], list[JSON], JSONObject]:
        """Make what a stream left fit to be kept in history."""
        ...

    def to_native_messages(
        self, messages: list[JSON], *, context: Mapping[str, object] | None = None
    ) -> list[JSON]:
        """Turn core messages into the provider's."""
        ...


class InitializedRequest(TypedDict):
    """What `initialize_request` gives."""

    native_messages: list[JSON]
    state: JSONObject


class FinalizedRequest(InitializedRequest):
    """What `finalize` gives."""

    final_messages: list[JSON]


class InteropSubject:
    """A registry and a provider to be tried.

    Args:
        provider: Carries out the provider ops; without one they are not offered.

    Attributes:
        provider: The same.
    """

    compose_registry = staticmethod(compose_registry)

    def __init__(self, provider: Provider | None = None) -> None:
        self.provider = provider
        self._registry = DEFAULT_TOOL_INTEROP_REGISTRY

    def describe(self) -> JSONObject:
        """Say what this is, and which ops and schema formats it has."""
        ops = [*_REGISTRY_OPS, *_STREAM_OPS]
        if self.provider is not None:
            ops += _PROVIDER_OPS
        return {
            "name": "wireproof reference interop",
            "version": version("wireproof"),
            "language": "Python",
            "ops": [*ops],
            "formats": list(self._registry.schema_formats),
            "halfPairs": True,
        }

    def convert_schemas(
        self,
        schemas: list[JSON],
        target: str,
        target_formats: list[str] | None = None,
    ) -> list[JSON]:
        """Turn schemas into formats that the target accepts."""
        return self._registry.convert_schemas(schemas, target, target_formats)

    def inspect_schema(self, schema: JSON) -> JSONObject:
        """Say what a schema means."""
        return asdict(self._registry.inspect_schema(schema))

    def convert_tool_calls(self, calls: list[JSON], target: str) -> list[JSON]:
        """Turn calls into the target's format."""
        return self._registry.convert_tool_calls(calls, target)

    def inspect_call(self, call: JSON) -> JSONObject:
        """Say what a call means."""
        return asdict(self._registry.inspect_call(call))

    def sanitize_tool_call(self, call: JSON) -> JSONObject:
        """Give the call as it may be kept in history."""
        return self._registry.sanitize_tool_call(call)

    def inspect_result(self, result: JSON) -> JSONObject:
        """Say what a stored result means."""
        return asdict(self._registry.inspect_result(result))

    def convert_results(
        self, results: list[JSON], target: str, calls: list[JSON] | None = None
    ) -> list[JSON]:
        """Turn results into the target's messages."""
        return self._registry.convert_results(results, target, calls)

    def accumulate(
        self, target: str, events: list[JSONObject], ends: str
    ) -> list[JSONObject]:
        """Give the calls of a stream as they may be kept in history.

        Args:
            target: The provider that sent the stream.
            events: What it sent, in order.
            ends: `done` or `cut`, which makes no difference to the calls.

        Raises:
            UnknownTargetError: No provider of this name is known.
        """
        from wireproof_reference.interop.providers import (  # noqa: PLC0415
            ChatAccumulator,
            Failed,
            ResponsesAccumulator,
        )

        kinds: dict[str, type[Accumulator]] = {
            CHAT: ChatAccumulator,
            RESPONSES: ResponsesAccumulator,
        }
        if target not in kinds:
            raise UnknownTargetError(f"no provider streams {target!r}")
        accumulator = kinds[target]()
        for event in events:
            if isinstance(accumulator.receive(event), Failed):
                break
        return [*map(self._registry.sanitize_tool_call, accumulator.tool_calls())]

    def initialize_request(
        self,
        native_messages: list[JSON],
        state: JSONObject,
        target_formats: list[str] | None = None,
    ) -> InitializedRequest:
        """Prepare a request in a context that accepts the given formats."""
        provider = self._tried()
        messages, after = provider.initialize_request(
            native_messages, state, context=self._context(target_formats)
        )
        return {"native_messages": messages, "state": after}

    def from_native_messages(self, native_messages: list[JSON]) -> list[JSON]:
        """Turn the provider's messages into core ones."""
        return self._tried().from_native_messages(
            native_messages, context=self._context()
        )

    def finalize(
        self,
        final_messages: list[JSON],
        native_messages: list[JSON],
        state: JSONObject,
    ) -> FinalizedRequest:
        """Make what a stream left fit to be kept in history."""
        final, native, after = self._tried().finalize(
            final_messages, native_messages, state, context=self._context()
        )
        return {"final_messages": final, "native_messages": native, "state": after}

    def to_native_messages(self, messages: list[JSON]) -> list[JSON]:
        """Turn core messages into the provider's."""
        return self._tried().to_native_messages(messages, context=self._context())

    def _tried(self) -> Provider:
        if self.provider is None:
            raise NotImplementedError("this subject has no provider; see describe()")
        return self.provider

    def _context(self, target_formats: list[str] | None = None) -> dict[str, object]:
        """The context of one request (INT-Q6)."""
        formats = target_formats
        if formats is None:
            # A provider that does not say accepts what its target accepts.
            formats = accepted_tool_schema_formats(self.provider) or None
        interop = {"registry": self._registry, "schema_target_formats": formats}
        return {"core": {}, "config": {}, "tool_interop": interop}


def chat_subject() -> InteropSubject:
    """The reference with its chat completions provider."""
    from wireproof_reference.interop.providers import ChatProvider  # noqa: PLC0415

    return InteropSubject(ChatProvider())


def responses_subject() -> InteropSubject:
    """The reference with its Responses provider."""
    from wireproof_reference.interop.providers import (  # noqa: PLC0415
        ResponsesProvider,
    )

    return InteropSubject(ResponsesProvider())
