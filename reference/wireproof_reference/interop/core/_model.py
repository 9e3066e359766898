"""The values that the registry takes and gives, and what a contribution is made of.

An accessor says what an object means, an adapter turns one format into another.  The
classes here hold plain functions; any object that has the same names will do as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON, JSONObject

PayloadKind: TypeAlias = Literal["object", "text"]
"""Structured arguments, or raw freeform input."""

Meaning = TypeVar("Meaning")
Meaning_co = TypeVar("Meaning_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ToolInteropTarget:
    """The provider that objects are converted for.

    Attributes:
        provider: Its name, such as `openai.chat_completions`.
    """

    provider: str


@dataclass(frozen=True, slots=True)
class ToolDescriptor:
    """A tool as its plugin wrote it (INT-G7).

    Attributes:
        plugin_name: The plugin that offers the tool.
        tool_name: The tool's own name.
        schema: The authored schema, in whatever format that is.
    """

    plugin_name: str
    tool_name: str
    schema: JSONObject


@dataclass(frozen=True, slots=True)
class SchemaInspection:
    """What a schema means (INT-S10).

    Attributes:
        name: The tool's name.
        description: What the tool does, or None.
        parameters: JSON Schema of the arguments; None for a freeform tool, or a
            function that takes none.
        payload_kind: `object` for a function, `text` for a freeform tool.
        format: The schema's own format.
    """

    name: str
    description: str | None
    parameters: JSONObject | None
    payload_kind: PayloadKind
    format: str


@dataclass(frozen=True, slots=True)
class CallInspection:
    """What a call means (INT-C1).

    Attributes:
        call_id: Ties the result to the call.
        tool_name: The tool that is called.
        payload: What the tool is given: an object, or the raw text.
        payload_kind: Which of the two.
        payload_format: The call's own format.
        payload_metadata: What else the call holds, outside the keys of its format.
    """

    call_id: str
    tool_name: str
    payload: JSON
    payload_kind: PayloadKind
    payload_format: str
    payload_metadata: JSONObject


@dataclass(frozen=True, slots=True)
class ResultInspection:
    """What a stored result means (INT-R9).

    Attributes:
        kind: `text`, or `native` for a provider's own content.
        text: The text; of native content its text parts, a line each.
        format: The provider whose content it is; None for text.
        content: The native content; None for text.
    """

    kind: Literal["text", "native"]
    text: str
    format: str | None
    content: JSON


class Accessor(Protocol[Meaning_co]):
    """Says what objects of one format mean."""

    @property
    def format(self) -> str:
        """The format that it knows."""
        ...

    def matches(self, obj: JSON, /) -> bool:
        """Whether an object is of this format; a broken one is too."""
        ...

    def inspect(self, obj: JSON, /) -> Meaning_co:
        """What an object means that matches."""
        ...


class Adapter(Protocol):
    """Turns objects of one format into another."""

    @property
    def source(self) -> str:
        """The format that it takes."""
        ...

    @property
    def target(self) -> str:
        """The format that it gives."""
        ...

    def convert(self, obj: JSON, /) -> JSON:
        """Gives a new object, and leaves the old one as it is."""
        ...


class _Accessor(Generic[Meaning]):
    def __init__(
        self,
        format: str,  # noqa: A002 - the word of the protocol
        matches: Callable[[JSON], bool],
        inspect: Callable[[JSON], Meaning],
    ) -> None:
        self.format = format
        self._matches = matches
        self._inspect = inspect

    def matches(self, obj: JSON, /) -> bool:
        """Whether an object is of this format; a broken one is too."""
        return self._matches(obj)

    def inspect(self, obj: JSON, /) -> Meaning:
        """What an object means that matches."""
        return self._inspect(obj)


class _Adapter:
    def __init__(
        self, source: str, target: str, convert: Callable[[JSON], JSON]
    ) -> None:
        self.source = source
        self.target = target
        self._convert = convert

    def convert(self, obj: JSON, /) -> JSON:
        """Gives a new object, and leaves the old one as it is."""
        return self._convert(obj)


class ToolSchemaAccessor(_Accessor[SchemaInspection]):
    """Knows the schemas of one format, such as `openai.responses.custom`."""


class ToolSchemaAdapter(_Adapter):
    """Turns schemas of one format into another."""


class ToolCallAccessor(_Accessor[CallInspection]):
    """Knows the calls of one format, such as `openai.responses`."""


class ToolCallAdapter(_Adapter):
    """Turns calls of one format into another."""


class ToolResultAccessor(_Accessor[ResultInspection]):
    """Knows stored results (`toolResult`) of one format."""


class ToolResultAdapter(_Adapter):
    """Turns stored results into what the target is sent.

    Its source is the accessor's format, or the `format` of an envelope.  It gives the
    text or the structured content, bare or in an envelope of the target's format.
    """


@dataclass(frozen=True, slots=True)
class ToolInteropContribution:
    """What a plugin adds to the registry; first ones go before later ones."""

    schema_accessors: tuple[Accessor[SchemaInspection], ...] = ()
    schema_adapters: tuple[Adapter, ...] = ()
    call_accessors: tuple[Accessor[CallInspection], ...] = ()
    call_adapters: tuple[Adapter, ...] = ()
    result_accessors: tuple[Accessor[ResultInspection], ...] = ()
    result_adapters: tuple[Adapter, ...] = ()
