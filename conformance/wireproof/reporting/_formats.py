"""Which kinds of report there are, by the ending of their path, and how one is written.

A kind is a module of this room with a function from a report to its text, and a line
here.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from wireproof.reporting._json import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof.reporting._report import Report

REPORT_MODE = 0o644
"""Permissions of a report; a temporary file has stricter ones."""

FORMATS: Mapping[str, Callable[[Report], str]] = {
    ".json": dump_json,
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
    if path.is_dir():
        return "it is a folder; give the path of a file"
    if not path.parent.is_dir():
        return f"the folder {path.parent} does not exist; make it first"
    if not os.access(path.parent, os.W_OK):
        return f"the folder {path.parent} may not be written to"
    return None


def write_report(path: Path, report: Report) -> None:
    """Write a report, whole or not at all, in the kind that its path asks for.

    Raises:
        OSError: If the place cannot be written to.
        ValueError: If the path's ending is of no known kind.
    """
    if (dump := format_of(path)) is None:
        raise ValueError(check_report_path(path))
    text = dump(report)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(REPORT_MODE)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
