"""How one runtime is started and asked, and whether plain calls of it succeed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.bridge import BridgeDriver, plain_hands
from wireproof.judge import Look, Reason
from wireproof.protocols.exec_runtime._conduct import RuntimeOps
from wireproof.protocols.exec_runtime._looks import count_descriptors
from wireproof.protocols.exec_runtime._ops import OPS
from wireproof.protocols.exec_runtime._reading import look
from wireproof.protocols.exec_runtime.rules import BASIC, DEFAULT_LIMIT
from wireproof.run import NotUp, Unproven
from wireproof.subjects._system import is_linux

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check, SubjectFacts, SuiteInputs
    from wireproof.run import Answer, Request

    Step = Mapping[str, Any]

MODES = ("exec", "server")
"""What ``runtime`` in a binding may be."""


class RuntimeDriver(BridgeDriver):
    """How one runtime is started and asked."""

    ops: RuntimeOps

    def __init__(self, inputs: SuiteInputs, environment: Mapping[str, str]) -> None:
        """Prepare; nothing is started.

        Args:
            inputs: What the suite is made of.
            environment: All variables of the driver.
        """
        super().__init__(RuntimeOps(inputs, environment))
        self._vectors = inputs.vectors
        self._controls: Mapping[str, Sequence[Step]] = inputs.setup["controls"]
        # Why no plain call of a mode succeeds; None if one does.
        self._missing: dict[str, NotUp | None] = {}

    def begin(self, ask: Callable[[Request], Answer]) -> NotUp | None:
        """Ask the driver what it offers."""
        if (why := super().begin(ask)) is not None:
            return why
        pid = self.described.told.get("pid") if self.described is not None else None
        self.ops.told_pid = pid if isinstance(pid, int) else None
        return None

    def lacking(
        self, check: Check, ask: Callable[[Request], Answer]
    ) -> Reason | NotUp | Unproven | None:
        """Return what a check needs and the runtime does not offer."""
        if self.described is None:
            raise TypeError("no check is carried out before the driver is up")
        told, clause = self.described.told, check.clauses[0]
        limit = told.get("default_timeout_ms", 0)
        if DEFAULT_LIMIT in check.clauses and limit is None:
            return NotUp("no-default-limit", {})
        if check.needs.get("half_pairs") and told.get("halfPairs") is not True:
            return Reason("needs-half-pairs", clause, {})
        pid = self.ops.told_pid or (self.ops.process.pid if self.ops.process else 0)
        if check.needs.get("linux") and not (is_linux() and count_descriptors(pid)):
            return Reason("needs-descriptors", clause, {})
        steps = self._steps_of(check)
        needed = [*check.needs.get("ops", ()), *(s["op"] for s in steps if "op" in s)]
        for op in needed:
            if op not in self.described.ops:
                return Reason("needs-op", clause, {"op": op})
        modes = check.needs.get("modes") or _modes_of(steps)
        found = (self._without_control(mode, ask) for mode in modes)
        why = next((one for one in found if one is not None), None)
        if why is None or BASIC.isdisjoint(check.clauses):
            return why
        return Unproven(why)

    def _steps_of(self, check: Check) -> Sequence[Step]:
        if check.kind != "vector":
            return ()
        steps: Any = self._vectors[check.id].data["steps"]
        found: Sequence[Step] = steps
        return found

    # --- controls

    def _without_control(
        self, mode: str, ask: Callable[[Request], Answer]
    ) -> NotUp | None:
        """Return why no plain call of a mode succeeds, None if one does."""
        if mode not in self._missing:
            # A machine that is busy gets another chance.
            why = self._try(mode, ask) and self._try(mode, ask)
            self._missing[mode] = why
        return self._missing[mode]

    def _try(self, mode: str, ask: Callable[[Request], Answer]) -> NotUp | None:
        hands = plain_hands(ask)
        self.ops.tells = False
        try:
            for step in self._controls[mode]:
                found = look(step, self.ops.carry_out(step, hands), {})
                if isinstance(found, Look):
                    fields = {"mode": mode, "why": (found.kind, found.fields)}
                    return NotUp("no-plain-call", fields)
        finally:
            self.ops.end()
            self.ops.tells = True
        return None

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the runtime: its level, and how many tools ran."""
        offered = self.described.ops if self.described is not None else frozenset[str]()
        is_full = offered.issuperset(OPS) and self._missing.get("exec") is None
        return replace(
            facts,
            level="full" if is_full else "wire",
            tools_started=self.ops.started,
        )


def _modes_of(steps: Sequence[Step]) -> list[str]:
    """Return the modes of the tools that steps bind, one-shot if there is none."""
    bound = [step["input"]["exec"] for step in steps if step.get("op") == "bind"]
    modes = [one.get("runtime") for one in bound]
    return [mode for mode in MODES if mode in modes] or ["exec"]
