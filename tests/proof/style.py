"""Names in another style: what a program does that takes any style for its own."""

from __future__ import annotations

import re


def snake_case(name: str) -> str:
    """Return a name with its words in small letters, joined by underscores."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[-. ]", "_", name).lower()
