"""All registries of the proof; importing this enters them."""

from tests.proof.tool_contract import (
    budget_faults,
    call_faults,
    context_faults,
    legal_registries,
    progress_faults,
    reducer_faults,
    result_faults,
    untrusted_faults,
)
from tests.proof.tool_contract.subject import BROKEN, LEGAL, SUBJECTS, TABLES

TABLES.order()

__all__ = [
    "BROKEN",
    "LEGAL",
    "SUBJECTS",
    "budget_faults",
    "call_faults",
    "context_faults",
    "legal_registries",
    "progress_faults",
    "reducer_faults",
    "result_faults",
    "untrusted_faults",
]
