"""The building blocks of rows that are one call each."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from tests.proof.interop.subject import Json
from tests.proof.row import Change, around

CHAT = "openai.chat_completions"
RESPONSES = "openai.responses"


def on_text(change: Callable[[str, str], Any]) -> Change:
    """Change what becomes of the arguments text of a function call.

    Args:
        change: Called with the text, and with what the reference makes of it.
    """

    def sanitised(_: Any, sanitise: Any, call: Json) -> Any:
        made = sanitise(call=call)
        for given, kept in ((call.get("function"), made.get("function")), (call, made)):
            if isinstance(given, dict) and isinstance(given.get("arguments"), str):
                kept["arguments"] = change(given["arguments"], kept["arguments"])
        return made

    return around("sanitize_tool_call", sanitised)


def on_events(change: Callable[[list[Json]], list[Json]], target: str = "") -> Change:
    """Change the events of a stream before they are put together.

    Args:
        change: Called with a copy of the events.
        target: The provider whose streams are changed; empty for both.
    """

    def accumulated(_: Any, accumulate: Any, **given: Any) -> Any:
        if target in ("", given["target"]):
            given["events"] = change(copy.deepcopy(given["events"]))
        return accumulate(**given)

    return around("accumulate", accumulated)


def on_calls(change: Callable[[list[Json], list[Json]], Any]) -> Change:
    """Change the calls of a stream.

    Args:
        change: Called with the calls, and with the events.
    """

    def accumulated(_: Any, accumulate: Any, **given: Any) -> Any:
        return change(accumulate(**given), given["events"])

    return around("accumulate", accumulated)


def pieces_of(events: list[Json]) -> Iterator[Json]:
    """Return the pieces of calls in the events of a chat stream."""
    for event in events:
        for choice in event.get("choices", ()):
            yield from choice["delta"].get("tool_calls") or ()


def on_pieces(change: Callable[[Json], Any]) -> Change:
    """Change each piece of a call in a chat stream, in place."""

    def changed(events: list[Json]) -> list[Json]:
        for piece in pieces_of(events):
            change(piece)
        return events

    return on_events(changed, CHAT)


def on_each_event(change: Callable[[Json], Json | None]) -> Change:
    """Change each event of a Responses stream, or lose it."""

    def changed(events: list[Json]) -> list[Json]:
        made = map(change, events)
        return [one for one in made if one is not None]

    return on_events(changed, RESPONSES)


def on_results(change: Callable[[Json, Json, str], Any]) -> Change:
    """Change the native messages that are made of results.

    Args:
        change: Called with the message, what it was made of, and the target.
    """

    def converted(
        _: Any, convert: Any, results: list[Any], target: str, **more: Any
    ) -> Any:
        made = convert(results=results, target=target, **more)
        if target not in (CHAT, RESPONSES):
            return made
        return [
            change(one, given, target) for one, given in zip(made, results, strict=True)
        ]

    return around("convert_results", converted)


def on_stored(change: Callable[[Any], Any]) -> Change:
    """Change what a tool returned before it is stored."""

    def converted(
        _: Any, convert: Any, results: list[Any], target: str, **more: Any
    ) -> Any:
        if target == "core":
            results = [{**one, "result": change(one["result"])} for one in results]
        return convert(results=results, target=target, **more)

    return around("convert_results", converted)


def on_core(change: Callable[[list[Json]], list[Json]]) -> Change:
    """Change core messages before native ones are made of them."""

    def written(_: Any, write: Any, messages: list[Json]) -> Any:
        return write(messages=change(copy.deepcopy(messages)))

    return around("to_native_messages", written)


def on_native(change: Callable[[list[Json], list[Json]], Any]) -> Change:
    """Change the native messages that are made of core ones.

    Args:
        change: Called with the native messages, and with the core ones.
    """

    def written(_: Any, write: Any, messages: list[Json]) -> Any:
        return change(write(messages=messages), messages)

    return around("to_native_messages", written)


def on_final(change: Callable[[Json, Json], Any]) -> Change:
    """Change what is left after the end of a stream, in place.

    Args:
        change: Called with what is left, and with what was given; both have the keys
            `final_messages`, `native_messages` and `state`.
    """

    def finalized(_: Any, finalize: Any, **given: Any) -> Any:
        before = copy.deepcopy(given)
        made = copy.deepcopy(finalize(**given))
        change(made, before)
        return made

    return around("finalize", finalized)
