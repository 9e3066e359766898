"""What is asked of a registry in a sequence: the kinds, and the tools of each."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Sequence as Many


class Kind(StrEnum):
    """What a turn comes to, or what is done to the registry between two turns."""

    ANSWER = "answer"
    STRUCTURED = "structured"
    LONG = "long"
    UNTRUSTED = "untrusted"
    PROGRESS = "progress"
    FAIL = "failure"
    THROW = "throw"
    NONSENSE = "nonsense"
    UNKNOWN = "unknown-tool"
    LEFT_OUT = "left-out"
    AVAILABLE = "available"
    UNAVAILABLE = "unavailable"
    SHARE = "small-budget"
    EMPTY = "empty-batch"
    LISTING = "listing"
    CALLED_OFF = "called-off"
    READ = "read"
    WRITE = "write"
    STALE_WRITE = "stale-write"
    UNREAD_WRITE = "unread-write"
    UNWATCHED_WRITE = "unwatched-write"
    DRY_RUN = "dry-run"
    EFFECT = "effect"
    THROWN_VALUE = "thrown-value"
    ABORT = "abort"
    REDUCER_ADDED = "reducer-added"
    REDUCER_THROWS = "reducer-throws"
    REDUCER_REFUSED = "reducer-refused"
    REDUCER_REMOVED = "reducer-removed"
    REMOVED_AGAIN = "reducer-removed-again"
    REDUCED = "reduced"


OF_THE_FILE: Final = (
    Kind.READ,
    Kind.WRITE,
    Kind.STALE_WRITE,
    Kind.UNREAD_WRITE,
    Kind.UNWATCHED_WRITE,
)
"""Kinds about the file that is read and written."""

OF_FILES: Final = (*OF_THE_FILE, Kind.DRY_RUN, Kind.EFFECT)
"""Kinds whose tools have steps for files, which a registry may lack."""

OF_REDUCERS: Final = (
    Kind.REDUCER_REFUSED,
    Kind.REDUCED,
    Kind.REDUCER_ADDED,
    Kind.REDUCER_THROWS,
    Kind.REDUCER_REMOVED,
    Kind.REMOVED_AGAIN,
)
"""Kinds about the reducer of a tool."""

OF_CALLS: Final = (
    Kind.ANSWER,
    Kind.STRUCTURED,
    Kind.LONG,
    Kind.UNTRUSTED,
    Kind.FAIL,
    Kind.THROW,
    Kind.NONSENSE,
    Kind.UNKNOWN,
)
"""Kinds of a call that may stand beside others in one batch."""

SCRATCH: Final = {"$use": "scratch"}

KEY: Final = "key"
"""The file while which is there the gated tool is available."""

FILE: Final = "file.txt"
"""The file that is read and written."""

EFFECTS: Final = "effects.txt"
"""The file that a tool appends to each time that it runs."""


def path_of(name: str) -> dict[str, Any]:
    """Return the path of a file in the scratch folder, written like a message."""
    return {"$join": [SCRATCH, f"/{name}"]}


WRITTEN: Final = "written by the tool"
LONG_TEXT: Final = "0123456789" * 6
ENDED: Final = {"ok": True, "value": "ended"}
STRUCTURED: Final[Mapping[str, Any]] = {
    "ok": True,
    "value": "a table",
    "structured": {"rows": [[1, 2], [3, 4]]},
    "cost_usd": 0.25,
}
FAILURE: Final[Mapping[str, Any]] = {
    "ok": False,
    "error": "give a name",
    "code": "input_invalid",
}
WAITS_MS: Final = 2_000
"""How long a tool waits for the abort at most."""

_TURN: Final[Many[Any]] = (
    {"return_context": ["currentTurn", "messageCount", "sessionId"]},
)
"""A result that tells one turn from the next."""

_TOOLS: Final[Mapping[Kind, tuple[Many[Any], Mapping[str, Any]]]] = {
    Kind.ANSWER: (_TURN, {}),
    Kind.STRUCTURED: (({"return": STRUCTURED},), {}),
    Kind.LONG: (({"return": {"ok": True, "value": LONG_TEXT}},), {}),
    Kind.UNTRUSTED: (
        ({"return": {"ok": True, "value": "from the web"}},),
        {"outputIsUntrusted": True},
    ),
    Kind.PROGRESS: (
        ({"emit": {"message": "begun", "audience": "user"}}, {"return": ENDED}),
        {},
    ),
    Kind.FAIL: (({"return": FAILURE},), {}),
    Kind.THROW: (({"throw": "no luck"},), {}),
    Kind.THROWN_VALUE: (({"throw_value": {"n": 1}},), {}),
    Kind.NONSENSE: (({"return": None},), {}),
    Kind.AVAILABLE: (({"return": ENDED},), {"available": {"file": path_of(KEY)}}),
    Kind.ABORT: (({"wait_abort_ms": WAITS_MS}, {"return": ENDED}), {}),
    Kind.REDUCED: (({"return": ENDED},), {}),
    Kind.EFFECT: (
        ({"append_file": {"path": path_of(EFFECTS), "text": "!"}}, {"return": ENDED}),
        {},
    ),
    Kind.READ: (({"read_file": {"path": path_of(FILE)}}, {"return": ENDED}), {}),
    Kind.WRITE: (
        (
            {"write_file": {"path": path_of(FILE), "text": WRITTEN}},
            {"return": ENDED},
        ),
        {},
    ),
}
"""Of each tool what it does, and what it is beside, by the kind that it is called for.

Other kinds call one of these tools.
"""

CALLED: Final[Mapping[Kind, Kind]] = {
    **{kind: kind for kind in _TOOLS},
    Kind.LEFT_OUT: Kind.ANSWER,
    Kind.CALLED_OFF: Kind.ANSWER,
    Kind.SHARE: Kind.ANSWER,
    Kind.UNAVAILABLE: Kind.AVAILABLE,
    Kind.DRY_RUN: Kind.EFFECT,
    Kind.STALE_WRITE: Kind.WRITE,
    Kind.UNREAD_WRITE: Kind.WRITE,
    Kind.UNWATCHED_WRITE: Kind.WRITE,
}
"""The tool that a kind calls, by the kind that has it."""


def tool_of(kind: Kind, name: str) -> dict[str, Any]:
    """Return the tool of a kind as data."""
    steps, more = _TOOLS[kind]
    schema = {"type": "object"}
    facts = {"name": name, "description": f"A tool: {kind}.", "schema": schema}
    return {**facts, **more, "steps": list(steps)}
