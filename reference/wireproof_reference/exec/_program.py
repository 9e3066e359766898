"""`python -m wireproof_reference exec`: a call, the reference tools, the runtime."""

from __future__ import annotations

import sys
from importlib import import_module

PROGRAMS = {
    "call": "wireproof_reference.exec._call_program",
    "runtime": "wireproof_reference.exec._bridge",
    "server": "wireproof_reference.exec._tool_programs",
    "tool": "wireproof_reference.exec._tool_programs",
}
"""From each name to the module whose `main(arguments) -> status` it runs."""


def main(arguments: list[str]) -> int:
    """Run the program that the first argument names.

    Returns:
        Its exit status, or 2 where there is no such program.
    """
    if not arguments or arguments[0] not in PROGRAMS:
        names = "|".join(PROGRAMS)
        sys.stderr.write(f"usage: python -m wireproof_reference exec {names} ...\n")
        return 2
    status: int = import_module(PROGRAMS[arguments[0]]).main(arguments)
    return status
