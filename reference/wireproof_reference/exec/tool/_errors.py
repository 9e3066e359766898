"""How a tool reports that it could not do what was asked."""

from __future__ import annotations

from wireproof_reference._errors import WireproofReferenceError


class ToolError(WireproofReferenceError):
    """A tool reports failure; the caller is told exactly this message (EXEC-O3).

    Any other exception that leaves a tool is a fault of the tool: its traceback goes to
    stderr, its kind and text to the caller.
    """
