"""The checks of host-v1, bound to one host."""

from __future__ import annotations

import time
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from wireproof._errors import VectorDefect
from wireproof._judgement import Judgement, judge
from wireproof._reproduce import pipe_line, pytest_line
from wireproof._steps import Broke, Held, asked_delay, run_steps
from wireproof._suite import Check, ClauseText, SubjectFacts
from wireproof._verdicts import Deviation, Level, Result, Verdict, broken
from wireproof.host_v1._event_charge import emitted, event_clause, is_about_events
from wireproof.host_v1._monitors import Monitors
from wireproof.host_v1._probes import Probes
from wireproof.host_v1._session import HostSession
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof._reproduce import Ending
    from wireproof._settings import Settings, Target
    from wireproof.host_v1._link import NotUp
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

RETRY_SLOWER = 5
"""Factor for the times in a timing vector each time it is tried again."""


class HostSuite:
    """All checks of host-v1 on one host.

    Attributes:
        checks: What there is to run, in order.
    """

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
        self.checks = checks
        self.target = target
        self.settings = settings
        self.session = HostSession(target, settings, setup)
        self._vectors = vectors
        self._setup = setup
        self._toolset = toolset
        self._sources = {clause.id: clause.source for clause in clauses}
        self._levels: dict[str, Level] = {clause.id: clause.level for clause in clauses}
        self._monitors = Monitors()
        self._probes = Probes(self.session, setup)

    def run(self, check: Check) -> Result:
        """Carry out one check; a fault of the suite is a result too."""
        began = time.monotonic()
        try:
            if check.kind == "fuzz":
                from wireproof.host_v1._fuzz import run_property

                result = run_property(self, check)
            else:
                result = self._run_vector(check, self._vectors[check.id])
        except Exception as error:  # noqa: BLE001 - one check must not end the run
            self.session.discard()
            result = self._harness_error(check, error)
        return replace(result, duration_s=time.monotonic() - began)

    def finish(self) -> list[Result]:
        """Stop the host and return what the monitors have to say."""
        last = self.session.stop()
        self._monitors.report(last, "the end of the run")
        return self._monitors.results(
            self.session, self._sources, controlled=self.session.controlled
        )

    def facts(self) -> SubjectFacts:
        """Return what is known of the host."""
        missing = tuple(
            tool
            for tool in self._toolset
            if self.session.controlled and tool not in self.session.tools
        )
        lacking = set(missing)
        return SubjectFacts(
            "wire" if missing or not self.session.controlled else "full",
            self.session.starts,
            sum(not lacking.isdisjoint(c.needs.get("tools", ())) for c in self.checks),
            missing,
            self.settings.fuzz_seed,
            round(self.session.patience.latency * 1000, 3),
        )

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: start the host, and see whether it offers what is needed.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.session.begin()
        if (not_up := self.session.ensure_up()) is not None:
            return self._not_up(check, not_up)
        for tool in check.needs.get("tools", ()):
            if tool not in self.session.tools:
                reason = f"it needs {tool}, which the host does not list"
                result = self._early(check, Verdict.NOT_APPLICABLE, reason)
                return replace(result, evidence={"tools": [tool]})
        if (fault := self._probes.fault(check)) is not None:
            reason = f"not testable because of {fault.clause}: {fault.text}"
            return self._early(check, Verdict.NOT_TESTABLE, reason, fault.clause)
        for method in check.needs.get("methods", ()):
            if method not in self.settings.offers and not self._probes.offers(method):
                reason = f"the host does not offer {method}"
                return self._early(check, Verdict.NOT_APPLICABLE, reason)
        return None

    def attempt(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        *,
        time_scale: int = 1,
        begun: bool = False,
    ) -> Result:
        """Carry out steps on the host as it is, and judge what comes of them.

        Args:
            check: What the steps belong to.
            steps: What to carry out.
            time_scale: Factor for the times that tools are asked to take.
            begun: Whether ``unmet`` has begun the check already.
        """
        if not begun:
            self.session.begin()
        if (not_up := self.session.ensure_up()) is not None:
            return self._not_up(check, not_up)
        self.session.checks_served += 1
        outcome = run_steps(self.session, steps, time_scale=time_scale)
        return self._conclude(check, outcome, steps)

    # --- one vector

    def _run_vector(self, check: Check, vector: Vector) -> Result:
        data: Mapping[str, Any] = vector.data
        ended: list[Deviation] = []
        if data.get("fresh") and self.session.checks_served:
            ended = self.session.stop()
        if (result := self.unmet(check)) is not None:
            return result
        if data.get("bare"):
            ended = self.session.stop()
            if (not_up := self.session.start_bare()) is not None:
                return self._not_up(check, not_up)
        for found in ended:
            self.session.note(found)
        steps = data["steps"]
        if (result := self._too_long(check, steps)) is not None:
            return result
        scale = 1
        result = self.attempt(check, steps, begun=True)
        for _ in range(data.get("retry", 0)):
            if not result.evidence.get("about_time"):
                break
            # What is still in flight must not be taken for a part of the next try.
            self.session.discard()
            scale *= RETRY_SLOWER
            result = self._again(check, steps, result, scale)
        if result.verdict is Verdict.FAILED and not result.evidence.get("fresh"):
            result = self._try_alone(check, steps, result, scale)
        return result

    def _too_long(
        self, check: Check, steps: Sequence[Mapping[str, Any]]
    ) -> Result | None:
        """Leave out what a host of this speed would need minutes for."""
        frames = max((step.get("times", 1) for step in steps), default=1)
        seconds = frames * self.session.patience.quickest
        if frames == 1 or seconds <= LONG_SECONDS:
            return None
        reason = f"{frames} frames would take this host about {seconds:.0f} s"
        return self._early(check, Verdict.NOT_APPLICABLE, reason)

    def _again(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        before: Result,
        scale: int,
    ) -> Result:
        after = self.attempt(check, steps, time_scale=scale)
        return replace(after, monitors=(*before.monitors, *after.monitors))

    def _try_alone(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        failed: Result,
        scale: int,
    ) -> Result:
        """Try a failed vector on a host that has served nothing else.

        The failure stands either way; what is learnt is whether one line shows it
        again or whether it takes what was sent before.
        """
        self.session.discard()
        again = self._again(check, steps, failed, scale)
        if again.verdict is Verdict.FAILED:
            return again
        note = "it did not fail on a host that had served nothing else"
        return replace(
            failed,
            evidence={**failed.evidence, "alone": note},
            reproduce=pytest_line("", self.settings.reproduce_options),
            monitors=again.monitors,
        )

    def _conclude(
        self, check: Check, outcome: Held | Broke, steps: Sequence[Mapping[str, Any]]
    ) -> Result:
        clauses = check.clauses
        charged = self._event_clause(check, outcome, steps)
        if charged is not None and isinstance(outcome, Broke):
            outcome = replace(outcome, clause=charged)
            # All of them are MUSTs: a SHOULD is not testable because of one.
            clauses = (*clauses, charged) if check.level == "must" else clauses
        found = self.session.deviations
        explained = {id(one) for one in found if self._explains(check, one)}
        clause, level = check.clauses[0], check.level
        if explained and isinstance(outcome, Broke) and outcome.clause is not None:
            rests_on = outcome.clause
            if self._levels[rests_on] != "must":
                # The step that failed asks for what no MUST asks for.
                clause, level = rests_on, self._levels[rests_on]
                outcome = replace(outcome, deviations=())
        deviations = [
            replace(one, clause=clause, level=level) if id(one) in explained else one
            for one in found
        ]
        judgement = judge(clauses, check.level, outcome, deviations, self._levels)
        result = self._judged(check, judgement, outcome, steps)
        result = self._charge(
            check, result, [one for one in found if id(one) not in explained]
        )
        # A check that sent init and did not come to its fence leaves a state behind
        # that may be that of an init gone by.
        stale = isinstance(outcome, Broke) and self.session.sent_init
        if judgement.subject_lost or judgement.verdict is Verdict.FAILED or stale:
            self.session.discard()
        return result

    def _event_clause(
        self,
        check: Check,
        outcome: Held | Broke,
        steps: Sequence[Mapping[str, Any]],
    ) -> str | None:
        """Return the clause about events that a failure breaks, by what differs."""
        if not is_about_events(check.clauses, outcome):
            return None
        wanted = emitted(steps)
        came, complete = self.session.await_parts(wanted)
        return event_clause(wanted, came, self.session.names, complete=complete)

    def _charge(
        self, check: Check, result: Result, found: Sequence[Deviation]
    ) -> Result:
        """Hand what the monitors found to their own results; name what is new."""
        new = self._monitors.report(found, check.id)
        other = tuple(one for one in new if one.clause not in check.clauses)
        if new and result.reproduce is None:
            result = replace(
                result, reproduce=self._reproduction(check, [{"fence": 1}])
            )
        result = replace(result, monitors=other)
        self._monitors.attach(new, result)
        return result

    def _explains(self, check: Check, found: Deviation) -> bool:
        """Tell whether a check itself is about what a monitor found."""
        vector = self._vectors.get(check.id)
        listed: Any = vector.data.get("explains", ()) if vector else ()
        if found.clause not in listed:
            return False
        return found.about is None or found.about in self.session.asked

    def _judged(
        self,
        check: Check,
        judgement: Judgement,
        outcome: Held | Broke,
        steps: Sequence[Mapping[str, Any]],
    ) -> Result:
        evidence: dict[str, Any] = {}
        match outcome:
            case Held(frames=frames):
                evidence["frames"] = frames
            case Broke(about_time=about_time, missing=missing):
                # A slower attempt may tell something else.
                evidence["about_time"] = about_time or missing is not None
            case _:
                assert_never(outcome)
        if judgement.recorded:
            evidence["recorded"] = judgement.recorded
        if self.session.checks_served <= 1:
            evidence["fresh"] = True
        result = replace(
            self._result(check, judgement.verdict, judgement.reason),
            clauses=(judgement.charged,) if judgement.charged else check.clauses,
            evidence=evidence,
            because=judgement.because,
            differences=judgement.differences,
        )
        if judgement.verdict is Verdict.PASSED and not self.session.deviations:
            return result
        return replace(
            result,
            stderr=self.session.stderr_tail,
            reproduce=self._reproduction(check, steps),
        )

    def _reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        found: Sequence[Deviation] = (),
    ) -> str:
        line = None
        if not self.session.cut and all(not PIPED.isdisjoint(step) for step in steps):
            start = {
                "v": 1,
                "id": "start",
                "method": "init",
                "params": self._setup["start"],
            }
            settings = self.settings
            line = pipe_line(
                encode(start) + b"".join(self.session.sent),
                self.target.command,
                folder=self._folder_to_show(),
                environment=settings.shown_environment,
                seconds=sum(asked_delay(step.get("send")) for step in steps),
                ending=_ending(steps, (*found, *self.session.deviations)),
            )
        return line or pytest_line(check.argument, self.settings.reproduce_options)

    def _folder_to_show(self) -> str | None:
        options = self.settings.reproduce_options
        named = any(option.startswith("--subject-cwd") for option in options)
        return str(self.settings.folder) if named else None

    # --- results

    def _early(
        self, check: Check, verdict: Verdict, reason: str, because: str | None = None
    ) -> Result:
        """Conclude a check that could not be carried out."""
        result = replace(self._result(check, verdict, reason), because=because)
        return self._charge(check, result, self.session.deviations)

    def _not_up(self, check: Check, not_up: NotUp) -> Result:
        own = [found for found in not_up.deviations if found.clause in check.clauses]
        if own:
            result = self._result(check, broken(own[0].level), own[0].text)
        else:
            because = next((found.clause for found in not_up.deviations), None)
            result = replace(
                self._result(check, Verdict.NOT_TESTABLE, not_up.text), because=because
            )
        result = replace(
            result,
            stderr=self.session.stderr_tail,
            reproduce=self._reproduction(check, [{"fence": True}], not_up.deviations),
        )
        return self._charge(check, result, not_up.deviations)

    def _result(self, check: Check, verdict: Verdict, reason: str = "") -> Result:
        return Result(
            check.id,
            check.clauses,
            check.level,
            check.source,
            verdict,
            reason,
            entries=self.session.transcript.entries(),
            transcript=self.session.transcript.as_json(),
            prelude=self.session.transcript.prelude(),
            title=check.title,
        )

    def _harness_error(self, check: Check, error: Exception) -> Result:
        if isinstance(error, VectorDefect):
            return self._result(check, Verdict.HARNESS_ERROR, str(error))
        text = "".join(traceback.format_exception(error))
        return self._result(check, Verdict.HARNESS_ERROR, text)


def _ending(steps: Sequence[Mapping[str, Any]], found: Sequence[Deviation]) -> Ending:
    """Return how a pipe has to end for a fault to be seen."""
    if any("close_input" in step for step in steps):
        return "at-once"
    return "tell" if any(one.clause == "HV1-T5" for one in found) else "settle"
