"""A server under test: brought up, spoken to in steps on connections of their own.

Theory of operation. A server is launched, or the one that runs is reached, and asked
for a control. Each check has connections of its own, opened when a step first names
them and closed at its end, so that nothing of one check can come in another. A fence
goes out on the connection in hand; its answer orders that connection's stream.
"""

from __future__ import annotations

import errno
import socket
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from wireproof.checks import Deviation
from wireproof.line import (
    OWN_ID,
    Cut,
    Missing,
    MissingCause,
    NotUp,
    SessionEvent,
    SessionState,
)
from wireproof.patterns import expand, is_array, is_object, match
from wireproof.protocols.socket_v1._connection import Connection, try_connect
from wireproof.protocols.socket_v1._ledger import SocketArrival, SocketLedger
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.protocols.socket_v1._transport import MAIN, SocketTransport
from wireproof.subjects import Patience
from wireproof_reference.framing import JsonError, encode, loads

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from wireproof.checks import Settings, Target
    from wireproof.protocols.socket_v1._place import Place
    from wireproof.subjects import SubjectProcess

    Look: TypeAlias = Callable[[], SocketArrival | None]

NO_SUCH_TOOL = "wireproof_no_such_tool"
"""A tool that no server has."""

CALLED_UNASKED = "conformance_context"
"""What is called where a tool is needed that takes no arguments and does nothing."""

LIMITED_TOOL = "conformance_limited"
"""The tool that has a deadline of its own."""

BUDGET_SECONDS = 10.0
"""What a run may spend on answers that never came: two are waited for in full, for a
whole run of a server that answers takes no more than twenty seconds."""

LIMITED_SECONDS = 0.5
"""That deadline: an answer may take as long, however little is waited otherwise."""

PROVEN_SILENT = 2
"""Requests left unanswered by a server that answers others, after which waits are
brief."""

BRIEF_SECONDS = 0.2
"""How long such a server is waited for before it is asked for something else."""

ASKED_AFTER_SECONDS = 1.0
"""How long it may take to answer that."""

BRIEF_BYTES = 32
"""It gets this much less time for each MiB: what is asked next is read after all of it.
"""

MOST_DEAF = 3
"""Questions after another that a server may leave unanswered too before none is asked:
it hears nobody while it is waited for."""

SLOW_CONTROL_SECONDS = 0.2
"""Latency of a control from which on another one is looked for: it is asked for at the
end of each check."""

GONE = frozenset({errno.ENOENT, errno.ECONNREFUSED})
"""Why nobody can be reached where a socket was."""

CONFIG = "config.json"
"""The file in a server's home that names its socket and its data (SOCK-D1)."""

AUDIT_LOG = "audit.jsonl"
"""The file to which a server adds a line for each call (SOCK-A1)."""

OTHER_KINDS = frozenset({"log", "partial_text", "artifact"})
"""Events that no tool of the toolset emits; a server may add some of its own."""


