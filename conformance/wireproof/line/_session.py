"""A conversation with one subject, over all its starts: what every protocol shares.

Theory of operation. A fence is the control that a subject answered when it was started,
sent again: its answer orders the stream, proves that the subject lives, and measures
its latency.
"""

from __future__ import annotations

import re
import time
from abc import abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from wireproof.checks import Transcript, VectorDefect
from wireproof.line._outcome import Missing, MissingCause
from wireproof.line._request_kinds import RequestKinds
from wireproof.line._waits import ArrivalType, AwaitedSubject

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from wireproof.checks import Settings, Target
    from wireproof.line._cuts import Cut
    from wireproof.line._outcome import NotUp

OWN_ID = "wireproof-"
"""Begins the ids of the suite's own requests: starts, controls, probes."""

_OWN_KEY = re.compile(rf'"({OWN_ID}\d+)"')
"""The id of such a request, wherever it stands."""

FRAME_SECONDS = 0.001
"""Least seconds to allow for each of many frames."""

SLOW_SECONDS = 0.02
"""Latency from which on round trips are saved. Below it a run would gain a few seconds
at most, and each check is carried out as written, with a fence of its own."""


def own_keys(text: str) -> set[str]:
    """Return the ids of the suite's own requests that stand in a text."""
    return set(_OWN_KEY.findall(text))


