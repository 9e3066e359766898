"""What the exec tools of the proof do alike in either mode when they are called."""

from __future__ import annotations

import json
import math
import os
import re
import sys
import time
from typing import Any, NoReturn


def refuse(text: str) -> NoReturn:
    """Take a word for no JSON.

    Raises:
        ValueError: Always.
    """
    raise ValueError(f"{text} is not JSON")


def strict_loads(data: bytes) -> Any:
    """Read JSON in UTF-8: no `NaN`, and no number beyond a double.

    Raises:
        ValueError: It is something else.
    """
    return json.loads(data.decode(), parse_constant=refuse, parse_float=_fraction)


def half_pairs_as(mark: str, value: Any) -> Any:
    """Return a value with another character for each half of a surrogate pair."""
    if isinstance(value, dict):
        pairs = value.items()
        return {half_pairs_as(mark, k): half_pairs_as(mark, v) for k, v in pairs}
    if isinstance(value, list):
        return [half_pairs_as(mark, one) for one in value]
    return re.sub("[\ud800-\udfff]", mark, value) if isinstance(value, str) else value


def _fraction(digits: str) -> float:
    number = float(digits)
    return refuse(digits) if math.isinf(number) else number


class ExecToolset:
    """The tools of the conformance toolset that need nothing of their program."""

    def do_return(self, arguments: dict[str, Any]) -> Any:
        """Give the value itself back."""
        return arguments["value"]

    def do_sleep(self, arguments: dict[str, Any]) -> Any:
        """Take a moment."""
        time.sleep(arguments["ms"] / 1000)
        return {"slept_ms": arguments["ms"]}

    def do_blob(self, arguments: dict[str, Any]) -> Any:
        """Give a long string."""
        return "x" * arguments["size"]

    def do_print(self, arguments: dict[str, Any]) -> Any:
        """Print, where it does no harm."""
        sys.stderr.write(f"{arguments['text']}\n")
        return {"printed": True}

    def do_stderr(self, arguments: dict[str, Any]) -> Any:
        """Write to stderr."""
        sys.stderr.write("e" * arguments["size"])
        return {"written": arguments["size"]}

    def do_env(self, arguments: dict[str, Any]) -> Any:
        """Tell variables."""
        return {name: os.environ.get(name) for name in arguments["names"]}
