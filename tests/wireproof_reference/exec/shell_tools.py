"""Tools in a few words of shell, and what is seen of them from outside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from wireproof_reference.exec import Binding


def shell(name: str, script: str, *args: str, **more: Any) -> Binding:
    """A one-shot tool; `args` are `$0`, `$1` and so on."""
    return Binding(name, "/bin/sh", ("-c", script, *args), **more)


def server(name: str, script: str, **more: Any) -> Binding:
    """A server tool; `respond ID RESULT` writes a response."""
    respond = """respond() { echo '{"jsonrpc":"2.0","id":'$1',"result":'$2'}'; };"""
    return shell(name, f"{respond} {script}", runtime="server", **more)


class Presence:
    """Tells when the last process is gone that has opened a fifo.

    Args:
        folder: Where the fifo is made.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "presence"
        os.mkfifo(self.path)
        self._fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        # For a process to write one byte, and to hold the fifo, as do its children.
        self.script = f"exec 9>{self.path}; echo >&9;"

    def wait_for_all_gone(self) -> bytes:
        """What the processes wrote; returns when none of them is left."""
        os.set_blocking(self._fd, True)
        with os.fdopen(self._fd, "rb") as fifo:
            return fifo.read()
