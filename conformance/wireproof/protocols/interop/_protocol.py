"""The registry's view of interop: how a registry is named, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.operations import BridgedProtocol, driver_command
from wireproof.protocols.interop._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.interop._ops import ACCUMULATE, INSIDE, OPS, PROVIDER_OPS
from wireproof.protocols.interop._options import OPTIONS
from wireproof.protocols.interop._own_formats import OWN_FORMATS
from wireproof.protocols.interop._scenarios import SCENARIOS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target
    from wireproof.protocols.interop._handle import AdapterHandle


class InteropProtocol(BridgedProtocol):
    """Interop as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = driver_command("wireproof_reference.interop:chat_subject")[1:]
    kind = "operation"
    also = ("stream",)
    ops = (*OPS, *PROVIDER_OPS, ACCUMULATE)
    inside = INSIDE
    scenarios = (*SCENARIOS, OWN_FORMATS)
    fuzz_checks = FUZZ_CHECKS

    def handle(self, target: Target, settings: Settings) -> AdapterHandle:
        """Return a registry for a user's own tests, started on entering a block."""
        from wireproof.protocols.interop._handle import AdapterHandle

        return AdapterHandle(self.bridge(target, settings))

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a registry; nothing is started yet."""
        from wireproof.protocols.interop._suite import InteropSuite

        return InteropSuite(
            self.bridge(target, settings), self.inputs(target, settings)
        )


PROTOCOL = InteropProtocol()
