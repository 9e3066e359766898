"""The tool contract as the registry of protocols knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.protocols._bridged import BridgedProtocol
from wireproof.protocols.tool_contract._ops import OPS, OPTIONAL_OPS
from wireproof.protocols.tool_contract._options import OPTIONS
from wireproof.subjects import driver_command

if TYPE_CHECKING:
    from wireproof.checks import Settings, SuiteInputs, Target
    from wireproof.judge import Rules
    from wireproof.run import EngineSuite


class ToolContractProtocol(BridgedProtocol):
    """The tool contract as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = driver_command("wireproof_reference.tool_contract:subject")[1:]
    kind = "operation"
    ops = (*OPS, *OPTIONAL_OPS)

    def open(self, target: Target, settings: Settings) -> EngineSuite:
        """Bind the checks to a registry; nothing is started yet."""
        return self.bind(self.inputs(target, settings))

    def bind(self, inputs: SuiteInputs) -> EngineSuite:
        """Bind checks to a registry; nothing is started yet."""
        from wireproof.bridge import OperationDriver
        from wireproof.protocols.tool_contract._conduct import RegistryOps
        from wireproof.protocols.tool_contract._needs import OFFERS
        from wireproof.report import sentence
        from wireproof.run import EngineSuite

        target, settings = inputs.target, inputs.settings
        environment = self.environment(target, settings)

        def new_driver() -> OperationDriver:
            ops = RegistryOps(target, settings, environment)
            return OperationDriver(inputs, ops, OFFERS)

        return EngineSuite(
            inputs,
            new_driver,
            self.rules(),
            {},
            sentence,
            "wireproof.protocols.tool_contract._fuzz_plans",
            kind="operation",
        )

    def rules(self) -> Rules:
        """Return what the judge has to know of the tool contract."""
        from wireproof.bridge import OPERATION_FAULTS, BridgeDialect
        from wireproof.judge import Rules
        from wireproof.protocols.tool_contract._conduct import look

        return Rules(BridgeDialect, OPERATION_FAULTS, look=look)


PROTOCOL = ToolContractProtocol()
