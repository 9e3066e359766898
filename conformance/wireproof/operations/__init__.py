"""Operations: steps, controls, opening, and the suite of a bridged subject."""

from __future__ import annotations

from wireproof.operations._controls import Controls
from wireproof.operations._handle import BridgedHandle
from wireproof.operations._misfits import misfit_results
from wireproof.operations._opening import (
    driver_command,
    is_in_process,
    open_bridge,
)
from wireproof.operations._operations import carry_out_steps
from wireproof.operations._outcome import (
    AsExpected,
    Differs,
    NotAnswered,
    NotOffered,
    StepsOutcome,
)
from wireproof.operations._plan import OperationPlan, exactly
from wireproof.operations._protocol import BridgedProtocol
from wireproof.operations._suite import BridgedSuite

__all__ = [
    "AsExpected",
    "BridgedHandle",
    "BridgedProtocol",
    "BridgedSuite",
    "Controls",
    "Differs",
    "NotAnswered",
    "NotOffered",
    "OperationPlan",
    "StepsOutcome",
    "carry_out_steps",
    "driver_command",
    "exactly",
    "is_in_process",
    "misfit_results",
    "open_bridge",
]
