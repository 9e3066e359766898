"""The log of a batch without what the registry tells beside what its tools told.

A registry may have events of its own, about a call that begins for one; no clause
speaks of those. What a tool emits is known from its steps: an event with other words
is the registry's own, but for words that may have become of what the tool emitted.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from wireproof.patterns import is_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def without_own_entries(
    log: Sequence[Any], emits: Mapping[Any, Sequence[Any]]
) -> list[Any]:
    """Return a log without the entries that are the registry's own.

    Args:
        log: `{"toolCallId", "event"}` and `{"toolCallId", "result": true}`, as they
            came; entries with neither are the registry's own.
        emits: What the tools of the calls are to emit, by toolCallId.
    """
    lost = _lost(log, emits)
    return [one for one in log if not is_object(one) or _is_told(one, emits, lost)]


def _lost(log: Sequence[Any], emits: Mapping[Any, Sequence[Any]]) -> list[str]:
    """Return the messages that were to be emitted and have not come as they were."""
    due = Counter(map(_message, chain.from_iterable(emits.values())))
    came = Counter(_message(one.get("event")) for one in log if is_object(one))
    return [message for message in due - came if message is not None]


def _is_told(
    entry: Mapping[str, Any], emits: Mapping[Any, Sequence[Any]], lost: Sequence[str]
) -> bool:
    """Tell whether an entry is a result, or of what a tool emitted."""
    if "event" not in entry:
        return "result" in entry
    message = _message(entry["event"])
    emitted = map(_message, chain.from_iterable(emits.values()))
    if message is not None and message in emitted:
        return True
    return any(_may_be(entry["event"], one) for one in lost)


def _may_be(event: Any, lost: str) -> bool:
    """Tell whether an event may be what became of a message that is lost.

    It is cut, put among other words, written in another case; or it has none.
    """
    message = _message(event)
    if message is None:
        return not is_object(event) or event.get("type") == "progress"
    told, words = message.strip().casefold(), lost.strip().casefold()
    return told in words or (words != "" and words in told)


def _message(event: Any) -> str | None:
    message: Any = event.get("message") if is_object(event) else None
    return message if isinstance(message, str) else None
