"""All runtimes of the proof, gathered from the modules that define them."""

from __future__ import annotations

from tests.proof.exec_runtime import legal_runtimes
from tests.proof.exec_runtime.subject import BROKEN, LEGAL, RuntimeRow

MODULES = (legal_runtimes,)
"""Imported for the runtimes that they enter."""

__all__ = ["BROKEN", "LEGAL", "MODULES", "RuntimeRow"]
