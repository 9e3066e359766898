"""The life of one subject over all its starts: launched, served, lost, given up.

Theory of operation. ``ensure_up`` starts the subject where none serves: it is launched,
greeted as its protocol has it, and asked for a control, a plain valid request that it
answers with success. From then on one subject serves one check after another, until a
check loses it. A subject that fails to come up time after time, that never answered a
control, or that serves a few requests only, is given up: every further check is told
the same, at no cost.
"""

from __future__ import annotations

import contextlib
import time
from abc import ABC, abstractmethod
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import SubjectStartError, Transcript
from wireproof.line._state import TRANSITIONS, SessionEvent, SessionState
from wireproof.subjects import Patience

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Deviation, Entry, Settings, Target
    from wireproof.line._outcome import NotUp
    from wireproof.subjects import SubjectProcess

MOST_FAILED_STARTS = 2
"""Starts that may fail one after the other before the subject is given up."""


class SubjectLife(ABC):
    """One subject, over all its starts.

    Attributes:
        target: The subject.
        patience: How long it is waited for.
        state: Where the session stands with it.
        starts: How often it was started, or reached for the first time.
        checks_served: Checks begun since the last start.
        transcript: The traffic of the check in hand.
        at_start: Those of its deviations that were found while the subject was started.
        lost: How often a subject that served had ended by the next check.
        outlasted: How often it was waited for in vain to exit.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The subject.
            settings: The user's options.
            setup: The data of the protocol's ``setup.json``.
        """
        self.target = target
        self.patience = Patience(settings.timeout)
        self.state = SessionState.DOWN
        self.starts: int = 0
        self.checks_served = 0
        self.transcript = Transcript(time.monotonic())
        self.at_start: list[Deviation] = []
        self.lost: int = 0
        self.outlasted: int = 0
        self._settings = settings
        self._setup = setup
        self._process: SubjectProcess | None = None
        self._spares: deque[SubjectProcess] = deque()
        self._took_spare = False
        self._bears_others = True
        self._start_seconds = 0.0
        self._timed_starts = 0
        self._control: Mapping[str, Any] | None = None
        self._not_up: NotUp | None = None
        self._failed_starts = 0
        self._last_stderr = ""

    # --- what a protocol brings

    @property
    @abstractmethod
    def deviations(self) -> Sequence[Deviation]:
        """What the monitors found since ``begin``."""

    @abstractmethod
    def note(self, found: Deviation) -> None:
        """Add a deviation that was found outside the frames."""

    @abstractmethod
    def _launch(self) -> NotUp | None:
        """Start the subject, or reach it; return why that cannot be done."""

    @abstractmethod
    def _start_spare(self) -> SubjectProcess:
        """Start a subject that will be launched later.

        Raises:
            SubjectStartError: If the system cannot start it.
        """

    @abstractmethod
    def _bring_up(self) -> NotUp | None:
        """Greet a subject that was launched and ask it for a control."""

    @abstractmethod
    def _end(self) -> None:
        """End the subject at once, and keep what is known of it."""

    @abstractmethod
    def _is_usable(self) -> bool:
        """Tell whether a subject that served can still be spoken to."""

    @abstractmethod
    def stop(self) -> Sequence[Deviation]:
        """End the subject politely, then for good; return what was seen at its end."""

    # --- hooks

    def _overcome(self, not_up: NotUp) -> Deviation | None:
        """Have the next one started so that what kept the last from it does not.

        Args:
            not_up: Why it did not come up.

        Returns:
            What it broke, which is told all the same; None where there is no such way.
        """
        del not_up
        return None

    def _end_spare(self, spare: SubjectProcess) -> None:
        """End a subject that was started ahead and is not needed."""
        spare.kill()

    # --- what all share

    @property
    def controlled(self) -> bool:
        """Whether a plain valid request was ever answered with success."""
        return self._control is not None

    @property
    def stderr_tail(self) -> str:
        """The end of what the subject wrote on stderr."""
        return self._process.stderr_tail() if self._process else self._last_stderr

    @property
    def start_entries(self) -> Sequence[Entry]:
        """The traffic of the start that failed last, or of the check in hand."""
        failed = self._not_up.transcript if self._not_up else None
        return (failed or self.transcript).entries()

    @property
    def serves(self) -> bool:
        """Whether a subject is up and can be spoken to."""
        return self.state is SessionState.SERVING and self._is_usable()

    def ensure_up(self) -> NotUp | None:
        """See to it that the subject serves; return why where it does not."""
        if self.state is SessionState.GIVEN_UP:
            return self._not_up
        if self.serves:
            return None
        self.lost += self.state is SessionState.SERVING
        return self._start()

    def discard(self) -> None:
        """End the subject at once; the next check starts a new one."""
        self._end()
        self._happened(SessionEvent.ENDED)

    def give_up(self, not_up: NotUp) -> None:
        """Launch no subject any more: one that serves would not serve for long.

        Args:
            not_up: What further checks are told.
        """
        self._not_up = not_up
        self._happened(SessionEvent.GIVEN_UP)

    def _start(self) -> NotUp | None:
        self.discard()
        before = len(self.deviations)
        began, spent = time.monotonic(), self.patience.spent
        not_up = self.launch() or self._bring_up()
        if not_up is not None and not_up.ended and self._took_spare:
            # Another was still there when it was started: alone it may come up.
            self._bears_others = False
            self.discard()
            before = len(self.deviations)
            not_up = self.launch() or self._bring_up()
        if not_up is not None and (overcome := self._overcome(not_up)) is not None:
            self.discard()
            before = len(self.deviations)
            began, spent = time.monotonic(), self.patience.spent
            self.transcript = Transcript(began)
            not_up = self.launch() or self._bring_up()
            self.note(overcome)
        if not_up is None:
            if not self._took_spare:
                # What it left unanswered once it was up is no part of its start.
                took = time.monotonic() - began - (self.patience.spent - spent)
                self._start_seconds = max(self._start_seconds, took)
                self._timed_starts += 1
            self.at_start += self.deviations[before:]
            self._failed_starts = 0
            self._happened(SessionEvent.CONTROLLED)
            return None
        self._happened(SessionEvent.FAILED)
        self._failed_starts += 1
        # What its silence was traced to comes before what else was seen meanwhile.
        found = (*not_up.deviations, *self.deviations)
        self._not_up = replace(not_up, deviations=found, transcript=self.transcript)
        if self._failed_starts >= MOST_FAILED_STARTS or not self.controlled:
            # One that served before may have met with an accident; one that never did
            # would cost the longest wait again in each check.
            self._happened(SessionEvent.GIVEN_UP)
        return self._not_up

    def launch(self) -> NotUp | None:
        """Start the subject, and ask nothing of it yet."""
        self._happened(SessionEvent.LAUNCHED)
        self.checks_served = 0
        self._took_spare = False
        return self._launch()

    def launch_unasked(self) -> NotUp | None:
        """Start a subject whose control is known, and send it nothing of the suite's.

        The control was found at a start before; the fence at the end asks for it.
        """
        if (not_up := self.launch()) is not None:
            self._happened(SessionEvent.FAILED)
            return not_up
        self._happened(SessionEvent.CONTROLLED)
        return None

    def prepare_start(self, count: int) -> None:
        """Start one more subject ahead, beside the one that serves, for a later start.

        It is left alone until it is needed: what it writes waits in its pipes.

        Args:
            count: How many starts are foreseen.
        """
        serves = self.state is SessionState.SERVING
        if serves and self._bears_others and len(self._spares) < count:
            self.start_ahead()

    def start_ahead(self) -> None:
        """Start one more subject ahead; one that cannot be started is told later."""
        with contextlib.suppress(SubjectStartError):
            self._spares.append(self._start_spare())

    def end_spares(self) -> None:
        """End the subjects that were started ahead and not needed."""
        while self._spares:
            self._end_spare(self._spares.popleft())

    def _take_spare(self) -> SubjectProcess | None:
        """Return a subject that was started ahead and runs, or None."""
        while self._spares:
            spare = self._spares.popleft()
            if self._stays(spare):
                self._took_spare = True
                return spare
            # It may not bear another beside it: what it wrote is not held against the
            # next, which is started when it is alone.
            self._bears_others = False
            self._end_spare(spare)
        return None

    def _stays(self, spare: SubjectProcess) -> bool:
        """Tell whether a subject still runs when it had time to start in full."""
        spare.pump(0)
        until = spare.started + self._start_seconds
        while spare.exit_status is None and (left := until - time.monotonic()) > 0:
            spare.pump(left)
        return spare.exit_status is None

    def _happened(self, event: SessionEvent) -> None:
        self.state = TRANSITIONS[self.state][event]
