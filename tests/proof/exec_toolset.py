"""What the exec tools of the proof do alike in either mode when they are called."""

from __future__ import annotations

import os
import sys
import time
from typing import Any


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
