"""The checks of socket-v1 on the engine that exec-server and host-v1 run on.

It stands beside the suite of old until it takes over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.judge import Rules
from wireproof.protocols.socket_v1._dialect import SocketDialect
from wireproof.protocols.socket_v1._driver import SocketDriver
from wireproof.protocols.socket_v1._looks import look
from wireproof.protocols.socket_v1.rules import FAULTS, MONITORED
from wireproof.report import sentence
from wireproof.run import EngineSuite

if TYPE_CHECKING:
    from wireproof.checks import SuiteInputs

RULES = Rules(SocketDialect, FAULTS, look=look)
"""What the judge has to know of socket-v1."""


def engine_suite(inputs: SuiteInputs) -> EngineSuite:
    """Bind the checks to a server; nothing is started yet."""
    return EngineSuite(
        inputs,
        lambda: SocketDriver(inputs.target, inputs.settings),
        RULES,
        MONITORED,
        sentence,
        "wireproof.protocols.socket_v1._fuzz_plans",
    )
