"""What carries the bytes of a host under test: its process, its ledger.

Theory of operation. One host process follows another; each has its own ledger, and
what holds of all of them is added up here.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, SubjectStartError
from wireproof.line import (
    OWN_ID,
    Cut,
    LineSession,
    Missing,
    MissingCause,
    NotUp,
    SessionEvent,
    pieces,
)
from wireproof.patterns import exit_text
from wireproof.protocols.host_v1._exchanges import HostArrival
from wireproof.protocols.host_v1._ledger import HostLedger
from wireproof.protocols.host_v1._sent import LONGEST_ESCAPE
from wireproof.subjects import SubjectProcess, subject_environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Settings, Target

MOST_NOISE = 5_000
"""Lines that belong to nothing, in one check, before the host counts as flooding."""

CLOSING_SECONDS = 2.0
"""HV1-T9: how long a host may take to exit once its stdin is closed."""

LEAVING_SECONDS = 0.1
"""Most seconds between the end of a host's stdout and its own."""

ENDLESS_BYTES = 1 << 20
"""A line without its end that is longer than this is no answer to a small request."""

PIECE_SECONDS = 0.5
"""Most seconds to wait for a host to read one piece of a request."""

PIECE_POLL = 0.0002
"""Seconds between two looks at whether a piece has been read."""

QUIET_SECONDS = 0.02
"""How long a host is listened to, once, after its last answer before it is closed."""

PROVEN_LINGERING = 2
"""Hosts that did not exit in time, after which the next ones are ended soon."""

LINGERING_SECONDS = 0.2
"""How long these are given to exit."""


class HostTransport(LineSession[HostArrival]):
    """What carries the bytes of one host, over all its starts."""

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The host's command.
            settings: The user's options.
            setup: The data of ``host_v1/setup.json``.
        """
        super().__init__(target, settings, setup)
        self._ledger = HostLedger()
        self._lingering = 0
        self._size = 0
        self._lines = 0
        self._extra_keys: set[str] = set()
        self._nulls: set[str] = set()
        self._stateless: set[str] = set()
        self._methods_answered: set[str] = set()
        self._seen: Counter[str] = Counter()

    @property
    def seen(self) -> Counter[str]:
        """How many frames came, and how many of each kind, over all starts."""
        return self._seen + self._ledger.seen

    @property
    def requests(self) -> int:
        """How many requests the latest host was sent."""
        return self._ledger.requests

    @property
    def has_ended(self) -> bool:
        """Whether the latest host has exited, or has closed its stdout."""
        process = self._process
        return process is not None and (
            process.exit_status is not None or process.stdout_closed
        )

    @property
    def extra_keys(self) -> frozenset[str]:
        """Keys of the host's own that its messages had (HV1-M15)."""
        return frozenset(self._extra_keys | self._ledger.extra_keys)

    @property
    def nulls(self) -> frozenset[str]:
        """Keys whose null was taken for their absence."""
        return frozenset(self._nulls | self._ledger.nulls)

    @property
    def stateless(self) -> frozenset[str]:
        """How the state looked in answers to requests without one (HV1-M16)."""
        return frozenset(self._stateless | self._ledger.stateless)

    @property
    def deviations(self) -> Sequence[Deviation]:
        """What the monitors found since ``begin``."""
        return tuple(self._ledger.deviations)

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand, the suite's own aside."""
        return self._ledger.exchanges.asked

    @property
    def stale_after_failure(self) -> bool:
        """Whether the check in hand sent ``init`` itself.

        Where it did not come to its fence, the state may be that of an init gone by.
        """
        return self._ledger.exchanges.asked_for("init")

    def has_answered(self, method: str) -> bool:
        """Tell whether a method was ever answered with success."""
        return method in self._methods_answered | self._ledger.succeeded

    def note(self, found: Deviation) -> None:
        """Add a deviation that was found outside the frames."""
        self._ledger.note(found)

    def stop(self) -> list[Deviation]:
        """End the host politely, then for good; return what was seen at its end."""
        if self._process is None:
            return []
        self._ledger.forget(time.monotonic())
        process = self._process
        if process.exit_status is None and not process.stdout_closed:
            self.listen(QUIET_SECONDS)
            process.close_input()
            # It is hopeless to wait on once the host has ended.
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
        """Return how long a host is given to exit that was in no check's hands."""
        if self._lingering >= PROVEN_LINGERING:
            return LINGERING_SECONDS
        return self.patience.clause_limit(CLOSING_SECONDS)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._forget_process()

    def _forget_process(self) -> None:
        self._seen += self._ledger.seen
        self._extra_keys |= self._ledger.extra_keys
        self._nulls |= self._ledger.nulls
        self._stateless |= self._ledger.stateless
        self._methods_answered |= self._ledger.succeeded
        former = self._ledger
        self._ledger = HostLedger()
        learnt, before = self._ledger.correlation, former.correlation
        learnt.wrong_ids = before.wrong_ids
        learnt.reads_as_one = before.reads_as_one
        if self._process is not None:
            self._last_stderr = self._process.stderr_tail()
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
            environment=subject_environment(self._settings.environment),
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
            self._process.send(piece)
            if cut is not None:
                self._await_consumption(self._process)

    def _await_consumption(self, process: SubjectProcess) -> None:
        limit = time.monotonic() + PIECE_SECONDS
        while not process.input_consumed() and time.monotonic() < limit:
            process.pump(PIECE_POLL)
            if process.exit_status is not None:
                return

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
            # A host that ends closes its pipes a moment before it is gone.
            self.wait_for(lambda: process.exit_status, LEAVING_SECONDS)
        self._exited()
        return _gone(process)

    def _give_up_waiting(self, missing: Missing) -> str:
        self._ledger.settle_text(time.monotonic())
        return self._endless_line() if missing.cause is MissingCause.TIMEOUT else ""

    def _exit_seconds(self, within: float) -> float:
        return super()._exit_seconds(within) + self._delay

    def _endless_line(self) -> str:
        """Say so where a line came, and came, and never ended."""
        size = self._ledger.pending
        if size < ENDLESS_BYTES + self._size * LONGEST_ESCAPE:
            return ""
        text = f"a line of {size} bytes and more has no end"
        shown = self._ledger.unfinished[:300].decode(errors="backslashreplace")
        self.note(Deviation("HV1-T1", "must", text, shown, hides=True))
        return f", while {text}"

    def _exited(self) -> None:
        if not self._ledger.finished:
            self._ledger.ended(time.monotonic())

    def _received(self, data: bytes) -> None:
        moment = time.monotonic()
        for arrival in self._ledger.received(data, moment):
            self.transcript.add(moment, "received", arrival.line, own=_is_own(arrival))

    def _note_stderr(self, data: bytes) -> None:
        self.transcript.add(time.monotonic(), "stderr", data)


def _is_own(arrival: HostArrival) -> bool:
    """Tell whether a message without a fault belongs to a request of the suite's."""
    if arrival.kind == "none" or arrival.deviations:
        return False
    return str(arrival.value.get("id")).startswith(OWN_ID)


def _gone(process: SubjectProcess) -> Missing:
    if process.exit_status is None:
        stream = "stdout" if process.stdout_closed else "stdin"
        return Missing(MissingCause.CLOSED, f"the host closed its {stream}")
    text = f"the host exited with {exit_text(process.exit_status)}"
    return Missing(MissingCause.EXITED, text)
