"""The vocabulary of the suite: check, clause, verdict, result, settings, transcript."""

from __future__ import annotations

from wireproof.checks._attempt import Attempt
from wireproof.checks._check import (
    Check,
    ClauseText,
    SubjectFacts,
    source_word,
)
from wireproof.checks._errors import (
    NoAnswer,
    SubjectStartError,
    VectorDefect,
    WireproofError,
)
from wireproof.checks._option_reader import OptionReader
from wireproof.checks._origin import (
    folder_of_origin,
    recorded_origin,
    requirement_of_origin,
)
from wireproof.checks._programs import (
    explain_line,
    python_words,
    runner_words,
)
from wireproof.checks._protocol_entry import ProtocolEntry
from wireproof.checks._settings import (
    DEFAULT_FUZZ,
    Runner,
    Settings,
    Target,
    split_command,
)
from wireproof.checks._suite import OBSERVATION, Suite, SuiteInputs
from wireproof.checks._transcript import Entry, Transcript, TranscriptEntry
from wireproof.checks._vector_protocol import VectorProtocol
from wireproof.checks._verdicts import (
    AGAINST,
    DECIDED,
    DOCUMENT_SOURCES,
    HELD,
    LEVELS,
    WHY_TRIED,
    ClauseVerdict,
    Deviation,
    Difference,
    Level,
    Result,
    Sources,
    Verdict,
    Words,
    broken,
    clause_verdicts,
    decided,
    is_against,
    is_conformant,
    of_document,
    totals,
    worst,
)

__all__ = [
    "AGAINST",
    "DECIDED",
    "DEFAULT_FUZZ",
    "DOCUMENT_SOURCES",
    "HELD",
    "LEVELS",
    "OBSERVATION",
    "WHY_TRIED",
    "Attempt",
    "Check",
    "ClauseText",
    "ClauseVerdict",
    "Deviation",
    "Difference",
    "Entry",
    "Level",
    "NoAnswer",
    "OptionReader",
    "ProtocolEntry",
    "Result",
    "Runner",
    "Settings",
    "Sources",
    "SubjectFacts",
    "SubjectStartError",
    "Suite",
    "SuiteInputs",
    "Target",
    "Transcript",
    "TranscriptEntry",
    "VectorDefect",
    "VectorProtocol",
    "Verdict",
    "WireproofError",
    "Words",
    "broken",
    "clause_verdicts",
    "decided",
    "explain_line",
    "folder_of_origin",
    "is_against",
    "is_conformant",
    "of_document",
    "python_words",
    "recorded_origin",
    "requirement_of_origin",
    "runner_words",
    "source_word",
    "split_command",
    "totals",
    "worst",
]
