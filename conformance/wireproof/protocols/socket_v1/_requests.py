"""Requests of the suite's own to a server, and how long answers are waited for.

Theory of operation. A request goes out on the connection in hand and is answered there.
A server that has left a few requests unanswered, and answered others that were sent
later, is waited for briefly: it is asked for something else as soon as an answer does
not come at once.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.line import OWN_ID, Missing, SessionState
from wireproof.protocols.socket_v1._frames import (
    is_the_servers_own,
    may_hide_an_answer,
)
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.protocols.socket_v1._transport import MAIN, SocketTransport
from wireproof.subjects import Patience
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from wireproof.checks import Settings, Target
    from wireproof.protocols.socket_v1._connection import Connection
    from wireproof.protocols.socket_v1._ledger import SocketArrival

    Look: TypeAlias = Callable[[], SocketArrival | None]

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

ASKED_AFTER_SECONDS = 1.0
"""How long it may take to answer that."""

ANSWERING_SECONDS = 2.0
"""How long the first answer is waited for once another frame has come."""

BRIEF_BYTES = 32
"""It gets this much less time for each MiB: what is asked next is read after all of it.
"""

MOST_DEAF = 3
"""Questions after another that a server may leave unanswered too before none is asked:
it hears nobody while it is waited for."""


class SocketRequests(SocketTransport):
    """What the suite itself asks one server, over all its starts."""

    def __init__(
        self, target: Target, settings: Settings, setup: Mapping[str, Any]
    ) -> None:
        """Prepare; nothing is started yet."""
        super().__init__(target, settings, setup)
        self.patience = Patience(settings.timeout, budget=BUDGET_SECONDS)
        self._name = MAIN
        self._silences = 0
        self._deaf = 0

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
        connection = self.current()
        if isinstance(connection, Missing):
            return connection
        message: dict[str, Any] = dict(request)
        key = None
        if message["type"] == "tool_call":
            key = message["requestId"] = self._own_id()
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
        """Wait for a frame: in full, or briefly where a server is known to be silent.

        It is known to be where it has left a few requests unanswered and answered
        others that were sent later. From then on such a request is sent as soon as an
        answer does not come at once.
        """
        allowed = self._allowance()
        size, _ = self._load()
        brief = self.patience.clause_limit(BRIEF_SECONDS)
        brief += self.patience.work_seconds(self._delay, size // BRIEF_BYTES)
        if self._silences >= PROVEN_SILENT and brief < allowed:
            found = self._look_until(look, brief)
            if not (isinstance(found, Missing) and found.timed_out):
                return found
            if self._answers_another():
                text = f"{found.text}, and another request was answered"
                return look() or replace(found, text=text)
            allowed -= brief
        found = self._look_until(look, allowed)
        late = isinstance(found, Missing) and found.timed_out
        if late and self._answers_another():
            self._silences += 1
            return look() or found
        return found

    def _load(self) -> tuple[int, int]:
        ledgers = self.ledgers
        return sum(one.size for one in ledgers), sum(one.lines for one in ledgers)

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
