"""Progress of a running tool, and who may see it (TOOL-P1 to P6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wireproof_reference.framing import JSONObject

INTERNAL: Final = "internal"
AUDIENCES: Final = frozenset({INTERNAL, "user", "dashboard"})

_SHOWN: Final[Mapping[str, frozenset[str]]] = {
    "internal": AUDIENCES,
    "dashboard": frozenset({"dashboard"}),
    "user": frozenset({"user"}),
}
"""For each channel the audiences whose events it shows."""

_WHOLE: Final = 100


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """What a tool tells while it runs.

    Attributes:
        tool_name: The tool.
        message: The text for people.
        percent: How much is done, from 0 to 100; None where that is not told.
        audience: Who sees it: `internal`, `user` or `dashboard`.
    """

    tool_name: str
    message: str
    percent: float | None = None
    audience: str = INTERNAL

    def as_json(self) -> JSONObject:
        """Give the event in its shape on the wire (TOOL-P1)."""
        found: JSONObject = {
            "type": "progress",
            "toolName": self.tool_name,
            "message": self.message,
            "audience": self.audience,
        }
        if self.percent is not None:
            found["percent"] = self.percent
        return found


def progress_event(
    tool_name: str,
    message: str,
    percent: object = None,
    audience: object = None,
) -> ProgressEvent:
    """Make an event of what a tool has told.

    A percentage that is none counts as absent, and an audience that there is not as
    internal (TOOL-P4): nobody sees more than the tool asked for.
    """
    number = isinstance(percent, int | float) and not isinstance(percent, bool)
    told = percent if number and 0 <= percent <= _WHOLE else None  # type: ignore[operator]
    known = isinstance(audience, str) and audience in AUDIENCES
    return ProgressEvent(
        tool_name,
        message,
        told,  # type: ignore[arg-type]
        str(audience) if known else INTERNAL,
    )


def visible_on(channel: str, events: Iterable[ProgressEvent]) -> list[ProgressEvent]:
    """Give the events that a channel shows, in their order (TOOL-P3).

    Args:
        channel: `user`, `dashboard` or `internal`.
        events: All events.

    Raises:
        ValueError: If there is no such channel.
    """
    if channel not in _SHOWN:
        raise ValueError(f"there is no channel {channel}, only {', '.join(_SHOWN)}")
    return [event for event in events if event.audience in _SHOWN[channel]]