class SocketSession(SocketTransport):
    """One server, over all its starts.

    Attributes:
        single: Whether the check in hand used only its usual connection.
        told_to_end: Whether a step of the check in hand told the server to end.
        started_over: Whether the check in hand ended or doubled the server.
        ended_as_wanted: Whether the server has ended because a step asked for it.
        line_offsets: Where the lines of the check in hand begin, by the file.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            target: The server's command, or the path of its socket.
            settings: The user's options.
            setup: The data of ``socket_v1/setup.json``.
        """
        super().__init__(target, settings, setup)
        self.patience = Patience(settings.timeout, budget=BUDGET_SECONDS)
        self.single = True
        self.told_to_end = False
        self.ended_as_wanted = False
        self.line_offsets: dict[Path, int] = {}
        self._name = MAIN
        self._left_out: set[str] = set()
        self._takes_others = False
        self._owes_some = False
        self._silences = 0
        self._deaf = 0
        self.started_over = False
        self._replaced_here = False
        self._stand_in: socket.socket | None = None

    # --- the life of a check

    @property
    def stale_after_failure(self) -> bool:
        """Whether the check in hand told the server to end, which it may do any time.

        Anything else ends with the connections, which each check has of its own.
        """
        return self.told_to_end

    @property
    def asked(self) -> frozenset[str]:
        """The ids of the calls of the check in hand, the suite's own aside."""
        return frozenset(
            key
            for ledger in self.ledgers
            for key in ledger.asked
            if not key.startswith(OWN_ID)
        )

    @property
    def allowed_tool(self) -> str | None:
        """A tool that is listed and that may be called without arguments."""
        # Where the user names some, no other is called in their place unsaid.
        named = self._settings.of(SocketSettings).allowed_tools
        allowed = named or (CALLED_UNASKED,)
        return next((name for name in allowed if name in self.tools), None)

    def place(self) -> Place:
        """Return where the server lives; what ``$use`` may name is known then."""
        found = super().place()
        if (tool := self.allowed_tool) is not None:
            self.names["allowed_tool"] = tool
        return found

    def begin(self) -> None:
        """Begin a check: its own transcript and connections, nothing left of others."""
        self.close_lingering()
        if self.unfenced:
            self.let_linger()
        self.close_connections()
        if self._owes_some and not self.patience.shortened:
            # What was spared while a failure was made smaller serves nothing else.
            self.discard()
        super().begin()
        self._past.clear()
        self._deviations.clear()
        self._name = MAIN
        self._left_out.clear()
        self.single = True
        self.told_to_end = False
        self.ended_as_wanted = False
        self.started_over = False
        if self._stand_in is not None:
            self._stand_in.close()
            self._stand_in = None
        self.count_lines_from_here()

    def count_lines_from_here(self) -> None:
        """Leave out of account what stands in the server's files already."""
        if self._place is not None:
            self.place()
        self.line_offsets.clear()
        for path in self.audit_logs():
            self.line_offsets[path] = path.stat().st_size

    def audit_logs(self) -> list[Path]:
        """Return the server's logs, in its home or where that says (SOCK-A1)."""
        home = self.names.get("home")
        if not home:
            return []
        folders = [Path(home)]
        with suppress(JsonError, OSError):
            config = loads(Path(home, CONFIG).read_bytes())
            named = config.get("userDataPath") if is_object(config) else None
            if isinstance(named, str):
                folders.append(Path(home, named))
        logs = dict.fromkeys(folder / AUDIT_LOG for folder in folders)
        return [path for path in logs if path.is_file()]

    def ensure_up(self) -> NotUp | None:
        """See to it that the server serves; return why where it does not."""
        if self._is_forsaken():
            # It is not the check in hand that led to this: it gets another server.
            text = "a server that was started again lives and serves no new connection"
            self.note(Deviation("SOCK-D3", "should", text))
            self.discard()
        not_up = super().ensure_up()
        if not_up is None:
            # What steps may name is known from here on.
            self.place()
        return not_up

    def _is_usable(self) -> bool:
        if not self.launched:
            return True
        self.pump(0)
        process = self.process
        return process is not None and process.exit_status is None

    def _is_forsaken(self) -> bool:
        """Tell whether a socket that was started over has gone while its server lives.

        Its own clean-up may have removed it, long after the check that restarted it.
        """
        if not (self._replaced_here and self._is_usable()):
            return False
        found = try_connect(self.place().socket)
        if isinstance(found, OSError):
            return found.errno in GONE
        found.close()
        return False

    def _end(self) -> None:
        super()._end()
        self.started_over = self._replaced_here = self._owes_some = False

    def _bring_up(self) -> NotUp | None:
        before = len(self._deviations)
        not_up = self._look_for_control()
        for place, found in enumerate(self._deviations[before:], before):
            # SOCK-M1: what it answers here was asked for, and not by a check.
            if found.clause == "SOCK-M1":
                self._deviations[place] = replace(found, about=OWN_ID)
        if not_up is not None:
            return not_up
        self.drop(MAIN)
        if not self._takes_others and (missing := self.fence()) is not None:
            # What came on the first connection stands; nothing else can be tried.
            text = f"it served its first connection and no other: {missing.text}"
            fault = Deviation("SOCK-C12", "must", text, hides=True)
            return NotUp(text, (fault,))
        self._takes_others = True
        self.drop(MAIN)
        return None

    def _look_for_control(self) -> NotUp | None:
        self._name = MAIN
        text = "it answered no plain valid request with success"
        controls = [self._control] if self._control else self._setup["controls"]
        for control in controls:
            asked = time.monotonic()
            answer = self._ask_first(control)
            seconds = time.monotonic() - asked
            if isinstance(answer, Missing):
                text = f"no answer to {control['type']}: {answer.text}"
                return NotUp(text, ended=answer.ended)
            if not _succeeded(answer):
                continue
            if answer.kind == "tools_list":
                self.tools = _by_name(answer.value["tools"])
            if self._control is None and self._answers_all_alike(answer):
                return NotUp("it gives the same answer to everything")
            slow = self._control is None and seconds > SLOW_CONTROL_SECONDS
            self._control = (self._quicker(seconds) if slow else None) or control
            return None
        return NotUp(text)

    def _ask_first(self, control: Mapping[str, Any]) -> SocketArrival | Missing:
        """Ask for a control; one that was just started may come up all that time."""
        look = self.put(control)
        if isinstance(look, Missing):
            return look
        left = self._start_limit - time.monotonic()
        return self._look_until(look, max(left, self.patience.allowance()))

    def _quicker(self, seconds: float) -> Mapping[str, Any] | None:
        """Return a control that is answered in much less time, or None."""
        called = {"type": "tool_call", "protocol": 1, "toolName": self.allowed_tool}
        choices: list[Mapping[str, Any]] = [*self._setup["controls"], called]
        for control in choices:
            # The first request of all may have taken longer than any later one.
            if control.get("toolName") in (*self.tools, None):
                asked = time.monotonic()
                answer = self.ask(control)
                quick = time.monotonic() - asked < seconds / 2
                if quick and isinstance(answer, SocketArrival) and _succeeded(answer):
                    return control
        return None

    def _answers_all_alike(self, answer: SocketArrival) -> bool:
        """Tell whether what a server is asked makes no difference to its answer."""
        other = self.ask({"type": "tool_call", "protocol": 1, "toolName": NO_SUCH_TOOL})
        if isinstance(other, SocketArrival):
            # Where the listing fails, both are results; that of no tool is a failure.
            return other.kind == answer.kind and _succeeded(other)
        waiting = (frame for ledger in self.ledgers for frame in ledger.frames)
        return any(not one.taken and one.kind == answer.kind for one in waiting)

    # --- requests of the suite's own

    def ask(self, request: Mapping[str, Any]) -> SocketArrival | Missing:
        """Send one request on the connection in hand and wait for its final frame.

        Args:
            request: The message; a call gets an id of the suite's own.
        """
        look = self.put(request)
        return look if isinstance(look, Missing) else self.wait_for_final(look)

    def wait_for_final(self, look: Look) -> SocketArrival | Missing:
        """Wait for the final frame of a request that ``put`` has sent."""
        return self._await(look)

    def put(self, request: Mapping[str, Any]) -> Look | Missing:
        """Send a request of the suite's own; return what looks for its final frame."""
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        message: dict[str, Any] = dict(request)
        key = None
        if message["type"] == "tool_call":
            self._serial += 1
            key = message["requestId"] = f"{OWN_ID}{self._serial}"
        ledger = connection.ledger
        before = len(ledger.frames)
        self.transmit(connection, encode(message), None)

        def look() -> SocketArrival | None:
            for frame in ledger.frames[before:]:
                fits = frame.kind == "tools_list" if key is None else frame.key == key
                if fits and not frame.taken and frame.kind != "tool_event":
                    frame.taken = True
                    return frame
            return None

        return look

    @property
    def last_id(self) -> str:
        """The id of the suite's latest call."""
        return f"{OWN_ID}{self._serial}"

    def events_of(self, key: str) -> list[Any]:
        """Return the events of a call that have come."""
        return [
            frame.value.get("event")
            for ledger in self.ledgers
            for frame in ledger.frames
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

    def _transmit_step(self, data: bytes, cut: Cut) -> None:
        if f'"{LIMITED_TOOL}"'.encode() in data:
            self._delay += LIMITED_SECONDS
        connection = self.current()
        if isinstance(connection, Connection):
            self.transmit(connection, data, cut)

    def await_frame(self, pattern: Any) -> SocketArrival | Missing:
        """Wait for the next frame that the pattern may be held to."""
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        ledger = connection.ledger
        fits = self._wanted(pattern, ledger)

        def look() -> SocketArrival | None:
            waiting = [
                frame
                for frame in ledger.frames
                if not frame.taken and not _is_the_servers_own(frame, pattern)
            ]
            found = next(filter(fits, waiting), None)
            if found is None and not ledger.owes_frames:
                # Nothing else is owed: it answers what was expected, in its own way.
                found = next((one for one in waiting if _is_stray(one, ledger)), None)
            if found is not None:
                found.taken = True
            return found

        return self._await(look)

    def _wanted(
        self, pattern: Any, ledger: SocketLedger
    ) -> Callable[[SocketArrival], bool]:
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
            return lambda frame: frame.kind == kind and not _is_ours(frame, ledger)
        errors = is_object(key) and "$one_of" in key

        def fits(frame: SocketArrival) -> bool:
            if frame.key in texts:
                return True
            return errors and frame.kind == "error" and not _is_ours(frame, ledger)

        return fits

    def _stream_mark(self) -> tuple[str, int]:
        connection = self.current()
        frames = [] if isinstance(connection, Missing) else connection.ledger.frames
        return self._name, frames[-1].rank if frames else -1

    def _owes_nothing(self) -> bool:
        return (
            self.single
            and not self.started_over
            and not any(
                any(ledger.open.values()) or ledger.lists_owed > 0
                for ledger in self.ledgers
            )
        )

    def _is_idle(self) -> bool:
        connection = self.current()
        if isinstance(connection, Missing):
            return False
        ledger = connection.ledger
        return not ledger.open and not self._delay and not ledger.size >> 16

    def _ask_control(self, control: Mapping[str, Any]) -> SocketArrival | Missing:
        return self.ask(control)

    def _succeeded(self, answer: SocketArrival) -> bool:
        return _succeeded(answer)

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove that each connection lives that should; a new one where none does."""
        if self.ended_as_wanted:
            return None
        alive = [
            one.name
            for one in self.connections
            if one.open and not one.write_closed and one.name not in self._left_out
        ]
        missing = self._fence_each(alive)
        if missing is not None or (alive and not self.started_over):
            return missing
        # What was open before says nothing about who is served from now on.
        return self.fence_anew()

    def _fence_each(self, names: Sequence[str]) -> Missing | None:
        if len(names) > 1 and self.is_slow:
            return self._fence_together(names)
        for self._name in names:
            if (missing := self.fence_unless_fenced()) is not None:
                return missing
        return None

    def lives_on(self) -> bool:
        """Tell whether it serves a new connection, whatever it owes on others.

        One whose tools may still be at work is not spoken of: they may disturb others.
        """
        spoilt = self._delay or self.told_to_end or self.started_over
        if spoilt or not self._is_usable() or self.fence_anew() is not None:
            return False
        self._owes_some = self.patience.shortened
        return True

    def fence_anew(self) -> Missing | None:
        """Prove that a new connection is served."""
        name, self._name = self._name, f"{OWN_ID}new"
        self.drop(self._name)
        try:
            return self.fence()
        finally:
            self.drop(f"{OWN_ID}new")
            self._name = name

    def _fence_together(self, names: Sequence[str]) -> Missing | None:
        """Send the control on several connections, then wait for all the answers."""
        if self._control is None:
            return Missing(MissingCause.REFUSED, "no plain valid request succeeds")
        looks: dict[str, Callable[[], SocketArrival | None]] = {}
        for self._name in names:
            look = self.put(self._control)
            if isinstance(look, Missing):
                return look
            looks[self._name] = look
        for self._name, look in looks.items():
            answer = self._await(look)
            if isinstance(answer, Missing):
                return answer
            if not _succeeded(answer):
                return Missing(MissingCause.REFUSED, "it was answered without success")
        return None

    def strays(self) -> Sequence[SocketArrival]:
        """Return the frames on the connection in hand that no step has taken."""
        connection = self.current()
        if isinstance(connection, Missing):
            return ()
        found = [
            frame
            for frame in connection.ledger.frames
            if not frame.taken and not _is_the_servers_own(frame, None)
        ]
        for frame in found:
            frame.taken = True
        return found

    def _final(self, key: str) -> SocketArrival | None:
        frames = (frame for ledger in self.ledgers for frame in ledger.frames)
        finals = (one for one in frames if one.key == key and one.kind != "tool_event")
        return next(finals, None)

    def _first_event(self, key: str) -> SocketArrival | None:
        frames = (frame for ledger in self.ledgers for frame in ledger.frames)
        events = (one for one in frames if one.key == key and one.kind == "tool_event")
        return next(events, None)

    def asked_at(self, key: str) -> float | None:
        """Return when a call was sent, or None."""
        moments = (ledger.asked_at.get(key) for ledger in self.ledgers)
        return next((one for one in moments if one is not None), None)

    def close_input(self) -> None:
        """Shut down the write side of the connection in hand."""
        connection = self.current()
        if isinstance(connection, Connection):
            connection.shut_down_writing()

    def restart(self) -> Missing | None:
        """Start the server anew in the same place; all connections are gone."""
        self.close_connections()
        self.end_process()
        self._happened(SessionEvent.ENDED)
        self.told_to_end = False
        self.ended_as_wanted = False
        self._left_out.clear()
        self._replaced_here = True
        if (not_up := self.launch()) is not None:
            self._happened(SessionEvent.FAILED)
            return Missing(MissingCause.EXITED, not_up.text)
        # Its control is known from the start before; the fence at the end asks for it.
        self._happened(SessionEvent.CONTROLLED)
        return None

    def end_process(self) -> None:
        """Kill the process and all that it started."""
        self.started_over = True
        super().end_process()

    def start_second(self) -> SubjectProcess:
        """Start a second server in the same place.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        self.started_over = self._replaced_here = True
        return self.start_process(self.place())

    def stand_in(self) -> None:
        """Put a socket of our own where the server's is."""
        path = self.place().socket
        Path(path).unlink(missing_ok=True)
        self._stand_in = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._stand_in.bind(path)
        self._stand_in.listen()

    def stand_in_stands(self) -> bool:
        """Tell whether nobody has removed it."""
        found = try_connect(self.place().socket)
        if isinstance(found, OSError):
            return False
        found.close()
        return True

    # --- waiting

    def _await(self, look: Look) -> SocketArrival | Missing:
        """Wait for a frame: in full, or briefly where a server is known to be silent.

        It is known to be where it has left a few requests unanswered and answered
        others that were sent later. From then on such a request is sent as soon as an
        answer does not come at once.
        """
        size = sum(ledger.size for ledger in self.ledgers)
        messages = sum(ledger.lines for ledger in self.ledgers)
        allowed = self.patience.allowance(
            clause_seconds=self._delay, size=size, messages=messages
        )
        brief = self.patience.clause_limit(BRIEF_SECONDS)
        brief += self.patience.work_seconds(self._delay, size // BRIEF_BYTES)
        if self._silences >= PROVEN_SILENT and brief < allowed:
            found = self._look_until(look, brief)
            if not _timed_out(found):
                return found
            if self._answers_another():
                text = f"{found.text}, and another request was answered"
                return look() or replace(found, text=text)
            allowed -= brief
        found = self._look_until(look, allowed)
        if _timed_out(found) and self._answers_another():
            self._silences += 1
            return look() or found
        return found

    def _answers_another(self) -> bool:
        """Tell whether a request is answered while another one is not.

        It is asked on the connection in hand, whose stream its answer orders, and where
        that is not answered either, on a new one.
        """
        if self._deaf >= MOST_DEAF or self.patience.shortened:
            return False
        if self._control is None or self.state is not SessionState.SERVING:
            return False
        if self._is_asked_here(self._control):
            self._deaf = 0
            return True
        if any(ledger.size >= 1 << 20 for ledger in self.ledgers):
            # It may still be at work on what is large; another connection tells
            # nothing of that.
            return False
        name, self._name = self._name, f"{OWN_ID}after"
        answered = self._is_asked_here(self._control)
        self.drop(self._name)
        self._name = name
        self._deaf = 0 if answered else self._deaf + 1
        return answered

    def _is_asked_here(self, control: Mapping[str, Any]) -> bool:
        """Ask for a control on the connection in hand; tell whether it is answered."""
        connection = self.current()
        if isinstance(connection, Missing) or not connection.takes_lines:
            return False
        ledger = connection.ledger
        look = self.put(control)
        limit = min(
            self.patience.clause_limit(ASKED_AFTER_SECONDS), self.patience.allowance()
        )
        if isinstance(look, Missing) or isinstance(
            self._look_until(look, limit, 0.0), Missing
        ):
            return False
        # Lists have no ids: the one that came may be the one that is waited for.
        brief = self.patience.clause_limit(BRIEF_SECONDS)
        self.wait_for(lambda: None if ledger.lists_owed > 0 else True, brief)
        return True

    def _why_missing(self) -> Missing | None:
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        return self.why_not(connection)

    def wait_seconds(self, seconds: float) -> float:
        """Return a limit of a clause, widened by the latency that was measured."""
        return self.patience.clause_limit(seconds)

    def matches(self, pattern: Any, value: Any) -> bool:
        """Tell whether a value matches, and keep what the pattern saves."""
        return match(pattern, value, self.names, self.names) is None


def _timed_out(found: SocketArrival | Missing) -> TypeGuard[Missing]:
    return isinstance(found, Missing) and found.cause is MissingCause.TIMEOUT


def _is_the_servers_own(frame: SocketArrival, pattern: Any) -> bool:
    """Tell whether a frame is an event that a server may send beside those of a tool.

    The tools of the toolset emit ``progress`` only (SOCK-C1, SOCK-E1).
    """
    event = frame.value.get("event") if frame.kind == "tool_event" else None
    kind = event.get("kind") if is_object(event) else None
    if kind not in OTHER_KINDS:
        return False
    wanted = pattern.get("event") if is_object(pattern) else None
    return not (is_object(wanted) and wanted.get("kind") == kind)


def _is_ours(frame: SocketArrival, ledger: SocketLedger) -> bool:
    """Tell whether a frame has the id of some line that was written here."""
    return frame.key is not None and (
        frame.key in ledger.asked or frame.key in ledger.bad_ids
    )


def _is_stray(frame: SocketArrival, ledger: SocketLedger) -> bool:
    """Tell whether a frame is an answer that names none of our requests."""
    return frame.kind != "tools_list" and (
        not _is_ours(frame, ledger) or frame.key in ledger.bad_ids
    )


def _succeeded(answer: SocketArrival) -> bool:
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
