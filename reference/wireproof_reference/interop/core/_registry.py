"""The registry: what an object of some format means, and what it is in another.

It holds three tables that know nothing of each other, so that results never ask an
adapter for schemas or calls (INT-R6).  It belongs to one request and is never stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn, SupportsIndex

from wireproof_reference.interop.core._calls import CHAT, RESPONSES
from wireproof_reference.interop.core._copying import copied
from wireproof_reference.interop.core._errors import (
    InteropError,
    NoAdapterError,
    UnknownTargetError,
)
from wireproof_reference.interop.core._model import ToolInteropTarget
from wireproof_reference.interop.core._results import (
    CORE,
    RESULT_MESSAGES,
    core_message,
    envelope_format,
    read_message,
    unwrapped,
)
from wireproof_reference.interop.core._sanitise import sanitize_tool_call
from wireproof_reference.interop.core._schemas import (
    CHAT_CUSTOM,
    CHAT_FUNCTION,
    RESPONSES_CUSTOM,
    RESPONSES_FUNCTION,
)
from wireproof_reference.interop.core._table import (
    Table,
    sequence,
    tool_name,
    type_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.interop.core._model import (
        CallInspection,
        ResultInspection,
        SchemaInspection,
        ToolInteropContribution,
    )
    from wireproof_reference.interop.core._results import Outcome

DEFAULT_SCHEMA_FORMATS: Final = {
    CHAT: (CHAT_FUNCTION,),
    RESPONSES: (RESPONSES_FUNCTION, RESPONSES_CUSTOM),
}
"""What a target accepts where the request does not say, in order of preference."""


_CUSTOM_FORMATS: Final = frozenset((CHAT_CUSTOM, RESPONSES_CUSTOM))


class ToolInteropRegistry:
    """Inspects and converts schemas, calls and results.

    Make one with `compose_registry`.  Every target may be a `ToolInteropTarget` or just
    the provider's name.  No method changes its arguments, and what is converted shares
    no mutable part with them.

    Args:
        contributions: In order of precedence, the built-in one among them.
    """

    def __init__(self, contributions: Iterable[ToolInteropContribution]) -> None:
        known = tuple(contributions)
        self._schemas: Table[SchemaInspection] = Table(
            "schema",
            (one for given in known for one in given.schema_accessors),
            (one for given in known for one in given.schema_adapters),
        )
        self._calls: Table[CallInspection] = Table(
            "call",
            (one for given in known for one in given.call_accessors),
            (one for given in known for one in given.call_adapters),
        )
        self._results: Table[ResultInspection] = Table(
            "result",
            (one for given in known for one in given.result_accessors),
            (one for given in known for one in given.result_adapters),
        )

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError(
            "a tool interop registry belongs to one request, and is neither copied"
            " nor stored (INT-G5)"
        )

    @property
    def schema_formats(self) -> tuple[str, ...]:
        """The schema formats that it knows."""
        return self._schemas.formats

    def inspect_schema(self, schema: JSON) -> SchemaInspection:
        """Say what a schema means (INT-S10).

        Raises:
            UnknownFormatError: No accessor knows it.
            MalformedSchemaError: It has no name, or an odd description or parameters.
        """
        return self._schemas.accessor(schema).inspect(schema)

    def convert_schemas(
        self,
        schemas: Sequence[JSON],
        target: ToolInteropTarget | str,
        target_formats: Sequence[str] | None = None,
    ) -> list[JSON]:
        """Turn schemas into formats that the target accepts, in the same order.

        Args:
            schemas: The authored ones.
            target: The provider.
            target_formats: What it accepts, in order of preference; without them
                what `DEFAULT_SCHEMA_FORMATS` says.

        Raises:
            UnknownTargetError: No format belongs to the target.
            UnknownFormatError: No accessor knows a schema.
            NoAdapterError: A schema has no adapter to any accepted format.
            MalformedSchemaError: A schema lacks what its format needs.
        """
        name = _name(target)
        own = [one for one in self.schema_formats if name in _target_names(one)]
        if not own:
            raise UnknownTargetError(_UNKNOWN_TARGET, target=name)
        accepted = target_formats
        if accepted is None:
            accepted = DEFAULT_SCHEMA_FORMATS.get(name, own)
        formats = [str(one) for one in sequence(accepted, "target formats")]
        return [
            self._convert_schema(schema, name, formats)
            for schema in sequence(schemas, "schemas")
        ]

    def _convert_schema(self, schema: JSON, target: str, accepted: list[str]) -> JSON:
        accessor = self._schemas.accessor(schema, target=target)
        if accessor.format in accepted:
            return copied(schema)  # INT-S1
        reached = {
            one: adapter
            for one in accepted
            if (adapter := self._schemas.maybe_adapter(accessor.format, one))
        }
        if not reached:
            raise NoAdapterError(
                f"no adapter leads from a schema of type {type_name(schema)}"
                f" to one of {', '.join(accepted) or 'no formats'}",
                format=accessor.format,
                tool=tool_name(schema),
                target=target,
            )
        first = next(iter(reached))
        custom = [one for one in reached if one in _CUSTOM_FORMATS]
        if custom and len(custom) < len(reached):
            # INT-S4: freeform stays freeform where it can, in whatever order.
            freeform = accessor.inspect(schema).payload_kind == "text"
            first = next(one for one in reached if (one in custom) is freeform)
        return reached[first].convert(schema)

    def inspect_call(self, call: JSON) -> CallInspection:
        """Say what a call means (INT-C1).

        Raises:
            UnknownFormatError: No accessor knows it.
            MalformedCallError: It has no name or id, or its arguments are no object.
        """
        return self._calls.accessor(call).inspect(call)

    def convert_tool_calls(
        self, calls: Sequence[JSON], target: ToolInteropTarget | str
    ) -> list[JSON]:
        """Turn calls into the target's format, in the same order.

        Raises:
            UnknownTargetError: No format has the target's name.
            UnknownFormatError: No accessor knows a call.
            NoAdapterError: A call has no adapter to the target.
            MalformedCallError: A call lacks what its format needs.
        """
        name = _name(target)
        if name not in self._calls.formats:
            raise UnknownTargetError(_UNKNOWN_TARGET, target=name)
        return [self._convert_call(call, name) for call in sequence(calls, "calls")]

    def _convert_call(self, call: JSON, target: str) -> JSON:
        accessor = self._calls.accessor(call, target=target)
        if accessor.format == target:
            return copied(call)  # INT-C12
        adapter = self._calls.maybe_adapter(accessor.format, target)
        if adapter is None:
            raise NoAdapterError(
                f"no adapter leads from a call of type {type_name(call)}",
                format=accessor.format,
                tool=tool_name(call),
                target=target,
            )
        return adapter.convert(call)

    def sanitize_tool_call(self, call: JSON) -> JSONObject:
        """Give the call as it may be kept in history (INT-Z).

        Arguments of a function call that are no JSON object become `{}`; all else is
        as it was.  Never raises for a dict.
        """
        return sanitize_tool_call(call)

    def inspect_result(self, result: JSON) -> ResultInspection:
        """Say what a stored result means, or the one in a core tool message (INT-R9).

        Raises:
            UnknownFormatError: No accessor knows it.
            MalformedResultError: It lacks what its format needs.
        """
        if isinstance(result, dict) and result.get("role") == "tool":
            result = result.get("toolResult")
        return self._results.accessor(result).inspect(result)

    def convert_results(
        self,
        results: Sequence[JSON],
        target: ToolInteropTarget | str,
        calls: Sequence[JSON] | None = None,
    ) -> list[JSON]:
        """Turn core tool messages into the target's, in the same order.

        Args:
            results: Core tool messages; for target `core` what the tools gave,
                `{"result","tool_call_id","tool_name"}` each.
            target: The provider, or `core`.
            calls: The calls that are answered, from which is seen which were freeform.

        Raises:
            UnknownTargetError: No result adapter leads to the target.
            NoAdapterError: None leads there from the format of one of the results.
            MalformedResultError: A message lacks what core messages have.
        """
        name = _name(target)
        kinds = self._payload_kinds(calls)
        given = sequence(results, "results")
        if name == CORE:
            return [core_message(item, kinds) for item in given]
        if name not in self._results.targets:
            raise UnknownTargetError(_UNKNOWN_TARGET, target=name)
        return [self._convert_result(message, name, kinds) for message in given]

    def _payload_kinds(self, calls: Sequence[JSON] | None) -> dict[str, str]:
        kinds: dict[str, str] = {}
        for call in [] if calls is None else sequence(calls, "calls"):
            try:
                meaning = self.inspect_call(call)
            except InteropError:
                continue  # what cannot be read tells nothing of its result
            kinds[meaning.call_id] = meaning.payload_kind
        return kinds

    def _convert_result(
        self, message: JSON, target: str, kinds: dict[str, str]
    ) -> JSON:
        outcome = read_message(message)
        content = self._content(outcome, target)
        write = RESULT_MESSAGES.get(target)
        if write is None:
            return content
        kind = kinds.get(outcome.call_id, outcome.payload_kind)
        return write(outcome, content, custom=kind == "text")

    def _content(self, outcome: Outcome, target: str) -> JSON:
        """What is sent of a result: a text, or content of the target's own."""
        stored = outcome.stored
        if envelope_format(stored) == target:
            return unwrapped(stored, target)  # INT-R2
        accessor = self._results.maybe_accessor(stored)
        if accessor is None:
            if outcome.text is not None:
                return outcome.text
            accessor = self._results.accessor(stored, target=target)
        for source in (envelope_format(stored), accessor.format):
            if source is None:
                continue
            adapter = self._results.maybe_adapter(source, target)
            if adapter is not None:
                return unwrapped(adapter.convert(stored), target)
        # INT-R4: the provider could not read it, the model can read its text.
        return accessor.inspect(stored).text or outcome.text or ""


_UNKNOWN_TARGET: Final = "the target is unknown"


def _name(target: ToolInteropTarget | str) -> str:
    return target.provider if isinstance(target, ToolInteropTarget) else target


def _target_names(schema_format: str) -> tuple[str, str]:
    """The targets that a schema format belongs to: its own name, and one part less."""
    return schema_format, schema_format.rpartition(".")[0]
