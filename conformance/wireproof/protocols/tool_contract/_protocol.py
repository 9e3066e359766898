"""The tool contract as the registry of protocols knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.operations import BridgedProtocol, driver_command
from wireproof.protocols.tool_contract._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.tool_contract._ops import OPS, OPTIONAL_OPS
from wireproof.protocols.tool_contract._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target


class ToolContractProtocol(BridgedProtocol):
    """The tool contract as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = driver_command("wireproof_reference.tool_contract:subject")[1:]
    kind = "operation"
    ops = (*OPS, *OPTIONAL_OPS)
    fuzz_checks = FUZZ_CHECKS

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a registry; nothing is started yet."""
        from wireproof.protocols.tool_contract._suite import ToolContractSuite

        return ToolContractSuite(
            self.bridge(target, settings), self.inputs(target, settings)
        )


PROTOCOL = ToolContractProtocol()
