"""The checks of host-v1, bound to one host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, Result, Verdict
from wireproof.crossing import is_place
from wireproof.line import (
    Completed,
    Monitors,
    StdioSuite,
    asked_delay,
    writes_in_order,
)
from wireproof.patterns import expand
from wireproof.protocols.host_v1._event_charge import (
    emitted,
    event_clause,
    is_about_events,
)
from wireproof.protocols.host_v1._exits import Exits
from wireproof.protocols.host_v1._monitored import (
    FENCED_CLAUSES,
    MONITORED,
    NEEDS_SEEN,
    recorded,
)
from wireproof.protocols.host_v1._probes import Probes
from wireproof.protocols.host_v1._session import HostSession
from wireproof.protocols.host_v1._settings import HostSettings
from wireproof.subjects import pipe_line, pytest_line, shown_folder
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check, ClauseText, Settings, Target
    from wireproof.line import StepsOutcome
    from wireproof.subjects import Ending
    from wireproof_vectors import Vector

LONG_SECONDS = 60.0
"""A check whose frames would take a host longer than this is left out."""

PIPED = frozenset(
    {
        "send",
        "send_many",
        "send_raw",
        "expect",
        "expect_optional",
        "fence",
        "close_input",
        "expect_exit",
    }
)
"""Steps that a pipe can show again; input is closed after all others that send."""


class HostSuite(StdioSuite[HostSession]):
    """All checks of host-v1 on one host."""

    fenced_clauses = FENCED_CLAUSES
    ending_steps = frozenset({"close_input"})

    def __init__(
        self,
        target: Target,
        settings: Settings,
        checks: Sequence[Check],
        vectors: Mapping[str, Vector],
        setup: Mapping[str, Any],
        toolset: Sequence[str],
        clauses: Sequence[ClauseText],
    ) -> None:
        """Bind checks to a host.

        Args:
            target: The host's command.
            settings: The user's options.
            checks: What there is to run.
            vectors: The vectors behind the checks, by id.
            setup: The data of ``host_v1/setup.json``.
            toolset: The names of the tools that a host at full level lists.
            clauses: The catalogue.
        """
        session = HostSession(target, settings, setup)
        monitors = Monitors("host-v1", MONITORED, NEEDS_SEEN, clauses)
        super().__init__(
            session, target, settings, checks, vectors, toolset, clauses, monitors
        )
        self._setup = setup
        self._exits = Exits(session, settings, setup)
        self._probes = Probes(session, self._exits, setup)

    def finish(self) -> list[Result]:
        """Stop the host and return what the monitors have to say."""
        self.end_checks()
        last = self.session.stop()
        self.session.end_spares()
        self.monitors.report(last, None, "at the end of the run")
        controlled = self.session.controlled
        held = self.monitors.results(self.session.seen, controlled=controlled)
        return [*held, *(recorded(self.session, self.sources) if controlled else ())]

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: start the host, and see whether it offers what is needed.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.session.begin()
        if (not_up := self.session.ensure_up()) is not None:
            return self.not_up(check, not_up)
        if (result := self.lacks_tool(check)) is not None:
            return result
        if (fault := self._probes.fault(check)) is not None:
            reason = f"not testable because of {fault.clause}: {fault.text}"
            return self.early(check, Verdict.NOT_TESTABLE, reason, fault.clause)
        offered = self.settings.of(HostSettings).offers
        for method in check.needs.get("methods", ()):
            if method not in offered and not self._probes.offers(method):
                reason = f"the host does not offer {method}"
                return self.early(check, Verdict.NOT_APPLICABLE, reason)
        return None

    def run_vector(self, check: Check, vector: Vector) -> Result:
        """Carry out one vector, on a host as fresh as it wants."""
        data: Mapping[str, Any] = vector.data
        ended: list[Deviation] = []
        if data.get("fresh") and self.session.checks_served:
            ended = self.session.stop()
        if (result := self.unmet(check)) is not None:
            return result
        if data.get("bare"):
            ended = self.session.stop()
            if (not_up := self.session.start_bare()) is not None:
                return self.not_up(check, not_up)
        for found in ended:
            self.session.note(found)
        if is_place(data):
            return self.run_place(check, data)
        steps = data["steps"]
        if (result := self._too_long(check, steps)) is not None:
            return result
        return self.try_vector(check, steps, data.get("retry", 0))

    def run_property(self, check: Check) -> Result:
        """Fuzz one property."""
        from wireproof.fuzzing import run_property, sparing
        from wireproof.protocols.host_v1._fuzz_checks import PREFIX
        from wireproof.protocols.host_v1._fuzz_plans import STRATEGIES

        drawn = STRATEGIES[check.id.removeprefix(PREFIX)]
        strategy = drawn.map(lambda plan: sparing(plan, self.session.tools))
        return run_property(self, check, "host-v1", strategy)

    def _too_long(
        self, check: Check, steps: Sequence[Mapping[str, Any]]
    ) -> Result | None:
        """Leave out what a host of this speed would need minutes for."""
        frames = max((step.get("times", 1) for step in steps), default=1)
        seconds = frames * self.session.patience.quickest
        if frames == 1 or seconds <= LONG_SECONDS:
            return None
        reason = f"{frames} frames would take this host about {seconds:.0f} s"
        return self.early(check, Verdict.NOT_APPLICABLE, reason)

    def settle(
        self,
        check: Check,
        outcome: StepsOutcome,
        steps: Sequence[Mapping[str, Any]],
    ) -> StepsOutcome:
        """Wait for all events of the calls, where a failure may be one of events.

        The step that failed knows only the first frame that differs; whether events
        were lost, changed or sent under another id shows when all have come. A host
        that has ended may be one that ends whatever it is asked.
        """
        if isinstance(outcome, Completed):
            return outcome
        if (
            outcome.missing is not None
            and outcome.missing.ended is not None
            and not any("close_input" in step for step in steps)
            and (fault := self._exits.fault()) is not None
        ):
            self.session.note(fault)
            return outcome
        if not is_about_events(check.clauses, outcome):
            return outcome
        wanted = emitted(steps)
        came, complete = self.session.await_parts(wanted)
        names = self.session.names
        charged = event_clause(wanted, came, names, complete=complete)
        return replace(outcome, charged=charged)

    def reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        found: Sequence[Deviation] = (),
    ) -> str:
        """Return one line of shell that shows a failure again."""
        line = None
        piped = all(not PIPED.isdisjoint(step) for step in steps)
        if piped and not self._needs_new_state():
            start = {
                "v": 1,
                "id": "start",
                "method": "init",
                "params": self._setup["start"],
            }
            settings = self.settings
            sent = self.session.sent
            writes = writes_in_order(sent, steps) if sent else self._plain(found)
            *before, last = encode(start), *writes
            line = pipe_line(
                last,
                self.target.command,
                folder=shown_folder(settings),
                environment=settings.shown_environment,
                seconds=sum(asked_delay(step.get("send")) for step in steps),
                ending=_ending(steps, (*found, *self.session.deviations)),
                before=before,
            )
        return line or pytest_line(check.argument, self.settings.reproduce_options)

    def _needs_new_state(self) -> bool:
        """Tell whether what was sent has a state that the next start would not know."""
        session = self.session
        return session.state_varies and any(b'"state"' in one for one in session.sent)

    def _plain(self, found: Sequence[Deviation]) -> list[bytes]:
        """Return the plain requests that show how a host ends which did not come up."""
        if all(one.clause != "HV1-M3" for one in found):
            return []
        control = self._setup["controls"][0]
        params = expand(control["params"], self.session.names)
        request = {"v": 1, "method": control["method"], "params": params}
        count = max(1, self._exits.answered)
        plain = [encode({**request, "id": f"plain-{n + 1}"}) for n in range(count)]
        return [b"".join(plain)]


def _ending(steps: Sequence[Mapping[str, Any]], found: Sequence[Deviation]) -> Ending:
    """Return how a pipe has to end for a fault to be seen."""
    if any("close_input" in step for step in steps):
        return "at-once"
    return "tell" if any(one.clause == "HV1-T5" for one in found) else "settle"
