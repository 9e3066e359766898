"""Conversations: session, steps, judgement, monitors and suite of a line protocol."""

from __future__ import annotations

from wireproof.line._cuts import SENDING, Cut, pieces, writes_in_order
from wireproof.line._evidence import head, must
from wireproof.line._handle import LineHandle
from wireproof.line._judgement import Judgement, judge
from wireproof.line._letters import meant_by
from wireproof.line._lines import (
    UNDER_A_LOCK,
    LineReader,
    Reading,
    events_of,
    mingled,
)
from wireproof.line._monitors import Monitors
from wireproof.line._outcome import (
    Completed,
    Diverged,
    Missing,
    MissingCause,
    NotUp,
    StepsOutcome,
    no_answer_within,
    owes_answer,
)
from wireproof.line._protocol import LineProtocol
from wireproof.line._reads import Reads
from wireproof.line._salvage import (
    Salvaged,
    foreign_word,
    is_json,
    may_be_json,
    salvage,
    seam,
    why_no_json,
)
from wireproof.line._session import OWN_ID, LineSession, own_keys
from wireproof.line._spread import Spread, joined
from wireproof.line._state import SessionEvent, SessionState
from wireproof.line._steps import StepRunner
from wireproof.line._suite import LineSuite
from wireproof.line._torn import (
    CUT_LETTERS,
    TORN,
    Tearing,
    in_letters,
    of_torn,
    whole_of,
)
from wireproof.line._unended import UnendedLine

__all__ = [
    "CUT_LETTERS",
    "OWN_ID",
    "SENDING",
    "TORN",
    "UNDER_A_LOCK",
    "Completed",
    "Cut",
    "Diverged",
    "Judgement",
    "LineHandle",
    "LineProtocol",
    "LineReader",
    "LineSession",
    "LineSuite",
    "Missing",
    "MissingCause",
    "Monitors",
    "NotUp",
    "Reading",
    "Reads",
    "Salvaged",
    "SessionEvent",
    "SessionState",
    "Spread",
    "StepRunner",
    "StepsOutcome",
    "Tearing",
    "UnendedLine",
    "events_of",
    "foreign_word",
    "head",
    "in_letters",
    "is_json",
    "joined",
    "judge",
    "may_be_json",
    "meant_by",
    "mingled",
    "must",
    "no_answer_within",
    "of_torn",
    "owes_answer",
    "own_keys",
    "pieces",
    "salvage",
    "seam",
    "whole_of",
    "why_no_json",
    "writes_in_order",
]
