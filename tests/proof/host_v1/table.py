"""All hosts of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.host_v1 import (
    event_faults,
    huge_numbers,
    id_faults,
    input_faults,
    legal_messages,
    legal_offers,
    life_faults,
    message_faults,
    method_faults,
    number_faults,
    optional_faults,
    output_faults,
    place_faults,
    reply_faults,
    request_faults,
    sequence_faults,
    spelling_faults,
    state_faults,
    style_faults,
    value_faults,
    writing_faults,
)
from tests.proof.host_v1.subject import BROKEN, LEGAL, TABLES, Subject

MODULES = (
    output_faults,
    input_faults,
    life_faults,
    message_faults,
    id_faults,
    request_faults,
    value_faults,
    state_faults,
    style_faults,
    sequence_faults,
    event_faults,
    huge_numbers,
    method_faults,
    optional_faults,
    place_faults,
    reply_faults,
    spelling_faults,
    number_faults,
    writing_faults,
    legal_messages,
    legal_offers,
)
"""Imported for the hosts that they enter."""

TABLES.order()

__all__ = ["BROKEN", "LEGAL", "MODULES", "Subject"]
