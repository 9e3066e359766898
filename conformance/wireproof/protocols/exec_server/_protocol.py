"""The registry's view of exec-server: what its checks need, how a suite is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.protocols._exec_tools import ExecProtocol
from wireproof.protocols.exec_server._options import OPTIONS

if TYPE_CHECKING:
    from wireproof.checks import Settings, Suite, Target
    from wireproof.judge import Rules
    from wireproof.protocols.exec_server._handle import ServerHandle


class ServerProtocol(ExecProtocol):
    """exec-server as an entry of the registry."""

    name = OPTIONS.protocol
    option = OPTIONS.subject.name
    reference = ("-m", "wireproof_reference", "exec", "server")
    comes_up = "answers execute, a line of JSON-RPC each way"
    kind = "exchange"
    serves = True

    def handle(self, target: Target, settings: Settings) -> ServerHandle:
        """Return a server for a user's own tests, started on entering a block."""
        from wireproof.protocols.exec_server._driver import ServerDriver
        from wireproof.protocols.exec_server._handle import ServerHandle
        from wireproof.report import sentence
        from wireproof.run import Runner, Waits

        driver = ServerDriver(target, settings)
        runner = Runner(driver, _rules(), Waits(settings.timeout))
        return ServerHandle(runner, sentence)

    def open(self, target: Target, settings: Settings) -> Suite:
        """Bind the checks to a server; nothing is started yet."""
        from wireproof.protocols.exec_server._driver import ServerDriver
        from wireproof.protocols.exec_server.rules import MONITORED
        from wireproof.report import sentence
        from wireproof.run import EngineSuite

        return EngineSuite(
            self.inputs(target, settings),
            lambda: ServerDriver(target, settings),
            _rules(),
            MONITORED,
            sentence,
            "wireproof.protocols.exec_server._fuzz_plans",
        )


def _rules() -> Rules:
    from wireproof.judge import Rules
    from wireproof.protocols.exec_server._dialect import RpcDialect
    from wireproof.protocols.exec_server.rules import FAULTS

    return Rules(RpcDialect, FAULTS)


PROTOCOL = ServerProtocol()
