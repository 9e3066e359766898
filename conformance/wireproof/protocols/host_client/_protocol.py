"""The registry's view of host-client: how a client is named, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.operations import BridgedProtocol
from wireproof.protocols.host_client._ops import OPS
from wireproof.protocols.host_client._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target


class HostClientProtocol(BridgedProtocol):
    """host-client as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "host-client")
    kind = "client"
    ops = OPS
    fuzz_checks = ()

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a client; nothing is started yet."""
        from wireproof.protocols.host_client._suite import ClientSuite

        return ClientSuite(self.bridge(target, settings), self.inputs(target, settings))


PROTOCOL = HostClientProtocol()
