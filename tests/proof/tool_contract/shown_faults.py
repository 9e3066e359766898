"""Registries that show a model or a user something else than they should."""

from __future__ import annotations

import re
import time
from typing import Any

from tests.proof.tool_contract.changes import (
    faults,
    on_events,
    on_log,
    on_model,
    on_sanitised,
    on_trusted,
    on_wrapped,
    sanitize,
)
from tests.proof.tool_contract.subject import Json, Subject, data_tools, put

from wireproof.protocols.tool_contract._views import TOKENS
from wireproof_reference.tool_contract import Failure

fault = faults(__name__)

# --- U1


def on_untrusted(change: Any) -> Any:
    """Let the model's text of successes of untrusted tools be changed."""
    return on_model(
        lambda text, tool, result: (
            change(text, result.value)
            if tool.output_is_untrusted and not isinstance(result, Failure)
            else text
        )
    )


fault(
    "wrapped-twice",
    "TOOL-U1",
    "puts a wrapper around the wrapper",
    on_wrapped(lambda text: f'<untrusted source="a" tool="b">{text}</untrusted>'),
)
fault(
    "only-the-first-line-wrapped",
    "TOOL-U1",
    "wraps the first line, and leaves the others behind it",
    on_wrapped(
        lambda text: re.sub(
            r"(?s)^([^\n]*)(\n.*)</untrusted>$", r"\1</untrusted>\2", text
        )
    ),
)
fault(
    "each-line-wrapped",
    "TOOL-U1",
    "wraps each line by itself",
    on_wrapped(
        lambda text: text.replace("\n", '</untrusted>\n<untrusted source="a" tool="b">')
    ),
)
fault(
    "json-not-wrapped",
    "TOOL-U1",
    "wraps no output that looks like JSON",
    on_untrusted(lambda text, value: value if value[:1] == "{" else text),
)
fault(
    "long-output-not-wrapped",
    "TOOL-U1",
    "wraps no output of more than 20,000 characters",
    on_untrusted(lambda text, value: value if len(value) > 20_000 else text),
)

# --- U2, U3


def behind(pattern: str) -> Any:
    """Let what matches stay as it is."""
    return on_sanitised(
        lambda content: "".join(
            part if re.fullmatch(pattern, part) else sanitize(part)
            for part in re.split(f"({pattern})", content)
            if part
        )
    )


MARKUP = r"(?:<[^<>\n]*>|\[/?INST\]|<</?SYS>>)"

fault(
    "line-beginnings-not-sanitised",
    "TOOL-U2",
    "leaves tokens behind a line feed",
    behind(rf"\n{MARKUP}"),
)
fault(
    "first-line-sanitised-alone",
    "TOOL-U2",
    "sanitises the first line",
    on_sanitised(
        lambda content: (
            sanitize(content.partition("\n")[0]) + "".join(content.partition("\n")[1:])
        )
    ),
)
fault(
    "line-separators-not-sanitised",
    "TOOL-U2",
    "leaves tokens behind a line separator",
    behind(rf"[\u2028\u0085\f]{MARKUP}"),
)
fault(
    "json-not-sanitised",
    "TOOL-U2",
    "leaves tokens in what looks like JSON",
    on_sanitised(lambda content: content if content[:1] == "{" else sanitize(content)),
)
fault(
    "long-output-not-sanitised",
    "TOOL-U2",
    "sanitises the first 2,000 characters",
    on_sanitised(lambda content: sanitize(content[:2000]) + content[2000:]),
)
fault(
    "tokens-beside-astral-characters-stay",
    "TOOL-U2",
    "leaves tokens behind characters beyond ASCII",
    behind(rf"[^\x00-\x7f]{MARKUP}"),
)
fault(
    "tokens-of-the-list-alone",
    "TOOL-U2",
    "neutralises the tokens of common templates, and no other",
    on_sanitised(
        lambda content: re.sub(
            "|".join([*map(re.escape, TOKENS), r"<\s*/?\s*untrusted"]),
            lambda found: f"&#{ord(found[0][0])};{found[0][1:]}",
            content,
            flags=re.IGNORECASE,
        )
    ),
    level="should",
)
fault(
    "closing-at-the-beginning-of-a-line-stays",
    "TOOL-U3",
    "leaves a closing tag behind a line feed",
    behind(r"\n</untrusted>"),
    shown_by="tool-contract/untrusted/wrapper-closing-behind-a-line-feed",
)
fault(
    "closing-in-json-stays",
    "TOOL-U3",
    "leaves a closing tag in quotes",
    behind(r'"</untrusted>"'),
)

# --- U6

TURN = re.compile(r"\n+(Human|Assistant|System|User): ?")


def _turns_removed(content: str) -> str:
    return TURN.sub("\n\n", sanitize(content))


