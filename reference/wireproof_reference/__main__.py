"""Runs a reference implementation: `python -m wireproof_reference host`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

PROGRAMS: Final = {
    "exec": "wireproof_reference.exec._program",
    "host": "wireproof_reference.host_v1._program",
    "host-client": "wireproof_reference.host_v1._bridge",
    "provider-playback": "wireproof_reference.interop.providers._program",
    "socket": "wireproof_reference.socket_v1._program",
}
"""From each name to the module whose `main(arguments) -> status` it runs."""


def main(arguments: list[str]) -> int:
    """Run the program that the first argument names.

    Returns:
        Its exit status, or 2 where there is no such program.
    """
    if not arguments or arguments[0] not in PROGRAMS:
        names = "|".join(PROGRAMS)
        sys.stderr.write(f"usage: python -m wireproof_reference {names} ...\n")
        return 2
    status: int = import_module(PROGRAMS[arguments[0]]).main(arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
