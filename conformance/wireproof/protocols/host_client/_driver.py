"""How one client is started and asked, and whether its ops come to anything right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.bridge import BridgeDriver, plain_hands
from wireproof.judge import Look, Reason
from wireproof.protocols.host_client._conduct import CLIENT, ClientOps
from wireproof.protocols.host_client._reading import look
from wireproof.run import NotUp, Unproven

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wireproof.checks import Check, SubjectFacts, SuiteInputs
    from wireproof.run import Answer, Request

OPS = (
    "start",
    "request",
    "execute",
    "request_many",
    "execute_many",
    "format_result",
    "state",
)
"""The ops that a client at full level offers, beside ``close``."""


class ClientDriver(BridgeDriver):
    """How one client is started and asked."""

    ops: ClientOps

    def __init__(self, inputs: SuiteInputs, environment: Mapping[str, str]) -> None:
        """Prepare; nothing is started.

        Args:
            inputs: What the suite is made of; each vector is one step.
            environment: All variables of the driver.
        """
        super().__init__(ClientOps(inputs.target, inputs.settings, environment))
        self._vectors = inputs.vectors
        self._controls: Mapping[str, Any] = inputs.setup["controls"]
        # Why an op comes to nothing right; None if it does.
        self._missing: dict[str, NotUp | None] = {}

    def lacking(
        self, check: Check, ask: Callable[[Request], Answer]
    ) -> Reason | NotUp | Unproven | None:
        """Return what a check needs and the client does not offer."""
        if self.described is None:
            raise TypeError("no check is carried out before the driver is up")
        self.ops.closes = "close" in self.described.ops
        clause = check.clauses[0]
        steps: Any = self._vectors[check.id].data["steps"]
        asked = [op["op"] for op in steps[0][CLIENT]["ops"]]
        ops = list(dict.fromkeys(["start", *asked]))
        for op in ops:
            if op not in self.described.ops:
                return Reason("needs-op", clause, {"op": op})
        if check.needs.get("parallel") and self.described.serial:
            return Reason("needs-parallel", clause, {})
        if (why := self._without_control("start", ask)) is not None:
            return why
        found = (self._without_control(op, ask) for op in ops)
        why = next((one for one in found if one is not None), None)
        return why and Unproven(why)

    def _without_control(
        self, op: str, ask: Callable[[Request], Answer]
    ) -> NotUp | None:
        """Return why an op comes to nothing right, None if it does."""
        if op not in self._missing:
            self._missing[op] = self._try(op, ask)
        return self._missing[op]

    def _try(self, op: str, ask: Callable[[Request], Answer]) -> NotUp | None:
        step = {CLIENT: self._controls[op]}
        self.ops.tells = False
        seen = self.ops.carry_out(step, plain_hands(ask))
        self.ops.tells = True
        found = look(step, seen, {})
        if not isinstance(found, Look):
            return None
        if seen["faults"] and not seen["answered"]:
            # What keeps a client from being answered at all is what it sent.
            kind, _, fields = seen["faults"][0]
            return NotUp("nothing-answerable", {"why": (kind, fields)})
        return NotUp("no-plain-op", {"op": op, "why": (found.kind, found.fields)})

    def facts(self, facts: SubjectFacts, checks: Sequence[Check]) -> SubjectFacts:
        """Complete what is known of the client: its level."""
        described = self.described
        offered = described.ops if described is not None else frozenset[str]()
        is_full = offered.issuperset(OPS) and self._missing.get("start", ()) is None
        return replace(facts, level="full" if is_full else "wire")
