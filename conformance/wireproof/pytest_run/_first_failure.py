"""What to mend first, on the last screen of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from wireproof.pytest_run._terminal import line_again
from wireproof.reporting import screen_lines

if TYPE_CHECKING:
    from collections.abc import Generator

    from wireproof.pytest_run._terminal import Terminal


class FirstFailure:
    """Shows what to mend first, behind all that pytest lists at the end of a run."""

    def __init__(self, terminal: Terminal) -> None:
        """Show what ``terminal`` finds."""
        self._terminal = terminal

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Generator[None]:
        """Show it on a screen of its own, where there is a terminal."""
        yield
        if (found := self._terminal.first()) is None:
            return
        subject, result = found
        layout = self._terminal.layout()
        again = line_again(subject, result.first_in or result.id)
        terminalreporter.section(layout.title(f"first to mend: {result.id}"), red=True)
        for line in screen_lines(result, subject.clauses, layout, again):
            terminalreporter.write_line(line)
