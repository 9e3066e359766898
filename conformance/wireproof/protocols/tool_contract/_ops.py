"""The ops of the tool contract, and the driver that carries them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.operations import open_bridge

if TYPE_CHECKING:
    from wireproof.checks import Settings, Target
    from wireproof.subjects import Bridge

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


def open_registry(target: Target, settings: Settings) -> Bridge:
    """Prepare the driver of a registry; nothing is started."""
    return open_bridge(target, settings, (*OPS, *OPTIONAL_OPS))
