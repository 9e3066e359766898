"""One conversation in lines, sans-IO: bytes in, frames and findings out."""

from __future__ import annotations

from wireproof.conversation._conversation import (
    NOTHING,
    Carried,
    Conversation,
    own_key,
)
from wireproof.conversation._dialect import (
    PREFIX,
    UNNAMED,
    Dialect,
    Finding,
    Frame,
    Key,
    Role,
)
from wireproof.conversation._lines import Line, LineReader, is_deep, is_plain

__all__ = [
    "NOTHING",
    "PREFIX",
    "UNNAMED",
    "Carried",
    "Conversation",
    "Dialect",
    "Finding",
    "Frame",
    "Key",
    "Line",
    "LineReader",
    "Role",
    "is_deep",
    "is_plain",
    "own_key",
]
