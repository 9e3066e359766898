"""A started registry for a user's own tests."""

from __future__ import annotations

from wireproof.bridge import BridgedHandle


class AdapterHandle(BridgedHandle):
    """A registry that was started, to be used in a ``with`` block."""
