"""Where files may be written, and writing one whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

FILE_MODE = 0o644
"""Permissions of what is written; a temporary file has stricter ones."""


def place_problem(path: Path) -> str | None:
    """Return why a file cannot be written at a place, with the remedy, or None."""
    if path.is_dir():
        return "it is a folder; give the path of a file"
    if not path.parent.is_dir():
        return f"the folder {path.parent} does not exist; make it first"
    if not os.access(path.parent, os.W_OK):
        return f"the folder {path.parent} may not be written to"
    return None


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all.

    Raises:
        OSError: If the place cannot be written to.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(FILE_MODE)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
