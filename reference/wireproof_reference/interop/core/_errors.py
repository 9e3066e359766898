"""What can go wrong between tool formats.

::

    WireproofReferenceError
    └── InteropError (ValueError)
        ├── UnknownFormatError       no accessor knows the object
        ├── NoAdapterError           nothing leads to a format that is accepted
        ├── UnknownTargetError       no format of that name, or under it
        ├── MalformedSchemaError     a known format, but what it needs is not there
        ├── MalformedCallError
        ├── MalformedResultError
        └── MissingRegistryError     a request's context without its registry
"""

from __future__ import annotations

from typing import Final

from wireproof_reference._errors import WireproofReferenceError

# Longer numbers tell the reader nothing, and the interpreter may refuse to write them.
_MAX_BITS: Final = 64


class InteropError(WireproofReferenceError, ValueError):
    """The root of what the registry raises.

    Attributes:
        detail: What was wrong, in a few words.
        format: The format of the object, where it is known.
        tool: The name of the tool, where it is known (INT-S5).
        target: What it was to be converted to, where that has a part in it.
    """

    def __init__(
        self,
        detail: str,
        *,
        format: str | None = None,  # noqa: A002 - the word of the protocol
        tool: str | None = None,
        target: str | None = None,
    ) -> None:
        self.detail = detail
        self.format = format
        self.tool = tool
        self.target = target
        fields = {"tool": tool, "format": format, "target": target}
        told = [
            f"{field} {shown(value)}"
            for field, value in fields.items()
            if value is not None
        ]
        super().__init__(f"{detail} ({', '.join(told)})" if told else detail)


class UnknownFormatError(InteropError):
    """No accessor knows what the object means (INT-S7)."""


class NoAdapterError(InteropError):
    """No adapter leads from the object's format to one that is accepted (INT-S7)."""


class UnknownTargetError(InteropError):
    """Nothing in the registry has to do with the target (INT-S7)."""


class MalformedSchemaError(InteropError):
    """A schema of a known format without what that format needs."""


class MalformedCallError(InteropError):
    """A call of a known format without what that format needs."""


class MalformedResultError(InteropError):
    """A result that is not a core tool message, or that has no text form."""


class MissingRegistryError(InteropError):
    """A request's context that does not hold the registry (INT-G2)."""


def shown(value: object) -> str:
    """A value as an error tells it: a plain text as it is, an odd one in short."""
    match value:
        case str():
            return value if value and value.isprintable() else repr(value)
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() if value.bit_length() > _MAX_BITS:
            return "a large number"
        case int() | float():
            return repr(value)
        case dict():
            return "an object"
        case list():
            return "an array"
        case _:
            return type(value).__name__
