"""The registry's view of exec-oneshot: what its checks need, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.protocols._exec_tools import ExecProtocol
from wireproof.protocols.exec_oneshot._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, SuiteInputs, Target
    from wireproof.judge import Rules
    from wireproof.protocols.exec_oneshot._handle import ToolHandle
    from wireproof.run import EngineSuite


class OneshotProtocol(ExecProtocol):
    """exec-oneshot as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "exec", "tool")
    comes_up = 'reads {"args": ...} on stdin and writes {"result": ...}'
    kind = "run"
    serves = False

    def handle(self, target: Target, settings: Settings) -> ToolHandle:
        """Return a tool for a user's own tests."""
        from wireproof.protocols.exec_oneshot._handle import ToolHandle

        return ToolHandle(target, settings)

    def open(self, target: Target, settings: Settings) -> EngineSuite:
        """Bind the checks to a tool; nothing is started yet."""
        return self.bind(self.inputs(target, settings))

    def bind(self, inputs: SuiteInputs) -> EngineSuite:
        """Bind checks to a tool; nothing is started yet."""
        from wireproof.protocols.exec_oneshot._driver import OneshotDriver
        from wireproof.protocols.exec_oneshot.rules import MONITORED
        from wireproof.report import sentence
        from wireproof.run import EngineSuite

        return EngineSuite(
            inputs,
            lambda: OneshotDriver(inputs.target, inputs.settings),
            self.rules(),
            MONITORED,
            sentence,
            "wireproof.protocols.exec_oneshot._fuzz_plans",
            kind="run",
        )

    def rules(self) -> Rules:
        """Return what the judge has to know of exec-oneshot."""
        from wireproof.judge import Rules
        from wireproof.protocols.exec_oneshot._reading import look, watch
        from wireproof.protocols.exec_oneshot.rules import FAULTS

        return Rules(_no_lines, FAULTS, look=look, watch=watch)


class _NoLines:
    """Stands for a dialect: no conversation of lines is ever read."""

    line_limit = 1


def _no_lines() -> Any:
    return _NoLines()


PROTOCOL = OneshotProtocol()
