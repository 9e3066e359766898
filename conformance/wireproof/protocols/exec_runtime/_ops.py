"""The ops of exec-runtime."""

from __future__ import annotations

OPS = ("bind", "call", "call_many", "close")
"""The ops that a runtime at full level offers."""

OPTIONAL_OPS = ("load", "setenv", "set_default_timeout")
"""The ops that it may leave out: checks that need one are not applicable then."""
