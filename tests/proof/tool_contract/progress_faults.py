"""Registries that tell of progress wrongly: TOOL-P1 to P6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.proof.tool_contract.subject import (
    Json,
    Subject,
    broken,
    data_tools,
    put,
)

from wireproof_reference.tool_contract import ProgressEvent


def events(subject: Subject, change: Callable[[Json], Json]) -> None:
    """Let each event in a log be changed."""

    def value(value: Json) -> Any:
        log = [
            {**one, "event": change(dict(one["event"]))} if "event" in one else one
            for one in value["log"]
        ]
        return {**value, "log": log}

    subject.value = value


def logs(subject: Subject, change: Callable[[list[Json]], list[Json]]) -> None:
    """Let a log be arranged otherwise."""
    subject.value = lambda value: {**value, "log": change(value["log"])}


def shows(subject: Subject, decide: Callable[[Json, str], bool]) -> None:
    """Let `decide(event, channel)` say what a channel shows."""

    def visible_progress(events: list[Any], channel: str) -> Any:
        return [one for one in events if decide(one, channel)]

    put("visible_progress", visible_progress, subject)


def audience(event: Json) -> str:
    """Return an event's audience as it counts."""
    known = event.get("audience")
    return known if known in {"user", "dashboard"} else "internal"


def plain(event: Json, channel: str) -> bool:
    """Decide as the reference does."""
    return channel == "internal" or audience(event) == channel


# --- P1


@broken("other-type", "TOOL-P1", "calls events tool_progress")
def _type(subject: Subject) -> None:
    events(subject, lambda it: {**it, "type": "tool_progress"})


@broken(
    "tool-in-snake-case",
    "TOOL-P1",
    "writes toolName as tool_name",
)
def _snake(subject: Subject) -> None:
    def change(it: Json) -> Any:
        name = it.pop("toolName")
        return {**it, "tool_name": name}

    events(subject, change)


@broken(
    "percent-of-zero",
    "TOOL-P1",
    "gives events without a percentage one of 0",
)
def _zero(subject: Subject) -> None:
    events(subject, lambda it: {"percent": 0, **it})


# --- P2


@broken(
    "default-is-user",
    "TOOL-P2",
    "shows events without an audience to users",
)
def _default_user(subject: Subject) -> None:
    def decide(event: Json, channel: str) -> Any:
        return plain({"audience": "user", **event}, channel)

    shows(subject, decide)


@broken(
    "default-is-dashboard", "TOOL-P2", "shows events without an audience on dashboards"
)
def _default_dashboard(subject: Subject) -> None:
    def decide(event: Json, channel: str) -> Any:
        return plain({"audience": "dashboard", **event}, channel)

    shows(subject, decide)


@broken(
    "audience-of-the-one-before",
    "TOOL-P2",
    "gives an event the audience of the one before",
)
def _sticky(subject: Subject) -> None:
    last = ["internal"]

    def change(it: Json) -> Any:
        if it.get("audience", "internal") != "internal":
            last[0] = it["audience"]
        return {**it, "audience": last[0]}

    def forget(told: Json) -> Any:
        last[0] = "internal"
        return told

    subject.asked = forget
    events(subject, change)


@broken(
    "percent-makes-a-user-event",
    "TOOL-P2",
    "shows users each event that has a percentage",
)
def _percent(subject: Subject) -> None:
    def change(it: Json) -> Any:
        raised = "percent" in it and it.get("audience", "internal") == "internal"
        return {**it, "audience": "user"} if raised else it

    events(subject, change)


# --- P3


@broken(
    "users-see-all",
    "TOOL-P3",
    "shows users everything",
)
def _see_all(subject: Subject) -> None:
    shows(subject, lambda event, channel: channel == "user" or plain(event, channel))


