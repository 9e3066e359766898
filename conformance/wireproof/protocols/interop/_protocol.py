"""Interop as the registry of protocols knows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.protocols._bridged import BridgedProtocol
from wireproof.protocols.interop._ops import ACCUMULATE, INSIDE, OPS, PROVIDER_OPS
from wireproof.protocols.interop._options import OPTIONS
from wireproof.subjects import driver_command

if TYPE_CHECKING:
    from wireproof.checks import Settings, SuiteInputs, Target
    from wireproof.judge import Rules
    from wireproof.protocols.interop._handle import AdapterHandle
    from wireproof.run import EngineSuite


class InteropProtocol(BridgedProtocol):
    """Interop as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = driver_command("wireproof_reference.interop:chat_subject")[1:]
    kind = "operation"
    also = ("stream",)
    ops = (*OPS, *PROVIDER_OPS, ACCUMULATE)
    inside = INSIDE

    def handle(self, target: Target, settings: Settings) -> AdapterHandle:
        """Return a registry for a user's own tests, started on entering a block."""
        from wireproof.bridge import BridgeOps
        from wireproof.protocols.interop._handle import AdapterHandle
        from wireproof.report import sentence

        ops = BridgeOps(target, settings, self.environment(target, settings))
        return AdapterHandle(ops, sentence)

    def open(self, target: Target, settings: Settings) -> EngineSuite:
        """Bind the checks to a registry; nothing is started yet."""
        return self.bind(self.inputs(target, settings))

    def bind(self, inputs: SuiteInputs) -> EngineSuite:
        """Bind checks to a registry; nothing is started yet."""
        from wireproof.bridge import OperationDriver
        from wireproof.protocols.interop._conduct import (
            STEPS_OF_GROWTH,
            RegistryOps,
            steps_of,
            steps_of_stream,
        )
        from wireproof.protocols.interop._needs import OFFERS
        from wireproof.report import sentence
        from wireproof.run import EngineSuite

        streams = {
            name: replace(one, data={**one.data, "steps": steps_of_stream(one.data)})
            for name, one in inputs.vectors.items()
            if one.kind == "stream"
        }
        inputs = replace(inputs, vectors={**inputs.vectors, **streams})
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
            "wireproof.protocols.interop._fuzz_plans",
            {one.id: steps_of(one) for one in self.properties("scenario")}
            | {**STEPS_OF_GROWTH},
            kind="operation",
        )

    def rules(self) -> Rules:
        """Return what the judge has to know of interop."""
        from wireproof.bridge import OPERATION_FAULTS, BridgeDialect
        from wireproof.judge import Rules
        from wireproof.protocols.interop._conduct import look

        return Rules(BridgeDialect, OPERATION_FAULTS, look=look)


PROTOCOL = InteropProtocol()
