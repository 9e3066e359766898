"""The files of a run's reports, and the summary of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.pytest_run._github import summary_path
from wireproof.reporting import dump_markdown, write_report

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wireproof.reporting import Report


class ReportFiles:
    """Writes the report of a run wherever it is wanted.

    Attributes:
        written: The files that were written.
        unwritten: Those that could not be, each with the reason.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Prepare the files that the user asked for; the job's summary is added."""
        self.written: list[Path] = []
        self.unwritten: list[tuple[Path, str]] = []
        self._paths = paths
        self._summary = summary_path()

    @property
    def wanted(self) -> bool:
        """Whether any file is to be written."""
        return bool(self._paths) or self._summary is not None

    def write(self, report: Report) -> None:
        """Write a report to each of them; one that cannot be written is told later."""
        for path in self._paths:
            try:
                write_report(path, report)
            except OSError as error:
                self.unwritten.append((path, error.strerror or str(error)))
            else:
                self.written.append(path)
        if self._summary is None:
            return
        try:
            with self._summary.open("a", encoding="utf-8") as file:
                file.write(dump_markdown(report))
        except OSError as error:
            self.unwritten.append((self._summary, error.strerror or str(error)))
