"""Requests of the suite's own to a server, and how long answers are waited for.

Theory of operation. A request goes out on the connection in hand and is answered there.
A server that has left a few requests unanswered, and answered others that were sent
later, is waited for briefly: it is asked for something else as soon as an answer does
not come at once. A check that ended so is carried out again with waits in full
(``SocketSuite.attempt``), unless its clause is known to be left unanswered.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wireproof.line import (
    CUT_LETTERS,
    OWN_ID,
    Missing,
    MissingCause,
    Reads,
    SessionState,
    Tearing,
    in_letters,
    must,
    no_answer_within,
)
from wireproof.protocols.socket_v1._frames import (
    is_the_servers_own,
    may_hide_an_answer,
)
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.protocols.socket_v1._transport import MAIN, SocketTransport
from wireproof.subjects import (
    BRIEF_BYTES,
    KNOWN_LATENCIES,
    Patience,
)
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import TypeAlias

    from wireproof.checks import Settings, Target
    from wireproof.line import Cut
    from wireproof.protocols.socket_v1._connection import Connection
    from wireproof.protocols.socket_v1._ledger import SocketArrival

    Look: TypeAlias = Callable[[], SocketArrival | None]
    LookOrEnd: TypeAlias = Callable[[], SocketArrival | Missing | None]

CALLED_UNASKED = "conformance_context"
"""What is called where a tool is needed that takes no arguments and does nothing."""

BUDGET_SECONDS = 10.0
"""What a run may spend on answers that never came: two are waited for in full, for a
whole run of a server that answers takes no more than twenty seconds."""

PROVEN_SILENT = 2
"""Requests left unanswered by a server that answers others, after which waits are
brief."""

BRIEF_SECONDS = 0.2
"""How long such a server is waited for before it is asked for something else."""

MANY_TIMES = 10
"""Brief waits in vain after which it is waited for even more briefly."""

BRIEFEST_SECONDS = 0.05
"""How long it is waited for then at least; longer where it was slower lately."""

ASKED_AFTER_SECONDS = 1.0
"""How long it may take to answer that."""

PROVEN_HOLDING = 3
"""Answers that came only once another request was sent, after which one is sent soon: a
server that handles one frame of each read brings nothing by itself."""

MANY_FRAMES = 10
"""Frames of which a server may read a few at a time."""

PROVEN_HELD = 2
"""Answers that came only with the next request, in one check, that show it."""

PROMPT_SECONDS = 0.02
"""How soon."""

AT_ONCE_SECONDS = 0.002
"""How soon where it was seen to be such a server."""

ANSWERING_SECONDS = 2.0
"""How long the first answer is waited for once another frame has come."""

LARGE_SECONDS = 2.0
"""Seconds for the size of what was sent, from which on it is asked whether all of that
was read."""

MOST_DEAF = 3
"""Questions after another that a server may leave unanswered too before none is asked:
it hears nobody while it is waited for."""


LOST = Missing(MissingCause.LOST, "no answer: two frames are written into each other")


class SocketRequests(SocketTransport):
    """What the suite itself asks one server, over all its starts.

    Attributes:
        hasty: Whether a brief wait was in vain since it was last set to False.
        lists_slowly: Whether a listing takes much longer than other requests do.
    """

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet."""
        super().__init__(target, settings, setup)
        self.patience = Patience(settings.timeout, budget=BUDGET_SECONDS)
        self.lists_slowly: bool = False
        self._name = MAIN
        self._silences = 0
        self._in_vain = 0
        self._deaf = 0
        self._held_back = 0
        self._held_in_check = 0
        self._prompts: list[Look] = []
        self.hasty = False
        self._in_full = False
        self._takes_one: bool | None = None
        self.reads = Reads(self._answers_all, lambda: self.takes_one_of_a_read)
        self.tears = Tearing(self._comes_back_whole)

    @property
    def allowed_tool(self) -> str | None:
        """A tool that is listed and that may be called without arguments."""
        # Where the user names some, no other is called in their place unsaid.
        named = self._settings.of(SocketSettings).allowed_tools
        allowed = named or (CALLED_UNASKED,)
        return next((name for name in allowed if name in self.tools), None)

    def current(self) -> Connection | Missing:
        """Return the connection in hand, opening it where it is new."""
        return self.connection(self._name)

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
        looks = self._put_together([request])
        return looks if isinstance(looks, Missing) else looks[0]

    def _put_together(
        self, requests: Sequence[Mapping[str, Any]], cut: Cut = None
    ) -> Sequence[Look] | Missing:
        """Send requests of the suite's own as one write, as ``put`` sends one.

        Args:
            requests: What is sent.
            cut: Where all of it is cut; None for one piece.
        """
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        ledger = connection.ledger
        before = len(ledger.frames)

        def find(key: str | None) -> SocketArrival | None:
            for frame in ledger.frames[before:]:
                fits = frame.kind == "tools_list" if key is None else frame.key == key
                if fits and not frame.taken and frame.kind != "tool_event":
                    frame.taken = True
                    return frame
            return None

        data = b""
        looks: list[Look] = []
        for request in requests:
            message: dict[str, Any] = dict(request)
            key = None
            if message["type"] == "tool_call":
                key = message["requestId"] = self._own_id()
            data += encode(message)
            looks.append(partial(find, key))
        self.transmit(connection, data, cut, own=True)
        return looks

    def _answers_all(self, count: int, cut: Cut) -> bool:
        """Tell whether so many controls in one write are all answered."""
        control = self._control
        if control is None:
            return False
        with self._uncharged(), self._on_another("reads"):
            sent = self._put_together([control] * count, cut)
            allowed = self.patience.clause_limit(ASKED_AFTER_SECONDS)
            return not isinstance(sent, Missing) and not any(
                isinstance(self._look_until(one, allowed), Missing) for one in sent
            )

    @property
    def takes_one_of_a_read(self) -> bool:
        """Whether of several frames in one write it answers one until more comes.

        It is tried once, and only where a request was left unanswered by a server that
        answers others: two plain requests go out in one write on a new connection.
        """
        if self._takes_one is None and self._silences:
            # A busy machine holds an answer up now and then.
            self._takes_one = all(self._second_is_held() for _ in range(2))
        return self._takes_one is True

    def _second_is_held(self) -> bool:
        """Tell whether the second of two requests is answered with a third alone."""
        control = self._control
        if control is None:
            return False
        with self._on_another("two"):
            both = self._put_together([control, control])
            if isinstance(both, Missing):
                return False
            first, second = both
            allowed = self.patience.clause_limit(ASKED_AFTER_SECONDS)
            if isinstance(self._look_until(first, allowed), Missing):
                return False
            held = self._look_until(second, allowed)
            if not (isinstance(held, Missing) and held.timed_out):
                return False
            third = self.put(control)
            brought = self._look_until(second, allowed)
            return not isinstance(third, Missing) and not isinstance(brought, Missing)

    def _comes_back_whole(self) -> bool:
        """Tell whether an id comes back whole, each letter of which came in pieces."""
        key = self._own_id() + CUT_LETTERS
        data = encode(
            {"type": "tool_call", "protocol": 1, "requestId": key, "toolName": key}
        )
        with self._uncharged(), self._on_another("letters"):
            connection = self.current()
            if isinstance(connection, Missing):
                return False
            self.transmit(connection, data, in_letters(data), own=True)
            ledger = connection.ledger
            found = self._look_until(
                lambda: next((one for one in ledger.frames if one.key == key), None),
                self.patience.clause_limit(ASKED_AFTER_SECONDS),
            )
        return not isinstance(found, Missing)

    @contextmanager
    def _uncharged(self) -> Generator[None]:
        """Ask something by the way: what monitors see of it is no check's matter."""
        kept = list(self._deviations)
        try:
            yield
        finally:
            self._deviations[:] = kept

    @contextmanager
    def _on_another(self, name: str) -> Generator[None]:
        """Talk on a connection of the suite's own meanwhile, which is closed then."""
        former, self._name = self._name, f"{OWN_ID}{name}"
        self.drop(self._name)
        try:
            yield
        finally:
            self.drop(f"{OWN_ID}{name}")
            self._name = former

    def events_of(self, key: str) -> list[Any]:
        """Return the events of a call that have come."""
        return [
            frame.value.get("event")
            for ledger in self.ledgers
            for frame in ledger.frames
            if frame.kind == "tool_event"
            and frame.key == key
            and not is_the_servers_own(frame, None)
        ]

    def ask_first(self, control: Mapping[str, Any]) -> SocketArrival | Missing:
        """Ask for a control; one that was just started may come up all that time."""
        look = self.put(control)
        if isinstance(look, Missing):
            return look

        def look_or_broken() -> SocketArrival | None:
            frames = (frame for ledger in self.ledgers for frame in ledger.frames)
            return look() or next(filter(may_hide_an_answer, frames), None)

        left = self._start_limit - time.monotonic()
        usual = self.patience.allowance()
        found = self._look_until(look_or_broken, max(left, usual))
        if isinstance(found, Missing) or found.taken:
            return found
        # The time of a start is spent once: what writes a frame has come up. It is the
        # frame that came that is judged, no answer that did not.
        return self._look_until(look, min(usual, ANSWERING_SECONDS))

    # --- waiting

    def _await(self, look: Look) -> SocketArrival | Missing:
        """Wait for a frame, and take note of how long it took."""
        began, held_back = time.monotonic(), self._held_back
        found = self._wait_out(look)
        # What another request had to bring says nothing of how slow the server is, nor
        # does what comes late by a clause that was seen not to hold.
        is_measure = self._held_back == held_back and not self._rests_on_broken
        if is_measure and not isinstance(found, Missing):
            self._came_after(found.time - began)
        return found

    def _wait_out(self, look: Look) -> SocketArrival | Missing:
        """Wait for a frame: in full, or briefly where a server is known to be silent.

        It is known to be where it has left a few requests unanswered and answered
        others that were sent later. From then on such a request is sent as soon as an
        answer does not come at once.
        """
        allowed = self._allowance()
        look = _kept(look)
        size, _ = self._load()
        is_left_out = self._is_left_out
        least = BRIEFEST_SECONDS if self._in_vain >= MANY_TIMES else BRIEF_SECONDS
        brief = self.patience.brief(least, KNOWN_LATENCIES)
        if self._takes_one or is_left_out:
            # That is SOCK-F2's matter, whatever check it is missed in.
            brief = max(AT_ONCE_SECONDS, KNOWN_LATENCIES * self.patience.latency)
        brief += self.patience.work_seconds(self._delay, size // BRIEF_BYTES)
        if self._in_full:
            allowed = max(allowed, ASKED_AFTER_SECONDS + self._work_seconds())
        is_silent = self._silences >= PROVEN_SILENT or self._rests_on_broken
        is_silent |= is_left_out
        is_brief = is_silent and not self._in_full
        if is_brief and brief < allowed:
            prompted = self._held_back >= PROVEN_HOLDING
            at_once = min(PROMPT_SECONDS, brief) if prompted else brief
            began = time.monotonic()
            garbled = self._is_garbled(look, at_once)
            at_once = min(at_once, time.monotonic() - began)
            found = self._look_until(look, 0.0, charged=at_once, told=at_once)
            if not (isinstance(found, Missing) and found.timed_out):
                return found
            answered = self._answers_another(look)
            if (held := look()) is not None:
                self._held_back += 1
                return held
            if answered or is_left_out:
                # What decides is the brief wait, however soon the other was sent.
                if prompted and not garbled:
                    found = self._look_until(look, brief - at_once)
                if not (isinstance(found, Missing) and found.timed_out):
                    return found
                self.hasty = True
                self._in_vain += 1
                waited = at_once if garbled else brief
                text = f"{no_answer_within(waited)}, and another request was answered"
                return replace(found, text=text)
            allowed -= at_once
            # What is told is how long it took in all.
            found = self._look_in_full(look, allowed, before=at_once)
        else:
            found = self._look_unless_left_out(lambda: look() or self._lost(), allowed)
            if found is LOST:
                # It may be none of the two that were written into each other.
                found = self._look_until(look, brief)
        late = isinstance(found, Missing) and found.timed_out
        nudged = time.monotonic()
        if late and self._answers_another(look):
            self._silences += 1
            if (held := look()) is None:
                return found
            self._held_back += 1
            self._charge_held(held, nudged)
            return held
        return found

    @property
    def _is_left_out(self) -> bool:
        """Whether the server is known to leave out what the check in hand sent."""
        size, lines = self._load()
        return self.reads.known_to_lose(lines, size)

    def _lost(self) -> Missing | None:
        """Say that a frame may have come within another; None where none did."""
        return LOST if any(one.mingles for one in self.deviations) else None

    def _charge_held(self, held: SocketArrival | Missing, nudged: float) -> None:
        """Note that of many frames some were answered only when more was sent.

        Once, it may have been a server that sleeps over a deadline until it is woken.

        Args:
            held: The answer, which did not come in all the time that it had.
            nudged: When more was sent.
        """
        soon = max(PROMPT_SECONDS, KNOWN_LATENCIES * self.patience.latency)
        if isinstance(held, Missing) or held.time - nudged >= soon:
            return
        self._held_in_check += 1
        _, lines = self._load()
        if lines >= MANY_FRAMES and self._held_in_check >= PROVEN_HELD:
            text = "of many frames some were answered only when more was sent"
            self.note(must("SOCK-F2", text, held.line))

    def _is_garbled(self, look: Look, seconds: float) -> bool:
        """Wait for a frame, or for a line that is none: it may be what was to be one.

        Args:
            look: Returns what is waited for, or None while it is not there.
            seconds: Most seconds to wait.

        Returns:
            Whether such a line came, and no frame.
        """
        garbled = False

        def comes() -> bool | None:
            nonlocal garbled
            garbled = look() is None and any(one.noise for one in self.ledgers)
            is_over = look() is not None or self._why_missing() is not None
            return True if garbled or is_over else None

        self.wait_for(comes, seconds)
        return garbled

    def _look_unless_left_out(
        self, look: LookOrEnd, allowed: float
    ) -> SocketArrival | Missing:
        """Wait in full, but not for what the server leaves out by how it reads.

        Args:
            look: Returns what is waited for, or None while it is not there.
            allowed: The seconds that it may take.
        """
        size, lines = self._load()
        soon = self.patience.clause_limit(ASKED_AFTER_SECONDS)
        soon += self.patience.work_seconds(0.0, size)
        if soon >= allowed:
            return self._look_in_full(look, allowed)
        found = self._look_until(look, soon, charged=0.0)
        is_late = isinstance(found, Missing) and found.timed_out
        if not is_late or self.reads.loses(lines, size):
            return found
        return self._look_in_full(look, allowed - soon, before=soon)

    def _look_in_full(
        self,
        look: Callable[[], SocketArrival | Missing | None],
        allowed: float,
        before: float = 0.0,
    ) -> SocketArrival | Missing:
        """Wait for a frame all the time that it may take.

        What was sent and is large has seconds of its own. They are over where a request
        that was sent behind it on the same connection is answered: it was read.

        Args:
            look: Returns what is waited for, or None while it is not there.
            allowed: The seconds that it may take.
            before: The seconds that it was waited for already.
        """
        size, _ = self._load()
        own = self.patience.work_seconds(0.0, size)
        if own < LARGE_SECONDS or self._control is None or self.patience.shortened:
            return self._look_until(look, allowed, told=before + allowed)
        usual = max(allowed - own, ASKED_AFTER_SECONDS)
        found = self._look_until(look, usual)
        if not (isinstance(found, Missing) and found.timed_out):
            return found
        was_read = self._is_asked_here(self._control, look)
        left = usual if was_read else allowed - usual
        return self._look_until(look, left, told=before + usual + left)

    @property
    def waits_in_full(self) -> bool:
        """Whether waits are in full, whatever was left unanswered before."""
        return self._in_full

    @contextmanager
    def in_full(self) -> Generator[None]:
        """Wait in full, whatever was left unanswered before."""
        self._in_full = True
        try:
            yield
        finally:
            self._in_full = False

    def comes_late(self) -> None:
        """Take note that what a brief wait missed came: it is slow, not silent."""
        self._in_vain = 0

    def _load(self) -> tuple[int, int]:
        ledgers = self.ledgers
        return sum(one.size for one in ledgers), sum(one.lines for one in ledgers)

    def _answers_another(self, look: Look) -> bool:
        """Tell whether a request is answered while another one is not.

        It is asked on the connection in hand, whose stream its answer orders, and where
        that is not answered either, on a new one. It may be what brings the answer that
        is waited for: then its own is not.

        Args:
            look: Returns what is waited for, or None while it is not there.
        """
        if self._deaf >= MOST_DEAF or self.patience.shortened:
            return False
        if self._control is None or self.state is not SessionState.SERVING:
            return False
        if self._is_asked_here(self._control, look):
            self._deaf = 0
            return True
        if any(ledger.size >= 1 << 20 for ledger in self.ledgers):
            # It may still be at work on what is large; another connection tells
            # nothing of that.
            return False
        name, self._name = self._name, f"{OWN_ID}after"
        answered = self._is_asked_here(self._control, look)
        self.drop(self._name)
        self._name = name
        self._deaf = 0 if answered else self._deaf + 1
        return answered

    def _is_asked_here(self, control: Mapping[str, Any], look: LookOrEnd) -> bool:
        """Ask for a control on the connection in hand; tell whether it is answered.

        Args:
            control: The request.
            look: Returns the other answer, which ends the wait as well.
        """
        connection = self.current()
        if isinstance(connection, Missing) or not connection.takes_lines:
            return False
        ledger = connection.ledger
        asked = self.put(control)
        if isinstance(asked, Missing):
            return False
        self._prompts_sent += 1
        own = _kept(asked)
        # Late or not, its answer is none that a step has asked for.
        self._prompts.append(own)
        limit = min(
            self.patience.clause_limit(ASKED_AFTER_SECONDS), self.patience.allowance()
        )
        # Lists have no ids: the first that comes is the one that was asked for here.
        answer = self._look_until(lambda: own() or look(), limit, 0.0)
        if isinstance(answer, Missing):
            return False
        # It may be the one that is waited for.
        least = AT_ONCE_SECONDS if self._is_left_out else BRIEF_SECONDS
        brief = self.patience.clause_limit(least)
        self.wait_for(lambda: look() or ledger.lists_owed <= 0 or None, brief)
        return True

    def _take_prompted(self) -> None:
        """Take the answers to what was asked to bring others: no step is about them."""
        self._prompts = [own for own in self._prompts if own() is None]

    def _why_missing(self) -> Missing | None:
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        return self.why_not(connection)

    def wait_seconds(self, seconds: float) -> float:
        """Return a limit of a clause, widened by the latency that was measured."""
        return self.patience.clause_limit(seconds)


def _kept(look: Look) -> Look:
    """Return what looks for a frame and keeps it: a frame is found once."""
    kept: list[SocketArrival] = []

    def found() -> SocketArrival | None:
        if not kept and (one := look()) is not None:
            kept.append(one)
        return kept[0] if kept else None

    return found
