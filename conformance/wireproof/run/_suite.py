"""The checks of one protocol on one subject: vectors, places and fuzz properties."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    AGAINST,
    HELD,
    Attempt,
    Check,
    Deviation,
    Result,
    SubjectFacts,
    Suite,
    Transcript,
    Verdict,
)
from wireproof.judge import (
    MAIN,
    Case,
    Closed,
    Noted,
    Ran,
    Received,
    Restarted,
    Sent,
    StepDone,
)
from wireproof.patterns import delay_of, exit_text, in_line, is_object, written
from wireproof.run._beside import Beside
from wireproof.run._monitors import Monitors
from wireproof.run._places import try_place
from wireproof.run._runner import OF_TIME, Runner
from wireproof.run._waits import Waits
from wireproof.subjects import UNBUFFERED, pipe_line, run_line, shown_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypothesis.strategies import SearchStrategy

    from wireproof.checks import SuiteInputs
    from wireproof.fuzzing import DrawnAhead, Example
    from wireproof.judge import Observation, Reason, Rules
    from wireproof.run._driver import Driver
    from wireproof.run._runner import Outcome

CHECKS_BEFORE = 3
"""Checks that a subject has served before the check that takes long is begun beside."""


AT_THE_END = "at the end of the run"
"""When a monitor noticed what a subject wrote after its input was closed."""

NOT_IN_A_PIPE = frozenset({"restart", "cut", "unread"})
"""Keys of steps that a line of shell cannot show again."""

WORTH_DRAWING_AHEAD = 3
"""Properties for which a process that draws examples ahead pays."""


@dataclass(slots=True)
class Pace:
    """How fast the subject is, and whether its failures may be waited for briefly.

    Attributes:
        waits: What the run has measured.
        shortened: Whether brief waits are enough, since a failure was confirmed.
        shrinking: Seconds that were spent on making examples smaller.
    """

    waits: Waits
    shortened: bool = False
    shrinking: float = 0.0

    @property
    def latency(self) -> float:
        """Seconds of a trivial exchange."""
        return self.waits.latency


class EngineSuite(Suite):
    """All checks of one protocol on one subject."""

    def __init__(
        self,
        inputs: SuiteInputs,
        new_driver: Callable[[], Driver],
        rules: Rules,
        monitored: Mapping[str, str],
        sentence: Callable[[Reason], str],
        plans: str,
        scenarios: Mapping[str, Sequence[Mapping[str, Any]]] = MappingProxyType({}),
        kind: str = "exchange",
        beside: str = "",
    ) -> None:
        """Bind checks to a subject; nothing is started yet.

        Args:
            inputs: The checks, and what they take.
            new_driver: Returns how the subject is started and asked.
            rules: Which clause a fault breaks.
            monitored: Clauses that are checked on every frame, and the kind of frames.
            sentence: Makes a sentence of a reason.
            plans: The module of the strategies of the fuzz properties.
            scenarios: Steps of checks that are no vectors, by id.
            kind: The kind of vector that a failing example is saved as.
            beside: The id of the scenario that is carried out on a process of its own,
                beside the other checks, since it takes long; "" for none.
        """
        super().__init__(inputs.target, inputs.settings, inputs.checks)
        self.vectors = inputs.vectors
        self.toolset = inputs.toolset
        levels = {clause.id: clause.level for clause in inputs.clauses}
        rules = replace(rules, levels=levels)
        self.patience = Pace(Waits(inputs.settings.timeout))
        self._driver = new_driver()
        tell = inputs.settings.tell
        self.runner = Runner(self._driver, rules, self.patience.waits, tell)
        self._scenarios = scenarios
        self._long = beside
        self._beside: Beside | None = None
        self._drawn: DrawnAhead | None = None
        self._new_driver = new_driver
        self._rules = rules
        self._sentence = sentence
        self._plans = plans
        self._kind = kind
        self._monitors = Monitors(inputs.target.protocol, monitored, inputs.clauses)
        self._seen: Counter[str] = Counter()
        self._checks = 0
        self._last: Observation | None = None

    # --- the interface of a suite

    @property
    def transcript(self) -> Transcript:
        """The traffic of the check in hand."""
        return _transcript(self._last)

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, whatever its kind."""
        if check.id in self._scenarios:
            return self._run_scenario(check)
        if check.kind == "fuzz":
            return self._run_property(check)
        data: Mapping[str, Any] = self.vectors[check.id].data
        self.runner.starts_ahead -= _costs_a_start(data)
        if "values" in data:
            return self._run_place(check, data)
        needs = (bool(data.get(one)) for one in ("fresh", "bare", "retry"))
        case = Case(check, data["steps"], *needs)
        return self._judged(check, _proven(self._tried(case)))

    def observed(self) -> Mapping[str, Any]:
        """Return what the check in hand has seen so far."""
        return self.runner.seen.dump()

    def discard(self) -> None:
        """End the subject at once; the next check starts a new one."""
        self.runner.stop()

    def finish(self) -> list[Result]:
        """Stop the subject and return the results of the monitors."""
        for reason, seen in self.runner.finish():
            shown = self._shown(self.checks[0], seen, reason)
            self._monitors.notice([reason], None, shown, AT_THE_END)
        if self._beside is not None:
            self._beside.stop()
        if self._drawn is not None:
            self._drawn.end()
        recorded = self._driver.recorded()
        controlled = self.runner.controlled
        found = self._monitors.results(self._seen, recorded, controlled=controlled)
        results = [*found, *self._driver.results()]
        return [self._in_words(result) for result in results]

    def facts(self) -> SubjectFacts:
        """Return what is known of the subject."""
        runner = self.runner
        latency_ms = round(self.patience.latency * 1000, 3)
        seed = self.settings.fuzz_seed
        facts = SubjectFacts("wire", runner.starts, 0, (), seed, latency_ms)
        return self._driver.facts(facts, self.checks)

    # --- vectors

    def _tried(self, case: Case) -> Outcome:
        self._checks += 1
        if self._checks == CHECKS_BEFORE and self._beside is not None:
            self._beside.begin()
        outcome = self.runner.run(case, brief=self.patience.shortened)
        self._last = outcome.observation
        self._seen.update(outcome.seen)
        return outcome

    def _judged(self, check: Check, outcome: Outcome) -> Result:
        """Make a result of an outcome; report what monitors noticed."""
        result = self._result(check, outcome)
        told = result.why if result.verdict in AGAINST else None
        key = told.key if told is not None else None
        noticed = [one for one in outcome.judgement.findings if one.key != key]
        if noticed and not result.reproduce:
            seen = outcome.observation
            line = self._reproduction(check, seen, noticed[0])
            result = replace(result, reproduce=line, stderr=outcome.stderr)
        new = self._monitors.notice(noticed, check.id, result) if noticed else []
        for reason, seen in outcome.by_the_way:
            shown = self._shown(check, seen, reason)
            if not _has_own_request(seen):
                # Which check needed the process has nothing to do with it.
                self._monitors.notice([reason], None, shown)
            else:
                new += self._monitors.notice([reason], check.id, shown)
        # A clause that the check itself has failed is not told twice in it.
        told = result.clauses if result.verdict in AGAINST else ()
        shown_here = [one for one in new if one.clause not in told]
        if shown_here:
            result = replace(result, monitors=tuple(map(self._deviation, shown_here)))
        return self._in_words(result)

    def _result(self, check: Check, outcome: Outcome) -> Result:
        judgement, seen = outcome.judgement, outcome.observation
        reason, verdict = judgement.reason, judgement.verdict
        evidence: dict[str, Any] = {"frames": outcome.seen["frames"]}
        if outcome.tries > 1:
            evidence["tries"] = outcome.tries
        if self._driver.connections is not None:
            for event in seen.events:
                if isinstance(event, StepDone) and is_object(event.seen):
                    evidence |= event.seen.get("evidence", {})
        if judgement.recorded:
            evidence["recorded"] = dict(judgement.recorded)
        if reason is not None and "line" in reason.fields:
            evidence["line"] = reason.fields["line"]
        if reason is not None and "tool" in reason.fields:
            evidence = {"tools": [*check.calls]}
        transcript = _transcript(seen)
        result = Result(
            check.id,
            check.clauses,
            judgement.level,
            check.source,
            verdict,
            evidence=evidence,
            entries=transcript.entries(),
            prelude=transcript.prelude(),
            title=check.title,
            why=reason,
        )
        if reason is None or verdict is Verdict.NOT_APPLICABLE:
            return result
        if verdict in AGAINST:
            result = replace(result, clauses=(reason.clause,))
        elif seen.not_up is None:
            # If the subject does not come up, no clause but that hides the check.
            result = replace(result, because=reason.clause)
        ended = reason.kind in {"exited", "exited-at-start"}
        status = reason.fields.get("status")
        how = "exited" if status is None else f"exited with {exit_text(status)}"
        return replace(
            result,
            differences=judgement.differences,
            stderr=outcome.stderr,
            reproduce=self._reproduction(check, seen, reason),
            ended=f"the subject {how}" if ended else None,
        )

    def _shown(self, check: Check, seen: Observation, reason: Reason) -> Result:
        """Return a result that shows what a monitor noticed outside of its check."""
        transcript = _transcript(seen)
        return Result(
            check.id,
            check.clauses,
            check.level,
            check.source,
            Verdict.FAILED,
            entries=transcript.entries(),
            reproduce=self._reproduction(check, seen, reason),
        )

    def _deviation(self, reason: Reason) -> Deviation:
        fields = reason.fields
        return Deviation(
            reason.clause,
            fields.get("level", "must"),
            self._sentence(reason),
            fields.get("line", ""),
        )

    def _in_words(self, result: Result) -> Result:
        if result.why is None:
            return result
        text = self._sentence(result.why)
        if result.verdict is Verdict.NOT_TESTABLE and result.because:
            text = f"not testable because of {result.because}: {text}"
        return replace(result, reason=text, key=result.why.key)

    def _reproduction(self, check: Check, seen: Observation, reason: Reason) -> str:
        """Return one line of shell that shows a failure again."""
        writes = _writes(seen)
        shown = self.settings.shown_environment
        forwarded = self._driver.forwarded
        ending: Any = "settle"
        if reason.kind == "held-back":
            ending = "tell"
        elif any(isinstance(one, Sent) and one.eof for one in seen.events):
            ending = "at-once"
        vector = self.vectors.get(check.id)
        data: Mapping[str, Any] = vector.data if vector is not None else {}
        steps: Sequence[Mapping[str, Any]] = ()
        if "values" not in data:
            steps = data.get("steps", ())
        keys = {key for step in steps for key in step}
        if (several := self._driver.connections) is not None:
            line = None
            if not writes and seen.not_up:
                writes = [written(self._driver.control().message)]
            is_plain = keys.isdisjoint(NOT_IN_A_PIPE) and _is_one_connection(seen)
            # The steps of the check went right: they do not show why it proves nothing.
            is_plain &= seen.not_up is None or not _has_own_request(seen)
            has_seen = any(
                isinstance(one, StepDone) and one.seen is not None
                for one in seen.events
            )
            if writes and is_plain and several.is_shown(steps, has_seen=has_seen):
                line = several.line_of_shell(writes, seen.names, delay_of(steps))
            return line or run_line(self.settings, check.argument)
        opening = self._driver.opening(writes)
        if _has_own_request(seen) and opening is not None and not data.get("bare"):
            writes = [*opening, *writes]
        # All but the check of flushing is tried on a process that was told to flush.
        is_told = self.runner.held_back and reason.kind != "held-back"
        added: Mapping[str, str] = UNBUFFERED if is_told else {}
        line = None
        # A pipe into a program that only reads may never end.
        ends = reason.kind != "silent-at-start"
        if writes and opening is not None and ends and keys.isdisjoint(NOT_IN_A_PIPE):
            line = pipe_line(
                writes[-1],
                tuple(self._driver.command),
                folder=shown_folder(self.settings),
                environment={} if forwarded is not None else {**shown, **added},
                forwarded=forwarded,
                seconds=delay_of(steps),
                ending=ending,
                before=writes[:-1],
            )
        return line or run_line(self.settings, check.argument)

    # --- scenarios

    def announce(self, checks: Sequence[Check]) -> None:
        """Begin what goes on beside the checks: a long one, drawing of examples."""
        fuzzed = [check.name for check in checks if check.kind == "fuzz"]
        if self.settings.spare_core and len(fuzzed) >= WORTH_DRAWING_AHEAD:
            self._draw_ahead(fuzzed)
        if self.settings.spare_core:
            vectors = [self.vectors.get(check.id) for check in checks]
            self.runner.starts_ahead = sum(
                _costs_a_start(one.data) for one in vectors if one is not None
            )
        found = [check for check in checks if check.id == self._long]
        if found and len(checks) > CHECKS_BEFORE:
            case = Case(found[0], self._scenarios[found[0].id])
            runner = Runner(self._new_driver(), self._rules, self.patience.waits)
            self._beside = Beside(runner, case)

    def _draw_ahead(self, names: Sequence[str]) -> None:
        from wireproof.fuzzing import DrawnAhead

        settings = self.settings
        # Without room for one more process each property is drawn in its turn.
        with suppress(OSError):
            self._drawn = DrawnAhead(
                self._plans, names, examples=settings.fuzz, seed=settings.fuzz_seed
            )

    def _run_scenario(self, check: Check) -> Result:
        outcome = None
        if self._beside is not None and check.id == self._long:
            outcome = self._beside.finish()
        if outcome is None:
            # A subject may allow one process of it at a time.
            outcome = self._tried(Case(check, self._scenarios[check.id]))
        return self._judged(check, _proven(outcome))

    # --- places

    def _run_place(self, check: Check, data: Mapping[str, Any]) -> Result:
        # Which tools the subject lists is known once it is up.
        begun = self._tried(Case(check, ()))
        result = self._judged(check, begun)
        if result.verdict not in HELD:
            return result
        fresh = bool(data.get("fresh"))

        def attempt(steps: Sequence[Mapping[str, Any]]) -> Outcome:
            nonlocal fresh
            outcome = self._tried(Case(check, steps, fresh))
            has_failed = outcome.judgement.verdict in AGAINST
            self.patience.shortened = has_failed
            # Each value is tried once on one process, until one fails.
            fresh = has_failed and bool(data.get("fresh"))
            return outcome

        try:
            placed = try_place(data, attempt, self.patience.latency, self._driver.tools)
        finally:
            self.patience.shortened = False
        if placed.outcome is None:
            return self.result(check, Verdict.NOT_APPLICABLE)
        outcome = placed.outcome
        if placed.values and (reason := outcome.judgement.reason) is not None:
            fields = {
                "values": [
                    (one.name, in_line(one.value), one.reason) for one in placed.values
                ],
                "others": [(one.name, in_line(one.value)) for one in placed.others],
            }
            named = replace(reason, fields={**reason.fields, **fields})
            outcome.judgement = replace(outcome.judgement, reason=named)
        if begun.unproven is not None and outcome.judgement.verdict in HELD:
            return self._judged(check, _proven(begun))
        result = self._judged(check, outcome)
        counts = {"values": placed.held, "exchanged": placed.frames}
        return replace(result, evidence={**result.evidence, **counts})

    # --- fuzz properties

    def attempt(self, check: Check, steps: Sequence[Mapping[str, Any]]) -> Attempt:
        """Carry out the steps of one example."""
        outcome = self._tried(Case(check, steps))
        reason = outcome.judgement.reason
        return Attempt(
            self._judged(check, outcome),
            about_time=reason is not None and reason.kind in OF_TIME,
            fresh=not outcome.observation.used,
            step=outcome.judgement.step,
            counted={"frames": outcome.seen["frames"]},
        )

    def _run_property(self, check: Check) -> Result:
        from wireproof.fuzzing import run_property, sparing

        def spared(plan: Example) -> Example:
            return sparing(plan, self._driver.tools)

        begun = self._tried(Case(check, ()))
        result = self._judged(check, begun)
        if result.verdict not in HELD:
            return result
        strategy: SearchStrategy[Example]
        strategy = import_module(self._plans).STRATEGIES[check.name]
        drawn = self._drawn.of(check.name) if self._drawn is not None else ()
        ahead = [(number, spared(plan)) for number, plan in drawn]
        protocol = self.target.protocol
        result = run_property(
            self,
            check,
            protocol,
            strategy.map(spared),
            kind=self._kind,
            ahead=ahead,
        )
        if begun.unproven is not None and result.verdict in HELD:
            return self._judged(check, _proven(begun))
        return result