@broken("users-see-dashboards", "TOOL-P3", "shows users what is for dashboards")
def _see_dashboards(subject: Subject) -> None:
    def decide(event: Json, channel: str) -> Any:
        return plain(event, channel) or (channel, audience(event)) == (
            "user",
            "dashboard",
        )

    shows(subject, decide)


@broken(
    "dashboards-see-all",
    "TOOL-P3",
    "shows dashboards what is internal",
)
def _dashboards(subject: Subject) -> None:
    shows(
        subject, lambda event, channel: channel == "dashboard" or plain(event, channel)
    )


@broken("shows-texts-only", "TOOL-P3", "takes percentages from what it shows")
def _texts_only(subject: Subject) -> None:
    shows(subject, plain)
    original = subject.visible_progress

    def visible_progress(events: list[Any], channel: str) -> Any:
        found: Any = original(events, channel)
        return [{k: v for k, v in one.items() if k != "percent"} for one in found]

    put("visible_progress", visible_progress, subject)


@broken("shows-by-percentage", "TOOL-P3", "shows events by their percentages")
def _by_percentage(subject: Subject) -> None:
    def visible_progress(events: list[Any], channel: str) -> Any:
        shown = [one for one in events if plain(one, channel)]
        return sorted(shown, key=lambda one: one.get("percent", 0))

    put("visible_progress", visible_progress, subject)


@broken(
    "shows-no-empty-messages", "TOOL-P3", "does not show events with an empty message"
)
def _no_empty(subject: Subject) -> None:
    shows(subject, lambda one, channel: plain(one, channel) and bool(one["message"]))


# --- P4


@broken(
    "any-audience", "TOOL-P4", "hands on audiences that there are not", level="should"
)
def _any(subject: Subject) -> None:
    def made(name: str, message: str, percent: Any = None, audience: Any = None) -> Any:
        given = "internal" if audience is None else audience
        return ProgressEvent(name, message, percent, given)

    data_tools.progress_event = made


@broken(
    "percent-beyond-the-whole",
    "TOOL-P4",
    "hands on percentages beyond the whole",
    level="should",
)
def _beyond(subject: Subject) -> None:
    def made(name: str, message: str, percent: Any = None, audience: Any = None) -> Any:
        known = audience if audience in {"user", "dashboard"} else "internal"
        return ProgressEvent(name, message, percent, known)

    data_tools.progress_event = made


@broken(
    "percent-clamped",
    "TOOL-P4",
    "takes a percentage beyond the whole for the whole, and one below for nothing",
    level="should",
)
def _clamped(subject: Subject) -> None:
    def made(name: str, message: str, percent: Any = None, audience: Any = None) -> Any:
        known = audience if audience in {"user", "dashboard"} else "internal"
        given = None if percent is None else min(100, max(0, percent))
        return ProgressEvent(name, message, given, known)

    data_tools.progress_event = made


# --- P5


def is_event(one: Json) -> bool:
    """Tell an event from a result."""
    return "event" in one


@broken(
    "events-at-the-end",
    "TOOL-P5",
    "tells of events after the results",
)
def _at_the_end(subject: Subject) -> None:
    logs(subject, lambda log: sorted(log, key=is_event))


@broken(
    "latest-event-first",
    "TOOL-P5",
    "tells of the latest event first",
)
def _latest(subject: Subject) -> None:
    def turned(log: list[Json]) -> Any:
        told = [one for one in log if is_event(one)]
        return [told.pop() if is_event(one) else one for one in log]

    logs(subject, turned)


@broken("failures-without-events", "TOOL-P5", "drops the events of a call that fails")
def _failures(subject: Subject) -> None:
    def value(value: Json) -> Any:
        failed = {
            one["toolCallId"] for one in value["results"] if not one["result"]["ok"]
        }
        log = [
            one
            for one in value["log"]
            if not is_event(one) or one["toolCallId"] not in failed
        ]
        return {**value, "log": log}

    subject.value = value


