"""All clients of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.host_client import (
    answer_faults,
    call_faults,
    end_faults,
    format_faults,
    legal_clients,
    life_faults,
    place_faults,
    request_faults,
    state_faults,
    stream_faults,
)
from tests.proof.host_client.subject import BROKEN, LEGAL, TABLES, ClientRow

MODULES = (
    request_faults,
    call_faults,
    answer_faults,
    format_faults,
    state_faults,
    place_faults,
    life_faults,
    stream_faults,
    end_faults,
    legal_clients,
)
"""Imported for the clients that they enter."""

TABLES.order()

__all__ = ["BROKEN", "LEGAL", "MODULES", "ClientRow"]
