"""Reporting: records, the JSON report, the display of failures, merging."""

from __future__ import annotations

from wireproof.reporting._display import (
    clause_lines,
    explain_like,
    explain_result,
    explain_silence,
    safe,
    safe_line,
)
from wireproof.reporting._merging import merge_facts, merge_monitors
from wireproof.reporting._records import Record, from_record, to_record
from wireproof.reporting._report import (
    SubjectReport,
    build_report,
    check_report_path,
    write_report,
)
from wireproof.reporting._summary import Guide, summary_lines, way_of

__all__ = [
    "Guide",
    "Record",
    "SubjectReport",
    "build_report",
    "check_report_path",
    "clause_lines",
    "explain_like",
    "explain_result",
    "explain_silence",
    "from_record",
    "merge_facts",
    "merge_monitors",
    "safe",
    "safe_line",
    "summary_lines",
    "to_record",
    "way_of",
    "write_report",
]
