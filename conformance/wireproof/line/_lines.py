"""From the lines on a subject's stdout to messages, whatever it speaks.

Theory of operation. A line that may be the beginning of a message spread over several
is held until the lines after it make one, or cannot. A protocol brings what it takes
for a message, how it reads a line by itself, and what it says of text that is none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.line._evidence import must
from wireproof.line._salvage import around, cut_at
from wireproof.line._spread import Spread
from wireproof_reference.framing import (
    BadLine,
    BlankLine,
    EndOfInput,
    Frame,
    JsonError,
    NeedData,
    Oversize,
    Unterminated,
    loads,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Collection, Iterator

    from wireproof.checks import Deviation
    from wireproof_reference.framing import Event, NdjsonDecoder


UNDER_A_LOCK = "write each with its LF in one piece, under a lock"
"""What helps where several threads or processes write messages."""

MINGLED = "two messages are written into each other"
"""What is said of a line in which one begins that belongs to another."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one line came to.

    Attributes:
        line: Its bytes.
        values: The messages in it; empty where there is none.
        found: What is wrong with the line.
        altered: Whether the messages may differ from what the subject meant, so that
            what is wrong with the line explains a difference in them.
        mixed: Whether other text stands on the line: a log may quote what was sent, so
            that only what answers a request is a message.
    """

    line: bytes
    values: tuple[Any, ...] = ()
    found: tuple[Deviation, ...] = ()
    altered: bool = False
    mixed: bool = False


class LineReader(ABC):
    """Reads the lines of one subject.

    Attributes:
        waiting: Returns the ids of the requests that wait for their answers.
    """

    def __init__(self) -> None:
        """Begin before the first line."""
        self.waiting: Callable[[], Collection[Any]] = tuple
        self._spread = Spread()

    # --- what a protocol brings

    @abstractmethod
    def is_message(self, value: Any) -> bool:
        """Tell whether a JSON value is meant as a message."""

    @abstractmethod
    def _read(self, event: Event) -> list[Reading]:
        """Return what an event of the decoder comes to, by itself."""

    @abstractmethod
    def _stray_text(self, line: bytes) -> Reading:
        """Return what a line comes to that is no message."""

    @abstractmethod
    def _spread_found(self, count: int, whole: bytes) -> Deviation:
        """Return what a message that is spread over so many lines is charged to."""

    # --- what all share

    def read(self, event: Event) -> list[Reading]:
        """Return what an event of the decoder comes to.

        Nothing, where the line may be the beginning of a message spread over several;
        several readings, where it turns out what such lines are.
        """
        return self._read_spread(event) if self._spread else self._read(event)

    def give_up(self) -> list[Reading]:
        """Return the lines whose case was open: nothing follows that decides it."""
        return self._give_up_spread()

    def _give_up_spread(self) -> list[Reading]:
        """Return the lines that were held as a beginning: they are no message."""
        return [self._stray_text(line) for line in self._spread.take()]

    def _read_spread(self, event: Event) -> list[Reading]:
        if isinstance(event, Frame) and self.is_message(event.value):
            return [*self._give_up_spread(), *self._read(event)]
        spread = self._spread
        spread.add(_line_of(event))
        if (value := spread.joined(self.is_message)) is not None:
            whole = spread.whole
            found = self._spread_found(len(spread), whole)
            spread.take()
            return [Reading(whole, (value,), (found,), altered=True)]
        return self._give_up_spread() if spread.is_hopeless else []

    def _mingled(
        self, line: bytes, clause: str, values: tuple[Any, ...] = ()
    ) -> Reading | None:
        """Return a line in which one message is written into another; None for others.

        Args:
            line: The line, which is not JSON.
            clause: What is charged.
            values: The messages that are whole in it.
        """
        found = mingled(line, clause, self.waiting())
        if found is None:
            return None
        return Reading(line, values, (found,), mixed=True)

    def _read_bad_text(self, line: bytes, found: Deviation) -> Reading:
        """Read a line that is not UTF-8.

        Args:
            line: The line.
            found: What is wrong with it.
        """
        try:
            value = loads(line.decode(errors="replace").encode())
        except JsonError:
            return Reading(line, (), (found,))
        if not self.is_message(value):
            return Reading(line, (), (found,))
        return Reading(line, (value,), (found,), altered=True)


def mingled(
    line: bytes,
    clause: str,
    ids: Collection[Any],
    unnamed: re.Pattern[str] | None = None,
) -> Deviation | None:
    """Return what is wrong where one message is written into another; None elsewhere.

    Args:
        line: A line that is not JSON.
        clause: What is charged.
        ids: The ids of the requests that wait for their answers.
        unnamed: What stands in a message that waits to come and has no id, if any does.
    """
    text = line.strip()
    place = cut_at(text, ids, unnamed)
    if place is None:
        return None
    where = f"the second begins at byte {place} of a line"
    said = f"{MINGLED}, or the first is cut off ({where}): {UNDER_A_LOCK}"
    return must(clause, said, around(text, place), hides=True, mingles=True)


def events_of(decoder: NdjsonDecoder) -> Iterator[Event]:
    """Yield what a decoder has, up to where it needs more."""
    while not isinstance(event := decoder.next_event(), NeedData | EndOfInput):
        yield event


def _line_of(event: Event) -> bytes:
    match event:
        case Frame(line=line) | BlankLine(line=line) | BadLine(line=line):
            return line
        case Unterminated(line=line):
            return line
        case Oversize(head=start):
            return start
        case _:
            return b""
