"""Which kinds of report there are, by the ending of their path, and how one is written.

A kind is a module of this room with a function from a report to its text, and a line
here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.reporting._badge import dump_shields, dump_svg
from wireproof.reporting._files import place_problem, write_whole
from wireproof.reporting._html import dump_html
from wireproof.reporting._json import dump_json
from wireproof.reporting._markdown import dump_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from wireproof.reporting._report import Report

FORMATS: Mapping[str, Callable[[Report], str]] = {
    ".json": dump_json,
    ".html": dump_html,
    ".md": dump_markdown,
    ".svg": dump_svg,
    ".shields.json": dump_shields,
}
"""What makes each kind of report, by ending; of two that fit, the longer one counts."""


def format_of(path: Path) -> Callable[[Report], str] | None:
    """Return what makes the kind of report that a path asks for, or None."""
    endings = sorted(FORMATS, key=len, reverse=True)
    fitting = (one for one in endings if path.name.endswith(one) and path.name != one)
    ending = next(fitting, None)
    return FORMATS[ending] if ending else None


def check_report_path(path: Path) -> str | None:
    """Return what is wrong with a report's path, with the remedy, or None."""
    if format_of(path) is None:
        return f"the ending says which kind of report; give one of {', '.join(FORMATS)}"
    return place_problem(path)


def write_report(path: Path, report: Report) -> None:
    """Write a report, whole or not at all, in the kind that its path asks for.

    Raises:
        OSError: If the place cannot be written to.
        ValueError: If the path's ending is of no known kind.
    """
    if (dump := format_of(path)) is None:
        raise ValueError(check_report_path(path))
    write_whole(path, dump(report))
