"""The checks of socket-v1, bound to one server."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import PurePath
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, Result, Verdict
from wireproof.crossing import is_place
from wireproof.line import Completed, LineSuite, of_torn, own_keys, writes_in_order
from wireproof.patterns import asked_delay, delay_of, is_array, is_object
from wireproof.protocols.socket_v1._beside import Tried, is_worth_it, try_together
from wireproof.protocols.socket_v1._charges import (
    ASTRAY,
    ECHOES,
    FAILS,
    REFUSES,
    RESOLVES,
    charged_clause,
    foreign_events,
    leaves_unrefused,
    leaves_unresolved,
    refusal_of,
)
from wireproof.protocols.socket_v1._listings import spares_listings, without_listings
from wireproof.protocols.socket_v1._monitored import (
    FENCED_CLAUSES,
    MONITORED,
    NEEDS_SEEN,
)
from wireproof.protocols.socket_v1._place import HOME, SOCKET
from wireproof.protocols.socket_v1._probes import Probes
from wireproof.protocols.socket_v1._session import SocketSession
from wireproof.protocols.socket_v1._settings import SocketSettings
from wireproof.protocols.socket_v1._shapes import ODD_ID_OF_ERROR
from wireproof.protocols.socket_v1._steps import SocketSteps
from wireproof.subjects import (
    launched_line,
    run_line,
    shown_folder,
    socket_line,
)
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wireproof.checks import Attempt, Check, Level, SubjectFacts, SuiteInputs
    from wireproof.line import StepsOutcome
    from wireproof_vectors import Vector

NAME = "socket-v1"

SHOWN_TOOLS = 8
"""Most tools of a server that are named where one that is none of them was allowed."""

READS = "SOCK-F2"
"""The clause by which frames are read however their bytes are cut."""

ENDED_FACTOR = 2.0
"""A tool may have ended by itself in so many times of the slowest answer."""

LATE_EVENTS = "SOCK-C2"
"""The clause by which no event of a call follows its result."""

OF_NO_CALL = frozenset({"SOCK-C1", LATE_EVENTS})
"""What an event breaks that comes where no call of its id is in flight."""

LATE_SECONDS = 0.2
"""How long events are waited for that should have come before the result."""

MOST_LOST = 4
"""Results in the place of events after which none is waited for that never came."""

PIPED = frozenset({"send", "send_many", "send_raw", "expect", "fence"})
"""Steps that one pipe into a socket can show again."""


class SocketSuite(LineSuite[SocketSession]):
    """All checks of socket-v1 on one server."""

    fenced_clauses = FENCED_CLAUSES
    ending_steps = frozenset({"kill", "terminate", "neighbour"})
    plans = "wireproof.protocols.socket_v1._fuzz_plans"
    apart_clauses = frozenset({"SOCK-F2"})
    monitored = MONITORED
    needs_seen = NEEDS_SEEN
    own_faults = frozenset({ODD_ID_OF_ERROR})

    def __init__(self, inputs: SuiteInputs) -> None:
        """Bind checks to a server."""
        session = SocketSession(inputs.target, inputs.settings, inputs.setup)
        super().__init__(session, inputs)
        self._lost_events = 0
        self._probes = Probes(session, inputs.setup)
        self._together: list[Check] = []
        self._tried: dict[str, Tried] = {}
        # What binds as a SHOULD says nothing of what a MUST of its clause is left.
        self._unanswered: set[tuple[str, Level]] = set()

    def announce(self, checks: Sequence[Check]) -> None:
        """Take note of the vectors that are worth being tried beside each other."""
        super().announce(checks)
        vectors = [check for check in checks if check.kind == "vector"]
        self._together = [
            check for check in vectors if is_worth_it(self.vectors[check.id].data)
        ]

    def facts(self) -> SubjectFacts:
        """Return what is known of the server; one that runs, nobody here started."""
        facts = super().facts()
        allowed = self.settings.of(SocketSettings).allowed_tools
        own = tuple(tool for tool in facts.own_tools if tool not in allowed)
        facts = replace(
            facts,
            remarks=tuple(self._remarks()),
            own_tools=own,
            untried=tuple(self._untried()),
        )
        return facts if self.session.launched else replace(facts, starts=0)

    def _home_options(self) -> str:
        """Say by which options it is known where the server's files are."""
        if not self.session.launched:
            return "--socket-home=DIR"
        program, _, words = self.target.text.partition(" ")
        told = f"env HOME={HOME} {self.target.text}"
        if PurePath(program).name == "java":
            # It takes a user's folder from elsewhere.
            told = f"{program} -Duser.home={HOME} {words}"
        flag = shlex.quote(f"--socket={told}")
        return f"--socket-home=DIR, or {flag}"

    def _untried(self) -> Iterator[str]:
        """Yield what else could be tried: the server's files, where nobody said."""
        held = sum(bool(check.needs.get("home")) for check in self.checks)
        if held and not self.session.knows_home:
            options = self._home_options()
            yield f"have its files tried as well, by {held} checks: {options}"

    def _remarks(self) -> Iterator[str]:
        """Yield what is to be said of names that are no tools of the server."""
        tools = self.session.tools
        listed = ", ".join(list(tools)[:SHOWN_TOOLS]) or "none at all"
        for name in self.settings.of(SocketSettings).allowed_tools:
            if name not in tools and self.session.controlled:
                yield (
                    f"--allow-tool names {name!r}, which the server does not list; "
                    f"it lists {listed}"
                )

    def finish(self) -> list[Result]:
        """Stop the server and return what the monitors have to say."""
        self.end_checks()
        self.session.stop()
        self.session.end_spares()
        controlled = self.session.controlled
        return self.monitors.results(self.session.seen, controlled=controlled)

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: reach the server, and see whether it offers what is needed.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.session.begin()
        if (not_up := self.session.ensure_up()) is not None:
            return self.not_up(check, not_up)
        fresh = check.kind == "vector" and self.vectors[check.id].data.get("fresh")
        if (fresh or check.needs.get("launched")) and not self.session.launched:
            text = "it needs a server that the suite launches: a command with {socket}"
            return self.early(check, Verdict.NOT_APPLICABLE, text)
        if check.needs.get("home") and not self.session.knows_home:
            text = f"it needs the server's files: {self._home_options()}"
            return self.early(check, Verdict.NOT_APPLICABLE, text)
        if check.needs.get("allowed") and self.session.allowed_tool is None:
            return self.early(check, Verdict.NOT_APPLICABLE, self._none_allowed())
        if check.needs.get("descriptors") and self.session.descriptors() is None:
            text = "it needs a system that lists the descriptors of a process"
            return self.early(check, Verdict.NOT_APPLICABLE, text)
        if (result := self.lacks_tool(check)) is not None:
            return result
        if (reason := self._not_required(check)) is not None:
            return self.early(check, Verdict.NOT_APPLICABLE, reason)
        if (fault := self._probes.fault(check)) is not None:
            reason = f"not testable because of {fault.clause}: {fault.text}"
            return self.early(check, Verdict.NOT_TESTABLE, reason, fault.clause)
        if (reason := self._probes.lacking(check)) is not None:
            return self.early(check, Verdict.NOT_APPLICABLE, reason)
        self.session.count_lines_from_here()
        return None

    def runner(self, time_scale: int) -> SocketSteps:
        """Return what carries out the steps of a check.

        Args:
            time_scale: Factor for the times that tools are asked to take.
        """
        return SocketSteps(self.session, time_scale=time_scale)

    def _not_required(self, check: Check) -> str | None:
        """Say which argument has to be required and is not; None where all are.

        What breaks a tool's schema is for the schema to say that the server lists.
        """
        needs: Mapping[str, Any] = check.needs
        required: Mapping[str, Sequence[str]] = needs.get("requires", {})
        for tool, arguments in required.items():
            schema = self.session.tools[tool].get("inputSchema")
            named = schema.get("required") if is_object(schema) else None
            given = named if is_array(named) else ()
            if lacking := [one for one in arguments if one not in given]:
                return (
                    f"the server's own schema of {tool} does not require {lacking[0]}"
                )
        return None

    def _none_allowed(self) -> str:
        allowed = ", ".join(self.settings.of(SocketSettings).allowed_tools)
        if allowed:
            return f"the server lists no tool that --allow-tool names: {allowed}"
        return "it needs a tool that may be called: --allow-tool"

    def run_vector(self, check: Check, vector: Vector) -> Result:
        """Carry out one vector, on a server of its own where it wants one."""
        if not vector.data.get("fresh") or not self.session.launched:
            return self._run_here(check, vector)
        self.discard()
        with self.session.in_full():
            result = self._run_here(check, vector)
        self.discard()
        return result

    def _run_here(self, check: Check, vector: Vector) -> Result:
        if (result := self.unmet(check)) is not None:
            return result
        data: Mapping[str, Any] = vector.data
        if is_place(data):
            return self.run_place(check, data)
        if check in self._together:
            self._try_together()
            if not self.session.serves and (result := self.unmet(check)) is not None:
                return result
        if (tried := self._tried.pop(check.id, None)) is not None:
            self.session.transcript = tried.transcript
            result, _ = self.conclude(check, tried.outcome, data["steps"])
            return result
        steps = data["steps"]
        if self.session.lists_slowly and spares_listings(check):
            steps = without_listings(steps)
        return self.try_vector(check, steps, data.get("retry", 0))

    def _try_together(self) -> None:
        """Try what was announced at once, on a server that serves all connections."""
        session = self.session
        together, self._together = self._together, []
        vectors = {
            check.id: self.vectors[check.id].data
            for check in together
            if session.tools.keys() >= set(check.needs["tools"])
        }
        if session.launched and self.keeps_apart and len(vectors) > 1:
            self._tried = try_together(session, self.settings, self._setup, vectors)

    def prepare(self, check: Check) -> None:
        """Take note that a check is about to be attempted."""
        self.session.hasty = False

    def reconsider(
        self, check: Check, found: Attempt, again: Callable[[], Attempt]
    ) -> Attempt:
        """Try again where waits were too brief for the verdict."""
        session, because = self.session, found.result.because
        if because and found.unanswered and not session.hasty:
            # It was waited for in full, and rests on that clause.
            self._unanswered.add((because, "must"))
        if found.result.held_against is None or self.patience.shortened:
            return found
        if not session.hasty:
            session.kinds.left(found.unanswered)
            return found
        known = session.kinds.knows(found.unanswered)
        if known or _told(check, found.result) in self._unanswered:
            return found
        # What it left unanswered before was another clause's matter: this may be an
        # answer that takes its time.
        if not self._is_kept:
            session.discard()
        with session.in_full():
            found = again().after(found.result)
        if found.result.held_against is None:
            session.comes_late()
        else:
            self._unanswered.add(_told(check, found.result))
            session.kinds.left(found.unanswered)
        return found

    def settle(
        self,
        check: Check,
        outcome: StepsOutcome,
        steps: Sequence[Mapping[str, Any]],
    ) -> StepsOutcome:
        """Charge what an answer tells of another clause than its step is about."""
        self._charge_astray(steps)
        if isinstance(outcome, Completed):
            return outcome
        started_again = any("restart" in step for step in steps[: outcome.step])
        if started_again and self.session.lives_out_of_reach:
            # That it can be reached after another start is no MUST.
            return replace(outcome, clause="SOCK-D3")
        if fault := self.session.reads.fault(outcome, steps, self.session.sent):
            return self.of_reading(check, outcome, READS, fault)
        outcome, is_torn = of_torn(outcome, READS, self.session.tears)
        if is_torn:
            return outcome
        if refusal := refusal_of(outcome, steps, self.session.came):
            clause, text = refusal
            return replace(outcome, charged=clause, text=text)
        about = outcome.clause or check.clauses[0]
        if about == ECHOES and leaves_unrefused(outcome):
            return replace(outcome, clause=REFUSES)
        late = outcome.displaced and self._comes_late()
        charged = charged_clause(outcome, steps, self.session.came, self.told)
        # An event that comes late may be one of another call, on a connection that has
        # its result; or that result may be another call's.
        if charged is None and late:
            charged = LATE_EVENTS
        is_own = charged is None and outcome.clause is None
        if is_own and FAILS in check.clauses and leaves_unresolved(outcome, steps):
            # How it would have been resolved nobody knows.
            charged = RESOLVES
        return replace(outcome, charged=charged)

    def _charge_astray(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Charge events of calls on other connections to the clause that keeps them.

        The ledger of a connection sees no more than that it has no such call.
        """
        if all(one.clause not in OF_NO_CALL for one in self.session.deviations):
            return
        for frame, clause in foreign_events(steps, self.session.came):
            for found in frame.deviations:
                if clause == ASTRAY and found.clause in OF_NO_CALL:
                    text = f"{found.text}: it is of a call on another connection"
                    self.session.charge(found, clause, text)

    def _comes_late(self) -> bool:
        """Tell whether the events come after the result that stood in their place."""

        def came() -> bool | None:
            found = self.session.deviations
            return any(one.clause == LATE_EVENTS for one in found) or None

        if self._lost_events >= MOST_LOST:
            return came() is True
        late = self.session.wait_for(came, LATE_SECONDS) is True
        self._lost_events += not late
        return late

    def came_too_late(
        self, steps: Sequence[Mapping[str, Any]], attempt: Attempt
    ) -> bool:
        """Tell whether a tool that was to be ended may have ended by itself before.

        It does where the server takes as long for what comes in between.
        """
        match None if attempt.step is None else steps[attempt.step]:
            case {"expect": {"requestId": str(key), "result": {"ok": False}}}:
                pass
            case _:
                return False
        ended = [step for step in steps if step.get("waits") is False]
        sent = [step["send"] for step in ended if "send" in step]
        sent += [one for step in ended for one in step.get("send_many", ())]
        asked = [asked_delay(one) for one in sent if one.get("requestId") == key]
        return any(one < ENDED_FACTOR * self.patience.slowest for one in asked)

    def reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        found: Sequence[Deviation] = (),
        *,
        fenced: bool = False,
    ) -> str:
        """Return one line of shell that shows a failure again."""
        session, settings = self.session, self.settings
        piped = all(not PIPED.isdisjoint(step) for step in steps)
        line = None
        if piped and session.single:
            plain = encode(self._setup["controls"][0])
            writes = writes_in_order(session.sent, steps) or [
                self._asked_for(found) or plain
            ]
            *before, last = [*writes, plain] if fenced else writes
            seconds = delay_of(steps)
            scratch = str(session.names.get("scratch", ""))
            if not session.launched:
                path = shlex.quote(self.target.command[0])
                if scratch:
                    # It is gone after the run.
                    there = scratch.encode(), gettempdir().encode()
                    *before, last = [one.replace(*there) for one in (*before, last)]
                line = socket_line(last, path, seconds=seconds, before=before)
            else:
                line = launched_line(
                    last,
                    self.target.command,
                    socket=settings.of(SocketSettings).path or SOCKET,
                    folder=shown_folder(settings),
                    environment=settings.shown_environment,
                    seconds=seconds,
                    before=before,
                    scratch=scratch,
                )
        return line or run_line(settings, check.argument)

    def _asked_for(self, found: Sequence[Deviation]) -> bytes:
        """Return the request of the suite's own whose answer is at fault.

        Returns:
            Nothing where there is none: a server that did not come up shows how at the
            plainest request.
        """
        answered = own_keys("".join(one.evidence for one in found))
        for entry in self.session.transcript.entries():
            is_whole = entry.direction == "sent" and entry.size == len(entry.data)
            if is_whole and not answered.isdisjoint(own_keys(entry.text())):
                return entry.data
        return b""


def _told(check: Check, result: Result) -> tuple[str, Level]:
    """Return what a result is held against, and at which level."""
    if result.because:
        return result.because, "must"
    return result.clauses[0], check.level
