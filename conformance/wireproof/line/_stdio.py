"""A subject that is spoken to on stdin and stdout: its process and what passes.

Theory of operation. One process follows another; each has its own ledger, in which
everything that is sent and that comes is booked. What a message is, and whose, the
ledger of the protocol knows.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections import Counter
from typing import TYPE_CHECKING, Any, Generic

from wireproof.checks import SubjectStartError
from wireproof.line._cuts import Cut, pieces
from wireproof.line._exchanges import LineType
from wireproof.line._ledger import MOST_NOISE, LedgerType
from wireproof.line._outcome import Missing, MissingCause, NotUp
from wireproof.line._session import OWN_ID, LineSession
from wireproof.line._state import SessionEvent
from wireproof.patterns import exit_text, is_object
from wireproof.subjects import SubjectProcess, subject_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Deviation, Settings, Target

CLOSING_SECONDS = 2.0
"""How long a subject may take to exit once its stdin is closed."""

LEAVING_SECONDS = 0.1
"""Most seconds between the end of a subject's stdout and its own."""

PIECE_SECONDS = 0.5
"""Most seconds to wait for a subject to read one piece of a request."""

UNREAD_SECONDS = 0.5
"""A subject that has not filled its stdout by then has little to say."""

PIECE_POLL = 0.0002
"""Seconds between two looks at whether a piece has been read."""

START_FACTOR = 2.0
"""How many times its slowest start one is given to exit that may still be starting."""

QUIET_SECONDS = 0.02
"""How long a subject is listened to, once, after its last answer, before its end."""

PROVEN_LINGERING = 2
"""Subjects that did not exit in time, after which the next ones are ended soon."""

LINGERING_SECONDS = 0.2
"""How long these are given to exit."""

LONGEST_ESCAPE = 6
"""How many times as long JSON text may be as what was sent: six for ``\\u0000``."""


