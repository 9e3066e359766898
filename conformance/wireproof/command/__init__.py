"""The ``wireproof`` command: the suite for authors who have no Python project.

Each subcommand has a module of its own with ``add_parser``, which adds it to the
command and sets ``run``: what carries it out and returns the exit status. The statuses
are pytest's; what cannot be used is a usage error.
"""

from __future__ import annotations

from wireproof.command._main import main
from wireproof.command._usage import USAGE_ERROR, CommandError, Subcommands

__all__ = ["USAGE_ERROR", "CommandError", "Subcommands", "main"]
