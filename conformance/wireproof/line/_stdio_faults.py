"""Faults of a subject on stdio that make answers late or lost, whatever it speaks.

Theory of operation. A line may come, and come, and never end; an answer may be held
back until more is sent. A subject that says nothing after its start is looked at once
more while its stdin is closed, for the faults that make everything look dead: answers
that come only then, or without a line feed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from wireproof.line._evidence import must
from wireproof.line._exchanges import LineType, RequestType
from wireproof.line._ledger import LedgerType
from wireproof.line._outcome import Missing, MissingCause, NotUp
from wireproof.line._salvage import MESSAGE_KEYS, salvage
from wireproof.line._stdio import (
    CLOSING_SECONDS,
    LONGEST_ESCAPE,
    PROVEN_LINGERING,
    StdioSession,
)
from wireproof.patterns import is_object

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from wireproof.checks import Deviation
    from wireproof.line._exchanges import Exchange

NOT_FLUSHED = "it was not flushed (flush stdout after each line)"
"""What an answer was that came late, and what to do."""

ENDLESS_BYTES = 1 << 20
"""A line without its end that is longer than this is no answer to a small request, of
a subject none of whose lines were half as long."""

LONGER = 2
"""How many times as long as its longest line such a line is at least."""


@dataclass(frozen=True, slots=True)
class StdioCharges:
    """The clauses of what every protocol on stdio asks for in its own words.

    Attributes:
        endless: A line on stdout is a message, and comes to an end.
        ended: A message ends with a line feed.
        whole: A line is read when it has come whole, and by itself.
        flushed: An answer is flushed.
    """

    endless: str
    ended: str
    whole: str
    flushed: str


class StdioFaults(
    StdioSession[LineType, LedgerType], Generic[RequestType, LineType, LedgerType]
):
    """One subject on stdio, over all its starts, and what it holds back."""

    charges: ClassVar[StdioCharges]
    """What faults are charged to that every protocol on stdio knows."""

    message_keys: ClassVar[AbstractSet[str]] = MESSAGE_KEYS
    """Of these a message has at least one."""

    _held_back: int = 0
    """Answers that came only with the next one."""

    _held_lines: int = 0
    """Lines that were read only when more was sent."""

    def _key_of(self, value: Any) -> str | None:
        """Return what the exchange of an id is known by; None for what is no id."""
        return value if isinstance(value, str) else None

    def _exchange_of(self, value: Any) -> Exchange[RequestType, LineType] | None:
        """Return the exchange of an id, or None."""
        key = self._key_of(value)
        return None if key is None else self._ledger.exchanges.get(key)

    def _give_up_waiting(self, missing: Missing) -> str:
        self._ledger.settle_text(time.monotonic())
        if missing.cause is not MissingCause.TIMEOUT:
            return ""
        if deep := self._ledger.too_deep:
            return f", while a line came that is deeper than the suite reads ({deep})"
        return self._endless_line()

    def _endless_line(self) -> str:
        """Say so where a line came, and came, and never ended."""
        size = self._ledger.pending
        usual = ENDLESS_BYTES + self._size * LONGEST_ESCAPE
        if size < max(usual, LONGER * self._longest_line):
            return ""
        text = f"a line of {size} bytes and more has no end"
        shown = self._ledger.unfinished
        self.note(must(self.charges.endless, text, shown, hides=True))
        return f", while {text}"

    def _charged_as_held_back(self, found: LineType, *, reads: bool) -> Deviation:
        """Return what an answer that came with the next one is charged to.

        Args:
            found: The answer.
            reads: Whether the subject was seen to take one line of each read.
        """
        key = found.value.get("id") if is_object(found.value) else None
        exchange = self._exchange_of(key)
        joined = exchange is not None and (exchange.request.pieced or exchange.beside)
        if reads or ((joined or self._held_lines) and not self._held_back):
            # Answers are flushed elsewhere: it was not read as the line that it is, or
            # stands behind one that was not.
            self._held_lines += 1
            text = "the answer came only when more was sent: the line was held back"
            return must(self.charges.whole, text, found.line, hides=True)
        self._held_back += 1
        text = f"the answer came only with the next one: {NOT_FLUSHED}"
        return must(self.charges.flushed, text, found.line, hides=True)

    def _diagnose(self, text: str, remedy: str = "") -> NotUp:
        """Close the input of a silent subject and see whether it speaks then.

        Args:
            text: What it did not answer.
            remedy: What to do where it is only slow.
        """
        silent = f"{text} ({remedy})" if remedy else text
        process = self._process
        if process is None or process.exit_status is not None:
            return NotUp(silent)
        waiting = set(self._ledger.exchanges.open)
        unfinished = self._ledger.unfinished
        if salvage(unfinished, self.message_keys) is not None:
            said = "a message was written without the line feed that ends it"
            lost = must(self.charges.ended, said, unfinished, hides=True)
            return NotUp(f"{text}; a message came without its line feed", (lost,))
        self.trace("its stdin was closed")
        process.close_input()
        self.listen(self.patience.clause_limit(CLOSING_SECONDS))
        if process.exit_status is None:
            self._lingering = PROVEN_LINGERING
        if not waiting - set(self._ledger.exchanges.open):
            return NotUp(silent)
        said = f"the answer came only when stdin was closed: {NOT_FLUSHED}"
        held = must(self.charges.flushed, said, hides=True)
        return NotUp(f"{text}; it came when stdin was closed", (held,))
