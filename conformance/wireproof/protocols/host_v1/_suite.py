"""The checks of host-v1, bound to one host."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, Result, Verdict
from wireproof.line import (
    StdioSuite,
    owes_answer,
    own_keys,
    writes_in_order,
)
from wireproof.patterns import expand, written
from wireproof.protocols.host_v1._event_charge import (
    MISPLACED,
    REFUSED,
    emitted,
    event_clause,
    is_about_events,
    is_beside_others,
    lacks_an_event,
    misplaced,
    ran_unasked,
    unanswered_clause,
)
from wireproof.protocols.host_v1._long_call import (
    LONG_CALL,
    TOOL,
    LongCall,
)
from wireproof.protocols.host_v1._long_call import STEPS as LONG_CALL_STEPS
from wireproof.protocols.host_v1._monitored import (
    FENCED_CLAUSES,
    MONITORED,
    NEEDS_SEEN,
    recorded,
)
from wireproof.protocols.host_v1._probes import Probes
from wireproof.protocols.host_v1._session import HostSession
from wireproof.protocols.host_v1._settings import HostSettings
from wireproof.protocols.host_v1._shapes import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Attempt, Check, SubjectFacts, SuiteInputs
    from wireproof.line import Diverged

LONG_LINE = 1 << 16
"""Bytes of a line from which on that a host takes it is for this clause to ask."""

LONG_LINE_CLAUSE = "HV1-T10"

IDS = "HV1-M2"
"""Any string is an id."""

TOGETHER_CLAUSE = "HV1-M13"
"""Requests in flight together are all answered."""

AGAIN_CLAUSE = "HV1-M14"
"""An id that was used and finished may be used again; no MUST says so."""

TAKEN_FOR_GRANTED = frozenset(
    {
        *("HV1-M2", "HV1-M3", "HV1-M8", "HV1-M10", "HV1-M13", "HV1-E3", "HV1-E4"),
        *("HV1-E6", "HV1-R3", "HV1-R5", "HV1-R6", "HV1-R7", "HV1-R8", "HV1-R11"),
    }
)
"""The MUSTs of an answer to a call: drawn examples of a SHOULD hold them all."""


class HostSuite(StdioSuite[HostSession]):
    """All checks of host-v1 on one host."""

    fenced_clauses = FENCED_CLAUSES
    monitored = MONITORED
    needs_seen = NEEDS_SEEN
    lifetime_clause = "HV1-M3"
    owing_clause = "HV1-M3"
    plans = "wireproof.protocols.host_v1._fuzz_plans"
    apart_clauses = frozenset({"HV1-T4", "HV1-M13"})

    def __init__(self, inputs: SuiteInputs) -> None:
        """Bind checks to a host."""
        new_session = partial(HostSession, inputs.target, inputs.settings, inputs.setup)
        super().__init__(new_session, inputs)
        self._probes = Probes(self.session, self.lifetime, inputs.setup, self.tries)
        self._long_call = LongCall(new_session())
        self._wants_long_call = False

    def announce(self, checks: Sequence[Check]) -> None:
        """Take note of which checks are to be run; one goes on beside the others."""
        super().announce(checks)
        self._wants_long_call = any(check.id == LONG_CALL.id for check in checks)

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, and what goes on beside it."""
        result = super().carry_out(check)
        session, call = self.session, self._long_call
        if self._wants_long_call and TOOL in session.tools and session.serves:
            call.session.added_environment = session.added_environment
            call.go_on()
        return result

    def facts(self) -> SubjectFacts:
        """Return what is known of the host, the one beside it counted."""
        facts = super().facts()
        return replace(facts, starts=facts.starts + self._long_call.session.starts)

    def run_scenario(self, check: Check) -> Result:
        """Look what became of the call that takes long."""
        if (result := self.unmet(check)) is not None:
            return result
        self._wants_long_call = False
        call, serving = self._long_call, self.session
        if not call.begin():
            # A host that cannot be there twice: the one that serves is asked, alone.
            call = LongCall(serving)
            call.begin()
        # What is concluded is read from the session that has carried it out.
        self.session = call.session
        try:
            return self.conclude(check, call.outcome(), LONG_CALL_STEPS)[0]
        finally:
            self.session = serving

    def finish(self) -> list[Result]:
        """Stop the host and return what was found over all its frames."""
        self._long_call.end()
        held = super().finish()
        seen = self.session.controlled
        return [*held, *(recorded(self.session, self.sources) if seen else ())]

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: start the host, and see whether it offers what is needed.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.session.begin()
        not_up = self.session.ensure_up()
        if (result := self.holds_back_all(check)) is not None:
            return result
        if not_up is not None:
            return self.not_up(check, not_up)
        if (result := self.lacks_tool(check)) is not None:
            return result
        if (fault := self._probes.fault(check)) is not None:
            return self._hidden(check, fault)
        offered = self.settings.of(HostSettings).offers
        for method in check.needs.get("methods", ()):
            if method in offered:
                continue
            if not self._probes.offers(method):
                reason = f"the host does not offer {method}"
                return self.early(check, Verdict.NOT_APPLICABLE, reason)
            if (fault := self._probes.offer_fault(method)) is not None:
                return self._hidden(check, fault)
        told = map(self._probes.slowness_with, check.needs.get("quick", ()))
        slow = next(filter(None, told), None)
        return self.early(check, Verdict.NOT_APPLICABLE, slow) if slow else None

    def _hidden(self, check: Check, fault: Deviation) -> Result:
        """Conclude a check that what a probe found says nothing can be told of."""
        reason = f"not testable because of {fault.clause}: {fault.text}"
        return self.early(check, Verdict.NOT_TESTABLE, reason, fault.clause)

    def reconsider(
        self, check: Check, found: Attempt, again: Callable[[], Attempt]
    ) -> Attempt:
        """Try again where an answer may be that of another check."""
        found = super().reconsider(check, found, again)
        if not self.session.ambiguous:
            return found
        # A host that was just started owes no answer to a line of an earlier check.
        self.session.discard()
        self.prepare(check)
        return super().reconsider(check, again().after(found.result), again)

    def charge(
        self, check: Check, outcome: Diverged, steps: Sequence[Mapping[str, Any]]
    ) -> Diverged:
        """Wait for all events of the calls, where a failure may be one of events.

        The step that failed knows only the first frame that differs; whether events
        were lost, changed or sent under another id shows when all have come.
        """
        if check.kind == "fuzz" and (known := self._known_of(check, outcome, steps)):
            return replace(outcome, clause=known)
        if (fatal := self._fatal_clause(outcome, steps)) is not None:
            return replace(outcome, clause=fatal)
        if (owed := unanswered_clause(outcome, steps)) is not None:
            return replace(outcome, charged=owed)
        is_about = is_about_events(check.clauses, outcome)
        if not (is_about or lacks_an_event(outcome)):
            return outcome
        wanted = emitted(steps)
        parts = self.session.await_parts(wanted)
        # A tool that ran where it should not have broke what the check is about.
        if outcome.intruding and ran_unasked(steps, wanted, parts.came):
            return outcome
        moved = misplaced(wanted, parts.came, self.session.names)
        if moved is not None:
            # Late or not, it is none of that call.
            text = (
                f"an event of {shown(moved.owner)}, with the payload "
                f"{shown(moved.payload)}, came under the id {shown(moved.under)}"
            )
            return replace(outcome, charged=MISPLACED, text=text)
        if not is_about:
            return outcome
        charged = event_clause(
            wanted,
            parts.came,
            self.session.names,
            complete=parts.complete,
            refused=parts.refused,
        )
        if charged == REFUSED and check.clauses == (IDS,):
            # The tool is known to work: it is the id that was refused.
            return replace(outcome, clause=None)
        if any(one.clause == "HV1-E2" for one in self.session.deviations):
            charged = "HV1-E2"
        return replace(outcome, charged=charged)

    def _known_of(
        self, check: Check, outcome: Diverged, steps: Sequence[Mapping[str, Any]]
    ) -> str | None:
        """Return the clause that a drawn example breaks whatever it is about.

        Vectors try first what they take for granted; an example holds all together.
        """
        lines = (line for data in self.session.sent for line in data.split(b"\n"))
        is_long = any(len(line) >= LONG_LINE for line in lines)
        # How long a line may be no MUST says.
        if outcome.missing and is_long and self._may_be_broken(LONG_LINE_CLAUSE):
            return LONG_LINE_CLAUSE
        if self.session.uses_ids_again and AGAIN_CLAUSE in self._broken:
            return AGAIN_CLAUSE
        together = owes_answer(outcome) and is_beside_others(outcome, steps)
        if together and TOGETHER_CLAUSE in self._broken:
            return TOGETHER_CLAUSE
        if (outcome.clause or check.clauses[0]) in self.told:
            # It is broken by itself: that needs no other for a reason.
            return None
        # What only SHOULD be so is asked of a host whose calls are answered right.
        wrong = sorted(TAKEN_FOR_GRANTED & self._broken)
        return wrong[0] if wrong and check.level == "should" else None

    def _fatal_clause(
        self, outcome: Diverged, steps: Sequence[Mapping[str, Any]]
    ) -> str | None:
        """Return the clause by which a host was to live on that has ended since.

        It is broken elsewhere, and what is asked for here may have come before the end.
        """
        if outcome.missing is None or outcome.missing.ended is None:
            return None
        survived = [
            step["clause"]
            for step in steps[: outcome.step]
            if "fence" in step and step.get("clause") in self._broken
        ]
        return survived[-1] if survived else None

    def _may_be_broken(self, clause: str) -> bool:
        """Tell whether a clause is broken, or was not tried."""
        return clause in self._broken or not self.tries(clause)

    def piped(
        self, steps: Sequence[Mapping[str, Any]], found: Sequence[Deviation]
    ) -> list[bytes]:
        """Return what a pipe writes: the start, then what was sent."""
        if self._needs_new_state():
            return []
        params = self._setup["start"]
        start = {"v": 1, "id": "start", "method": "init", "params": params}
        sent = self.session.sent
        if not sent:
            return [written(start), *self._plain(found)]
        writes = writes_in_order(sent, steps)
        own = self._asked_for(found[:1])
        if own is not None:
            # What is wrong is the answer to a request of the suite's own.
            came_first = self._came_before(own, sent[0])
            writes = [own, *writes] if came_first else [*writes, own]
        return [written(start), *writes]

    def _came_before(self, first: bytes, then: bytes) -> bool:
        """Tell which of two requests of the check in hand was sent first."""
        entries = [one.data for one in self.session.start_entries]
        places = {data: place for place, data in reversed([*enumerate(entries)])}
        return places.get(first, -1) < places.get(then, len(entries))

    def _needs_new_state(self) -> bool:
        """Tell whether what was sent has a state that the next start would not know."""
        session = self.session
        return session.state_varies and any(b'"state"' in one for one in session.sent)

    def _asked_for(self, found: Sequence[Deviation]) -> bytes | None:
        """Return the request whose answer is at fault; None for that of the start."""
        answered = own_keys("".join(one.evidence for one in found))
        for entry in self.session.start_entries:
            if entry.direction != "sent" or entry.size != len(entry.data):
                continue
            is_start = b'"method":"init"' in entry.data
            stale = self.session.state_varies and b'"state"' in entry.data
            keys = own_keys(entry.text())
            if not (is_start or stale or answered.isdisjoint(keys)):
                return entry.data
        return None

    def _plain(self, found: Sequence[Deviation]) -> list[bytes]:
        """Return the request of the suite's own whose answer is at fault.

        Where a host did not come up, they are the plain requests that show its end.
        """
        if all(one.clause != "HV1-M3" for one in found):
            asked = self._asked_for(found)
            return [] if asked is None else [asked]
        count = max(1, self.lifetime.answered)
        return [b"".join(self._plain_line(n) for n in range(count))]

    def plain_request(self) -> bytes:
        """Return a plain valid request as a pipe writes it: the fence, for one."""
        return self._plain_line(0)

    def _plain_line(self, number: int) -> bytes:
        control = self._setup["controls"][0]
        params = expand(control["params"], self.session.names)
        asked = {"method": control["method"], "params": params}
        return written({"v": 1, "id": f"plain-{number + 1}", **asked})
