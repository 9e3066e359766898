"""A started registry for a user's own tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wireproof.operations import BridgedHandle
from wireproof.protocols.interop._ops import open_adapter

if TYPE_CHECKING:
    from wireproof.checks import Settings, Target


class AdapterHandle(BridgedHandle):
    """A registry that was started, to be used in a ``with`` block."""

    def __init__(self, target: Target, settings: Settings) -> None:
        """Prepare; the driver is started on entering the block."""
        super().__init__(open_adapter(target, settings))
