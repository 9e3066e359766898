"""All runtimes of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.exec_runtime import (
    byte_faults,
    companion_faults,
    environment_faults,
    file_faults,
    killing_faults,
    legal_runtimes,
    legal_variants,
    life_faults,
    limit_faults,
    output_faults,
    request_faults,
    result_faults,
    schema_faults,
    sequence_faults,
    start_changes,
    start_faults,
    step_faults,
)
from tests.proof.exec_runtime.subject import BROKEN, LEGAL, TABLES, RuntimeRow

MODULES = (
    request_faults,
    result_faults,
    environment_faults,
    limit_faults,
    killing_faults,
    step_faults,
    sequence_faults,
    output_faults,
    start_faults,
    file_faults,
    companion_faults,
    byte_faults,
    start_changes,
    life_faults,
    schema_faults,
    legal_runtimes,
    legal_variants,
)
"""Imported for the runtimes that they enter."""

TABLES.order()

__all__ = ["BROKEN", "LEGAL", "MODULES", "RuntimeRow"]
