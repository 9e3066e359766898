"""The flow of a request that both providers share; what differs is left to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from wireproof_reference.interop.core import get_registry_from_context
from wireproof_reference.interop.providers.core._attachments import expanded
from wireproof_reference.interop.providers.core._flow import (
    CallsById,
    with_payload,
    with_sane_metadata,
    with_sane_partial,
    with_tools,
    without_own_keys,
)
from wireproof_reference.interop.providers.core._members import object_in, text_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.interop.core import ToolInteropRegistry, ToolInteropTarget
    from wireproof_reference.interop.providers.core._attachments import ReadAttachment
    from wireproof_reference.interop.providers.core._flow import Context


class FlowProvider(ABC):
    """Prepares requests, and reads what comes of them, for one provider.

    Attributes:
        target: What tools, calls and results are converted for.
        path: Where requests go, under the base URL.
        history_key: The member of the payload that holds the history.
    """

    target: ClassVar[ToolInteropTarget]
    path: ClassVar[str]
    history_key: ClassVar[str]

    def __init__(
        self, formats: Sequence[str], read_attachment: ReadAttachment | None
    ) -> None:
        """Take the schema formats that are accepted, preferred ones first."""
        self._formats = list(formats)
        self._read_attachment = read_attachment

    @abstractmethod
    def attachment_part(self, media_type: str, url: str, name: str) -> JSONObject:
        """A part of a content, of an attachment's `data:` URL and id."""

    @abstractmethod
    def sane(self, message: JSON, registry: ToolInteropRegistry) -> JSON:
        """A native message whose calls may be kept."""

    @abstractmethod
    def native_of(
        self, message: JSONObject, registry: ToolInteropRegistry
    ) -> list[JSON]:
        """The native messages of a core message that is no result."""

    def accepted_tool_schema_formats(self) -> list[str]:
        """The formats of tools that a request may hold, preferred ones first."""
        return [*self._formats]

    def initialize_request(
        self,
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Context = None,
    ) -> tuple[list[JSON], JSONObject]:
        """Put tools and history into `state["request"]["payload"]`.

        Returns:
            The history, which stays as it is (INT-Q10) but for this project's own keys
            (INT-Q12), and the state.  References to attachments are expanded in the
            payload alone.

        Raises:
            InteropError: A tool cannot be converted, or an attachment not be read.
        """
        payload = with_tools(
            dict(object_in(object_in(state, "request"), "payload")),
            state,
            self.target,
            self._formats,
            registry=get_registry_from_context(context),
            context=context,
        )
        history = [without_own_keys(message) for message in native_messages]
        sent = expanded(history, self._read_attachment, self.attachment_part)
        payload[self.history_key] = [*sent]
        return history, with_payload(state, payload)

    def finalize(
        self,
        final_messages: list[JSON],
        native_messages: list[JSON],
        state: JSONObject,
        *,
        context: Context = None,
    ) -> tuple[list[JSON], list[JSON], JSONObject]:
        """Sanitise the calls that a stream left, before anything is kept (INT-Q2)."""
        registry = get_registry_from_context(context)
        return (
            [
                with_sane_metadata(one, registry) if isinstance(one, dict) else one
                for one in final_messages
            ],
            [self.sane(message, registry) for message in native_messages],
            with_sane_partial(state, registry),
        )

    def to_native_messages(
        self, messages: list[JSON], *, context: Context = None
    ) -> list[JSON]:
        """Turn core messages into the provider's.

        Raises:
            InteropError: A call or a result cannot be converted.
        """
        registry = get_registry_from_context(context)
        calls = CallsById()
        native: list[JSON] = []
        for message in messages:
            if not isinstance(message, dict):
                native.append(message)
                continue
            metadata = object_in(message, "metadata")
            if message.get("role") == "tool":
                known = calls.of(text_in(metadata, "tool_call_id"))
                native += registry.convert_results([message], self.target, known)
            else:
                calls.add(metadata.get("tool_calls"))
                # A fragment is never replayed (INT-Q2).
                sane = with_sane_metadata(message, registry)
                native += self.native_of(sane, registry)
        return native
