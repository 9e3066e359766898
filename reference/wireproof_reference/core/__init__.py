"""What both ends of every line protocol share, without I/O."""

from wireproof_reference.core._client_end import (
    ClientEnd,
    ClientState,
    Malformed,
    StrayLine,
)
from wireproof_reference.core._connection import Connection, Flaw
from wireproof_reference.core._exchanges import Exchanges, Phase, Transitions

__all__ = [
    "ClientEnd",
    "ClientState",
    "Connection",
    "Exchanges",
    "Flaw",
    "Malformed",
    "Phase",
    "StrayLine",
    "Transitions",
]
