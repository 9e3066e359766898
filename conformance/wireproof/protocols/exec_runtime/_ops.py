"""The ops of exec-runtime."""

from __future__ import annotations

OPS = ("bind", "call", "call_many", "setenv", "set_default_timeout", "load", "close")
"""The ops that a runtime at full level offers."""
