"""Exec tools out of a function: `sys.exit(run_oneshot(tool))` or `run_server(tool)`.

A tool takes the value of `args`, an object, and returns the result, any JSON value.
`ToolError` reports failure in its own words.  Nothing but the standard library is
imported, so that a one-shot tool starts fast.
"""

from wireproof_reference.exec.tool._calling import ToolError, ToolFunction
from wireproof_reference.exec.tool._oneshot import run_oneshot
from wireproof_reference.exec.tool._server import run_server
from wireproof_reference.exec.tool._toolset import conformance_tool

__all__ = [
    "ToolError",
    "ToolFunction",
    "conformance_tool",
    "run_oneshot",
    "run_server",
]
