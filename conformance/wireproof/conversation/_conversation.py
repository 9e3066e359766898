"""Which requests were sent, which frames answer them, and what is wrong with lines.

A frame is taken for the answer to a request as far as it can be recognised, so that one
fault does not hide the others: if exactly one request waits and a response has the id
of no request, it is taken for that answer, with the id put right, and the id is a
finding.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.conversation._dialect import OWN, PREFIX, UNNAMED, Finding, Frame
from wireproof.conversation._lines import LineReader
from wireproof.patterns import is_object, match

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wireproof.conversation._dialect import Dialect, Key
    from wireproof.conversation._lines import Line


@dataclass(frozen=True, slots=True)
class Carried:
    """What a process may still send that belongs to earlier conversations with it.

    Attributes:
        refusals: Lines that were no request and may still be refused without an id.
        may_come: Keys under which answers may still come.
        anything_sent: Whether anything was sent to the process.
        printed: Texts that its tools were asked to print.
        answered: The keys of the latest requests that were answered.
        notifications: Notifications that may still be answered.
    """

    refusals: int = 0
    may_come: tuple[Key, ...] = ()
    anything_sent: bool = False
    printed: tuple[str, ...] = ()
    answered: tuple[Key, ...] = ()
    notifications: int = 0


MOST_ANSWERED = 100
"""Keys of answered requests that are carried to the next conversation."""

REFUSED_EARLY = 1 << 16
"""Bytes of a line without its end from which on it may be refused already."""

MOST_FINDINGS = 1_000
"""Findings of one conversation: a subject may write noise for ever."""

MOST_KEPT = 20_000
"""Frames that are kept of one request, and in the log: vectors ask for 6,000."""

MOST_PRINTED = 100
"""Printed texts that are carried to the next conversation."""

LEAST_PRINTED = 3
"""Characters of a printed line by which it is known among other text."""

SHOWN_IDS = 5
"""Ids that a finding about a wrong id names."""

NOTHING = Carried()
"""What a process owes that was just started."""


class Conversation:
    """One conversation with one process of a subject.

    Attributes:
        findings: What is wrong with the lines that came, in their order.
        strays: Frames that answer no request and may have come all the same.
        refusals: Lines that are no request and may still be refused without an id.
        frames: How many frames came.
        seen: How many of each kind, as the dialect has them.
        log: The frames that belong to a request, each with it.
        latest_unasked: The latest frame that answers no request and may come all the
            same; None before the first.
    """

    def __init__(self, dialect: Dialect, carried: Carried = NOTHING) -> None:
        """Begin with nothing received.

        Args:
            dialect: The protocol's.
            carried: What the process owes from earlier conversations.
        """
        self.findings: list[Finding] = []
        self.strays: deque[Frame] = deque()
        self.refusals = carried.refusals
        self.frames = 0
        self.seen: Counter[str] = Counter()
        self.log: list[tuple[Any, Any]] = []
        self.latest_unasked: Any = None
        self._dialect = dialect
        self._sent = LineReader(dialect.line_limit)
        self._received = LineReader(dialect.line_limit)
        self._anything_sent = carried.anything_sent
        self._is_refused = False
        self._requests: dict[Key, Any] = {}
        self._sizes: dict[Key, int] = {}
        # How many answers are due to each key that waits for one.
        self._owed: dict[Key, int] = {}
        # Which of the requests without an id the next answers are for.
        self._turns: defaultdict[Key, deque[Key]] = defaultdict(deque)
        # In their order: the latest are carried on.
        self._answered: dict[Key, None] = {}
        self._may_come: Counter[Key] = Counter(carried.may_come)
        self._free: set[Key] = set(carried.may_come)
        self._late = Counter(carried.may_come)
        self._earlier = carried.answered
        self._printed_before = carried.printed
        self._printed: list[str] = []
        self._notifications = carried.notifications
        self._frames: defaultdict[Key, deque[Frame]] = defaultdict(deque)

    def carried(self) -> Carried:
        """Return what the process may still send that belongs to this conversation."""
        may_come = Counter(self._owed)
        may_come.update(+self._may_come)
        answered = [*self._earlier, *self._answered]
        return Carried(
            self.refusals,
            tuple(may_come.elements()),
            anything_sent=True,
            printed=(*self._printed_before, *self._printed)[-MOST_PRINTED:],
            answered=tuple(answered[-MOST_ANSWERED:]),
            notifications=self._notifications,
        )

    def is_earlier(self, key: Key | None) -> bool:
        """Return whether a key is that of a request of an earlier conversation."""
        return key in self._earlier and key not in self._requests

    # --- bytes

    def send(self, data: bytes, *, own: bool = False) -> None:
        """Book bytes that were sent.

        Args:
            data: The bytes.
            own: Whether they are a request of the runner's own.
        """
        self._anything_sent = True
        for line in self._sent.receive(data):
            self._book(line, own=own)

    def send_eof(self) -> None:
        """Book the end of the input; a line that is not ended may be read or not."""
        if not self._sent.pending:
            return
        for line in self._sent.receive_eof():
            if (key := self._dialect.key(line.value)) is not None:
                self._may_come[key] += 1
                self._free.add(key)
            self.refusals += 1

    def receive(self, data: bytes, at: float) -> None:
        """Take bytes that came.

        Args:
            data: The bytes.
            at: When they came, in seconds.
        """
        for line in self._received.receive(data):
            self._take(line, at)

    def receive_eof(self, at: float) -> None:
        """Take the end of what the subject writes."""
        for line in self._received.receive_eof():
            self._take(line, at)

    # --- frames

    def is_owed(self, key: Key) -> bool:
        """Return whether a request waits for its answer."""
        return key in self._owed

    def may_come(self, key: Key) -> bool:
        """Return whether an answer may come under a key: it is owed, or allowed."""
        return key in self._owed or self._loose(key) is not None

    @property
    def waiting(self) -> list[Key]:
        """The keys of the requests that wait for their answers."""
        return [*self._owed]

    def next_frame(self, key: Key, pattern: Any) -> Frame | None:
        """Return the next frame of a request that an expectation is about, if it came.

        Frames that the expectation passes over are dropped.
        """
        frames = self._frames.get(key)
        while frames and self._skips(pattern, frames[0], key):
            frames.popleft()
        return frames[0] if frames else None

    def count(self, key: Key, pattern: Any, most: int) -> int:
        """Return how many frames of a request came that an expectation is about.

        Args:
            key: The key of the request.
            pattern: What is expected.
            most: How many are looked for. As long as fewer frames came at all, those
                that the expectation passes over count too: they are looked at once.
        """
        frames = self._frames.get(key, ())
        if len(frames) < most:
            return len(frames)
        found = 0
        for frame in frames:
            found += not self._skips(pattern, frame, key)
            if found == most:
                break
        return found

    def _skips(self, pattern: Any, frame: Frame, key: Key) -> bool:
        if frame.is_final:
            return False
        return self._dialect.skips(pattern, frame.value, self._requests.get(key))

    @property
    def is_at_rest(self) -> bool:
        """Whether each request was answered, and nothing else came."""
        return not (self.waiting or self.findings or self.strays)

    @property
    def outstanding(self) -> int:
        """How many answers may still come, those to bad lines included."""
        return len(self._owed) + self.refusals + self._may_come.total()

    def has_answer(self, key: Key) -> bool:
        """Return whether the response to a request came and was not taken out."""
        frames = self._frames.get(key)
        return frames[-1].is_final if frames else False

    def answer(self, key: Key) -> Frame | None:
        """Take out the response to a request with all frames before it, if it came."""
        frames = self._frames.get(key)
        if not frames or not self.has_answer(key):
            return None
        frame = frames.pop()
        frames.clear()
        return frame

    def request(self, key: Key) -> Any:
        """Return the request of a key, as it was sent."""
        return self._requests[key]

    def take_frame(self, key: Key, frame: Frame) -> bool:
        """Take out the frame that `next_frame` returned; return whether it did."""
        frames = self._frames.get(key)
        if not frames or frames[0] is not frame:
            return False
        frames.popleft()
        return True

    def stray(self, wanted: Any, names: Mapping[str, Any]) -> Frame | None:
        """Return the first stray frame whose id is as wanted.

        Args:
            wanted: A pattern; None for null or no id.
            names: What its forms refer to.
        """
        for frame in self.strays:
            if match(wanted, self._id(frame.value), names, {}) is None:
                return frame
        return None

    def unasked(self) -> Frame | None:
        """Take out a frame that no expectation names: a stray, or a refusal."""
        if self.strays:
            return self.strays.popleft()
        for frames in self._frames.values():
            for frame in frames:
                if self._dialect.is_refusal(frame.value):
                    frames.remove(frame)
                    return frame
        return None

    def _id(self, message: Any) -> Any:
        return message.get(self._dialect.id_name) if is_object(message) else None

    # --- what was sent

    def _book(self, line: Line, *, own: bool) -> None:
        if self._is_refused:
            # It was refused before its end.
            self._is_refused = False
            return
        role, key = self._dialect.role(line), self._dialect.key(line.value)
        if role == "request" and key is not None:
            if key[0] == UNNAMED:
                turns = self._turns[key]
                key = own_key(key) if own else key
                turns.append(key)
            self._owed[key] = self._owed.get(key, 0) + 1
            self._requests[key] = line.value
            self._sizes[key] = len(line.data)
            if text := self._dialect.printed(line.value):
                self._printed.append(text)
        elif role == "notification":
            self._notifications += 1
        else:
            self.refusals += 1
            loose = list(self._dialect.loose_keys(line))
            self._may_come.update(loose)
            if role == "unclear":
                self._free.update(loose)

    # --- what came

    def _take(self, line: Line, at: float) -> None:
        if line.fault:
            fields = {"detail": line.detail}
            fault: str = "leaked-print" if self._is_printed(line) else line.fault
            self._find(fault, line.data, None, fields)
            if line.value is None:
                return
        if not self._dialect.is_message(line.value):
            kind = "leaked-print" if self._is_printed(line) else "not-a-response"
            self._find(kind, line.data, None, {"value": line.value})
            return
        if not self._anything_sent:
            self._find("before-any-request", line.data, None, {})
        self.frames += 1
        value = self._dialect.plain(line.value)
        is_final = self._dialect.is_final(value)
        frame = Frame(value, line.data, at, self.frames, is_final)
        key = self._deliver(frame, line.value)
        request = self._requests.get(key) if key is not None else None
        for kind in self._dialect.kinds(frame):
            self.seen[kind] += 1
        if key is not None and len(self.log) < MOST_KEPT:
            self.log.append((request, frame.value))
        if key is not None or frame not in self.strays:
            for fault, more in self._dialect.faults(line.value, request):
                self._find(fault, line.data, key, more)

    def _is_printed(self, line: Line) -> bool:
        text = line.data.decode(errors="replace").strip()
        if not text:
            return any(_has_blank_line(one) for one in self._printed)
        printed = (*self._printed_before, *self._printed)
        lines = {part.strip() for one in printed for part in one.splitlines()}
        return text in lines or any(
            part in text or text in part
            for part in lines
            if min(len(part), len(text)) >= LEAST_PRINTED
        )

    def _deliver(self, frame: Frame, whole: Any) -> Key | None:
        """Find the request that a frame belongs to; return its key, or None."""
        dialect = self._dialect
        key = dialect.key(frame.value)
        if key is not None and key[0] == UNNAMED and self._turns[key]:
            key = self._turns[key].popleft()
        if key is not None and key in self._owed:
            if frame.is_final or len(self._frames[key]) < MOST_KEPT:
                self._frames[key].append(frame)
            if frame.is_final:
                self._close(key)
            return key
        if dialect.comes_unasked(frame.value):
            self.latest_unasked = frame.value
            return None
        if not frame.is_final:
            if self._loose(key) is not None:
                return None
            is_late = key in self._answered
            kind = "event-after-the-response" if is_late else "event-of-nothing"
            self._find(kind, frame.line, key, {"value": frame.value})
            return key
        if key is not None and self._late[key] > 0:
            # It answers an earlier check, of which nothing is asked any more.
            self._late[key] -= 1
            self._may_come[key] -= 1
            return None
        if self._is_stray(key, frame, whole):
            self.strays.append(frame)
            return None
        if key is not None and self._was_answered(key):
            self._find("answered-twice", frame.line, key, {"id": self._id(frame.value)})
            return key
        if self._notifications > 0:
            self._notifications -= 1
            self.strays.append(frame)
            self._find("notification-answered", frame.line, None, {})
            return None
        return self._adopt(frame)

    def _is_stray(self, key: Key | None, frame: Frame, whole: Any) -> bool:
        """Return whether a response may answer a line that is no request."""
        loose = self._loose(key)
        if loose is not None:
            self._may_come[loose] -= 1
            is_free = loose in self._free
        elif self.refusals > 0 and self._dialect.is_refusal(frame.value):
            self.refusals -= 1
            is_free = bool(self._free)
        elif self._may_refuse_early() and self._dialect.is_refusal(frame.value):
            self._is_refused = True
            is_free = False
        elif self.refusals > 0 and key is not None and not self._was_answered(key):
            self.refusals -= 1
            fields = {"id": self._id(whole)}
            self._find("refused-with-other-id", frame.line, None, fields)
            return True
        else:
            return False
        for kind, more in self._dialect.stray_faults(whole, is_free=is_free):
            self._find(kind, frame.line, None, more)
        return True

    def _may_refuse_early(self) -> bool:
        """Return whether a line that goes on may be refused before its end."""
        return self._sent.pending >= REFUSED_EARLY and not self._is_refused

    def _was_answered(self, key: Key) -> bool:
        return key in self._answered or key in self._earlier

    def _loose(self, key: Key | None) -> Key | None:
        """Return the loose key that stands for a key, if an answer may come so."""
        if key is None:
            return None
        if self._may_come[key] > 0:
            return key
        text = str(key[1])
        for loose, count in self._may_come.items():
            if loose[0] == PREFIX and count > 0 and text.startswith(str(loose[1])):
                return loose
        return None

    def _adopt(self, frame: Frame) -> Key | None:
        """Take a response with the id of no request for the only answer that is due."""
        if not is_object(frame.value):
            self._find("not-a-response", frame.line, None, {"value": frame.value})
            return None
        found = (
            (key, self._dialect.misdirected(frame.value, self._requests[key], size))
            for key, size in ((key, self._sizes[key]) for key in self.waiting)
        )
        kinds = {key: kind for key, kind in found if kind != ""}
        # A request that may be refused without its id is the likeliest.
        permitted = [key for key, kind in kinds.items() if kind is None]
        candidates = permitted[:1] or [*kinds]
        fields: dict[str, Any] = {"id": self._id(frame.value)}
        if len(candidates) != 1:
            fault = "wrong-id" if candidates else "answers-nothing"
            waiting = [self._id(self._requests[key]) for key in candidates[:SHOWN_IDS]]
            self._find(fault, frame.line, None, {**fields, "waiting": waiting})
            return None
        key = candidates[0]
        request = self._requests[key]
        kind = kinds[key]
        if kind is not None:
            wanted = self._id(request)
            self._find(kind, frame.line, key, {**fields, "wanted": wanted})
        is_refused = kind is not None and self._dialect.is_refusal(frame.value)
        if not is_refused:
            # A refusal of something that was not read as this request stays one.
            frame.value = self._dialect.with_id(frame.value, request)
        self._frames[key].append(frame)
        self._close(key)
        return key

    def _close(self, key: Key) -> None:
        if self._owed[key] == 1:
            del self._owed[key]
        else:
            self._owed[key] -= 1
        self._answered[key] = None

    def _find(
        self, kind: str, line: bytes, about: Key | None, fields: Mapping[str, Any]
    ) -> None:
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(Finding(kind, line, about, fields))


def _has_blank_line(text: str) -> bool:
    return any(not line.strip() for line in text.split("\n"))


def own_key(key: Key) -> Key:
    """Return the key under which a request of the runner is found."""
    return (UNNAMED, f"{key[1]}{OWN}") if key[0] == UNNAMED else key
