"""What is sent in a sequence, act by act: the kinds, and what an act says of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from wireproof.judge import MAIN


class Kind(StrEnum):
    """What is sent in one act."""

    ECHO = "success"
    COUNT = "count"
    FAIL = "failure"
    DETAILS = "failure-with-details"
    THROW = "throw"
    STREAM = "stream"
    SLEEP = "sleep"
    ENVELOPE = "envelope"
    CONTEXT = "context"
    SESSION = "session"
    CLAIM = "claim"
    UNKNOWN_TOOL = "unknown-tool"
    INVALID = "invalid-arguments"
    DENIED = "privileged"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    GONE = "connection-gone"
    STRAY_CANCEL = "stray-cancel"
    CANCELLED_WAIT = "cancelled-wait"
    CANCELLED_STREAM = "cancelled-stream"
    CANCELLED_ELSEWHERE = "cancelled-elsewhere"
    LISTING = "listing"
    BAD_LINE = "bad-line"
    BAD_MESSAGE = "bad-message"
    OTHER_PROTOCOL = "other-protocol"


CANCEL_KINDS: Final = (
    Kind.CANCELLED_WAIT,
    Kind.CANCELLED_STREAM,
    Kind.CANCELLED_ELSEWHERE,
)
"""The kinds that only sequences of cancels have."""

KINDS: Final = tuple(kind for kind in Kind if kind not in CANCEL_KINDS)
"""The kinds in sequences of everything."""

CANCELLED_CALLS: Final = (Kind.CANCELLED, *CANCEL_KINDS[:2])
"""Calls that are cancelled as soon as they have begun."""

ENDED_EARLY: Final = (*CANCELLED_CALLS, Kind.EXPIRED)
"""Calls whose tools may go on after their results."""

NEVER_ENDING_MS: Final = 60_000
"""Milliseconds of a sleep that something else ends in time."""


@dataclass(frozen=True, slots=True)
class Act:
    """One frame, or a call and what ends it.

    Attributes:
        kind: What is sent.
        on: The connection.
        own_id: The call's id where that is what is tried.
        by: What a count adds.
        parts: How many payloads a stream emits.
        delay_ms: Milliseconds that it waits after each.
        ms: Milliseconds that a sleep takes.
        value: What an echo is given, a payload has beside its call's id, or a failure
            has as its details, written like a message; None for the id alone.
        text: What the message of a failure or a throw ends with.
        code: The code of a failure.
        caller: Whom a claim names.
        longest_ms: Most milliseconds that a call runs on beyond its deadline.
        ignores: Whether the tool of a call that ends early ignores its signal.
    """

    kind: Kind
    on: str = MAIN
    own_id: str | None = None
    by: int = 3
    parts: int = 2
    delay_ms: int = 0
    ms: int = 2
    value: Any = None
    text: str = ""
    code: str = "VALIDATION_ERROR"
    caller: str = "plugin"
    longest_ms: int = NEVER_ENDING_MS
    ignores: bool = False
