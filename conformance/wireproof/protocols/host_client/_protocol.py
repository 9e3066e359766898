"""The registry's view of host-client: how a client is named, how a suite is opened."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wireproof.protocols._bridged import BridgedProtocol
from wireproof.protocols.host_client._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, SuiteInputs, Target
    from wireproof.judge import Rules
    from wireproof.run import EngineSuite
    from wireproof_vectors import Vector


class HostClientProtocol(BridgedProtocol):
    """host-client as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "host-client")
    kind = "client"
    # The ops of a client that is an object in Python.
    ops = (
        *("start", "request", "execute", "request_many", "execute_many"),
        *("format_result", "state"),
    )

    def open(self, target: Target, settings: Settings) -> EngineSuite:
        """Bind the checks to a client; nothing is started yet."""
        return self.bind(self.inputs(target, settings))

    def bind(self, inputs: SuiteInputs) -> EngineSuite:
        """Bind checks to a client; nothing is started yet."""
        from wireproof.protocols.host_client._driver import ClientDriver
        from wireproof.protocols.host_client.rules import MONITORED
        from wireproof.report import sentence
        from wireproof.run import EngineSuite

        vectors = {key: _as_one_step(one) for key, one in inputs.vectors.items()}
        inputs = replace(inputs, vectors=vectors)
        environment = self.environment(inputs.target, inputs.settings)
        return EngineSuite(
            inputs,
            lambda: ClientDriver(inputs, environment),
            self.rules(),
            MONITORED,
            sentence,
            "",
            kind="client",
        )

    def rules(self) -> Rules:
        """Return what the judge has to know of host-client."""
        from wireproof.bridge import BridgeDialect
        from wireproof.judge import Rules
        from wireproof.protocols.host_client._reading import look
        from wireproof.protocols.host_client.rules import FAULTS

        return Rules(BridgeDialect, FAULTS, look=look)


def _as_one_step(vector: Vector) -> Vector:
    """Return a vector whose ops and scripts are one step, as they belong together."""
    from wireproof.protocols.host_client._conduct import CLIENT

    rest = {key: one for key, one in vector.data.items() if key != "values"}
    values = {key: one for key, one in vector.data.items() if key == "values"}
    return replace(vector, data={**values, "steps": [{CLIENT: rest}]})


PROTOCOL = HostClientProtocol()
