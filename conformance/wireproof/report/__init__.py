"""Reasons in words, and the causes that failures have in common."""

from __future__ import annotations

from wireproof.report._causes import (
    Cause,
    clarity,
    explain,
    is_by_suite,
    reason_key,
)
from wireproof.report._exceptions import (
    BROKEN,
    Raised,
    Traces,
    exception_of,
    is_own_frame,
)
from wireproof.report._sentences import sentence

__all__ = [
    "BROKEN",
    "Cause",
    "Raised",
    "Traces",
    "clarity",
    "exception_of",
    "explain",
    "is_by_suite",
    "is_own_frame",
    "reason_key",
    "sentence",
]
