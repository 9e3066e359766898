"""All servers of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.socket_v1 import (
    call_faults,
    cancel_faults,
    ending_faults,
    flight_faults,
    flow_faults,
    frame_faults,
    home_faults,
    identity_faults,
    legal_servers,
    message_faults,
    mistaking_faults,
    place_faults,
    reading_faults,
    record_faults,
    revised_faults,
    sequence_faults,
    shared_faults,
    spelling_faults,
    style_faults,
    trace_faults,
    value_faults,
)
from tests.proof.socket_v1.subject import BROKEN, LEGAL, TABLES, ServerRow

MODULES = (
    frame_faults,
    reading_faults,
    message_faults,
    call_faults,
    value_faults,
    cancel_faults,
    sequence_faults,
    mistaking_faults,
    ending_faults,
    flight_faults,
    identity_faults,
    shared_faults,
    style_faults,
    home_faults,
    place_faults,
    record_faults,
    trace_faults,
    spelling_faults,
    flow_faults,
    revised_faults,
    legal_servers,
)
"""Imported for the servers that they enter."""

TABLES.order()

__all__ = ["BROKEN", "LEGAL", "MODULES", "ServerRow"]
