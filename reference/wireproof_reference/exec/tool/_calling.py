"""What both kinds of tool have: a call of the function, and writing to the runtime."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TypeAlias

from wireproof_reference._errors import WireproofReferenceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireproof_reference.framing import JSON, JSONObject

ToolFunction: TypeAlias = "Callable[[JSONObject], JSON]"
"""A tool: takes the value of `args`, returns the result or raises `ToolError`."""


class ToolError(WireproofReferenceError):
    """A tool reports failure; the caller is told exactly this message (EXEC-O3).

    Any other exception that leaves a tool is a fault of the tool: its traceback goes to
    stderr, its kind and text to the caller.
    """


class ToolFault(Exception):
    """The function has failed otherwise than by reporting it."""


def call(tool: ToolFunction, args: JSONObject) -> JSON:
    """Call the function; what it writes to stdout by `print` goes to stderr.

    Raises:
        ToolError: It reports failure.
        ToolFault: Anything else left it; the traceback was written to stderr.
    """
    try:
        return tool(args)
    except ToolError:
        raise
    # A tool that leaves by sys.exit has not answered; the process lives on (EXEC-S14).
    except (Exception, SystemExit) as error:
        # As an uncaught one is shown; the module traceback is slow to import.
        sys.excepthook(type(error), error, error.__traceback__)
        raise ToolFault(f"{type(error).__name__}: {error}") from error


def write_all(fd: int, data: bytes) -> None:
    """Write all bytes now, so that they arrive while stdin stays open (EXEC-S17).

    Raises:
        BrokenPipeError: Nobody reads any more.
    """
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
