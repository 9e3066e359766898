"""What is drawn for each fuzz property of interop.

Imports Hypothesis: import it only where something is fuzzed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.protocols.interop._call_plans import CALL_STRATEGIES
from wireproof.protocols.interop._odd_call_plans import ODD_CALL_STRATEGIES
from wireproof.protocols.interop._provider_plans import PROVIDER_STRATEGIES
from wireproof.protocols.interop._result_plans import RESULT_STRATEGIES
from wireproof.protocols.interop._sanitise_plans import TEXT_STRATEGIES
from wireproof.protocols.interop._schema_plans import SCHEMA_STRATEGIES
from wireproof.protocols.interop._stream_plans import STREAM_STRATEGIES

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from wireproof.fuzzing import OperationPlan

STRATEGIES: dict[str, SearchStrategy[OperationPlan]] = {
    **TEXT_STRATEGIES,
    **ODD_CALL_STRATEGIES,
    **SCHEMA_STRATEGIES,
    **CALL_STRATEGIES,
    **RESULT_STRATEGIES,
    **PROVIDER_STRATEGIES,
    **STREAM_STRATEGIES,
}
"""What is drawn for each property, by its name."""
