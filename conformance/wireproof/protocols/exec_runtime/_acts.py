"""What a call is told to come to in a sequence, and the tools that are called."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(StrEnum):
    """What a call comes to, by what its tool is told to do."""

    ANSWER = "answer"
    NULL = "null"
    FALSE = "false"
    FAIL = "fail"
    STDERR = "stderr"
    REFUSED = "refused"
    MISSING = "missing"
    EXIT = "exit"
    EXIT_WITH_RESULT = "exit-with-result"
    SIGNAL = "signal"
    NOTHING = "nothing"
    NO_JSON = "no-json"
    HALF = "half"
    TWO = "two"
    NEITHER = "neither"
    BOTH = "both"
    BAD_ERROR = "bad-error"
    CLOSED = "closed"
    TWICE = "twice"
    WRONG_ID = "wrong-id"
    OTHER_ID_IN_FRONT = "other-id-in-front"
    NOTIFICATION_IN_FRONT = "notification-in-front"
    TEXT_IN_FRONT = "text-in-front"
    HANG = "hang"
    LATE = "late"
    LAST = "last"
    FLOOD = "flood"


SOUND: Final = (Kind.ANSWER, Kind.NULL, Kind.FALSE, Kind.FAIL, Kind.STDERR)
"""Kinds that a tool of either mode comes to and goes on."""

REACHES_NONE: Final = (Kind.REFUSED, Kind.MISSING)
"""Calls that come to no process: arguments that break the schema, or a command that is
not there."""

ONCE: Final = (
    Kind.EXIT,
    Kind.EXIT_WITH_RESULT,
    Kind.SIGNAL,
    Kind.NOTHING,
    Kind.NO_JSON,
    Kind.HALF,
    Kind.TWO,
    Kind.NEITHER,
    Kind.BOTH,
    Kind.BAD_ERROR,
    Kind.HANG,
    Kind.LATE,
)
"""Ways in which a one-shot tool goes wrong."""

IN_FRONT: Final = (
    Kind.OTHER_ID_IN_FRONT,
    Kind.NOTIFICATION_IN_FRONT,
    Kind.TEXT_IN_FRONT,
)
"""What stands in front of the answer of a server."""

SERVING: Final = (
    Kind.EXIT,
    Kind.SIGNAL,
    Kind.HALF,
    Kind.CLOSED,
    Kind.NO_JSON,
    Kind.NEITHER,
    Kind.BOTH,
    Kind.BAD_ERROR,
    Kind.TWICE,
    Kind.WRONG_ID,
    *IN_FRONT,
    Kind.HANG,
    Kind.LATE,
    Kind.LAST,
)
"""Ways in which a server goes wrong."""

WAITED_FOR: Final = (
    Kind.CLOSED,
    Kind.NO_JSON,
    Kind.NEITHER,
    Kind.BOTH,
    Kind.BAD_ERROR,
    Kind.WRONG_ID,
    Kind.HANG,
    Kind.LATE,
)
"""Kinds that a runtime may find out by its limit alone: it is short there."""

COSTLY: Final = Kind.FLOOD
"""Writes more than a runtime may keep: tried once where others are tried often."""

LINGERS: Final = (Kind.TWICE, Kind.LAST)
"""Kinds that a runtime may find out with the call after them: that may fail too."""

ONCE_KINDS: Final = (*SOUND, *REACHES_NONE, *ONCE, COSTLY)
"""Kinds of calls of a one-shot tool."""

SERVER_KINDS: Final = (*SOUND, *REACHES_NONE, *SERVING, COSTLY)
"""Kinds of calls of a server."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A tool of a sequence.

    Attributes:
        server: Whether it is a server.
        of: The tool whose program it is bound to as well; empty for one of its own.
    """

    server: bool
    of: str = ""


TOOLS: Final[Mapping[str, Bound]] = {
    "server": Bound(server=True),
    "server-twin": Bound(server=True, of="server"),
    "server-beside": Bound(server=True),
    "once": Bound(server=False),
    "once-twin": Bound(server=False, of="once"),
    "once-beside": Bound(server=False),
}
"""The tools that sequences call, by name."""


@dataclass(frozen=True, slots=True)
class Act:
    """One call.

    Attributes:
        tool: The tool that is called.
        kind: What the call comes to.
        value: What the arguments hold beside the call's own text, written like a
            message; None for nothing.
    """

    tool: str
    kind: Kind = Kind.ANSWER
    value: Any = None
