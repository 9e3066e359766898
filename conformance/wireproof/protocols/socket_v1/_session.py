"""A server under test: brought up, spoken to in steps on connections of their own.

Theory of operation. ``ensure_up`` launches the server, or reaches the one that runs,
and looks for a control: a plain valid request that it answers with success. Each check
has connections of its own, opened when a step first names them and closed at its end,
so that nothing of one check can come in another. A fence is the control sent again on
the connection in hand; its answer orders that connection's stream.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof.checks import Transcript
from wireproof.line import Cut, Missing, MissingCause, NotUp
from wireproof.patterns import expand, is_array, is_object, match
from wireproof.protocols.socket_v1._books import Arrival, Books
from wireproof.protocols.socket_v1._connection import Connection
from wireproof.protocols.socket_v1._link import MAIN, ServerLink
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Settings, Target
    from wireproof.protocols.socket_v1._place import Place

OWN_ID = "wireproof-"
"""Begins the ids of the suite's own requests: controls and probes."""

NO_SUCH_TOOL = "wireproof_no_such_tool"
"""A tool that no server has."""

CALLED_UNASKED = "conformance_context"
"""What is called where a tool is needed that takes no arguments and does nothing."""

LIMITED_TOOL = "conformance_limited"
"""The tool that has a deadline of its own."""

LIMITED_SECONDS = 0.5
"""That deadline: an answer may take as long, however little is waited otherwise."""

AUDIT_LOG = "audit.jsonl"
"""The file to which a server adds a line for each call (SOCK-A1)."""

OTHER_KINDS = frozenset({"log", "partial_text", "artifact"})
"""Events that no tool of the toolset emits; a server may add some of its own."""

MOST_FAILED_STARTS = 2
"""Starts that may fail one after the other before the server is given up."""


