"""The registry's view of host-client: how a client is named, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.operations import BridgedProtocol
from wireproof.protocols.host_client._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target
    from wireproof.operations import BridgedHandle


class HostClientProtocol(BridgedProtocol):
    """host-client as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "host-client")
    kind = "client"
    fuzz_checks = ()

    def handle(self, target: Target, settings: Settings) -> BridgedHandle:
        """Return a client for a user's own tests, started on entering a block."""
        from wireproof.operations import BridgedHandle, open_bridge
        from wireproof.protocols.host_client._suite import OPS

        return BridgedHandle(open_bridge(target, settings, OPS))

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a client; nothing is started yet."""
        from wireproof.operations import open_bridge
        from wireproof.protocols.host_client._suite import OPS, ClientSuite
        from wireproof_vectors import load_setup

        return ClientSuite(
            open_bridge(target, settings, OPS),
            target,
            settings,
            self.checks(settings),
            self.vectors(settings),
            load_setup(self.name),
        )


PROTOCOL = HostClientProtocol()
