"""Registries that share out the budget or cut long values wrongly."""

from __future__ import annotations

from typing import Any

from tests.proof.tool_contract.changes import (
    declares,
    faults,
    mark,
    on_any_value,
    on_cut,
    on_kept,
    on_marker,
    on_model,
    on_share,
    on_shown_cap,
)

fault = faults(__name__)


def units(text: str) -> int:
    """Return how many code units of UTF-16 a text has."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def is_json(value: str) -> bool:
    """Whether a value looks like JSON."""
    return value[:1] in {"{", "[", '"'}


# --- B1

fault(
    "share-of-at-least-100",
    "TOOL-B1",
    "gives each call 100 characters at least",
    on_share(lambda total, calls: max(min(total, 100), total // max(calls, 1))),
)
fault(
    "share-for-four-at-most",
    "TOOL-B1",
    "divides the budget by four at most",
    on_share(lambda total, calls: total // min(max(calls, 1), 4)),
)
fault(
    "share-without-one-call",
    "TOOL-B1",
    "divides the budget by the calls beside",
    on_share(lambda total, calls: total // max(calls - 1, 1)),
)
fault(
    "lone-call-has-half",
    "TOOL-B1",
    "keeps half of the budget back for another call",
    on_share(lambda total, calls: total // max(calls, 2)),
)
fault(
    "lone-call-leaves-room-for-the-marker",
    "TOOL-B1",
    "takes the marker from every share",
    on_share(lambda total, calls: max(0, total // max(calls, 1) - 40)),
)
fault(
    "lone-call-has-nine-tenths",
    "TOOL-B1",
    "keeps a tenth of the budget back",
    on_share(lambda total, calls: total * 9 // 10 // max(calls, 1)),
)

# --- B3

fault(
    "cut-one-long",
    "TOOL-B3",
    "keeps one character more than the cap",
    on_kept(lambda value, cap: value[: cap + 1]),
)
fault(
    "keeps-the-end",
    "TOOL-B3",
    "keeps the end of what is too long",
    on_kept(lambda value, cap: value[len(value) - cap :]),
)
fault(
    "keeps-both-ends",
    "TOOL-B3",
    "keeps the beginning and the end of what is too long",
    on_kept(
        lambda value, cap: value[: cap // 2] + "..." + value[len(value) - cap // 2 :]
    ),
)
fault(
    "keeps-whole-lines-beyond-the-cap",
    "TOOL-B3",
    "keeps the line that the cap falls in whole",
    on_kept(
        lambda value, cap: (
            value[: end + 1] if (end := value.find("\n", cap)) >= 0 else value[:cap]
        )
    ),
)
fault(
    "json-is-not-cut",
    "TOOL-B3",
    "leaves what looks like JSON as it is",
    on_cut(
        lambda value, cap: value if is_json(value) else value[:cap] + mark(len(value))
    ),
)
fault(
    "lines-are-counted-apart",
    "TOOL-B3",
    "counts no line feeds",
    on_kept(
        lambda value, cap: value[: cap + value[:cap].count("\n")],
    ),
)
fault(
    "line-ends-are-made-one",
    "TOOL-B3",
    "writes line feeds for a carriage return and a line feed",
    on_any_value(lambda value: value.replace("\r\n", "\n")),
)
fault(
    "blank-lines-are-joined",
    "TOOL-B3",
    "leaves blank lines out of values of more than 1,000 characters",
    on_any_value(
        lambda value: (
            "\n".join(filter(None, value.split("\n"))) if len(value) > 1000 else value
        )
    ),
)
fault(
    "json-is-written-anew",
    "TOOL-B3",
    "takes the blanks from what looks like JSON",
    on_any_value(lambda value: value.replace(": ", ":") if value[:1] == "{" else value),
)
fault(
    "cut-at-a-line",
    "TOOL-B3",
    "keeps whole lines",
    on_kept(lambda value, cap: value[: value.rfind("\n", 0, cap) + 1 or cap]),
    level="should",
)
fault(
    "json-is-left-out",
    "TOOL-B3",
    "keeps ten characters of JSON that is too long",
    on_kept(lambda value, cap: value[: min(cap, 10) if is_json(value) else cap]),
    level="should",
)

# --- B4

fault(
    "json-has-a-marker-of-its-own",
    "TOOL-B4",
    "marks what looks like JSON as JSON",
    on_marker(
        lambda value, cap: (
            f'", "truncated": {len(value)}}}' if is_json(value) else mark(len(value))
        )
    ),
)
fault(
    "many-lines-have-a-marker-of-their-own",
    "TOOL-B4",
    "says of many lines how many there are",
    on_marker(
        lambda value, cap: (
            f"\n[truncated -- {count} lines total]"
            if (count := value.count("\n")) > 50
            else mark(len(value))
        )
    ),
)
fault(
    "no-marker-beside-another",
    "TOOL-B4",
    "does not mark a value that holds a marker",
    on_marker(
        lambda value, cap: "" if "[truncated" in value[:cap] else mark(len(value))
    ),
)
fault(
    "marker-of-large-values-is-short",
    "TOOL-B4",
    "writes [truncated] behind values of more than 1,500 characters",
    on_marker(
        lambda value, cap: "\n[truncated]" if len(value) > 1500 else mark(len(value))
    ),
)
fault(
    "marker-at-the-beginning",
    "TOOL-B4",
    "writes the marker before what is kept",
    on_cut(lambda value, cap: mark(len(value)).strip() + "\n" + value[:cap]),
)
fault(
    "marker-and-a-hint",
    "TOOL-B4",
    "says behind the marker how to read on",
    on_marker(lambda value, cap: f"{mark(len(value))}\nread on at {cap}"),
    level="should",
)
fault(
    "marker-and-a-line-feed",
    "TOOL-B4",
    "ends a value that is cut with a line feed",
    on_marker(lambda value, cap: mark(len(value)) + "\n"),
    level="should",
)

# --- B5

fault(
    "marked-twice",
    "TOOL-B5",
    "marks a value far beyond its cap twice",
    on_marker(lambda value, cap: mark(len(value)) * (2 if len(value) > 4 * cap else 1)),
)
fault(
    "marked-with-what-is-kept-for-the-model",
    "TOOL-B5",
    "says to the model how much is kept",
    on_model(
        lambda text, tool, result: (
            text.replace("777 chars total", "100 chars total")
            .replace("500 chars total", "100 chars total")
            .replace("640 chars total", "100 chars total")
        )
    ),
)
fault(
    "marked-with-the-length-of-the-first-cut",
    "TOOL-B5",
    "says the length that a value has with its first marker",
    on_marker(lambda value, cap: mark(len(value) + (36 if cap == 100 else 0))),
)

# --- B6

fault(
    "marker-in-bytes",
    "TOOL-B6",
    "counts bytes in the marker",
    on_marker(lambda value, cap: mark(len(value.encode()))),
)
fault(
    "marker-in-code-units",
    "TOOL-B6",
    "cuts in code points and counts code units of UTF-16 in the marker",
    on_marker(lambda value, cap: mark(units(value))),
)


def _cap_in_bytes(value: str, cap: int) -> Any:
    kept = value.encode()[:cap].decode(errors="ignore")
    return kept + mark(len(value))


fault("kept-in-bytes", "TOOL-B6", "keeps so many bytes", on_cut(_cap_in_bytes))
fault(
    "declares-another-unit",
    "TOOL-B6",
    "declares code units of UTF-16 and counts code points",
    declares(lengthUnit="utf16"),
)

# --- B8

fault(
    "sees-a-share-rounded-up",
    "TOOL-B8",
    "shows a tool one character more than it has",
    on_shown_cap(lambda cap: cap + 1),
)
fault(
    "sees-the-marker-as-well",
    "TOOL-B8",
    "shows a tool its cap with the marker",
    on_shown_cap(lambda cap: cap + 40),
)
fault(
    "sees-1000-at-least",
    "TOOL-B8",
    "shows a tool 1,001 characters at least",
    on_shown_cap(lambda cap: max(cap, 1001)),
)
