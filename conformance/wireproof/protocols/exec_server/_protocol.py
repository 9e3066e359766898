"""The registry's view of exec-server: what its checks need, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.exec_tools import ExecProtocol
from wireproof.line import LineProtocol
from wireproof.protocols.exec_server._fuzz_checks import FUZZ_CHECKS
from wireproof.protocols.exec_server._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Target
    from wireproof.line._protocol import SuiteType
    from wireproof.protocols.exec_server._handle import ServerHandle


class ServerProtocol(ExecProtocol, LineProtocol):
    """exec-server as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "exec", "server")
    comes_up = "answers execute, a line of JSON-RPC each way"
    fuzz_checks = FUZZ_CHECKS
    serves = True

    def handle(self, target: Target, settings: Settings) -> ServerHandle:
        """Return a server for a user's own tests, started on entering a block."""
        from wireproof.protocols.exec_server._handle import ServerHandle

        return ServerHandle(target, settings)

    def suite(self) -> SuiteType:
        """Return the suite of servers."""
        from wireproof.protocols.exec_server._suite import ServerSuite

        return ServerSuite


PROTOCOL = ServerProtocol()