class StdioSession(LineSession[LineType], Generic[LineType, LedgerType]):
    """What carries the bytes of one subject on stdio, over all its starts.

    Attributes:
        added_environment: Variables without which it could not be tried.
    """

    def __init__(
        self,
        target: Target,
        settings: Settings,
        setup: Mapping[str, Any],
        ledger: LedgerType,
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The subject's command.
            settings: The user's options.
            setup: The data of the protocol's ``setup.json``.
            ledger: The ledger of the first process, empty.
        """
        super().__init__(target, settings, setup)
        self._ledger = ledger
        self._lingering = 0
        self._size = 0
        self._lines = 0
        self._dealt_with = (0, 0)
        self._only_asked = False
        self._seen: Counter[str] = Counter()
        self._longest_line = 0
        self._asked_first = bytearray()
        self.added_environment: Mapping[str, str] = {}

    # --- what a protocol brings

    @abstractmethod
    def _next_ledger(self, former: LedgerType) -> LedgerType:
        """Return the ledger of the next process, and keep what the last one tells."""

    @property
    def noun(self) -> str:
        """What a subject is called."""
        return "subject"

    def _environment(self) -> Mapping[str, str]:
        """Return all variables that a process is started with."""
        return subject_environment(self._settings.environment)

    # --- what all share

    @property
    def seen(self) -> Counter[str]:
        """How many frames came, and how many of each kind, over all starts."""
        return self._seen + self._ledger.seen

    @property
    def requests(self) -> int:
        """How many requests the latest process was sent."""
        return self._ledger.requests

    @property
    def has_ended(self) -> bool:
        """Whether the latest process has exited, or has closed its stdout."""
        process = self._process
        return process is not None and (
            process.exit_status is not None or process.stdout_closed
        )

    @property
    def deviations(self) -> Sequence[Deviation]:
        """What the monitors found since ``begin``."""
        return tuple(self._ledger.deviations)

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand, the suite's own aside."""
        return self._ledger.asked

    def note(self, found: Deviation) -> None:
        """Add a deviation that was found outside the frames."""
        self._ledger.note(found)

    def stop(self) -> list[Deviation]:
        """End the subject politely, then for good; return what was seen at its end."""
        if self._process is None:
            return []
        self._ledger.forget(time.monotonic())
        process = self._process
        if process.exit_status is None and not process.stdout_closed:
            self.listen(QUIET_SECONDS)
            process.close_input()
            # It is hopeless to wait on once the subject has ended.
            self.listen(self._closing_seconds())
        by_itself = process.exit_status is not None
        self._lingering += not by_itself
        process.kill()
        if by_itself:
            self._exited()
        found = list(self._ledger.deviations)
        self._forget_process()
        self._happened(SessionEvent.ENDED)
        return found

    def _closing_seconds(self) -> float:
        """Return how long a subject is given to exit that was in no check's hands."""
        if self._lingering >= PROVEN_LINGERING:
            return LINGERING_SECONDS
        return self.patience.clause_limit(CLOSING_SECONDS)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._forget_process()

    def _forget_process(self) -> None:
        self._seen += self._ledger.seen
        self._ledger = self._next_ledger(self._ledger)
        if self._process is not None:
            self._last_stderr = self._process.stderr_tail()
        self._asked_first.clear()
        self._process = None

    def _is_usable(self) -> bool:
        self.pump(0)
        process = self._process
        return (
            process is not None
            and process.exit_status is None
            and not process.stdout_closed
            and process.input_open
        )

    def _launch(self) -> NotUp | None:
        try:
            self._process = self._take_spare() or self._start_spare()
        except SubjectStartError as error:
            return NotUp(str(error))
        return None

    def _start_spare(self) -> SubjectProcess:
        self.starts += 1
        return SubjectProcess(
            self.target.command,
            environment={**self._environment(), **self.added_environment},
            folder=self._settings.folder,
            on_stdout=self._received,
            on_stderr=self._note_stderr,
        )

    def _end_spare(self, spare: SubjectProcess) -> None:
        super()._end_spare(spare)
        if self._process is None:
            # What it wrote was read only to see whether it runs.
            self._forget_process()

    def _transmit(self, data: bytes, cut: Cut, *, own: bool = False) -> None:
        if self._process is None:
            return
        for piece in pieces(data, cut):
            moment = time.monotonic()
            self._ledger.sent(piece, moment, cut=cut is not None)
            self.transcript.add(moment, "sent", piece, own=own)
            if own and not self.controlled:
                self._asked_first += piece
            self._process.send(piece)
            if cut is not None:
                self._await_consumption(self._process)

    def _await_consumption(self, process: SubjectProcess) -> None:
        limit = time.monotonic() + PIECE_SECONDS
        while not process.input_consumed() and time.monotonic() < limit:
            process.pump(PIECE_POLL)
            if process.exit_status is not None:
                return

    def leave_unread(self) -> None:
        """Read nothing until the subject can write no more."""
        if self._process is not None:
            self._process.await_full_stdout(UNREAD_SECONDS)

    def listen(self, seconds: float) -> None:
        """Take in what comes in the next moment."""
        self.wait_for(lambda: None, seconds)

    # --- waiting

    def pump(self, timeout: float) -> None:
        """Wait for anything to happen, and take it in."""
        if self._process is not None:
            self._process.pump(timeout)

    def _is_hopeless(self) -> bool:
        process = self._process
        return process is None or process.ended or self._ledger.noise > MOST_NOISE

    def _why_missing(self) -> Missing | None:
        process = self._process
        if process is None:
            return Missing(MissingCause.EXITED, "it was not running")
        if self._ledger.noise > MOST_NOISE:
            text = f"more than {MOST_NOISE} lines came that answer nothing"
            # Its ledger is still needed for the check in hand.
            process.kill()
            return Missing(MissingCause.FLOODED, text)
        if process.exit_status is None:
            if not (process.stdout_closed or process.input_refused):
                return None
            # A subject that ends closes its pipes a moment before it is gone.
            self.wait_for(lambda: process.exit_status, LEAVING_SECONDS)
        self._exited()
        return _gone(process, self.noun)

    def close_input(self) -> None:
        """Close the subject's stdin."""
        if self._process is not None:
            self.trace("its stdin was closed")
            self._process.close_input()

    def restart(self) -> Missing | None:
        """Start the subject anew."""
        self.trace("it was started again")
        self.discard()
        if (not_up := self._start()) is not None:
            return Missing(MissingCause.EXITED, not_up.text)
        # What the check in hand goes on to ask is not asked of a subject for the next.
        self.checks_served = 1
        return None

    def _load(self) -> tuple[int, int]:
        size, lines = self._dealt_with
        return self._size - size, self._lines - lines

    def _transmit_step(self, data: bytes, cut: Cut) -> None:
        if self._only_asked and self._owes_nothing():
            # Whatever came before the requests that were sent last was read before.
            self._dealt_with = (self._size, self._lines)
        requests, lines = self._ledger.requests, data.count(b"\n")
        self._size += len(data)
        self._lines += lines
        self._transmit(data, cut)
        self._only_asked = 0 < lines == self._ledger.requests - requests

    def _stream_mark(self) -> tuple[str, int]:
        return "stdout", self._ledger.seen["frames"]

    def _exit_seconds(self, within: float) -> float:
        starts = not self._ledger.seen["frames"]
        # What has said nothing yet may still be starting.
        start = START_FACTOR * self._start_seconds if starts else 0.0
        return super()._exit_seconds(within) + self._delay + start

    def _exited(self) -> None:
        if not self._ledger.finished:
            self._ledger.ended(time.monotonic())

    def _received(self, data: bytes) -> None:
        moment = time.monotonic()
        with self._taking_in():
            for arrival in self._ledger.received(data, moment):
                self._longest_line = max(self._longest_line, len(arrival.line))
                self.transcript.add(
                    moment, "received", arrival.line, own=self._is_own(arrival)
                )

    def _is_own(self, arrival: LineType) -> bool:
        """Tell whether a message without a fault answers a request of the suite's."""
        if arrival.kind == "none" or arrival.deviations:
            return False
        value = arrival.value
        return is_object(value) and self._is_own_id(value.get("id"))

    def _is_own_id(self, key: Any) -> bool:
        """Tell whether an id is one of the suite's own requests."""
        return isinstance(key, str) and key.startswith(OWN_ID)

    def _note_stderr(self, data: bytes) -> None:
        self.transcript.add(time.monotonic(), "stderr", data)


def _gone(process: SubjectProcess, noun: str) -> Missing:
    if process.exit_status is None:
        stream = "stdout" if process.stdout_closed else "stdin"
        return Missing(MissingCause.CLOSED, f"the {noun} closed its {stream}")
    text = f"the {noun} exited with {exit_text(process.exit_status)}"
    return Missing(MissingCause.EXITED, text)
