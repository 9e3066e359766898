"""The accessors and adapters of one kind of object, in their order of precedence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, cast

from wireproof_reference.interop.core._errors import (
    InteropError,
    UnknownFormatError,
    shown,
)
from wireproof_reference.interop.core._model import Meaning

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wireproof_reference.framing import JSON
    from wireproof_reference.interop.core._model import Accessor, Adapter


class Table(Generic[Meaning]):
    """Finds who knows an object, and who converts it; earlier ones go first (INT-G1).

    Args:
        kind: What the objects are called in errors, such as `schema`.
        accessors: The first that matches an object speaks for it.
        adapters: The first from one format to another is the one that is asked.
    """

    def __init__(
        self,
        kind: str,
        accessors: Iterable[Accessor[Meaning]],
        adapters: Iterable[Adapter],
    ) -> None:
        self._kind = kind
        self._accessors = tuple(accessors)
        self._adapters: dict[tuple[str, str], Adapter] = {}
        for adapter in adapters:
            self._adapters.setdefault((adapter.source, adapter.target), adapter)

    @property
    def formats(self) -> tuple[str, ...]:
        """Every format that is known, or led to; none twice."""
        known = [accessor.format for accessor in self._accessors]
        return tuple(dict.fromkeys((*known, *self.targets)))

    @property
    def targets(self) -> tuple[str, ...]:
        """Every format that an adapter leads to."""
        return tuple(target for _, target in self._adapters)

    def maybe_accessor(self, obj: JSON) -> Accessor[Meaning] | None:
        """The accessor that knows an object, or None."""
        for accessor in self._accessors:
            if accessor.matches(obj):
                return accessor
        return None

    def accessor(self, obj: JSON, *, target: str | None = None) -> Accessor[Meaning]:
        """The accessor that knows an object.

        Raises:
            UnknownFormatError: There is none.
        """
        accessor = self.maybe_accessor(obj)
        if accessor is None:
            raise UnknownFormatError(
                self._unknown(obj), tool=tool_name(obj), target=target
            )
        return accessor

    def _unknown(self, obj: JSON) -> str:
        if not isinstance(obj, dict):
            return f"a {self._kind} must be an object, not {shown(obj)}"
        return f"no accessor knows a {self._kind} of type {type_name(obj)}"

    def maybe_adapter(self, source: str, target: str) -> Adapter | None:
        """The adapter from one format to another, or None."""
        return self._adapters.get((source, target))


def sequence(values: object, kind: str) -> list[JSON]:
    """The objects to be converted.

    Raises:
        InteropError: They are not in a list or tuple.
    """
    if not isinstance(values, list | tuple):
        raise InteropError(f"{kind} must be a list, not {shown(values)}")
    return list(cast("list[JSON]", values))


def type_name(obj: JSON) -> str:
    """The `type` of an object, as an error tells it."""
    return shown(obj["type"]) if isinstance(obj, dict) and "type" in obj else "none"


def tool_name(obj: JSON) -> str | None:
    """The name that an object of whatever format seems to have."""
    if not isinstance(obj, dict):
        return None
    for body in (obj, obj.get("function"), obj.get("custom")):
        if isinstance(body, dict) and isinstance(name := body.get("name"), str):
            return name
    return None
