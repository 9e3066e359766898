"""All one-shot tools of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.exec_oneshot import (
    environment_faults,
    hard_faults,
    input_faults,
    legal_readers,
    legal_tools,
    output_faults,
    value_faults,
)
from tests.proof.exec_oneshot.subject import BROKEN, LEGAL, TABLES, ToolRow

MODULES = (
    input_faults,
    output_faults,
    value_faults,
    environment_faults,
    hard_faults,
    legal_tools,
    legal_readers,
)
"""Imported for the tools that they enter."""

TABLES.order()

__all__ = ["BROKEN", "LEGAL", "MODULES", "ToolRow"]