def _proven(outcome: Outcome) -> Outcome:
    """Return what an outcome means if what is right in it may prove nothing."""
    judgement = outcome.unproven
    if judgement is None or outcome.judgement.verdict not in HELD:
        return outcome
    seen = outcome.observation
    if (why := judgement.reason) is not None:
        seen = replace(seen, not_up=(why.kind, dict(why.fields)))
    return replace(outcome, judgement=judgement, observation=seen)


def _costs_a_start(data: Mapping[str, Any]) -> bool:
    """Return whether a process is started for a vector, or ended by it."""
    is_own = bool(data.get("fresh") or data.get("bare"))
    return is_own or any("close_input" in step for step in data.get("steps", ()))


def _has_own_request(seen: Observation) -> bool:
    """Return whether something was sent that is a check's own."""
    for event in seen.events:
        match event:
            case Sent(own=False, eof=False) | Ran(own=False):
                return True
            case _:
                pass
    return False


def _is_one_connection(seen: Observation) -> bool:
    """Return whether a check did no more than send lines on its first connection."""
    for event in seen.events:
        match event:
            case Sent(own=own, on=on, eof=eof) if eof or not (own or on == MAIN):
                return False
            case Closed(by_subject=False) | Restarted():
                return False
            case _:
                pass
    return True


