"""What an `NdjsonDecoder` finds in its input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

if TYPE_CHECKING:
    from wireproof_reference._errors import JsonReason
    from wireproof_reference.framing._json import JSON


@dataclass(frozen=True, slots=True)
class Frame:
    """A line that holds one JSON value.

    Attributes:
        value: The value; any JSON value, not only an object.
        line: The bytes of the line, without the line feed.
    """

    value: JSON
    line: bytes


@dataclass(frozen=True, slots=True)
class BlankLine:
    """A line of nothing but white space.

    Attributes:
        line: The bytes of the line, without the line feed.
    """

    line: bytes


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that holds no JSON value that we accept.

    Attributes:
        reason: Bad UTF-8, bad JSON, or nested deeper than `MAX_DEPTH`.
        detail: What was wrong, in a few words.
        line: The bytes of the line, without the line feed.
    """

    reason: JsonReason
    detail: str
    line: bytes


@dataclass(frozen=True, slots=True)
class Oversize:
    """A line longer than the limit; it was dropped as it arrived.

    Attributes:
        size: Bytes of the whole line, without the line feed.
        head: The first bytes of the line, to be shown to someone.
    """

    size: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Unterminated:
    """Bytes that were left at end of file without a line feed.

    Attributes:
        line: Those bytes, or the head of them where they exceed the limit.
        size: How many there were.
    """

    line: bytes
    size: int


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """The peer will send no more; every later call answers the same."""


@dataclass(frozen=True, slots=True)
class NeedData:
    """Nothing to report until `receive_data` or `receive_eof` is called."""


Event: TypeAlias = Frame | BlankLine | BadLine | Oversize | Unterminated | EndOfInput
"""Everything that a decoder reports."""

UnusableLine: TypeAlias = BlankLine | BadLine | Oversize | Unterminated
"""Lines that hold no value."""


def why_unusable(event: UnusableLine) -> tuple[bytes, str]:
    """The bytes of a line that holds no value, or the first of them, and why."""
    match event:
        case BadLine(reason, detail, line):
            return line, f"{reason}: {detail}"
        case BlankLine(line):
            return line, "a blank line"
        case Oversize(size, head):
            return head, f"a line of {size} bytes is too long"
        case Unterminated(line, _):
            return line, "the input ended inside a line"
        case _:  # pragma: no cover
            assert_never(event)


NEED_DATA: Final = NeedData()
"""The one `NeedData`, so that a loop may compare by identity."""

END_OF_INPUT: Final = EndOfInput()
"""The one `EndOfInput`, so that a loop may compare by identity."""
