"""What exec-oneshot and host-client share: outcomes, judgement, monitors, bad lines."""

from __future__ import annotations

from wireproof.line._cuts import Cut, pieces
from wireproof.line._evidence import head, must
from wireproof.line._judgement import Judgement, judge
from wireproof.line._monitors import Monitors
from wireproof.line._outcome import (
    Completed,
    Diverged,
    Missing,
    MissingCause,
    StepsOutcome,
)
from wireproof.line._salvage import foreign_word, is_json, salvage, why_no_json

__all__ = [
    "Completed",
    "Cut",
    "Diverged",
    "Judgement",
    "Missing",
    "MissingCause",
    "Monitors",
    "StepsOutcome",
    "foreign_word",
    "head",
    "is_json",
    "judge",
    "must",
    "pieces",
    "salvage",
    "why_no_json",
]
