"""Reporting: the report and its kinds, records, the display of failures, merging."""

from __future__ import annotations

from wireproof.reporting._causes import way_of
from wireproof.reporting._display import (
    clause_lines,
    explain_like,
    explain_result,
    safe,
    safe_line,
)
from wireproof.reporting._formats import check_report_path, write_report
from wireproof.reporting._merging import merge_facts, merge_monitors
from wireproof.reporting._next_steps import Guide
from wireproof.reporting._reading import ReportError, read_report
from wireproof.reporting._records import Record, from_record, to_record
from wireproof.reporting._report import Report, SubjectReport, report_of_run
from wireproof.reporting._summary import summary_lines

__all__ = [
    "Guide",
    "Record",
    "Report",
    "ReportError",
    "SubjectReport",
    "check_report_path",
    "clause_lines",
    "explain_like",
    "explain_result",
    "from_record",
    "merge_facts",
    "merge_monitors",
    "read_report",
    "report_of_run",
    "safe",
    "safe_line",
    "summary_lines",
    "to_record",
    "way_of",
    "write_report",
]
