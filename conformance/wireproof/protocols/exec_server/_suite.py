"""The checks of exec-server, bound to one server."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wireproof.checks import Deviation, Result, SubjectFacts, Verdict
from wireproof.crossing import is_place
from wireproof.exec_tools import toolset_remarks
from wireproof.line import (
    Missing,
    Monitors,
    StdioSuite,
    asked_delay,
    writes_in_order,
)
from wireproof.patterns import in_line, match
from wireproof.protocols.exec_server._monitored import (
    FENCED_CLAUSES,
    MONITORED,
    NEEDS_SEEN,
)
from wireproof.protocols.exec_server._session import ServerSession
from wireproof.subjects import pipe_line, pytest_line, shown_folder
from wireproof_reference.framing import encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wireproof.checks import Check, ClauseText, Settings, Target
    from wireproof_vectors import Vector

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


class ServerSuite(StdioSuite[ServerSession]):
    """All checks of exec-server on one server."""

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
        """Bind checks to a server.

        Args:
            target: The server's command.
            settings: The user's options.
            checks: What there is to run.
            vectors: The vectors behind the checks, by id.
            setup: The data of ``exec_server/setup.json``.
            toolset: The names of the tools that a server at full level has.
            clauses: The catalogue.
        """
        session = ServerSession(target, settings, setup)
        monitors = Monitors("exec-server", MONITORED, NEEDS_SEEN, clauses)
        super().__init__(
            session, target, settings, checks, vectors, toolset, clauses, monitors
        )
        self._setup = setup
        self._faults: dict[str, str] = {}
        self._silent: set[str] = set()

    def finish(self) -> list[Result]:
        """Stop the server and return what the monitors have to say."""
        self.end_checks()
        last = self.session.stop()
        self.session.end_spares()
        self.monitors.report(last, None, "at the end of the run")
        controlled = self.session.controlled
        return self.monitors.results(self.session.seen, controlled=controlled)

    def facts(self) -> SubjectFacts:
        """Return what is known of the server."""
        toolset = self.session.subject.toolset
        lacking = sum("tools" in check.needs for check in self.checks)
        return replace(
            super().facts(),
            level="full" if toolset and self.session.controlled else "wire",
            missing_checks=0 if toolset else lacking,
            missing_tools=(),
            remarks=() if toolset else toolset_remarks(lacking),
        )

    def unmet(self, check: Check) -> Result | None:
        """Begin a check: start the server, and see whether it has what is needed.

        Returns:
            The result where the check cannot be carried out, else None.
        """
        self.session.begin()
        tools = check.needs.get("tools", ())
        if tools and not self.session.subject.toolset:
            reason = f"it needs {tools[0]}: --exec-toolset says that the server has it"
            result = self.early(check, Verdict.NOT_APPLICABLE, reason)
            return replace(result, evidence={"tools": [tools[0]]})
        if (not_up := self.session.ensure_up()) is not None:
            return self.not_up(check, not_up)
        for tool in tools:
            if fault := self._tool_fault(tool):
                # One that does not answer has stopped reading, for all that is known.
                because = "EXEC-S1" if tool in self._silent else None
                return self.early(check, Verdict.NOT_TESTABLE, fault, because)
        return None

    def run_vector(self, check: Check, vector: Vector) -> Result:
        """Carry out one vector, on a server as fresh as it wants."""
        data: Mapping[str, Any] = vector.data
        ended: list[Deviation] = []
        if data.get("fresh") and self.session.checks_served:
            ended = self.session.stop()
        if (result := self.unmet(check)) is not None:
            return result
        if data.get("bare"):
            ended = self.session.stop()
            self.session.names["args"] = self.session.control_arguments
            if (not_up := self.session.launch_unasked()) is not None:
                return self.not_up(check, not_up)
        for found in ended:
            self.session.note(found)
        if is_place(data):
            return self.run_place(check, data)
        return self.try_vector(check, data["steps"], data.get("retry", 0))

    def run_property(self, check: Check) -> Result:
        """Fuzz one property."""
        from wireproof.fuzzing import run_property
        from wireproof.protocols.exec_server._fuzz_checks import PREFIX
        from wireproof.protocols.exec_server._fuzz_plans import STRATEGIES

        strategy = STRATEGIES[check.id.removeprefix(PREFIX)]
        return run_property(self, check, "exec-server", strategy)

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

    def reproduction(
        self,
        check: Check,
        steps: Sequence[Mapping[str, Any]],
        found: Sequence[Deviation] = (),
    ) -> str:
        """Return one line of shell that shows a failure again."""
        line = None
        plain = all(not PIPED.isdisjoint(step) for step in steps)
        bound = self.session.subject.binding is not None
        if plain and not bound:
            settings = self.settings
            at_once = any("close_input" in step for step in steps)
            every = (*found, *self.session.deviations)
            held = any(one.clause == "EXEC-S17" for one in every)
            sent = self.session.sent or [self._plain_call()]
            *before, last = writes_in_order(sent, steps)
            line = pipe_line(
                last,
                self.target.command,
                folder=shown_folder(settings),
                environment=settings.shown_environment,
                seconds=sum(asked_delay(step.get("send")) for step in steps),
                ending="at-once" if at_once else "tell" if held else "settle",
                before=before,
            )
        return line or pytest_line(check.argument, self.settings.reproduce_options)

    def _plain_call(self) -> bytes:
        """Return the control as a line: what shows a fault of every frame."""
        params = {"args": self.session.control_arguments}
        request = {"jsonrpc": "2.0", "id": 1, "method": "execute", "params": params}
        return encode(request)
