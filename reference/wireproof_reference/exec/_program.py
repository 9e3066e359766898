"""`python -m wireproof_reference exec`: a call, the reference tools, the runtime."""

from __future__ import annotations

import sys
from importlib import import_module

from wireproof_reference.exec.tool import conformance_tool, run_oneshot, run_server

PROGRAMS = {
    "call": "wireproof_reference.exec._call_program",
    "runtime": "wireproof_reference.exec._bridge",
}
"""From each name to the module whose `main(arguments) -> status` it runs."""

TOOLS = {"server": run_server, "tool": run_oneshot}
"""From each name to the function that runs the conformance toolset."""


def main(arguments: list[str]) -> int:
    """Run the program that the first argument names.

    Returns:
        Its exit status, or 2 if the arguments are wrong.
    """
    name, *more = arguments or [""]
    if name in PROGRAMS:
        status: int = import_module(PROGRAMS[name]).main(arguments)
        return status
    if name in TOOLS and not more:
        return TOOLS[name](conformance_tool)
    usage = name if name in TOOLS else f"{'|'.join((*PROGRAMS, *TOOLS))} ..."
    sys.stderr.write(f"usage: python -m wireproof_reference exec {usage}\n")
    return 2
