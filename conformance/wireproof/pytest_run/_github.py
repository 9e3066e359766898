"""What a run says to GitHub Actions: its failures, and a summary of the job.

GitHub takes lines of the log for commands, and the log shows what a subject wrote. So
it is told not to while the run lasts, and to do so again by a word that no subject can
know; only then come the commands of our own.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wireproof.reporting import annotation_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof.reporting import SubjectReport

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file of the job's summary."""


def is_github() -> bool:
    """Tell whether the run is a step of GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def summary_path() -> Path | None:
    """Return the file of the job's summary, or None where there is none."""
    text = os.environ.get(SUMMARY)
    return Path(text) if text else None


class GithubCommands:
    """Keeps a subject's output from being commands; tells the failures at the end."""

    def __init__(
        self, config: pytest.Config, reports: Callable[[], list[SubjectReport]]
    ) -> None:
        """Speak through the terminal reporter of ``config``."""
        self._config = config
        self._reports = reports
        self._word = secrets.token_hex(16)
        self._stopped = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Stop commands before anything of a subject's can be shown."""
        self._stopped = True
        self._write(f"::stop-commands::{self._word}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_unconfigure(self) -> None:
        """Let commands be commands again, and tell the failures."""
        if not self._stopped:
            return
        self._stopped = False
        self._write(f"::{self._word}::")
        for line in annotation_lines(self._reports()):
            self._write(line)

    def _write(self, line: str) -> None:
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(line)
