"""What both ends of every line protocol share, without I/O."""

from wireproof_reference.core._connection import Connection
from wireproof_reference.core._exchanges import Exchanges, Phase, Transitions

__all__ = ["Connection", "Exchanges", "Phase", "Transitions"]
