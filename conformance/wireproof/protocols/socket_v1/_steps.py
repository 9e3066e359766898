"""Steps that only socket-v1 has: connections, processes, and those about files."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Difference, VectorDefect, Words
from wireproof.line import Diverged, Missing, MissingCause, StepRunner
from wireproof.patterns import difference_of, exit_text, expand, match
from wireproof.protocols.socket_v1._connection import READS, is_gone
from wireproof.protocols.socket_v1._descriptors import inherited
from wireproof.protocols.socket_v1._file_steps import FileSteps
from wireproof.protocols.socket_v1._session import SocketSession

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.line import StepsOutcome
    from wireproof.subjects import SubjectProcess

    Step = Mapping[str, Any]

PROVEN_VAIN = 2
"""Polls with one tool that were in vain, after which they are brief."""

SHORT_SECONDS = 1.0
"""How long these last at least."""

HALVES = 2
"""How often as much is sent again of a line that has no end, where it is all kept."""

POLL_SECONDS = 0.02
"""Seconds between two looks at a process, or two requests of a ``poll``."""

_LEFT_ALONE = "left the first one, which runs, without its socket"

ON_A_CONNECTION = frozenset(
    {
        "send",
        "send_many",
        "send_raw",
        "expect",
        "expect_optional",
        "expect_closed",
        "fence",
        "close_input",
        "flood",
        "poll",
        "reads",
    }
)
"""Steps that are left out where the subject chose to close the connection."""


class SocketSteps(StepRunner[SocketSession]):
    """Carries out the steps of one check on one session."""

    def __init__(self, session: SocketSession, *, time_scale: int = 1) -> None:
        """Begin.

        Args:
            session: The conversation.
            time_scale: Factor for the times that tools are asked to take.
        """
        super().__init__(session, time_scale=time_scale)
        self._files = FileSteps(session)
        self._requests_on: dict[str | None, dict[str, str]] = {}
        self._second_did: str | None = None

    def run(self, steps: Sequence[Step], *, spares_fence: bool = False) -> StepsOutcome:
        """Carry out steps, and prove afterwards that the server serves."""
        outcome = super().run(steps, spares_fence=spares_fence)
        if self._second_did and isinstance(outcome, Diverged) and _unreached(outcome):
            # Why nobody is reached, in place of how that shows.
            return replace(outcome, text=self._second_did)
        if not (isinstance(outcome, Diverged) and outcome.at_fence and outcome.missing):
            return outcome
        if self.session.started_over and outcome.missing.cause is MissingCause.CLOSED:
            # SOCK-D3: it lives, and serves no new connection after its new start.
            return replace(outcome, clause=outcome.clause or "SOCK-D3")
        return outcome

    def step(self, step: Step) -> Diverged | None:
        """Carry out one step on its connection, or leave it out where that is gone."""
        there = self.session.turn_to(step.get("on"))
        if not there and not ON_A_CONNECTION.isdisjoint(step):
            return None
        # Two connections may use one id at once (SOCK-C9).
        self._requests = self._requests_on.setdefault(step.get("on"), {})
        return super().step(step)

    def expect(self, pattern: Any, step: Step) -> Diverged | None:
        """Wait for a frame, or for the closing that the step leaves to the server."""
        diverged = super().expect(pattern, step)
        if step.get("or") != "closed":
            return diverged
        if diverged is None:
            self.session.take_refusal()
            return None
        missing = diverged.missing
        # A server that was told to end closes its connections by ending.
        told = (MissingCause.EXITED,) if self.session.told_to_end else ()
        if missing is not None and missing.cause in (MissingCause.CLOSED, *told):
            self.session.take_closing()
            return None
        return diverged

    def own_step(self, step: Step) -> Diverged | None:
        """Carry out a step that only this protocol has.

        Raises:
            VectorDefect: If there is no such step.
        """
        self.session.single = False
        session = self.session
        within = float(step.get("within_ms", 2000)) / 1000
        match step:
            case {"connect": str(name)}:
                found = session.connection(name)
                return _diverged(found, step) if isinstance(found, Missing) else None
            case {"disconnect": str(name), "unread": True}:
                session.drop_unread(name)
                session.trace(f"the connection {name} was closed, an answer unread")
            case {"disconnect": str(name)}:
                session.drop(name)
                session.trace(f"the connection {name} was closed")
            case {"expect_closed": {"within_ms": int(limit)}}:
                return self._closed(limit / 1000, step)
            case {"reads": str(how)}:
                connection = session.current()
                if not isinstance(connection, Missing):
                    connection.most_read = READS[how]
                    session.trace(f"{connection.name}: {how} is read from now on")
            case {"descriptors": str(name)}:
                session.names[name] = session.descriptors() or 0
            case {"expect_descriptors": str(name), "more": int(more)}:
                return self._descriptors(session.names[name] + more, within, step)
            case {"inherits_no_connection": pid}:
                if inherited(expand(pid, session.names), session.server):
                    text = "a child process of a tool holds a connection of the server"
                    return Diverged(text, step.get("clause"))
            case {"poll": request, "until": pattern}:
                return self._poll(request, pattern, within, step)
            case {"terminate": _}:
                session.told_to_end = True
                session.trace("SIGTERM")
                session.signal(signal.SIGTERM)
            case {"kill": _}:
                session.end_process()
                session.trace("it was killed with SIGKILL")
            case {"expect_exit": {"within_ms": int(limit)}}:
                status = session.await_exit(limit / 1000)
                if isinstance(status, Missing):
                    return _diverged(status, step)
                session.ended_as_wanted = True
            case {"second": _}:
                return self._second(within, step)
            case {"neighbour": _}:
                self._neighbour(within)
            case {"stand_in": _}:
                session.place().stand_in()
                session.trace("another socket was put where its own is")
            case {"expect_stand_in": _}:
                if not session.place().stand_in_stands():
                    text = "the server removed a socket that is not its own"
                    return Diverged(text, step.get("clause"))
            case {"serves_new": _}:
                return self._serves_new(within, step)
            case {"took": {"id": str(key), "at_least_ms": int(least)}}:
                return self._took(key, least * self.time_scale / 1000, step)
            case {"expect_lines": str(name), "match": pattern}:
                return self._files.lines(name, pattern, within, step)
            case {"expect_no_text": str(name), "text": text}:
                return self._files.no_text(name, text, step)
            case {"expect_file": name}:
                return self._files.file(name, step, within)
            case {"expect_no_file": name}:
                return self._files.no_file(name, step, within)
            case {"write_file": name}:
                self._files.write(name, step)
            case {"expect_mode": _}:
                return self._files.mode(step)
            case {"flood": int(most), "grows_at_most": int(bound)}:
                return self._flood(most, bound, step)
            case _:
                return super().own_step(step)
        return None

    # --- connections and processes

    def _closed(self, within: float, step: Step) -> Diverged | None:
        connection = self.session.current()
        if isinstance(connection, Missing):
            return None
        limit = self.session.wait_seconds(within)
        if self.session.wait_for(lambda: not connection.open or None, limit):
            self.session.take_closing()
            return None
        text = f"the server did not close the connection within {limit:.1f} s"
        return _diverged(Missing(MissingCause.TIMEOUT, text), step)

    def _descriptors(self, most: int, within: float, step: Step) -> Diverged | None:
        """See that the server comes to hold no more descriptors than that."""
        session = self.session
        limit = session.wait_seconds(within)
        if session.wait_for_slowly(
            lambda: (session.descriptors() or 0) <= most, limit, POLL_SECONDS
        ):
            return None
        found = Words(f"{session.descriptors()}")
        difference = Difference("descriptors", Words(f"{most} or fewer"), found)
        text = "the server holds descriptors of connections that are closed"
        return Diverged(text, step.get("clause"), differences=(difference,))

    def _flood(self, most: int, bound: int, step: Step) -> Diverged | None:
        """Send a line that has no end; see whether the server keeps all of it.

        One that collects its garbage late grows once, and no more by the second half.
        """
        session = self.session
        connection = session.current()
        if isinstance(connection, Missing) or not connection.open:
            return None
        held = session.held()
        sent = grown = 0
        for _ in range(HALVES):
            before = held
            sent += session.flood(connection, most)
            session.trace(f"{sent} MiB of a line that has no end were sent so far")
            held = session.held()
            if before is None or held is None or held - before <= bound:
                return None
            grown += held - before
        wanted = Words(f"at most {bound} MiB more for every {most} MiB that come")
        difference = Difference("memory", wanted, Words(f"{grown} MiB more"))
        text = f"the server keeps a line that has no end: {sent} MiB of it so far"
        return Diverged(text, step.get("clause"), differences=(difference,))

    def _poll(
        self,
        request: Any,
        pattern: Any,
        within: float,
        step: Step,
    ) -> Diverged | None:
        session = self.session
        message = {
            key: value if key == "requestId" else expand(value, session.names)
            for key, value in request.items()
        }
        seconds = session.wait_seconds(within) * self.time_scale
        asked = str(message.get("toolName"))
        if session.vain_polls[asked] >= PROVEN_VAIN:
            seconds = min(seconds, session.patience.brief(SHORT_SECONDS))
        limit = time.monotonic() + seconds
        while True:
            answer = session.ask(message)
            if isinstance(answer, Missing):
                return _diverged(answer, step)
            miss = match(pattern, answer.value, session.names, {})
            if miss is None:
                return None
            if time.monotonic() >= limit:
                session.vain_polls[asked] += 1
                text = f"it did not come about within {seconds:.1f} s"
                return Diverged(
                    text,
                    step.get("clause"),
                    differences=(difference_of(miss),),
                    about_time=True,
                )
            session.wait_for(lambda: None, POLL_SECONDS)

    def _second(self, within: float, step: Step) -> Diverged | None:
        """Start a second server on the same socket; the steps see who is reached."""
        session = self.session
        other = session.start_second()
        taken = False
        try:
            limit = time.monotonic() + session.wait_seconds(within)
            while other.exit_status is None and time.monotonic() < limit and not taken:
                other.pump(POLL_SECONDS)
                taken = session.reaches_another()
            session.trace(_fate_of(other))
        finally:
            other.kill()
        did = "took over the socket of the first" if taken else _LEFT_ALONE
        self._second_did = f"a second server, started on the same path, {did}"
        return None

    def _neighbour(self, within: float) -> None:
        """Start a server on another path, and end it once it accepts."""
        session = self.session
        other, path = session.start_neighbour()
        try:
            limit = time.monotonic() + session.wait_seconds(within)
            while other.exit_status is None and time.monotonic() < limit:
                other.pump(POLL_SECONDS)
                if not is_gone(path):
                    with suppress(ProcessLookupError):  # it has just ended
                        os.kill(other.pid, signal.SIGTERM)
                    break
            limit = time.monotonic() + session.wait_seconds(within)
            while other.exit_status is None and time.monotonic() < limit:
                other.pump(POLL_SECONDS)
            status = other.exit_status
            became = (
                "still ran" if status is None else f"ended with {exit_text(status)}"
            )
            session.trace(f"a server was started on another path, and {became}")
        finally:
            other.kill()

    def _serves_new(self, within: float, step: Step) -> Diverged | None:
        """See that new connections are served for a while."""
        session = self.session
        limit = time.monotonic() + within
        while time.monotonic() < limit:
            if (missing := session.fence_anew()) is not None:
                return _diverged(missing, step)
            session.wait_for(lambda: None, POLL_SECONDS)
        return None

    def _took(self, key: str, least: float, step: Step) -> Diverged | None:
        asked, answered = self.session.asked_at(key), self.session.answered_at(key)
        if asked is None or answered is None:
            raise VectorDefect("took names a call that was not sent or not answered")
        if answered - asked >= least:
            return None
        wanted = Words(f"after {least * 1000:.0f} ms or more")
        found = Words(f"after {(answered - asked) * 1000:.1f} ms")
        difference = Difference("the result", wanted, found)
        text = "the call ended before its time"
        return Diverged(text, step.get("clause"), differences=(difference,))


def _unreached(outcome: Diverged) -> bool:
    """Tell whether no connection was made to a server that runs."""
    missing = outcome.missing
    return missing is not None and missing.cause is MissingCause.CLOSED


def _fate_of(other: SubjectProcess) -> str:
    """Say among the traffic that a second server was started, and what became of it."""
    status = other.exit_status
    became = "still runs" if status is None else f"exited with {exit_text(status)}"
    return f"a second server was started on the same path, and {became}"


def _diverged(missing: Missing, step: Step) -> Diverged:
    return Diverged(
        f"what was expected did not come: {missing.text}", step.get("clause"), missing
    )
