"""The checks of interop, bound to one registry."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from wireproof.checks import (
    Attempt,
    Check,
    Difference,
    Result,
    SubjectFacts,
    Suite,
    Verdict,
    broken,
)
from wireproof.protocols.interop._controls import Controls
from wireproof.protocols.interop._opening import (
    OPS,
    PROVIDER_OPS,
    is_in_process,
    may_lack_attribute,
    open_bridge,
)
from wireproof.protocols.interop._operations import (
    Broke,
    Held,
    Untold,
    carry_out,
    op_of,
)
from wireproof.subjects import (
    DriverFault,
    pipe_line,
    pytest_line,
    python_line,
    shown_folder,
)
from wireproof.subjects._in_process import placed, signature_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Settings, Target, Transcript
    from wireproof.subjects import Description
    from wireproof_vectors import Vector

DESCRIBE = b'{"id":1,"op":"describe"}\n'
"""What each driver is told first."""


class InteropSuite(Suite):
    """All checks of interop on one registry.

    Attributes:
        in_process: Whether the registry is one in Python, named as module:attr.
        bridge: The driver.
    """

    def __init__(
        self,
        target: Target,
        settings: Settings,
        checks: Sequence[Check],
        vectors: Mapping[str, Vector],
        setup: Mapping[str, Any],
    ) -> None:
        """Bind checks to a registry.

        Args:
            target: The words that start the driver.
            settings: The user's options.
            checks: What there is to run.
            vectors: The vectors behind the checks, by id.
            setup: The data of ``interop/setup.json``.
        """
        super().__init__(target, settings, checks)
        self.in_process = is_in_process(target.command)
        self.bridge = open_bridge(target, settings)
        self.patience = self.bridge.patience
        self._vectors = vectors
        self._controls = Controls(self.bridge, setup)
        self._controlled = False
        self._doubt = ""
        self._ops: frozenset[str] = frozenset()
        self._formats: tuple[str, ...] = ()

    @property
    def transcript(self) -> Transcript:
        """The traffic of the check in hand."""
        return self.bridge.transcript

    def discard(self) -> None:
        """End the driver at once; the next check starts a new one."""
        self.bridge.discard()

    def finish(self) -> list[Result]:
        """Stop the driver; no monitor watches it."""
        self.bridge.stop()
        return []

    def facts(self) -> SubjectFacts:
        """Return what is known of the registry."""
        full = self._controlled and self._ops.issuperset(OPS)
        return SubjectFacts(
            "full" if full else "wire",
            self.bridge.starts,
            0,
            (),
            self.settings.fuzz_seed,
            round(self.patience.latency * 1000, 3),
        )

    def attempt(
        self, check: Check, steps: Sequence[Mapping[str, Any]], *, begun: bool = False
    ) -> Attempt:
        """Carry out steps on the registry as it is, and judge what comes of them.

        Args:
            check: What the steps belong to.
            steps: What to carry out.
            begun: Whether ``unmet`` has begun the check already.
        """
        if not begun:
            self.bridge.begin()
        if isinstance(found := self.bridge.ensure_up(), DriverFault):
            return Attempt(self._not_up(check, found))
        outcome = carry_out(self.bridge, steps)
        match outcome:
            case Held(recorded=recorded):
                verdict = Verdict.RECORDED if check.level == "may" else Verdict.PASSED
                seen = ", ".join(f"{op}: {label}" for op, label in recorded.items())
                evidence: dict[str, Any] = {"operations": len(steps)}
                if recorded:
                    evidence["recorded"] = dict(recorded)
                result = self.result(check, verdict, seen)
                return Attempt(
                    replace(result, evidence=evidence),
                    counted={"operations": len(steps)},
                )
            case Untold(text=text):
                return Attempt(self.result(check, Verdict.NOT_APPLICABLE, text))
            case Broke(step=step):
                return Attempt(self._broken(check, outcome, steps), step=step)
            case _:
                assert_never(outcome)

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: see whether the registry offers what it needs.

        An op without a control is carried out all the same where the registry is more
        than an empty shell: a wrong answer is one, a right one counts for nothing.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.bridge.begin()
        if isinstance(found := self.bridge.ensure_up(), DriverFault):
            return self._not_up(check, found)
        self._ops, self._formats = found.ops, found.formats
        ops = self._needed_ops(check)
        reason = self._not_offered(check, ops, found)
        if reason:
            return self.result(check, Verdict.NOT_APPLICABLE, reason)
        # A scenario needs no op, but a registry that does something.
        ops = ops or [op for op in (*OPS, *PROVIDER_OPS) if op in found.ops][:1]
        provider = ""
        if set(ops) & set(PROVIDER_OPS):
            told = self._controls.provider(found.ops)
            if isinstance(told, DriverFault):
                return self.faulted(check, told, None)
            provider = told
            wanted = check.needs.get("provider")
            if provider and wanted and provider != wanted:
                text = f"it needs a provider of {wanted}; this one is of {provider}"
                return self.result(check, Verdict.NOT_APPLICABLE, text)
        for op in ops:
            missing = self._controls.missing(op, provider)
            if isinstance(missing, DriverFault):
                return self.faulted(check, missing, None)
            if missing and not self._controls.alive(found.ops):
                result = self.result(check, Verdict.NOT_TESTABLE, missing)
                return replace(result, reproduce=self._line_of(check))
            if missing:
                self._doubt = missing
            else:
                self._controlled = True
        self.bridge.begin()
        return None

    # --- the three kinds of checks

    def carry_out(self, check: Check) -> Result:
        """Carry out one check, of any of the three kinds."""
        self._doubt = ""
        result = self._without_doubt(check)
        if self._doubt and result.verdict in {Verdict.PASSED, Verdict.RECORDED}:
            # What an op does wrong is seen, even where nothing that it does is right;
            # what it seems to do right proves nothing then.
            bare = self.result(check, Verdict.NOT_TESTABLE, self._doubt)
            return replace(bare, reproduce=self._line_of(check))
        return result

    def _without_doubt(self, check: Check) -> Result:
        if (result := self.unmet(check)) is not None:
            return result
        if check.kind == "scenario":
            return self._scenario(check)
        if check.kind == "fuzz":
            from wireproof.protocols.interop._fuzz_run import run_fuzz

            return run_fuzz(self, check)
        data: Mapping[str, Any] = self._vectors[check.id].data
        return self.attempt(check, data["steps"], begun=True).result

    def _scenario(self, check: Check) -> Result:
        from wireproof.protocols.interop._own_formats import (
            OWN_FORMATS,
            run_own_formats,
        )
        from wireproof.protocols.interop._scenarios import op_for

        if check.id == OWN_FORMATS.id:
            return run_own_formats(self, check, self._formats)
        outcome = self.bridge.ask(op_for(check))
        if isinstance(outcome, DriverFault):
            return self.faulted(check, outcome, None)
        if not outcome.ok:
            text = f"the scenario raised {outcome.refusal}"
            return self.failed(check, text, ())
        value: Any = outcome.value
        if value["lacks"]:
            text = f"it needs {value['lacks']}, which the registry has not"
            return self.result(check, Verdict.NOT_APPLICABLE, text)
        if value["wrong"]:
            shown = Difference(value["where"], value["expected"], value["actual"])
            return self.failed(check, value["wrong"], (shown,))
        result = self.result(check, Verdict.PASSED)
        return replace(result, evidence={"looked_at": value["looked_at"]})

    # --- what a check needs

    def _needed_ops(self, check: Check) -> list[str]:
        if check.kind == "vector":
            steps: Any = self._vectors[check.id].data["steps"]
            return list(dict.fromkeys(step["op"] for step in steps))
        return list(check.needs.get("ops", ()))

    def _not_offered(self, check: Check, ops: Sequence[str], found: Description) -> str:
        if missing := [op for op in ops if op not in found.ops]:
            return f"it needs the op {missing[0]}, which is not offered"
        if check.needs.get("in_process") and not self.in_process:
            return "it needs a registry in Python, named as module:attr"
        for name in check.needs.get("formats", ()):
            if name not in found.formats:
                return f"it needs the format {name}, which is not declared"
        return ""

    # --- results

    def _broken(
        self, check: Check, broke: Broke, steps: Sequence[Mapping[str, Any]]
    ) -> Result:
        step = steps[broke.step]
        if broke.fault is not None:
            result = self.faulted(check, broke.fault, step)
            return replace(result, evidence={"step": broke.step})
        clause = step.get("clause")
        if clause is not None and clause not in check.clauses:
            reason = f"not testable because of {clause}: {broke.text}"
            result = self.result(check, Verdict.NOT_TESTABLE, reason)
            return replace(result, because=clause, differences=broke.differences)
        result = self.failed(check, broke.text, broke.differences)
        line = self._line_of(check, step)
        return replace(result, evidence={"step": broke.step}, reproduce=line)

    def failed(
        self, check: Check, text: str, differences: tuple[Difference, ...]
    ) -> Result:
        """Return the result of a check whose clause was broken."""
        result = self.result(check, broken(check.level), text)
        return replace(
            result,
            differences=differences,
            stderr=self.bridge.stderr_tail,
            reproduce=self._line_of(check),
        )

    def faulted(
        self, check: Check, fault: DriverFault, step: Mapping[str, Any] | None
    ) -> Result:
        """Judge a driver that did not answer.

        Where the driver is the suite's own, or the op is one that must be outlived,
        it is the registry that died or hung; otherwise nothing is said of it.
        """
        outlives = step is not None and step.get("survives", False)
        if self.in_process or outlives:
            text = fault.text.replace("the driver", "the process of the registry")
            result = self.failed(check, text, ())
        else:
            text = f"{fault.text}: a fault of the driver, not a wrong answer"
            result = self.result(check, Verdict.NOT_TESTABLE, text)
        return replace(
            result, stderr=self.bridge.stderr_tail, reproduce=self._line_of(check, step)
        )

    def _not_up(self, check: Check, fault: DriverFault) -> Result:
        reason = fault.text
        if fault.cause == "not started" and may_lack_attribute(self.target.text):
            reason += "; an object in Python is named as module:attr"
        result = self.result(check, Verdict.NOT_TESTABLE, reason)
        line = None
        if not self.in_process:
            line = self._pipe(b"")
        return replace(result, stderr=self.bridge.stderr_tail, reproduce=line)

    # --- reproduction

    def _line_of(self, check: Check, step: Mapping[str, Any] | None = None) -> str:
        line = None
        if step is not None and self.in_process:
            line = self._python(step)
        elif step is not None:
            line = self._pipe(b"".join(self.bridge.sent))
        return line or pytest_line(check.argument, self.settings.reproduce_options)

    def _pipe(self, data: bytes) -> str | None:
        """Return a line that says to the driver what it was told, describing first."""
        return pipe_line(
            DESCRIBE + data,
            self.target.command,
            folder=shown_folder(self.settings),
            environment=self.settings.shown_environment,
        )

    def _python(self, step: Mapping[str, Any]) -> str | None:
        """Return a line that calls the method itself, where its value shows it all."""
        found = self.bridge.ensure_up()
        if isinstance(found, DriverFault) or "$use" in json.dumps(step.get("input")):
            return None
        op = op_of(step, {})
        if op.echo or not found.expression:
            return None
        module = self.target.command[-1].partition(":")[0]
        by_place = 1
        if told := found.signatures.get(op.name):
            by_place = placed(signature_of(told), op.arguments, (1, 0))
        return python_line(
            module,
            found.expression,
            op.name,
            op.arguments,
            by_place,
            folder=shown_folder(self.settings),
        )
