"""The ledger of one connection: what was asked on it, what came, what is wrong.

Theory of operation. Every byte that is sent passes through ``sent``: a line that is a
call opens one, any other line may be owed an ``error``. Every byte that comes passes
through ``received``, which checks what must hold of every frame and which call it
belongs to: these are the monitors. Frames are kept in the order in which they came;
the steps of a vector take them one by one.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.line import (
    OWN_ID,
    TORN,
    Spread,
    events_of,
    foreign_word,
    meant_by,
    mingled,
    must,
    salvage,
    whole_of,
    why_no_json,
)
from wireproof.patterns import in_line, is_object, look_alike, told_apart
from wireproof.protocols.socket_v1._sent import (
    LINE_LIMIT,
    SentBad,
    SentCall,
    SentCancel,
    SentList,
    SocketOutgoing,
)
from wireproof.protocols.socket_v1._shapes import frame_faults
from wireproof_reference.framing import (
    BadLine,
    Event,
    Frame,
    NdjsonDecoder,
    Oversize,
    Unterminated,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wireproof.checks import Deviation

MOST_FRAMES = 50_000
"""Frames kept of one connection in one check."""

MOST_NOISE = 5_000
"""Frames that belong to nothing before the server counts as flooding."""

NO_FRAME = "a line is no frame"
"""What is said of a line behind one that began a frame and did not end it."""

FRAME_KEYS = frozenset({"type"})
"""An object with this is meant as a frame."""

LISTING = re.compile(r'"type"\s*:\s*"tools_list"')
"""What stands in a frame that has no id."""

FINAL = frozenset({"tool_result", "error"})


@dataclass(slots=True, eq=False)
class SocketArrival:
    """One frame or line that came on a connection.

    Attributes:
        time: When, in seconds on the clock of the run.
        value: Its JSON value; None where it has none.
        line: Its bytes, without the line feed.
        deviations: What the monitors found in it.
        rank: Its place among all frames of the check.
        own: Whether it answers a request of the suite's own.
        taken: Whether a step has taken it.
    """

    time: float
    value: Any
    line: bytes
    deviations: tuple[Deviation, ...]
    rank: int
    own: bool = False
    taken: bool = False

    @property
    def kind(self) -> str | None:
        """The type of the frame."""
        found = self.value.get("type") if is_object(self.value) else None
        return found if isinstance(found, str) else None

    @property
    def key(self) -> str | None:
        """The request that it belongs to, by its id."""
        found = self.value.get("requestId") if is_object(self.value) else None
        return found if isinstance(found, str) else None


class SocketLedger:
    """The ledger of one connection.

    Attributes:
        frames: What came, oldest first.
        open: How many final frames each call in flight is owed, by id.
        asked: The ids of the calls that were made.
        lists_owed: How many tools_list frames are to come.
        errors_owed: How many errors may come that are about no call; below 0 where more
            came than lines were sent that get one.
        ended: Whether the server has closed the connection.
        asked_at: When each of them was sent last.
        bad_ids: The ids that stand in lines that are no requests.
        noise: How many frames came that belong to nothing.
        size: Bytes that were sent.
        lines: Lines that were sent.
    """

    def __init__(
        self,
        note: Callable[[Deviation], None],
        seen: Counter[str],
        next_rank: Callable[[], int],
    ) -> None:
        """Open an empty ledger.

        Args:
            note: Takes each deviation that is found.
            seen: Where frames are counted, by kind.
            next_rank: Gives each frame its place among those of all connections.
        """
        self.frames: list[SocketArrival] = []
        self.open: Counter[str] = Counter()
        self.asked: set[str] = set()
        self.asked_at: dict[str, float] = {}
        self.lists_owed = 0
        self.errors_owed = 0
        self.ended = False
        self.noise = 0
        self.size = 0
        self.lines = 0
        self._lists: deque[bool] = deque()
        self._spread = Spread()
        self._begun: SocketArrival | None = None
        self._finished: dict[str, str] = {}
        self._tools: dict[str, str] = {}
        self.bad_ids: set[str] = set()
        self._note = note
        self._seen = seen
        self._next_rank = next_rank
        self._outgoing = SocketOutgoing()
        self._incoming = NdjsonDecoder(LINE_LIMIT, blank_lines="report")

    def sent(self, data: bytes, time: float = 0.0, *, own: bool = False) -> None:
        """Book bytes that go to the server.

        Args:
            data: The bytes.
            time: When, in seconds on the clock of the run.
            own: Whether they are a request of the suite's own.
        """
        self.size += len(data)
        self.lines += data.count(b"\n")
        for one in self._outgoing.send(data):
            match one:
                case SentCall(id=key, tool=tool):
                    self._tools[key] = tool
                    self.open[key] += 1
                    self.asked.add(key)
                    self.asked_at[key] = time
                case SentCancel():
                    # Best is no reply to one of nothing, but an error may come.
                    self.errors_owed += 1
                case SentList():
                    self.lists_owed += 1
                    self._lists.append(own)
                case SentBad(ids=ids):
                    self.bad_ids.update(ids)
                    self.errors_owed += 1

    @property
    def owes_frames(self) -> bool:
        """Whether a call or a listing is yet to be answered.

        A listing is taken to be refused where an error came that no line explains.
        """
        listing = self.lists_owed > 0 and self.errors_owed >= 0
        return listing or any(self.open.values())

    @property
    def midline(self) -> bool:
        """Whether a line has been sent in part."""
        return self._outgoing.midline

    @property
    def pending(self) -> int:
        """How many bytes of a line have come whose line feed has not."""
        return self._incoming.pending

    def received(self, data: bytes, time: float) -> list[SocketArrival]:
        """Take bytes from the server; return what arrived with them."""
        self._incoming.receive_data(data)
        return self._take(time)

    def closed(self, time: float, *, by_server: bool) -> None:
        """Take note that the connection has come to its end."""
        if self.ended:
            return
        self.ended = True
        if by_server:
            self._incoming.receive_eof()
            self._take(time)

    def _take(self, time: float) -> list[SocketArrival]:
        return [
            arrival
            for event in events_of(self._incoming)
            for arrival in self._read(event, time)
        ]

    def _read(self, event: Event, time: float) -> list[SocketArrival]:
        """Take in a line; of one that is spread over several, the whole as well."""
        line: bytes = getattr(event, "line", b"")
        value = event.value if isinstance(event, Frame) else None
        value = value if is_object(value) else None
        if _is_frame(value):
            return [*self._give_up_spread(time), self._enter(value, line, time)]
        spread = self._spread
        if not spread:
            if isinstance(event, BadLine):
                if found := self._salvaged(event, time):
                    return found
                if (mixed := self._mingled(line)) is not None:
                    return [self._enter(None, line, time, mixed)]
                if line.lstrip().startswith(b"{"):
                    spread.add(line)
            self._begun = self._enter(value, line, time, _line_fault(event))
            return [self._begun]
        spread.add(line)
        if (value := spread.joined(_is_frame)) is not None:
            fault = f"a frame is spread over {len(spread)} lines"
            whole = spread.whole
            spread.take()
            # What was taken in of its first line alone is none that a step waits for.
            if self._begun is not None:
                self._begun.taken = True
            return [self._enter(value, whole, time, fault)]
        return self._give_up_spread(time) if spread.is_hopeless else []

    def _mingled(self, line: bytes) -> Deviation | None:
        """Return what is wrong where one frame is written into another."""
        return mingled(
            line,
            "SOCK-F1",
            [*self._waiting()],
            LISTING if self.lists_owed > 0 else None,
        )

    def _salvaged(self, event: BadLine, time: float) -> list[SocketArrival]:
        """Take in the frames of a line that holds nothing else, but is no JSON text.

        One that is only nested deeper than is read here is a JSON text all the same.
        """
        line = event.line
        found = salvage(line, FRAME_KEYS)
        if found is None or found.rest:
            return []
        first, *others = found.values
        is_deep = event.reason == "too-deep"
        fault = "" if is_deep else f"a line is not JSON: {foreign_word(line)}"
        if others:
            fault = (
                "two frames on one line: no LF between them (write each with its LF in "
                "one piece, under a lock)"
            )
        begun = self._enter(first, line, time, fault, hides=False)
        return [begun, *(self._enter(one, line, time) for one in others)]

    def _give_up_spread(self, time: float) -> list[SocketArrival]:
        """Take in the lines that were held: the first of them was taken in before."""
        return [
            self._enter(None, line, time, NO_FRAME) for line in self._spread.take()[1:]
        ]

    def _enter(
        self,
        value: Any,
        line: bytes,
        time: float,
        fault: str | Deviation = "",
        *,
        hides: bool = True,
    ) -> SocketArrival:
        self._seen["frames"] += 1
        deviations: list[Deviation] = []
        if fault:
            if isinstance(fault, str):
                fault = must("SOCK-F1", fault, line, hides=hides)
            deviations.append(fault)
            self.noise += 1
        if is_object(value):
            key = value.get("requestId")
            of_call = isinstance(key, str) and self.open[key] > 0
            # A tool that nobody here knows may return envelopes too (SOCK-C3).
            tool = self._tools.get(key, "") if isinstance(key, str) else ""
            returned = tool == "conformance_envelope" or "conformance_" not in tool
            deviations += frame_faults(
                value, line, of_call=of_call, returned=bool(tool) and returned
            )
            self._seen[str(value.get("type"))] += 1
            torn = whole_of(key, self._waiting()) if not of_call else None
            if torn is not None:
                self._answered(torn, str(value.get("type")))
                text = f"{TORN}: the id {in_line(torn)} came back as {in_line(key)}"
                deviations.append(must("SOCK-F2", text, line, hides=True))
            elif (stray := self._belongs(value)) is not None:
                # What came in other letters does not come as itself.
                hides = self._meant_by(value.get("requestId")) is not None
                deviations.append(must(*stray, line, hides=hides))
                self.noise += 1
        for one in deviations:
            self._note(one)
        own = value is not None and self._is_own(value)
        rank = self._next_rank()
        arrival = SocketArrival(time, value, line, tuple(deviations), rank, own)
        if len(self.frames) < MOST_FRAMES:
            self.frames.append(arrival)
        else:
            self.noise += 1
        return arrival

    def _is_own(self, value: dict[str, Any]) -> bool:
        """Tell whether a frame answers a request of the suite's own.

        Lists have no ids: they are taken to come in the order in which they were asked
        for.
        """
        if value.get("type") == "tools_list":
            return bool(self._lists) and self._lists.popleft()
        key = value.get("requestId")
        return isinstance(key, str) and key.startswith(OWN_ID)

    def _belongs(self, value: dict[str, Any]) -> tuple[str, str] | None:
        """Book a frame under its call.

        Returns:
            The clause that it breaks by coming, and how; None where it belongs to one.
        """
        kind, key = value.get("type"), value.get("requestId")
        if kind == "error" and not (isinstance(key, str) and self.open[key] > 0):
            self.errors_owed -= 1
        if kind == "tools_list":
            self.lists_owed -= 1
            return None
        if not isinstance(key, str):
            return None
        shown = in_line(key)
        if kind == "tool_event":
            if self.open[key] > 0 or key in self.bad_ids:
                return None
            if key in self._finished:
                return "SOCK-C2", f"an event for {shown} after its result"
            return "SOCK-C1", f"an event for {self._uncalled(key)}"
        if kind not in FINAL:
            return None
        if self.open[key] > 0:
            self._answered(key, kind)
            return None
        if kind == "error" or key in self.bad_ids:
            return None
        if self._finished.get(key) == "error":
            return "SOCK-C1", f"a tool_result for {shown} after an error with its id"
        if key in self._finished:
            return "SOCK-C1", f"a second tool_result for {shown}"
        return "SOCK-C1", f"a tool_result for {self._uncalled(key)}"

    def _answered(self, key: str, kind: str) -> None:
        """Book a final frame of a call; an event of it changes nothing."""
        if kind in FINAL:
            self.open[key] -= 1
            if not self.open[key]:
                self._finished[key] = kind

    def _waiting(self) -> Iterator[str]:
        """Yield the ids of the calls in flight."""
        return (one for one, count in self.open.items() if count > 0)

    def _meant_by(self, key: Any) -> tuple[str, str] | None:
        """Return the call in flight whose id came in other letters, and how."""
        return meant_by(key, self._waiting())

    def _uncalled(self, key: str) -> str:
        """Say that there is no call of this id, and of which a reader may think."""
        shown = in_line(key)
        if (meant := self._meant_by(key)) is not None:
            return f"{shown}, which was not called: {in_line(meant[0])} was; {meant[1]}"
        alike = next((one for one in self.open if look_alike(one, key)), None)
        if alike is None:
            return f"{shown}, which was not called"
        shown, called = told_apart(shown, in_line(alike))
        return f"{shown}, which was not called: {called} was"


def _is_frame(value: Any) -> bool:
    """Tell whether a JSON value is meant as a frame."""
    return is_object(value) and "type" in value


def _line_fault(event: Event) -> str:
    match event:
        case Frame(value=value) if is_object(value):
            return ""
        case Frame():
            return "a line is not a JSON object"
        case Unterminated():
            return "the last line has no line feed"
        case Oversize():
            return f"a line of more than {LINE_LIMIT >> 20} MiB"
        case BadLine(reason="not-utf8"):
            return "a line is not UTF-8"
        case BadLine(line=line):
            return f"a line is not JSON: {why_no_json(line)}"
        case _:
            return "a blank line where a frame belongs"