class LineSession(AwaitedSubject[ArrivalType]):
    """One subject, over all its starts, and the conversation with it.

    Attributes:
        names: What ``$use`` may name.
        tools: The tools that it listed, by name.
        sent: What the check in hand sent, fences aside.
        kinds: Which kinds of request it has answered, over all its starts.
        unfenced: Whether the check in hand ended with an answer in place of a fence.
        broken: The clauses that were seen not to hold.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet."""
        super().__init__(target, settings, setup)
        self.names: dict[str, Any] = {}
        self.tools: dict[str, Any] = {}
        self.sent: list[bytes] = []
        self.kinds = RequestKinds()
        self.unfenced = False
        self.broken: set[str] = set()
        self._rests_on_broken = False
        self._serial: int = 0
        self._prompts_sent: int = 0
        self._delay: float = 0.0
        self._longest_delay: float = 0.0
        self._cut_short: float = 0.0
        self._sent_at: float = 0.0
        self._fenced: dict[str, int] = {}

    @contextmanager
    def resting_on(self, clause: str | None) -> Generator[None]:
        """Wait for what rests on another clause than the check does, if on any.

        It is not waited for in full where that one was seen not to hold.
        """
        self._rests_on_broken = clause in self.broken
        try:
            yield
        finally:
            self._rests_on_broken = False

    # --- what a protocol brings

    @property
    @abstractmethod
    def asked(self) -> frozenset[str]:
        """The ids of the requests of the check in hand, the suite's own aside."""

    @property
    @abstractmethod
    def stale_after_failure(self) -> bool:
        """Whether a check that breaks off leaves something behind for the next."""

    @abstractmethod
    def await_frame(self, pattern: Any) -> ArrivalType | Missing:
        """Wait for the next frame of the exchange that the pattern names."""

    def refuses_a_line(self, arrival: ArrivalType) -> bool:
        """Tell whether a frame says that a line is none of the protocol's requests.

        No frame does where every answer is the answer of a request.
        """
        del arrival
        return False

    @abstractmethod
    def strays(self) -> Sequence[ArrivalType]:
        """Return the frames of this check that answer no request."""

    @abstractmethod
    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove at the end of a check that the subject lives.

        Args:
            input_closed: Whether the usual input was closed.
        """

    def leave_unread(self) -> None:
        """Read nothing until the subject can write no more.

        Raises:
            VectorDefect: If the protocol has no such step.
        """
        raise VectorDefect("nothing is left unread here")

    @abstractmethod
    def close_input(self) -> None:
        """End what the subject reads."""

    @abstractmethod
    def restart(self) -> Missing | None:
        """Replace the subject by one that was just started."""

    @abstractmethod
    def _owes_nothing(self) -> bool:
        """Tell whether all that was asked in this check, on one stream, is answered."""

    @abstractmethod
    def _is_idle(self) -> bool:
        """Tell whether the next answer measures nothing but the subject's latency."""

    @abstractmethod
    def _ask_control(self, control: Mapping[str, Any]) -> ArrivalType | Missing:
        """Send the control and wait for its answer."""

    @abstractmethod
    def _succeeded(self, answer: ArrivalType) -> bool:
        """Tell whether the answer to a control is the success that it should be."""

    @abstractmethod
    def _transmit_step(self, data: bytes, cut: Cut) -> None:
        """Send the bytes of a step, where there is anybody to take them."""

    @abstractmethod
    def _final(self, key: str) -> ArrivalType | None:
        """Return the final answer of an exchange, or None."""

    @abstractmethod
    def _first_event(self, key: str) -> ArrivalType | None:
        """Return the first event of an exchange, or None."""

    @abstractmethod
    def _stream_mark(self) -> tuple[str, int]:
        """Return the stream in hand, and the rank of the last frame that came on it."""

    # --- hooks

    def _load(self) -> tuple[int, int]:
        """Return the bytes and the messages that the subject may be at work on."""
        return 0, 0

    def lives_on(self) -> bool:
        """Tell whether a subject that owes an answer can be asked all the same."""
        return False

    def _survives_refusal(self) -> bool:
        """Tell whether a subject that refused the control lives all the same."""
        return False

    # --- what steps ask for

    @property
    def _is_at_work(self) -> bool:
        """Whether tools may still be at work that the check in hand called."""
        return time.monotonic() - self._sent_at < self._delay

    def begin(self) -> None:
        """Begin a check: nothing is left of the one before."""
        self.transcript = Transcript(time.monotonic())
        self.at_start = []
        self.names = {}
        self.sent = []
        self.unfenced = False
        self._delay = self._longest_delay = self._cut_short = 0.0
        self._fenced.clear()

    def launch(self) -> NotUp | None:
        """Start the subject, and ask nothing of it yet."""
        self._fenced.clear()
        return super().launch()

    def deliver(self, data: bytes, cut: Cut) -> None:
        """Send bytes as one write, or in pieces that the subject reads one by one."""
        self.sent.append(data)
        stream, _ = self._stream_mark()
        self._fenced.pop(stream, None)
        self._sent_at = time.monotonic()
        self._transmit_step(data, cut)

    def trace(self, what: str) -> None:
        """Show among the traffic what was done to the subject beside sending bytes."""
        self.transcript.add(time.monotonic(), "sent", f"({what})".encode())

    def declare_delay(self, seconds: float, *, awaited: bool = True) -> None:
        """Take note of time that tools were asked to take.

        Args:
            seconds: The time.
            awaited: Whether an answer is waited for as long: else the call is to be
                ended before, and one that is not says nothing of how slow answers are.
        """
        if awaited:
            self._delay += seconds
            self._longest_delay = max(self._longest_delay, seconds)
        else:
            self._cut_short += seconds

    def declare_frames(self, count: int) -> None:
        """Take note of frames to come: each may take as long as a trivial exchange."""
        self._delay += count * max(self.patience.quickest, FRAME_SECONDS)

    def _allowance(self) -> float:
        """Return the seconds that the next answer may take."""
        size, messages = self._load()
        return self.patience.allowance(
            clause_seconds=self._delay, size=size, messages=messages
        )

    def _work_seconds(self) -> float:
        """Return the seconds of that which are for what the check in hand asked for."""
        return self.patience.work_seconds(self._delay, *self._load())

    def _came_after(self, seconds: float) -> None:
        """Take note of how long an answer took, with the work that was asked for.

        What else was sent may have had to be dealt with before, and has taken at least
        the time of the quickest exchanges. What it was allowed is no measure: it grows
        with the slowest of them.
        """
        size, messages = self._load()
        work = self.patience.work_seconds(self._delay + self._cut_short, size)
        self.patience.came_after(seconds - work - messages * self.patience.quickest)

    def _own_id(self) -> str:
        """Return a new id for a request of the suite's own."""
        self._serial += 1
        return self.last_id

    @property
    def last_id(self) -> str:
        """The id of the suite's latest request."""
        return f"{OWN_ID}{self._serial}"

    def fence(self) -> Missing | None:
        """Send the control again and wait for its success."""
        if self._control is None:
            return Missing(MissingCause.REFUSED, "no plain valid request succeeds")
        asked = time.monotonic()
        idle, prompts = self._is_idle(), self._prompts_sent
        answer = self._ask_control(self._control)
        if isinstance(answer, Missing):
            return answer
        if not self._succeeded(answer):
            if self._survives_refusal():
                return None
            return Missing(MissingCause.REFUSED, "it was answered without success")
        # What another request had to bring is no measure of latency.
        if idle and self._is_idle() and self._prompts_sent == prompts:
            self.patience.measured(time.monotonic() - asked)
        stream, _ = self._stream_mark()
        self._fenced[stream] = answer.rank
        return None

    @property
    def is_slow(self) -> bool:
        """Whether each round trip costs so much that some are worth saving."""
        return self.patience.quickest >= SLOW_SECONDS

    def take_as_fence(self, answer: ArrivalType) -> bool:
        """Take the last answer of a check for its fence, where it proves as much.

        It does where it is a success, nothing else is owed and nothing came behind it;
        and only on a subject that is slow to answer. What comes later shows in the next
        check.

        Args:
            answer: The answer to the plain valid request that was sent last.
        """
        self.unfenced = (
            self.is_slow
            and not self.stale_after_failure
            and self._is_usable()
            and self._succeeded(answer)
            and self._owes_nothing()
            and self._stream_mark()[1] == answer.rank
        )
        return self.unfenced

    def fence_unless_fenced(self) -> Missing | None:
        """Fence the stream in hand, unless that was the last thing to happen on it.

        Where nothing was sent since the last fence and no frame came behind its answer,
        another one would prove the same once more, at the cost of a round trip.
        """
        stream, last = self._stream_mark()
        return None if self._fenced.get(stream) == last else self.fence()

    def answer_rank(self, key: str) -> int | None:
        """Return the place of an exchange's final answer among all frames, or None."""
        final = self._final(key)
        return final.rank if final else None

    def answered_at(self, key: str) -> float | None:
        """Return when the final answer of an exchange came, or None."""
        final = self._final(key)
        return final.time if final else None

    def first_event_at(self, key: str) -> float | None:
        """Return when the first event of an exchange came, or None."""
        event = self._first_event(key)
        return event.time if event else None
