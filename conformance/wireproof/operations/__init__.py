"""How a subject behind a driver is named and reached."""

from __future__ import annotations

from wireproof.operations._handle import BridgedHandle
from wireproof.operations._opening import (
    driver_command,
    driver_environment,
    is_in_process,
)
from wireproof.operations._plan import OperationPlan, exactly
from wireproof.operations._protocol import BridgedProtocol

__all__ = [
    "BridgedHandle",
    "BridgedProtocol",
    "OperationPlan",
    "driver_command",
    "driver_environment",
    "exactly",
    "is_in_process",
]
