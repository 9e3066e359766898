"""Reporting: the report and its kinds, records, the display of failures, merging."""

from __future__ import annotations

from wireproof.reporting._annotations import annotation_lines
from wireproof.reporting._answers import Standing, answers_of
from wireproof.reporting._baseline import (
    KNOWN,
    Baseline,
    KnownFailure,
    Names,
    failed_clauses,
    is_of_monitor,
    monitor_id,
    renewed,
)
from wireproof.reporting._baseline_file import (
    BaselineError,
    read_baseline,
    require_current,
    write_baseline,
)
from wireproof.reporting._clause_pages import clause_page, published_pages
from wireproof.reporting._combining import combine
from wireproof.reporting._comparing import compare, comparison_lines
from wireproof.reporting._display import clause_lines, explain_like, explain_result
from wireproof.reporting._escape import safe, safe_line
from wireproof.reporting._files import place_problem
from wireproof.reporting._formats import check_report_path, write_report
from wireproof.reporting._layout import (
    PLAIN,
    Layout,
    layout_of_stdout,
)
from wireproof.reporting._markdown import dump_markdown
from wireproof.reporting._masking import Mask, is_secret
from wireproof.reporting._merging import merge_facts, merge_monitors
from wireproof.reporting._next_steps import Guide, first_to_mend
from wireproof.reporting._reading import ReportError, read_report
from wireproof.reporting._records import Record, from_record, to_record
from wireproof.reporting._report import (
    Report,
    SubjectReport,
    report_of_run,
    suite_version,
)
from wireproof.reporting._screen import screen_lines
from wireproof.reporting._summary import LEVEL_TEXT, summary_lines

__all__ = [
    "KNOWN",
    "LEVEL_TEXT",
    "PLAIN",
    "Baseline",
    "BaselineError",
    "Guide",
    "KnownFailure",
    "Layout",
    "Mask",
    "Names",
    "Record",
    "Report",
    "ReportError",
    "Standing",
    "SubjectReport",
    "annotation_lines",
    "answers_of",
    "check_report_path",
    "clause_lines",
    "clause_page",
    "combine",
    "compare",
    "comparison_lines",
    "dump_markdown",
    "explain_like",
    "explain_result",
    "failed_clauses",
    "first_to_mend",
    "from_record",
    "is_of_monitor",
    "is_secret",
    "layout_of_stdout",
    "merge_facts",
    "merge_monitors",
    "monitor_id",
    "place_problem",
    "published_pages",
    "read_baseline",
    "read_report",
    "renewed",
    "report_of_run",
    "require_current",
    "safe",
    "safe_line",
    "screen_lines",
    "suite_version",
    "summary_lines",
    "to_record",
    "write_baseline",
    "write_report",
]
