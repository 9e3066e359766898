"""All registries of the proof; importing this enters them."""

from tests.proof.tool_contract import (
    argument_faults,
    budget_faults,
    call_faults,
    context_faults,
    cut_faults,
    filter_faults,
    kind_faults,
    legal_registries,
    legal_variants,
    listing_faults,
    name_faults,
    progress_faults,
    reducer_faults,
    result_faults,
    shown_faults,
    turn_faults,
    untrusted_faults,
)
from tests.proof.tool_contract.subject import BROKEN, LEGAL, SUBJECTS, TABLES

TABLES.order()

__all__ = [
    "BROKEN",
    "LEGAL",
    "SUBJECTS",
    "argument_faults",
    "budget_faults",
    "call_faults",
    "context_faults",
    "cut_faults",
    "filter_faults",
    "kind_faults",
    "legal_registries",
    "legal_variants",
    "listing_faults",
    "name_faults",
    "progress_faults",
    "reducer_faults",
    "result_faults",
    "shown_faults",
    "turn_faults",
    "untrusted_faults",
]
