"""The registry's view of exec-oneshot: what its checks need, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.exec_tools import ExecProtocol
from wireproof.protocols.exec_oneshot._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.exec_oneshot._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target
    from wireproof.protocols.exec_oneshot._handle import ToolHandle


class OneshotProtocol(ExecProtocol):
    """exec-oneshot as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "exec", "tool")
    comes_up = 'reads {"args": ...} on stdin and writes {"result": ...}'
    kind = "run"
    serves = False
    fuzz_checks = FUZZ_CHECKS

    def handle(self, target: Target, settings: Settings) -> ToolHandle:
        """Return a tool for a user's own tests."""
        from wireproof.protocols.exec_oneshot._handle import ToolHandle

        return ToolHandle(target, settings)

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a tool; nothing is started yet."""
        from wireproof.protocols.exec_oneshot._suite import ToolSuite

        return ToolSuite(self.inputs(target, settings))


PROTOCOL = OneshotProtocol()
