"""The protocols, one folder each, and the registry that names them."""

from __future__ import annotations

from wireproof.protocols._registry import all_protocols, protocol_for

__all__ = ["all_protocols", "protocol_for"]
