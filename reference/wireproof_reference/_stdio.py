"""Stdin and stdout kept for the protocol alone, for programs of every protocol.

Only what starts fast is imported: a one-shot tool is started anew for each call.
"""

from __future__ import annotations

import os
import sys

_STDIN = 0
_STDOUT = 1
_STDERR = 2


def take_stdio() -> tuple[int, int]:
    """Take stdin and stdout away from the rest of the process, for good.

    Returns:
        Descriptors for what stdin and stdout were; no child process inherits them.
    """
    sys.stdout.flush()
    taken = os.dup(_STDIN), os.dup(_STDOUT)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, _STDIN)
    os.close(null)
    os.dup2(_STDERR, _STDOUT)
    # Unlike the old object, this one writes a line when it is printed.
    sys.stdout = sys.stderr
    return taken
