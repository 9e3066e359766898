"""A server under test: brought up, spoken to in steps on connections of their own.

Theory of operation. A server is launched, or the one that runs is reached, and asked
for a control. Each check has connections of its own, opened when a step first names
them and closed at its end, so that nothing of one check can come in another. A fence
goes out on the connection in hand; its answer orders that connection's stream.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation
from wireproof.line import OWN_ID, Cut, Missing, MissingCause, NotUp, SessionEvent
from wireproof.patterns import match
from wireproof.protocols.socket_v1._connection import (
    Connection,
    is_gone,
    try_connect,
)
from wireproof.protocols.socket_v1._control import find_control
from wireproof.protocols.socket_v1._fences import SocketFences
from wireproof.protocols.socket_v1._frames import (
    fits,
    is_for_another,
    is_stray,
    is_the_servers_own,
)
from wireproof.protocols.socket_v1._transport import MAIN
from wireproof.subjects import peer_pid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from wireproof.checks import Settings, Target
    from wireproof.protocols.socket_v1._ledger import SocketArrival
    from wireproof.protocols.socket_v1._place import Place
    from wireproof.subjects import SubjectProcess

LIMITED_TOOL = "conformance_limited"
"""The tool that has a deadline of its own."""

UNREAD_SECONDS = 1.0
"""How long an answer is waited for that is left unread."""

LIMITED_SECONDS = 0.5
"""That deadline: an answer may take as long, however little is waited otherwise."""


class SocketSession(SocketFences):
    """One server, over all its starts.

    Attributes:
        single: Whether the check in hand used only its usual connection.
        told_to_end: Whether a step of the check in hand told the server to end.
        started_over: Whether the check in hand ended or doubled the server.
        ended_as_wanted: Whether the server has ended because a step asked for it.
        vain_polls: How often a poll was in vain, by the tool that it asks.
        line_offsets: Where the lines of the check in hand begin, by the file.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet."""
        super().__init__(target, settings, setup)
        self.single = True
        self.told_to_end = False
        self.ended_as_wanted = False
        self.vain_polls = Counter[str]()
        self.line_offsets: dict[Path, int] = {}
        self._left_out: set[str] = set()
        self._takes_others = False
        self._owes_some = False
        self.started_over = False
        self._replaced_here = False

    def reach_with(self, other: SocketSession) -> None:
        """Take over what another session knows of the server, before the first check.

        Args:
            other: A session that is up, and reaches the same server.
        """
        self._control = other._control
        self._takes_others = other._takes_others
        self.tools = other.tools
        self.lists_slowly = other.lists_slowly

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

    def place(self) -> Place:
        """Return where the server lives; what ``$use`` may name is known then."""
        found = super().place()
        if (tool := self.allowed_tool) is not None:
            self.names["allowed_tool"] = tool
        return found

    def begin(self) -> None:
        """Begin a check: its own transcript and connections, nothing left of others."""
        self._out_of_reach = False
        self._connections.begin(linger=self.unfenced)
        if self._owes_some and not self.patience.shortened:
            # What was spared while a failure was made smaller serves nothing else.
            self.discard()
        super().begin()
        self._prompts.clear()
        self._held_in_check = 0
        self._deviations.clear()
        self._name = MAIN
        self._left_out.clear()
        self.single = True
        self.told_to_end = False
        self.ended_as_wanted = False
        self.started_over = False
        if self._place is not None:
            self._place.close_stand_in()
        self.count_lines_from_here()

    def count_lines_from_here(self) -> None:
        """Leave out of account what stands in the server's files already."""
        self.line_offsets.clear()
        if self._place is not None:
            for path in self.place().audit_logs():
                self.line_offsets[path] = path.stat().st_size

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
        replaced = self._replaced_here and self._is_usable()
        return replaced and is_gone(self.place().socket)

    def _end(self) -> None:
        super()._end()
        self.started_over = self._replaced_here = self._owes_some = False

    def _bring_up(self) -> NotUp | None:
        before = len(self._deviations)
        self._name = MAIN
        control = find_control(self, self._setup["controls"], self._control)
        for place, found in enumerate(self._deviations[before:], before):
            # SOCK-M1: what it answers here was asked for, and not by a check.
            if found.clause == "SOCK-M1":
                self._deviations[place] = replace(found, about=OWN_ID)
        if isinstance(control, NotUp):
            return control
        self._control = control
        self.drop(MAIN)
        if not self._takes_others and (missing := self.fence()) is not None:
            # What came on the first connection stands; nothing else can be tried.
            text = f"it served its first connection and no other: {missing.text}"
            fault = Deviation("SOCK-C12", "must", text, hides=True)
            return NotUp(text, (fault,))
        self._takes_others = True
        self.drop(MAIN)
        return None

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
        fit = fits(pattern, ledger, self.names)

        def look() -> SocketArrival | None:
            untaken = (frame for frame in ledger.frames if not frame.taken)
            fitting = filter(fit, untaken)
            found = next(
                (one for one in fitting if not is_the_servers_own(one, pattern)), None
            )
            if found is None and not ledger.owes_frames:
                # Nothing else is owed: it answers what was expected, in its own way.
                strays = (
                    one
                    for one in ledger.frames
                    if not one.taken
                    and not is_the_servers_own(one, pattern)
                    and is_stray(one, ledger)
                    and not is_for_another(one, pattern, ledger, self.names)
                )
                found = next(strays, None)
            if found is not None:
                found.taken = True
            return found

        return self._await(look)

    def refuses_a_line(self, arrival: SocketArrival) -> bool:
        """Tell whether a frame says that a line is none of the protocol's requests."""
        return arrival.kind == "error"

    def _owes_nothing(self) -> bool:
        return (
            self.single
            and not self.started_over
            and not any(
                any(ledger.open.values()) or ledger.lists_owed > 0
                for ledger in self.ledgers
            )
        )

    def final_fence(self, *, input_closed: bool) -> Missing | None:
        """Prove that each connection lives that should; a new one where none does."""
        if self.ended_as_wanted:
            return None
        alive = [
            one.name
            for one in self.connections
            if one.open and not one.write_closed and one.name not in self._left_out
        ]
        missing = self.fence_each(alive)
        if missing is not None or (alive and not self.started_over):
            return missing
        # What was open before says nothing about who is served from now on.
        return self.fence_anew()

    def lives_on(self) -> bool:
        """Tell whether it serves a new connection, whatever it owes on others.

        One whose tools may still be at work is not spoken of: they may disturb others.
        """
        spoilt = self._is_at_work or self.told_to_end or self.started_over
        if spoilt or not self._is_usable() or self.fence_anew() is not None:
            return False
        self._owes_some = self.patience.shortened
        return True

    def strays(self) -> Sequence[SocketArrival]:
        """Return the frames on the connection in hand that no step has taken."""
        connection = self.current()
        if isinstance(connection, Missing):
            return ()
        self._take_prompted()
        found = [
            frame
            for frame in connection.ledger.frames
            if not frame.taken and not is_the_servers_own(frame, None)
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
        return next((e for e in events if not is_the_servers_own(e, None)), None)

    def asked_at(self, key: str) -> float | None:
        """Return when a call was sent, or None."""
        moments = (ledger.asked_at.get(key) for ledger in self.ledgers)
        return next((one for one in moments if one is not None), None)

    def drop_unread(self, name: str) -> None:
        """Close a connection while something that has come on it is not read.

        Args:
            name: Its name. A plain request is sent on it, which the server answers.
        """
        before, self._name = self._name, name
        connection = self.current()
        if isinstance(connection, Connection) and self._control is not None:
            self.put(self._control)
            connection.await_unread(self.wait_seconds(UNREAD_SECONDS))
        self.drop(name)
        self._name = before

    def close_input(self) -> None:
        """Shut down the write side of the connection in hand."""
        connection = self.current()
        if isinstance(connection, Connection):
            self.trace(f"the connection {connection.name} was closed for writing")
            connection.shut_down_writing()

    def restart(self) -> Missing | None:
        """Start the server anew in the same place; all connections are gone."""
        self.trace("it was started again in the same place")
        self._connections.drop_all()
        self.end_process()
        self._happened(SessionEvent.ENDED)
        self.told_to_end = False
        self.ended_as_wanted = False
        self._left_out.clear()
        self._replaced_here = True
        if (not_up := self.launch_unasked()) is not None:
            return Missing(MissingCause.EXITED, not_up.text)
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
        self._out_of_reach = False
        self.started_over = self._replaced_here = True
        return self.start_process(self.place())

    def start_neighbour(self) -> tuple[SubjectProcess, str]:
        """Start a server on another path, with the same home; return it and the path.

        Raises:
            SubjectStartError: If the system cannot start it.
        """
        self.started_over = True
        place = self.place().beside()
        return self.start_process(place), place.socket

    def reaches_another(self) -> bool:
        """Tell whether another process listens at the socket than did at the start.

        Where the system does not say who listens it is not known, and False.
        """
        found = try_connect(self.place().socket)
        if isinstance(found, OSError):
            return False
        with found:
            return self._pid != (peer_pid(found) or self._pid)

    def matches(self, pattern: Any, value: Any) -> bool:
        """Tell whether a value matches, and keep what the pattern saves."""
        return match(pattern, value, self.names, self.names) is None
