"""Conversations: session, steps, judgement, monitors and suite of a line protocol."""

from __future__ import annotations

from wireproof.line._judgement import Judgement, judge
from wireproof.line._monitors import Monitors
from wireproof.line._peer import Cut, Missing, MissingCause, NotUp
from wireproof.line._protocol import LineProtocol
from wireproof.line._steps import Broke, Held, asked_delay, run_steps
from wireproof.line._suite import LineSuite

__all__ = [
    "Broke",
    "Cut",
    "Held",
    "Judgement",
    "LineProtocol",
    "LineSuite",
    "Missing",
    "MissingCause",
    "Monitors",
    "NotUp",
    "asked_delay",
    "judge",
    "run_steps",
]
