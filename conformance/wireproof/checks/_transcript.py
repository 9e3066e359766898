"""What was sent and what came, in order, with times, bounded in size."""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

Direction = Literal["sent", "received", "stderr"]

KEPT_FIRST = 60
"""Entries kept from the beginning of a check."""

KEPT_LAST = 60
"""Entries kept from its end."""

KEPT_BYTES = 2_000
"""Bytes kept of one entry."""


class TranscriptEntry(TypedDict):
    """One entry as it stands in the report."""

    t_ms: float
    dir: Direction
    data: str
    bytes: NotRequired[str]
    own: NotRequired[bool]
    left_out: NotRequired[int]


@dataclass(slots=True)
class Entry:
    """One piece of traffic.

    Attributes:
        time: Seconds since the check began.
        direction: Whether it was sent or came, and on which stream.
        data: Its first ``KEPT_BYTES`` bytes.
        size: How many bytes it had.
        own: Whether it belongs to a request of the suite's own and shows no fault.
        left_out: How many entries it stands for; 0 where it is one itself.
    """

    time: float
    direction: Direction
    data: bytes
    size: int
    own: bool = False
    left_out: int = 0

    @classmethod
    def gap(cls, before: Entry, left_out: int) -> Entry:
        """Return what stands for so many entries, the next of which is ``before``."""
        counted = "1 entry" if left_out == 1 else f"{left_out} entries"
        note = f"… {counted} left out …".encode()
        return cls(before.time, before.direction, note, len(note), left_out=left_out)

    def text(self, most: int | None = None) -> str:
        """Return the bytes as text, bad UTF-8 as backslash escapes.

        A character that was cut off belongs to the rest, which is only counted.

        Args:
            most: Most characters of one whose end was not kept; None for all of them.
        """
        shown = self.data
        if self.size > len(shown):
            is_text = self._is_text()
            whole = shown.decode(errors="ignore") if is_text else ""
            shown = whole[:most].encode() if is_text else shown[:most]
        text = shown.decode(errors="backslashreplace")
        rest = self.size - len(shown)
        return f"{text}… ({rest} more bytes)" if rest else text

    def _is_text(self) -> bool:
        """Tell whether the data is UTF-8, but for a character that was cut off."""
        try:
            self.data.decode()
        except UnicodeDecodeError as error:
            is_cut = self.size > len(self.data)
            return is_cut and error.reason == "unexpected end of data"
        return True

    def as_json(self) -> TranscriptEntry:
        """Return the entry as the report holds it."""
        told: TranscriptEntry = {
            "t_ms": round(self.time * 1000, 3),
            "dir": self.direction,
            "data": self.text(),
        }
        if not self._is_text():
            told["bytes"] = b64encode(self.data).decode()
        if self.own:
            told["own"] = True
        if self.left_out:
            told["left_out"] = self.left_out
        return told


class Transcript:
    """The traffic of one check: its beginning and its end, whatever its length.

    Attributes:
        start: When the check began, in seconds on the clock of the run.
        stderr_size: Bytes that came on stderr.
    """

    def __init__(self, start: float) -> None:
        """Begin at ``start``, in seconds on the clock of the run."""
        self.start = start
        self.stderr_size = 0
        self._first: list[Entry] = []
        self._last: deque[Entry] = deque(maxlen=KEPT_LAST)
        self._count = 0

    def add(
        self, time: float, direction: Direction, data: bytes, *, own: bool = False
    ) -> None:
        """Keep one piece of traffic, which went or came at ``time``."""
        kept = bytes(data[:KEPT_BYTES])
        entry = Entry(time - self.start, direction, kept, len(data), own)
        self._count += 1
        self.stderr_size += len(data) if direction == "stderr" else 0
        if len(self._first) < KEPT_FIRST:
            self._first.append(entry)
        else:
            self._last.append(entry)

    def entries(self) -> list[Entry]:
        """Return what was kept, oldest first, a gap shown by an entry of its own."""
        dropped = self._count - len(self._first) - len(self._last)
        gap = [Entry.gap(self._last[0], dropped)] if dropped else []
        # What others did beside the traffic is learnt of later.
        every = [*self._first, *gap, *self._last]
        return sorted(every, key=lambda entry: entry.time)

    def prelude(self) -> int:
        """Return how many entries at the beginning are only the suite's own.

        None, where nothing else was sent or where one of them shows a fault.
        """
        for count, entry in enumerate(self._first):
            if not entry.own and entry.direction != "stderr":
                return count if entry.direction == "sent" else 0
        return 0
