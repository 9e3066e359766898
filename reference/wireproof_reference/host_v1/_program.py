"""`python -m wireproof_reference host`: a host with the conformance toolset."""

from __future__ import annotations

import sys

from wireproof_reference._backends import BACKENDS
from wireproof_reference.host_v1._stdio import run_stdio
from wireproof_reference.host_v1._toolset import conformance_toolset


def main(arguments: list[str]) -> int:
    """Serve the conformance toolset on stdin and stdout.

    Returns:
        The exit status, 2 where the arguments are wrong.
    """
    backend = BACKENDS.get(tuple(arguments))
    if backend is None:
        sys.stderr.write(
            "usage: python -m wireproof_reference host [--backend=asyncio|trio]\n"
        )
        return 2
    return run_stdio(conformance_toolset(), backend=backend)
