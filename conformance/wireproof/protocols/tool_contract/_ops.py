"""The ops of the tool contract."""

from __future__ import annotations

OPS = (
    "register",
    "definitions",
    "execute_parallel",
    "register_reducer",
    "unregister_reducer",
    "wrap_untrusted",
    "visible_progress",
)
"""The ops that a registry at full level offers."""

OPTIONAL_OPS = ("set_available", "reset", "sanitize_untrusted", "get_reducer")
"""Those that it may offer."""
