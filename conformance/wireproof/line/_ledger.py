"""The ledger of one process on stdio: what was asked of it, what came, what is wrong.

Theory of operation. Every byte that is sent passes through ``sent``; a line that is a
request opens an exchange. Every byte that comes passes through ``received``, which
finds the exchange that a message belongs to and checks what must hold of every frame,
whatever the check in hand is about: these are the monitors. What they find is attached
to the arrival. A protocol brings how lines are read either way and what a message is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from wireproof.line._exchanges import Exchanges, LineType, RequestType
from wireproof.line._lines import events_of
from wireproof.line._salvage import may_be_json
from wireproof_reference.framing import BadLine, Frame, NdjsonDecoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from wireproof.checks import Deviation
    from wireproof.line._lines import LineReader, Reading

MOST_NOISE = 5_000
"""Lines that belong to nothing, in one check, before the subject counts as flooding."""

UNFINISHED_KEPT = 1 << 16
"""Bytes kept of a line in progress."""

MOST_DEVIATIONS = 1_000
"""Deviations kept of one check: a flood must not fill the memory."""


class LineLedger(ABC, Generic[RequestType, LineType]):
    """The ledger of one process.

    Attributes:
        exchanges: What was asked, and what came for it.
        strays: Answers to lines that are no request, oldest first, since the last
            ``forget``.
        deviations: What the monitors found since the last ``forget``.
        seen: How many frames have come, and how many of each kind.
        noise: How many lines came that belong to nothing, since the last ``forget``.
        finished: Whether the end of stdout has been booked.
        requests: How many requests were sent.
        too_deep: How a line was nested that came and was not read for it, since the
            last ``forget``; empty where none was.
    """

    def __init__(
        self, reader: LineReader, limit: int, is_own: Callable[[str], bool]
    ) -> None:
        """Open an empty ledger.

        Args:
            reader: Reads what comes.
            limit: Longest line that comes, in bytes.
            is_own: Tells whether a key is that of one of the suite's own requests.
        """
        self.exchanges: Exchanges[RequestType, LineType] = Exchanges(is_own)
        self.strays: list[LineType] = []
        self.deviations: list[Deviation] = []
        self.seen: Counter[str] = Counter()
        self.noise = 0
        self.finished = False
        self.requests = 0
        self.too_deep = ""
        self._reader = reader
        reader.waiting = self._waiting
        self._incoming = NdjsonDecoder(limit, blank_lines="report")
        self._unfinished = bytearray()

    # --- what a protocol brings

    @property
    @abstractmethod
    def midline(self) -> bool:
        """Whether the last line that was sent has no line feed yet."""

    @abstractmethod
    def _read_sent(
        self, data: bytes, time: float, *, cut: bool
    ) -> Iterable[RequestType]:
        """Return the requests that bytes complete which are sent."""

    @abstractmethod
    def _enter(self, reading: Reading, time: float) -> list[LineType]:
        """Book a line that came; return what arrived with it."""

    @abstractmethod
    def _answers(self, value: Any) -> bool:
        """Tell whether a value has the id of a request that was sent."""

    def _without_quotes(self, reading: Reading) -> Reading:
        """Return a line without what other text on it may only quote."""
        if not reading.mixed:
            return reading
        values = tuple(one for one in reading.values if self._answers(one))
        # What was taken for a quotation may have been a message after all.
        lost = len(values) < len(reading.values)
        found = tuple(replace(one, hides=one.hides or lost) for one in reading.found)
        return replace(reading, values=values, found=found)

    # --- what is sent

    def sent(self, data: bytes, time: float, *, cut: bool = False) -> None:
        """Book bytes that go to the subject.

        Args:
            data: The bytes, or one piece of them.
            time: When, in seconds on the clock of the run.
            cut: Whether they are a piece that the subject may read by itself.
        """
        for request in self._read_sent(data, time, cut=cut):
            self.requests += 1
            self.exchanges.add(request)

    @property
    def misdirected(self) -> int:
        """How many answers came for none of the requests that wait for theirs."""
        return 0

    @property
    def asked(self) -> frozenset[str]:
        """The keys of the requests of the check in hand, the suite's own aside."""
        return frozenset(request.key for request in self.exchanges.asked)

    def forget(self, time: float) -> None:
        """Begin a new check: what was found before has been reported."""
        self.deviations.clear()
        self.strays.clear()
        self.noise = 0
        self.too_deep = ""
        self.exchanges.forget()

    # --- what is received

    def received(self, data: bytes, time: float) -> list[LineType]:
        """Take bytes from the subject's stdout; return what arrived with them."""
        self._incoming.receive_data(data)
        self._keep_unfinished(data)
        return self._take(time)

    def ended(self, time: float) -> list[LineType]:
        """Take note that the subject's stdout has come to its end."""
        self.finished = True
        self._incoming.receive_eof()
        return [*self._take(time), *self.settle_text(time)]

    def settle_text(self, time: float) -> list[LineType]:
        """Book the lines whose case was open, now that nothing follows them."""
        return [
            arrival
            for reading in self._reader.give_up()
            for arrival in self._enter(reading, time)
        ]

    @property
    def pending(self) -> int:
        """How many bytes of a line have come whose line feed has not."""
        return self._incoming.pending

    @property
    def unfinished(self) -> bytes:
        """The beginning of a line whose line feed has not come."""
        return bytes(self._unfinished)

    def note(self, *found: Deviation) -> None:
        """Add deviations, as far as there is room for them.

        Where messages are written into each other, what else is wrong with the frames
        of the check may come of it.
        """
        if not found:
            return
        if any(one.mingles for one in (*self.deviations, *found)):
            self.deviations[:] = [one for one in self.deviations if one.mingles]
            found = tuple(one for one in found if one.mingles)
        room = MOST_DEVIATIONS - len(self.deviations)
        self.deviations += found[: max(0, room)]

    def _waiting(self) -> Sequence[Any]:
        """Return the ids of the requests that wait for their answers."""
        return [one.request.id for one in self.exchanges.open.values()]

    def _take(self, time: float) -> list[LineType]:
        found: list[LineType] = []
        for event in events_of(self._incoming):
            self.seen["frames"] += isinstance(event, Frame)
            if isinstance(event, BadLine) and event.reason == "too-deep":
                self.too_deep = event.detail if may_be_json(event.line) else ""
            for reading in self._reader.read(event):
                found += self._enter(reading, time)
            if self.noise > MOST_NOISE:
                # It is ended for that: what else it has written tells no more.
                break
        return found

    def _keep_unfinished(self, data: bytes) -> None:
        newline = data.rfind(b"\n")
        if newline != -1:
            self._unfinished.clear()
        room = UNFINISHED_KEPT - len(self._unfinished)
        self._unfinished += data[newline + 1 : newline + 1 + room]


LedgerType = TypeVar("LedgerType", bound=LineLedger[Any, Any])