fault(
    "wrapper-makes-turn-marks-whole",
    "TOOL-U6",
    "takes turn marks out before it puts a line feed before the content",
    on_sanitised(_turns_removed),
    on_wrapped(lambda text: re.sub(r'(tool="[^"]*">)', r"\1\n", text, count=1)),
    level="should",
)
fault(
    "fences-made-longer",
    "TOOL-U6",
    "adds a backtick to each fence",
    on_sanitised(lambda content: re.sub("```", "````", sanitize(content))),
    level="should",
)

# --- U9

fault(
    "trusted-text-trimmed",
    "TOOL-U9",
    "trims what the model sees",
    on_trusted(str.strip),
)
fault(
    "trusted-text-sanitised",
    "TOOL-U9",
    "sanitises what the model sees of every tool",
    on_trusted(sanitize),
)
fault(
    "trusted-text-in-one-line",
    "TOOL-U9",
    "writes what the model sees in one line",
    on_trusted(lambda text: " ".join(text.splitlines())),
)
fault(
    "trusted-text-cut-again",
    "TOOL-U9",
    "shows the model 10,000 characters at most",
    on_trusted(lambda text: text[:10_000]),
)
fault(
    "trusted-text-escaped",
    "TOOL-U9",
    "writes an entity for each ampersand that the model sees",
    on_trusted(lambda text: text.replace("&", "&amp;")),
)
fault(
    "trusted-errors-hidden",
    "TOOL-U9",
    "tells the model of no error what it is",
    on_model(
        lambda text, tool, result: (
            "The tool failed." if isinstance(result, Failure) else text
        )
    ),
)
fault(
    "trusted-errors-by-their-first-line",
    "TOOL-U9",
    "shows the model the first line of an error",
    on_model(
        lambda text, tool, result: (
            text.partition("\n")[0] if isinstance(result, Failure) else text
        )
    ),
)
fault(
    "trusted-text-as-ascii",
    "TOOL-U9",
    "shows the model ASCII alone",
    on_trusted(lambda text: text.encode("ascii", "replace").decode()),
)

# --- P5, P6

fault(
    "events-twice",
    "TOOL-P5",
    "tells of each event twice",
    on_log(
        lambda log: [
            one for entry in log for one in [entry] * (2 if "event" in entry else 1)
        ]
    ),
)
fault(
    "events-by-their-message",
    "TOOL-P5",
    "sorts the events of a call",
    on_events(lambda events: sorted(events, key=lambda one: str(one["message"]))),
)
fault(
    "last-event-lost",
    "TOOL-P5",
    "drops the last of several events of a call",
    on_events(lambda events: events[:-1] if len(events) > 1 else events),
)


def _kept_back(subject: Subject) -> None:
    carried = subject.execute_parallel

    async def execute_parallel(calls: list[Any], **told: Any) -> Any:
        began = time.monotonic()
        value = await carried(calls, **told)
        ended = (time.monotonic() - began) * 1000
        log = [
            {**one, "t_ms": ended} if "event" in one else one for one in value["log"]
        ]
        return {**value, "log": log}

    put("execute_parallel", execute_parallel, subject)


fault(
    "events-kept-back",
    "TOOL-P5",
    "keeps events back until the batch has ended",
    _kept_back,
    level="should",
)


def highest(events: list[Json]) -> list[Json]:
    """Return events none of whose percentages is below an earlier one."""
    found, most = [], 0.0
    for event in events:
        most = max(most, event.get("percent", 0))
        found.append({**event, "percent": most} if "percent" in event else event)
    return found


def rising(events: list[Json]) -> list[Json]:
    """Return events without those that fall below an earlier percentage."""
    pairs = zip(events, highest(events), strict=True)
    return [one for one, raised in pairs if one.get("percent") == raised.get("percent")]


fault(
    "falling-percent-raised",
    "TOOL-P6",
    "raises a percentage that falls to the highest before it",
    on_events(highest),
)
fault(
    "falling-events-dropped",
    "TOOL-P6",
    "drops an event whose percentage falls",
    on_events(rising),
)
fault(
    "falling-percent-dropped",
    "TOOL-P6",
    "leaves a percentage out that falls",
    on_events(
        lambda events: [
            {key: value for key, value in one.items() if key != "percent"}
            if one.get("percent") != raised.get("percent")
            else one
            for one, raised in zip(events, highest(events), strict=True)
        ]
    ),
)
fault(
    "percent-kept-for-the-next",
    "TOOL-P6",
    "gives an event without a percentage that of the one before",
    on_events(
        lambda events: [
            {"percent": before["percent"], **one} if "percent" in before else one
            for before, one in zip([{}, *events], events, strict=False)
        ]
    ),
)

# --- C1


def _nulls(subject: Subject) -> None:
    told = data_tools.context_as_json
    fields = ("agentId", "personalityId", "memoryScope", "memoryScopeId", "teamId")

    def as_json(context: Any) -> Json:
        return {**dict.fromkeys((*fields, "networkPolicy")), **told(context)}

    put("context_as_json", as_json, data_tools)


fault(
    "absent-fields-are-null",
    "TOOL-C1",
    "shows a tool null for each optional field that is not given",
    _nulls,
    level="should",
)
