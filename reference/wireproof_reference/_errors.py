"""The exceptions of this package.

::

    WireproofReferenceError
    ├── ProtocolError
    │   ├── LocalProtocolError     our own caller broke the rules
    │   └── RemoteProtocolError    the peer broke the rules
    ├── CallTimeout                a call was not answered in time
    ├── JsonError (ValueError)     bytes that are not the JSON we accept
    └── EncodeError (ValueError)   a value that JSON cannot hold

What one protocol adds (a failed call, a dead process) derives from the root in
that protocol's own module.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

JsonReason: TypeAlias = Literal["not-utf8", "not-json", "too-deep"]
"""Why bytes are refused; the same words as in `BadLine.reason`."""


class WireproofReferenceError(Exception):
    """The root of every exception that this package raises on purpose."""


class ProtocolError(WireproofReferenceError):
    """A rule of the protocol was broken.

    Attributes:
        detail: What was wrong, in a few words.
        clause: The clause that forbids it, such as `HV1-E2`, or None.
    """

    def __init__(self, detail: str, *, clause: str | None = None) -> None:
        self.detail = detail
        self.clause = clause
        super().__init__(detail if clause is None else f"{detail} ({clause})")


class LocalProtocolError(ProtocolError):
    """The caller asked for something that the protocol does not allow now."""


class RemoteProtocolError(ProtocolError):
    """The peer sent something that the protocol does not allow now."""


class CallTimeout(WireproofReferenceError):
    """A call was not answered in time; each protocol derives its own from this.

    Attributes:
        what: What was called: a method or a tool.
        seconds: How long the answer was waited for.
    """

    def __init__(self, what: str, seconds: float) -> None:
        self.what = what
        self.seconds = seconds
        super().__init__(f"{what} was not answered within {seconds:g} s")


class JsonError(WireproofReferenceError, ValueError):
    """Bytes that are not a JSON text.

    Attributes:
        reason: Bad UTF-8, bad JSON, or nested deeper than `MAX_DEPTH`.
        detail: What was wrong, in a few words.
        position: Offset in bytes of the fault, where it is known.
    """

    def __init__(
        self, reason: JsonReason, detail: str, position: int | None = None
    ) -> None:
        self.reason: JsonReason = reason
        self.detail = detail
        self.position = position
        where = "" if position is None else f" at byte {position}"
        super().__init__(f"{reason}: {detail}{where}")


class EncodeError(WireproofReferenceError, ValueError):
    """A value that has no JSON text: NaN, a key that is no string, a cycle.

    Attributes:
        detail: What was wrong, in a few words.
    """

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__(detail)
