"""All exec servers of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.exec_server import (
    frame_faults,
    hard_value_faults,
    legal_readers,
    legal_servers,
    life_faults,
    long_line_faults,
    reading_faults,
    spelling_faults,
    value_faults,
)
from tests.proof.exec_server.subject import BROKEN, LEGAL, TABLES, ServerRow

MODULES = (
    frame_faults,
    reading_faults,
    life_faults,
    value_faults,
    spelling_faults,
    hard_value_faults,
    long_line_faults,
    legal_servers,
    legal_readers,
)
"""Imported for the servers that they enter."""

TABLES.order()

__all__ = ["BROKEN", "LEGAL", "MODULES", "ServerRow"]