def _transcript(seen: Observation | None) -> Transcript:
    transcript = Transcript(0.0)
    for event in seen.events if seen is not None else ():
        if isinstance(event, Sent) and not event.eof:
            transcript.add(event.at, "sent", event.data, own=event.own)
        elif isinstance(event, Received):
            direction: Any = "stderr" if event.stderr else "received"
            transcript.add(event.at, direction, event.data)
        elif isinstance(event, Noted):
            sender: Any = "sent" if event.by_runner else "received"
            transcript.add(event.at, sender, f"({event.text})".encode(errors="replace"))
        elif isinstance(event, Ran):
            end = event.at + event.seconds
            transcript.add(event.at, "sent", event.data, own=event.own)
            if event.wrote:
                transcript.add(end, "received", event.wrote)
            if event.stderr:
                transcript.add(end, "stderr", event.stderr.encode())
    return transcript


def _writes(seen: Observation) -> list[bytes]:
    """Return what was sent, in as many writes as answers were waited for."""
    found: list[bytes] = []
    joins = False
    is_start = not _has_own_request(seen)
    for event in seen.events:
        if isinstance(event, Received):
            joins = False
        elif isinstance(event, Sent) and not event.eof and (is_start or not event.own):
            if joins:
                found[-1] += event.data
            else:
                found.append(event.data)
            joins = True
        elif isinstance(event, Ran) and (not event.own or (is_start and not found)):
            found.append(event.data)
    return found
