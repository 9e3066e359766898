"""All registries of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.interop import (
    alike_faults,
    call_faults,
    conversion_rows,
    legal_registries,
    legal_replay,
    length_faults,
    provider_faults,
    registry_faults,
    replay_faults,
    result_faults,
    sanitise_faults,
    schema_faults,
    stream_faults,
    value_faults,
)
from tests.proof.interop.subject import BROKEN, LEGAL, TABLES, AdapterRow

MODULES = (
    registry_faults,
    schema_faults,
    call_faults,
    conversion_rows,
    legal_registries,
    sanitise_faults,
    result_faults,
    provider_faults,
    value_faults,
    length_faults,
    alike_faults,
    stream_faults,
    replay_faults,
    legal_replay,
)
"""Imported for the registries that they enter."""

TABLES.order()

__all__ = ["BROKEN", "LEGAL", "MODULES", "AdapterRow"]
