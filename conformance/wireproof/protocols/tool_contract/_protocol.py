"""The tool contract as the registry of protocols knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.operations import BridgedProtocol, driver_command
from wireproof.protocols.tool_contract._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.tool_contract._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target
    from wireproof.operations import BridgedHandle


class ToolContractProtocol(BridgedProtocol):
    """The tool contract as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = driver_command("wireproof_reference.tool_contract:subject")[1:]
    kind = "operation"
    fuzz_checks = FUZZ_CHECKS

    def handle(self, target: Target, settings: Settings) -> BridgedHandle:
        """Return a registry for a user's own tests, started on entering a block."""
        from wireproof.operations import BridgedHandle
        from wireproof.protocols.tool_contract._ops import open_registry

        return BridgedHandle(open_registry(target, settings))

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a registry; nothing is started yet."""
        from wireproof.protocols.tool_contract._suite import ToolContractSuite
        from wireproof_vectors import load_setup

        return ToolContractSuite(
            target,
            settings,
            self.checks(settings),
            self.vectors(settings),
            load_setup(self.name),
        )


PROTOCOL = ToolContractProtocol()
