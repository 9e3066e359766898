"""What is asked in a sequence, act by act: the kinds, and what an act says of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class Kind(StrEnum):
    """What is asked in one act."""

    ECHO = "success"
    COUNT = "count"
    FAIL = "failure"
    THROW = "throw"
    STREAM = "stream"
    SLEEP = "sleep"
    UNKNOWN_TOOL = "unknown-tool"
    UNKNOWN_METHOD = "unknown-method"
    LISTING = "listing"
    OPTIONAL = "optional-method"
    NO_OBJECT_ARGUMENTS = "arguments-no-object"
    NO_PARAMS = "no-params"
    BAD_LINE = "bad-line"
    NO_STATE = "no-state"
    EMPTY_STATE = "empty-state"
    FOREIGN_STATE = "foreign-state"
    INIT = "second-init"
    COUNT_ANEW = "count-of-the-second-init"
    COUNT_AGAIN = "count-of-the-first-state"


KINDS: Final = tuple(
    kind for kind in Kind if kind not in {Kind.INIT, Kind.COUNT_ANEW, Kind.COUNT_AGAIN}
)
"""The kinds in sequences at level MUST."""


@dataclass(frozen=True, slots=True)
class Act:
    """One request, or a line that is none.

    Attributes:
        kind: What is asked.
        keeps: Whether the state in the answer is what the next call carries; a count's
            always is.
        by: What a count adds.
        parts: How many payloads a stream emits.
        delay_ms: Milliseconds that it waits after each.
        value: What an echo is given, or a payload has beside its call's id, written
            like a message; None for the id alone.
        alike: Whether the payloads of a stream hold no id, so that two streams may
            emit the same.
        text: What the message of a failure or a throw ends with.
        own_id: The request's id where that is what is tried.
    """

    kind: Kind
    keeps: bool = False
    by: int = 3
    parts: int = 2
    delay_ms: int = 0
    value: Any = None
    alike: bool = False
    text: str = ""
    own_id: str | None = None