@broken(
    "an-event-once-a-batch",
    "TOOL-P5",
    "tells of equal events of the calls of a batch once",
)
def _once_a_batch(subject: Subject) -> None:
    def thinned(log: list[Json]) -> Any:
        told: list[Json] = []
        kept: list[Json] = []
        for one in log:
            if not is_event(one) or one["event"] not in told:
                kept.append(one)
            if is_event(one):
                told.append(one["event"])
        return kept

    logs(subject, thinned)


# --- P6


@broken(
    "a-repetition-is-no-news",
    "TOOL-P6",
    "leaves out an event that is equal to the one before it",
)
def _no_news(subject: Subject) -> None:
    def thinned(log: list[Json]) -> Any:
        pairs = zip([{}, *log], log, strict=False)
        return [
            one
            for before, one in pairs
            if not is_event(one) or one["event"] != before.get("event")
        ]

    logs(subject, thinned)


@broken("messages-trimmed-to-a-line", "TOOL-P6", "keeps the first line of a message")
def _first_line(subject: Subject) -> None:
    events(subject, lambda it: {**it, "message": it["message"].partition("\n")[0]})


@broken("percent-rounded", "TOOL-P6", "rounds percentages")
def _rounded(subject: Subject) -> None:
    def change(it: Json) -> Any:
        return {**it, "percent": round(it["percent"])} if "percent" in it else it

    events(subject, change)


@broken("percent-of-zero-dropped", "TOOL-P6", "drops a percentage of 0")
def _zero_dropped(subject: Subject) -> None:
    def change(it: Json) -> Any:
        return {k: v for k, v in it.items() if k != "percent" or v}

    events(subject, change)


@broken("own-tool-name", "TOOL-P6", "puts the called tool's name into each event")
def _own_name(subject: Subject) -> None:
    def value(value: Json) -> Any:
        names = {one["toolCallId"]: one["name"] for one in value["results"]}
        log = [
            {**one, "event": {**one["event"], "toolName": names[one["toolCallId"]]}}
            if is_event(one)
            else one
            for one in value["log"]
        ]
        return {**value, "log": log}

    subject.value = value


@broken(
    "dashboard-events-for-users",
    "TOOL-P6",
    "raises events for dashboards to users",
)
def _raised(subject: Subject) -> None:
    def change(it: Json) -> Any:
        return {**it, "audience": "user"} if it.get("audience") == "dashboard" else it

    events(subject, change)


@broken("alike-once", "TOOL-P3", "shows events that are alike once")
def _alike_once(subject: Subject) -> None:
    def visible_progress(events: list[Any], channel: str) -> Any:
        shown = [one for one in events if plain(one, channel)]
        return list({one["message"]: one for one in shown}.values())

    put("visible_progress", visible_progress, subject)


def on_percent(subject: Subject, change: Callable[[float], float]) -> None:
    """Let the percentage of each event that has one be changed."""

    def changed(it: Json) -> Json:
        return {**it, "percent": change(it["percent"])} if "percent" in it else it

    events(subject, changed)


@broken("percent-of-one", "TOOL-P6", "takes percentages below one for parts of one")
def _of_one(subject: Subject) -> None:
    on_percent(subject, lambda it: it * 100 if it < 1 else it)


@broken("percent-to-one-digit", "TOOL-P6", "keeps one digit of a percentage's fraction")
def _one_digit(subject: Subject) -> None:
    on_percent(subject, lambda it: round(it, 1))


@broken("a-hundred-events", "TOOL-P6", "drops events of a call beyond a hundred")
def _a_hundred(subject: Subject) -> None:
    def change(log: list[Json]) -> list[Json]:
        return [one for at, one in enumerate(log) if at < 100 or "event" not in one]

    logs(subject, change)


@broken("messages-cut", "TOOL-P6", "cuts messages to 10,000 characters")
def _messages_cut(subject: Subject) -> None:
    events(subject, lambda it: {**it, "message": it["message"][:10_000]})