class SocketSession(ServerLink):
    """One server, over all its starts.

    Attributes:
        tools: The descriptors that ``list_tools`` gave, by name.
        sent: What the check in hand sent on its usual connection, fences aside.
        single: Whether it used only that connection.
        cut: Whether any of it was sent in pieces.
        ended_as_wanted: Whether the server has ended because a step asked for it.
        line_offsets: Where the lines of the check in hand begin, by the file's name.
    """

    stale_after_failure = False

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The server's command, or the path of its socket.
            settings: The user's options.
            setup: The data of ``socket_v1/setup.json``.
        """
        super().__init__(target, settings)
        self.tools: dict[str, Any] = {}
        self.sent: list[bytes] = []
        self.single = True
        self.cut = False
        self.ended_as_wanted = False
        self.line_offsets: dict[str, int] = {}
        self._setup = setup
        self._control: Mapping[str, Any] | None = None
        self._given_up: NotUp | None = None
        self._failed_starts = 0
        self._serial = 0
        self._name = MAIN
        self._left_out: set[str] = set()
        self._up = False

    # --- the life of a check

    @property
    def controlled(self) -> bool:
        """Whether a plain valid request was ever answered with success."""
        return self._control is not None

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the calls of the check in hand, the suite's own aside."""
        return frozenset(
            key
            for books in self.books
            for key in books.asked
            if not key.startswith(OWN_ID)
        )

    @property
    def allowed_tool(self) -> str | None:
        """A tool that is listed and that may be called without arguments."""
        allowed = (*self._settings.of(SocketSettings).allowed_tools, CALLED_UNASKED)
        return next((name for name in allowed if name in self.tools), None)

    def place(self) -> Place:
        """Return where the server lives; what ``$use`` may name is known then."""
        found = super().place()
        if (tool := self.allowed_tool) is not None:
            self.names["allowed_tool"] = tool
        return found

    def begin(self) -> None:
        """Begin a check: its own transcript and connections, nothing left of others."""
        self.close_connections()
        self.transcript = Transcript(time.monotonic())
        self._past.clear()
        self._deviations.clear()
        self._delay = 0.0
        self._name = MAIN
        self._left_out.clear()
        self.names.clear()
        self.sent = []
        self.single = True
        self.cut = False
        self.ended_as_wanted = False
        self.count_lines_from_here()

    def count_lines_from_here(self) -> None:
        """Leave out of account what stands in the server's files already."""
        if self._place is not None:
            self.place()
        self.line_offsets.clear()
        home = self.names.get("home")
        if home and (path := Path(home, AUDIT_LOG)).exists():
            self.line_offsets[AUDIT_LOG] = path.stat().st_size

    def ensure_up(self) -> NotUp | None:
        """Launch or reach the server if it does not serve; return why it does not."""
        if self._given_up is not None:
            return self._given_up
        if self.launched:
            self.pump(0)
            process = self.process
            if process is not None and process.exit_status is None:
                self.place()
                return None
        elif self._up:
            self.place()
            return None
        return self._start()

    def _start(self) -> NotUp | None:
        self.discard()
        not_up = self.launch() if self.launched else self._reach()
        if not_up is None:
            not_up = self._look_for_control()
        if not_up is None:
            self._failed_starts = 0
            self._up = True
            self.drop(MAIN)
            return None
        self._failed_starts += 1
        not_up = NotUp(not_up.text, (*self.deviations, *not_up.deviations))
        if self._failed_starts >= MOST_FAILED_STARTS or not self.controlled:
            self._given_up = not_up
        return not_up

    def _reach(self) -> NotUp | None:
        self.starts += 1
        self.checks_served = 0
        found = self.connection(MAIN)
        return NotUp(found.text) if isinstance(found, Missing) else None

    def discard(self) -> None:
        """End a launched server at once, or look anew at one that was running."""
        self._up = False
        super().discard()

    def _look_for_control(self) -> NotUp | None:
        self._name = MAIN
        text = "it answered no plain valid request with success"
        controls = [self._control] if self._control else self._setup["controls"]
        for control in controls:
            answer = self.ask(control)
            if isinstance(answer, Missing):
                return NotUp(f"no answer to {control['type']}: {answer.text}")
            if not _succeeded(answer):
                continue
            if answer.kind == "tools_list":
                self.tools = _by_name(answer.value["tools"])
            if self._control is None and self._answers_all_alike(answer):
                return NotUp("it gives the same answer to everything")
            self._control = control
            return None
        return NotUp(text)

    def _answers_all_alike(self, answer: Arrival) -> bool:
        """Tell whether what a server is asked makes no difference to its answer."""
        other = self.ask({"type": "tool_call", "protocol": 1, "toolName": NO_SUCH_TOOL})
        if isinstance(other, Arrival):
            return other.kind == answer.kind
        waiting = (frame for books in self.books for frame in books.frames)
        return any(not one.taken and one.kind == answer.kind for one in waiting)

    # --- requests of the suite's own

    def ask(self, request: Mapping[str, Any]) -> Arrival | Missing:
        """Send one request on the connection in hand and wait for its final frame.

        Args:
            request: The message; a call gets an id of the suite's own.
        """
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        message: dict[str, Any] = dict(request)
        key = None
        if message["type"] == "tool_call":
            self._serial += 1
            key = message["requestId"] = f"{OWN_ID}{self._serial}"
        books = connection.books
        before = len(books.frames)
        self.transmit(connection, encode(message), None)

        def look() -> Arrival | None:
            for frame in books.frames[before:]:
                fits = frame.kind == "tools_list" if key is None else frame.key == key
                if fits and not frame.taken and frame.kind != "tool_event":
                    frame.taken = True
                    return frame
            return None

        return self._await(connection, look)

    def events_of_last(self) -> list[Any]:
        """Return the events of the suite's latest call."""
        key = f"{OWN_ID}{self._serial}"
        return [
            frame.value.get("event")
            for books in self.books
            for frame in books.frames
            if frame.kind == "tool_event"
            and frame.key == key
            and not _is_the_servers_own(frame, None)
        ]

    # --- the peer's side of steps

    def turn_to(self, connection: str | None) -> bool:
        """Take the connection on which the next step is carried out."""
        self._name = connection or MAIN
        self.single &= self._name == MAIN
        return self._name not in self._left_out

    def take_closing(self) -> None:
        """Leave out what else the steps do on the connection in hand."""
        self._left_out.add(self._name)

    def take_refusal(self) -> None:
        """See whether the server closes the connection on which it refused a frame."""
        missing = self.fence()
        gone = (MissingCause.CLOSED, MissingCause.EXITED)
        if missing is not None and missing.cause in gone:
            self.take_closing()

    def current(self) -> Connection | Missing:
        """Return the connection in hand, opening it where it is new."""
        return self.connection(self._name)

    def deliver(self, data: bytes, cut: Cut) -> None:
        """Send bytes as one write, or in pieces."""
        self.sent.append(data)
        self.cut |= cut is not None
        if f'"{LIMITED_TOOL}"'.encode() in data:
            self._delay += LIMITED_SECONDS
        connection = self.current()
        if isinstance(connection, Connection):
            self.transmit(connection, data, cut)

    def declare_delay(self, seconds: float) -> None:
        """Take note of time that tools were asked to take."""
        self._delay += seconds

    def declare_frames(self, count: int) -> None:
        """Take note that so many frames are to come, perhaps all at the end."""
        self._delay += count * max(self.patience.quickest, 0.001)

    def await_frame(self, pattern: Any) -> Arrival | Missing:
        """Wait for the next frame that the pattern may be held to."""
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        books = connection.books
        fits = self._wanted(pattern, books)

        def look() -> Arrival | None:
            waiting = [
                frame
                for frame in books.frames
                if not frame.taken and not _is_the_servers_own(frame, pattern)
            ]
            found = next(filter(fits, waiting), None)
            if found is None and not any(books.open.values()):
                # Nothing else is owed: it answers what was expected, in its own way.
                found = next((one for one in waiting if _is_stray(one, books)), None)
            if found is not None:
                found.taken = True
            return found

        return self._await(connection, look)

    def _wanted(self, pattern: Any, books: Books) -> Callable[[Arrival], bool]:
        """Return what tells the frames that a pattern may be held to.

        They are those under its ``requestId``, or under its ``type`` where it has none;
        where the id is one of several, an ``error`` without one will do as well.
        """
        key = pattern.get("requestId") if is_object(pattern) else None
        kind = pattern.get("type") if is_object(pattern) else None
        keys: list[Any] = [key]
        if is_object(key):
            choices = key.get("$one_of")
            keys = choices if is_array(choices) else [expand(key, self.names)]
        texts = {one for one in keys if isinstance(one, str)}
        if not texts:
            return lambda frame: frame.kind == kind and not _is_ours(frame, books)
        errors = is_object(key) and "$one_of" in key

        def fits(frame: Arrival) -> bool:
            if frame.key in texts:
                return True
            return errors and frame.kind == "error" and not _is_ours(frame, books)

        return fits

    def fence(self) -> Missing | None:
        """Send the control again and wait for its success."""
        if self._control is None:
            return Missing(MissingCause.REFUSED, "no plain valid request succeeds")
        asked = time.monotonic()
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        busy = bool(connection.books.open) or self._delay > 0
        answer = self.ask(self._control)
        if isinstance(answer, Missing):
            return answer
        if not _succeeded(answer):
            return Missing(MissingCause.REFUSED, "it was answered without success")
        if not busy and not connection.books.size >> 16:
            self.patience.measured(time.monotonic() - asked)
        return None

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove that each connection lives that should; a new one where none does."""
        if self.ended_as_wanted:
            return None
        alive = [
            one.name
            for one in self.connections
            if one.open and not one.write_closed and one.name not in self._left_out
        ]
        for name in alive or [f"{OWN_ID}last"]:
            self._name = name
            if (missing := self.fence()) is not None:
                return missing
        return None

    def strays(self) -> Sequence[Arrival]:
        """Return the frames on the connection in hand that no step has taken."""
        connection = self.current()
        if isinstance(connection, Missing):
            return ()
        found = [
            frame
            for frame in connection.books.frames
            if not frame.taken and not _is_the_servers_own(frame, None)
        ]
        for frame in found:
            frame.taken = True
        return found

    def answer_rank(self, key: str) -> int | None:
        """Return the place of a call's final frame among all frames."""
        return next((frame.rank for frame in self._finals(key)), None)

    def answered_at(self, key: str) -> float | None:
        """Return when the final frame of a call came."""
        return next((frame.time for frame in self._finals(key)), None)

    def first_event_at(self, key: str) -> float | None:
        """Return when the first event of a call came."""
        events = (
            frame.time
            for books in self.books
            for frame in books.frames
            if frame.kind == "tool_event" and frame.key == key
        )
        return next(events, None)

    def _finals(self, key: str) -> list[Arrival]:
        return [
            frame
            for books in self.books
            for frame in books.frames
            if frame.key == key and frame.kind != "tool_event"
        ]

    def close_input(self) -> None:
        """Shut down the write side of the connection in hand."""
        connection = self.current()
        if isinstance(connection, Connection):
            connection.shut_down_writing()

    def await_exit(self, within: float) -> int | Missing:
        """Wait for the launched server to exit by itself."""
        process = self.process
        if process is None:
            return Missing(MissingCause.EXITED, "it was not launched by the suite")
        allowed = self.patience.clause_limit(within)
        status = self.wait_for(lambda: process.exit_status, allowed)
        if status is None:
            self.patience.wasted += allowed
            self.discard()
            return Missing(MissingCause.TIMEOUT, f"still running after {allowed:.1f} s")
        return status

    def restart(self) -> Missing | None:
        """Start the server anew in the same place; all connections are gone."""
        self.close_connections()
        self.end_process()
        self.ended_as_wanted = False
        self._left_out.clear()
        if (not_up := self.launch()) is None:
            return None
        return Missing(MissingCause.EXITED, not_up.text)

    # --- waiting

    def _await(
        self, connection: Connection, look: Callable[[], Arrival | None]
    ) -> Arrival | Missing:
        allowed = self.patience.allowance(
            clause_seconds=self._delay,
            size=sum(books.size for books in self.books),
            messages=sum(books.lines for books in self.books),
        )

        limit = time.monotonic() + allowed
        while True:
            if (found := look()) is not None:
                return found
            if (missing := self.why_not(connection)) is not None:
                # The end of the stream may have brought it.
                return look() or missing
            left = limit - time.monotonic()
            if left <= 0:
                self.patience.wasted += allowed
                text = f"no answer within {allowed:.1f} s"
                return Missing(MissingCause.TIMEOUT, text)
            self.pump(left)

    def wait_seconds(self, seconds: float) -> float:
        """Return a limit of a clause, widened by the latency that was measured."""
        return self.patience.clause_limit(seconds)

    def matches(self, pattern: Any, value: Any) -> bool:
        """Tell whether a value matches, and keep what the pattern saves."""
        return match(pattern, value, self.names, self.names) is None


