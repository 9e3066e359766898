"""`python -m wireproof_reference exec tool|server`: the conformance toolset."""

from __future__ import annotations

import sys

from wireproof_reference.exec.tool import conformance_tool, run_oneshot, run_server


def main(arguments: list[str]) -> int:
    """Answer one call, or calls until stdin closes.

    Args:
        arguments: `tool` or `server`, and nothing else.

    Returns:
        The exit status, 2 where the arguments are wrong.
    """
    if len(arguments) > 1:
        usage = f"usage: python -m wireproof_reference exec {arguments[0]}\n"
        sys.stderr.write(usage)
        return 2
    return (run_oneshot if arguments[0] == "tool" else run_server)(conformance_tool)
