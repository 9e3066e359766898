"""How a subject reads: whether it leaves out lines of a read, or one in pieces.

Programs are written that take each read for a line, or for whole lines. That shows
wherever two lines are sent at once or a long one is, whatever the check is about; so
where an answer is missing there, it is tried on its own what the subject does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.line._cuts import sends_at_once
from wireproof.line._outcome import owes_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.line._cuts import Cut
    from wireproof.line._outcome import StepsOutcome

ONE_OF_A_READ = "of two requests in one write it answers the second once a third comes"
LOSES_LINES = "of two requests in one write it does not answer both"
LOSES_PIECES = "it does not answer a request that comes in two pieces"

LONG_BYTES = 1000
"""Bytes from which on what is sent may come in two reads."""

MOST_UNDECIDED = 2
"""Tries after which a subject that answers nothing is not asked any more."""

IN_PIECES = (10,)
"""Where a request is cut to see whether it is answered."""


class Reads:
    """What is known of how a subject reads, over all its starts."""

    def __init__(
        self, answers: Callable[[int, Cut], bool], takes_one: Callable[[], bool]
    ) -> None:
        """Prepare; nothing is tried yet.

        Args:
            answers: Tells whether so many plain requests in one write, cut at some
                places, are all answered.
            takes_one: Tells whether it takes one line of each read, and the next when
                more comes.
        """
        self._answers = answers
        self._takes_one = takes_one
        self._loses_lines: bool | None = None
        self._loses_pieces: bool | None = None
        self._undecided = 0

    def known_to_lose(self, lines: int, size: int) -> bool:
        """Tell whether it was seen to leave out what is sent now.

        Args:
            lines: Lines that were sent.
            size: Bytes that were sent.
        """
        if self._loses_lines and lines > 1:
            return True
        return self._loses_pieces is True and size >= LONG_BYTES

    def loses(self, lines: int, size: int) -> bool:
        """Tell the same, and try what is not known yet."""
        if lines > 1 and self.loses_lines:
            return True
        return size >= LONG_BYTES and self.loses_pieces

    @property
    def loses_lines(self) -> bool:
        """Whether of two requests in one write not both are answered, ever.

        It is tried once, and only where one alone is answered.
        """
        if self._loses_lines is None:
            self._loses_lines = self._leaves_out(2, None)
        return self._loses_lines is True

    @property
    def loses_pieces(self) -> bool:
        """Whether a request in two pieces is not answered, ever; tried once as well."""
        if self._loses_pieces is None:
            self._loses_pieces = self._leaves_out(1, IN_PIECES)
        return self._loses_pieces is True

    def fault(
        self,
        outcome: StepsOutcome,
        steps: Sequence[Mapping[str, Any]],
        sent: Sequence[bytes],
    ) -> str:
        """Say what of its reading explains that an answer is missing; "" if nothing.

        Args:
            outcome: What the steps of a check came to.
            steps: What was carried out.
            sent: What they sent.
        """
        if not owes_answer(outcome):
            return ""
        if self._takes_one():
            return ONE_OF_A_READ
        met = None if outcome.step is None else outcome.step + 1
        if sends_at_once(steps[:met]) and self.loses_lines:
            return LOSES_LINES
        is_long = any(len(one) >= LONG_BYTES for one in sent)
        return LOSES_PIECES if is_long and self.loses_pieces else ""

    def _leaves_out(self, count: int, cut: Cut) -> bool | None:
        """Tell whether requests are not answered that are alone; None where none is.

        What is left out is so twice: a busy machine holds an answer up now and then.
        """
        if self._undecided >= MOST_UNDECIDED:
            return None
        if self._answers(count, cut):
            return False
        if self._answers(1, None):
            return not self._answers(count, cut)
        self._undecided += 1
        return None
