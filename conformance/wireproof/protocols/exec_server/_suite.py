"""The checks of exec-server, bound to one server."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, Result, SubjectFacts, Verdict
from wireproof.line import (
    SENDING,
    Missing,
    MissingCause,
    StdioSuite,
    writes_in_order,
)
from wireproof.patterns import in_line, match
from wireproof.protocols.exec_server._monitored import (
    FENCED_CLAUSES,
    MONITORED,
    NEEDS_SEEN,
)
from wireproof.protocols.exec_server._session import ServerSession
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check, Difference, SuiteInputs
    from wireproof.line import Diverged

FAILING_TOOLS = frozenset({"conformance_fail", "conformance_throw"})
"""The tools whose calls fail: what ends with one breaks EXEC-S14."""


OF_VALUES = frozenset({"EXEC-S4", "EXEC-S15"})
"""The clauses of what an error says and of values: others take both for granted."""


class ServerSuite(StdioSuite[ServerSession]):
    """All checks of exec-server on one server."""

    fenced_clauses = FENCED_CLAUSES
    monitored = MONITORED
    needs_seen = NEEDS_SEEN
    lifetime_clause = "EXEC-S1"
    plans = "wireproof.protocols.exec_server._fuzz_plans"
    apart_clauses = frozenset({"EXEC-S5"})

    def __init__(self, inputs: SuiteInputs) -> None:
        """Bind checks to a server."""
        new_session = partial(
            ServerSession, inputs.target, inputs.settings, inputs.setup
        )
        super().__init__(new_session, inputs)
        self._faults: dict[str, str] = {}
        self._silent: set[str] = set()
        self._takes_two: bool | None = None

    def facts(self) -> SubjectFacts:
        """Return what is known of the server."""
        toolset = self.session.subject.toolset
        lacking = sum("tools" in check.needs for check in self.checks)
        return replace(
            super().facts(),
            level="full" if toolset and self.session.controlled else "wire",
            missing_checks=0 if toolset else lacking,
            missing_tools=(),
        )

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: start the server, and see whether it has what is needed.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.session.begin()
        tools = check.calls
        if tools and not self.session.subject.toolset:
            reason = f"it needs {tools[0]}: --exec-toolset says that the server has it"
            result = self.early(check, Verdict.NOT_APPLICABLE, reason)
            return replace(result, evidence={"tools": [*tools]})
        not_up = self.session.ensure_up()
        if (unflushed := self.holds_back_all(check)) is not None:
            return unflushed
        if not_up is not None:
            return self.not_up(check, not_up)
        for tool in tools:
            if fault := self._tool_fault(tool):
                # One that does not answer has stopped reading, for all that is known.
                because = "EXEC-S1" if tool in self._silent else None
                return self.early(check, Verdict.NOT_TESTABLE, fault, because)
        return None

    def charge(
        self, check: Check, outcome: Diverged, steps: Sequence[Mapping[str, Any]]
    ) -> Diverged:
        """Charge a failure to what came of all the steps, where that tells more.

        It does of what a failing tool has brought about, the end or no answer; of the
        text of an error and a number that became text; and of a server that takes no
        request while it has another.
        """
        missing, place = outcome.missing, outcome.step
        if missing is None:
            told = OF_VALUES.isdisjoint(check.clauses) and _clause_of(outcome)
            return replace(outcome, charged=told) if told else outcome
        if outcome.at_fence and missing.cause is MissingCause.REFUSED:
            return self._refused_beside(outcome)
        told = "" if place is None else steps[place].get("clause")
        last = _tool_of_the_last(steps[:place])
        if last not in FAILING_TOOLS and told != "EXEC-S14":
            return outcome
        if missing.ended is not None or self.session.silences.deafened:
            return replace(outcome, charged="EXEC-S14")
        # A server that goes on and leaves the failure out owes that one answer.
        return outcome if place is None else replace(outcome, charged="EXEC-S2")

    def _refused_beside(self, outcome: Diverged) -> Diverged:
        """Charge a fence that is refused while the server has another request."""
        if self._takes_two is None:
            self._takes_two = self.session.takes_two()
        if self._takes_two:
            return outcome
        text = "of two requests in one write not both succeeded"
        return replace(outcome, charged="EXEC-S5", text=f"{text}: {outcome.text}")

    def _tool_fault(self, tool: str) -> str:
        """Return why a tool of the toolset does not do the plainest thing, or ""."""
        probe = self._setup["tools"].get(tool)
        if tool in self._faults or probe is None:
            return self._faults.get(tool, "")
        answer = self.session.call({"tool": tool, "arguments": probe["arguments"]})
        if isinstance(answer, Missing):
            fault = f"{tool} did not answer a plain call: {answer.text}"
            self._silent.add(tool)
            self.session.discard()
            self.session.ensure_up()
        elif (miss := match(probe["expect"], answer.value, {}, {})) is not None:
            found = in_line(answer.value.get("error", answer.value.get("result")))
            place = miss.path or "its top"
            fault = (
                f"a plain call of {tool} gave something else than the toolset says, "
                f"{found}, at {place}"
            )
        else:
            fault = ""
        self._faults[tool] = fault
        return fault

    def piped(
        self, steps: Sequence[Mapping[str, Any]], found: Sequence[Deviation]
    ) -> list[bytes]:
        """Return what a pipe writes: what was sent, or else a plain call."""
        return writes_in_order(self.session.sent or [self.plain_request()], steps)

    @property
    def forwarded(self) -> Sequence[str] | None:
        """The only variables that the tool gets; None where it gets the user's."""
        return self.session.subject.forwarded

    def plain_request(self) -> bytes:
        """Return the control as a line: what shows a fault of every frame."""
        params = {"args": self.session.control_arguments}
        request = {"jsonrpc": "2.0", "id": 1, "method": "execute", "params": params}
        return encode(request)


def _tool_of_the_last(steps: Sequence[Mapping[str, Any]]) -> str:
    """Name the tool that the last of the steps that send anything calls, if any."""
    sent = [step for step in steps if not SENDING.isdisjoint(step)]
    match sent[-1] if sent else None:
        case {"send": {"params": {"args": {"tool": str(name)}}}}:
            return name
        case _:
            return ""


def _clause_of(outcome: Diverged) -> str | None:
    """Return the clause of what alone differs in an answer, where that tells it."""
    differences = outcome.differences
    if not differences:
        return None
    if all(one.where.startswith("/error/message") for one in differences):
        return "EXEC-S4"
    return "EXEC-S15" if all(map(_became_text, differences)) else None


def _became_text(difference: Difference) -> bool:
    """Tell whether a number in a result came back as its text."""
    sent, came = difference.expected, difference.actual
    is_number = isinstance(sent, int | float) and not isinstance(sent, bool)
    is_result = difference.where.startswith("/result")
    return (
        is_result and is_number and isinstance(came, str) and came == json.dumps(sent)
    )
