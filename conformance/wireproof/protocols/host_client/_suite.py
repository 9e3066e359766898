"""The checks of host-client, bound to one client."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import (
    HELD,
    Check,
    Deviation,
    Result,
    SubjectFacts,
    Suite,
    Transcript,
    Verdict,
)
from wireproof.crossing import at_fault, filled, given_at, is_place
from wireproof.operations import misfit_results
from wireproof.protocols.host_client._conduct import (
    Conduct,
    Pace,
    carry_out,
)
from wireproof.protocols.host_client._controls import Controls
from wireproof.protocols.host_client._hosts import HostsReport, read_reports, traffic
from wireproof.protocols.host_client._judgement import Judgement, judge_conduct
from wireproof.protocols.host_client._ops import OPS
from wireproof.subjects import DriverFault, run_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import SuiteInputs
    from wireproof.checks._transcript import Direction
    from wireproof.crossing import Given
    from wireproof.subjects import Bridge, Description
    from wireproof_vectors import Vector

MONITORED = "HV1-C1"
"""What is watched on every line, in every vector."""

SHOWN_SIZE = 300
"""Most characters of an outcome that are kept as evidence."""

_BROKEN = frozenset({Verdict.FAILED, Verdict.WARNED})


class ClientSuite(Suite):
    """All checks of host-client on one client.

    Attributes:
        bridge: The driver.
        patience: How long answers are waited for.
    """

    def __init__(self, bridge: Bridge, inputs: SuiteInputs) -> None:
        """Bind checks to a client.

        Args:
            bridge: The driver, not yet started.
            inputs: What the suite is made of.
        """
        super().__init__(inputs.target, inputs.settings, inputs.checks)
        vectors = inputs.vectors
        self.bridge = bridge
        self.patience = bridge.patience
        self._places = {key: one for key, one in vectors.items() if is_place(one.data)}
        self._vectors = {key: filled(one) for key, one in vectors.items()}
        self._pace = Pace()
        self._controls = Controls(bridge, inputs.setup, self._pace)
        self._transcript = Transcript(time.monotonic())
        self._results: dict[str, Result] = {}
        self._full = False
        self._lines = 0
        self._answered = False
        self._deviations: list[tuple[str, Deviation]] = []

    @property
    def transcript(self) -> Transcript:
        """What went over the pipes of the host in the check in hand."""
        return self._transcript

    def discard(self) -> None:
        """End the driver at once; the next check starts a new one."""
        self.bridge.discard()

    def facts(self) -> SubjectFacts:
        """Return what is known of the client."""
        return SubjectFacts(
            "full" if self._full and self._answered else "wire",
            self.bridge.starts,
            0,
            (),
            self.settings.fuzz_seed,
            round(self.patience.latency * 1000, 3),
        )

    def carry_out(self, check: Check) -> Result:
        """Carry out one check."""
        self.patience.begin(check.clauses[0])
        self._results[check.id] = self._try(check)
        return self._results[check.id]

    def finish(self) -> list[Result]:
        """Stop the driver; return what is wrong with it, and the monitor's result."""
        self.bridge.stop()
        return [*misfit_results(self.target.protocol, self.bridge), self._watched()]

    def _watched(self) -> Result:
        """Return the result of the monitor."""
        bare = Result(
            f"{self.target.protocol}/monitor/{MONITORED}",
            (MONITORED,),
            "must",
            "seed",
            Verdict.PASSED,
            evidence={"frames": self._lines},
            title="What holds of every request",
            by_monitor=True,
        )
        if self._deviations:
            first_in, first = self._deviations[0]
            shown = self._results[first_in]
            evidence = {"frame": first.evidence, "times": len(self._deviations)}
            return replace(
                bare,
                verdict=Verdict.FAILED,
                reason=first.text,
                evidence=evidence,
                first_in=first_in,
                entries=shown.entries,
                reproduce=self._line_of(shown.id),
            )
        if not self._answered:
            reason = "no init was answered"
            return replace(bare, verdict=Verdict.NOT_TESTABLE, reason=reason)
        return bare

    # --- one check

    def _try(self, check: Check) -> Result:
        self.bridge.begin()
        self._transcript = Transcript(time.monotonic())
        found = self.bridge.ensure_up()
        if isinstance(found, DriverFault):
            return self._with_line(
                self.result(check, Verdict.NOT_TESTABLE, found.text), check
            )
        self._full = found.ops.issuperset(OPS)
        vector = self._vectors[check.id]
        ops = list(dict.fromkeys(["start", *(op["op"] for op in _ops_of(vector))]))
        if missing := [op for op in ops if op not in found.ops]:
            reason = f"it needs the op {missing[0]}, which is not offered"
            return self.result(check, Verdict.NOT_APPLICABLE, reason)
        if check.needs.get("parallel") and found.serial:
            reason = "several calls are in flight in it; the client sends one at a time"
            return self.result(check, Verdict.NOT_APPLICABLE, reason)
        uncontrolled = ""
        for op in ops:
            if missing_text := self._controls.missing(op):
                if op == "start":
                    return self._not_started(check, missing_text)
                uncontrolled = missing_text
        result = self._conducted(check, vector, found)
        if check.id in self._places and result.verdict in _BROKEN:
            result = self._at_fault(check, result, found)
        if uncontrolled and result.verdict in HELD:
            # What an op does wrong is seen, even where nothing that it does is right;
            # what it seems to do right proves nothing then.
            return self._with_line(
                self.result(check, Verdict.NOT_TESTABLE, uncontrolled), check
            )
        return result

    def _conducted(
        self, check: Check, vector: Vector, described: Description
    ) -> Result:
        """Carry out a vector, and judge what came of it."""
        self.bridge.begin()
        self.bridge.ensure_up()
        self._transcript = Transcript(time.monotonic())
        conduct = carry_out(
            self.bridge,
            vector.data,
            pace=self._pace,
            closes="close" in described.ops,
        )
        hosts = read_reports(conduct.playings)
        self._record_traffic(conduct)
        judgement = judge_conduct(vector, conduct, hosts)
        return self._judged(check, judgement, conduct, hosts)

    def _at_fault(self, check: Check, failed: Result, described: Description) -> Result:
        """Name the value of a place that is at fault."""
        place = self._places[check.id]

        def attempt(pack: Sequence[Given]) -> Result:
            return self._conducted(check, filled(place, pack), described)

        found = at_fault(given_at(place.data), failed, attempt)
        # A deviation is shown where it came first, which was with all the values.
        return replace(found, monitors=failed.monitors)

    def _not_started(self, check: Check, missing: str) -> Result:
        """Return the result of a check on a client that starts no host as it should."""
        result = self.result(check, Verdict.NOT_TESTABLE, missing)
        if self._controls.deviations:
            # What keeps a client from being answered at all is what it sent.
            found = self._controls.deviations[0]
            self._deviations.append((check.id, found))
            if found.clause in check.clauses:
                result = replace(result, verdict=Verdict.FAILED, reason=found.text)
            else:
                result = replace(result, because=found.clause)
        return self._with_line(result, check)

    def _record_traffic(self, conduct: Conduct) -> None:
        """Show what was asked of the driver and what the hosts saw, in one course."""
        asked = self.bridge.transcript
        seen: list[tuple[float, Direction, bytes]] = [
            (asked.start + entry.time, entry.direction, entry.data)
            for entry in asked.entries()
        ]
        seen += traffic(conduct.playings)
        for at, direction, data in sorted(seen, key=lambda one: one[0]):
            self._transcript.add(at, direction, data)

    def _judged(
        self, check: Check, judgement: Judgement, conduct: Conduct, hosts: HostsReport
    ) -> Result:
        self._lines += hosts.lines
        self._answered = self._answered or hosts.answered
        # A deviation is shown in the check in which it came first, and counted after.
        new = [] if self._deviations else hosts.deviations[:1]
        self._deviations += [(check.id, one) for one in hosts.deviations]
        evidence: dict[str, Any] = {"frames": hosts.lines, "ops": len(conduct.acts)}
        if judgement.recorded:
            evidence["recorded"] = dict(judgement.recorded)
        if judgement.verdict not in HELD:
            evidence["outcomes"] = [
                act.problem or _show(act.value) for act in conduct.acts
            ]
        result = replace(
            self.result(check, judgement.verdict, judgement.reason),
            clauses=(judgement.charged,) if judgement.charged else check.clauses,
            because=judgement.because,
            evidence=evidence,
            differences=judgement.differences,
            monitors=tuple(one for one in new if one.clause not in check.clauses),
        )
        if judgement.verdict in HELD:
            return result
        return self._with_line(result, check)

    def _with_line(self, result: Result, check: Check) -> Result:
        """Add what helps to find the fault: the end of stderr, and how to see it."""
        return replace(
            result,
            stderr=self.bridge.stderr_tail,
            reproduce=self._line_of(check.argument),
        )

    def _line_of(self, argument: str) -> str:
        return run_line(self.settings, argument)


def _ops_of(vector: Vector) -> Sequence[Mapping[str, Any]]:
    ops: Any = vector.data["ops"]
    found: Sequence[Mapping[str, Any]] = ops
    return found


def _show(outcome: Any) -> str:
    return json.dumps(outcome, ensure_ascii=False, default=repr)[:SHOWN_SIZE]