def _is_the_servers_own(frame: Arrival, pattern: Any) -> bool:
    """Tell whether a frame is an event that a server may send beside those of a tool.

    The tools of the toolset emit ``progress`` only (SOCK-C1, SOCK-E1).
    """
    event = frame.value.get("event") if frame.kind == "tool_event" else None
    kind = event.get("kind") if is_object(event) else None
    if kind not in OTHER_KINDS:
        return False
    wanted = pattern.get("event") if is_object(pattern) else None
    return not (is_object(wanted) and wanted.get("kind") == kind)


def _is_ours(frame: Arrival, books: Books) -> bool:
    """Tell whether a frame has the id of some line that was written here."""
    return frame.key is not None and (
        frame.key in books.asked or frame.key in books.bad_ids
    )


def _is_stray(frame: Arrival, books: Books) -> bool:
    """Tell whether a frame is an answer that names none of our requests."""
    return frame.kind != "tools_list" and (
        not _is_ours(frame, books) or frame.key in books.bad_ids
    )


def _succeeded(answer: Arrival) -> bool:
    if answer.kind == "tools_list":
        return is_array(answer.value.get("tools"))
    result = answer.value.get("result") if is_object(answer.value) else None
    return is_object(result) and result.get("ok") is True


def _by_name(tools: list[Any]) -> dict[str, Any]:
    return {
        tool["name"]: tool
        for tool in tools
        if is_object(tool) and isinstance(tool.get("name"), str)
    }
