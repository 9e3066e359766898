"""Reference implementations of the tool protocols.

Each protocol is a folder: a core that does no I/O, and a front end beside it that
runs the core on asyncio or trio.  `framing` is what the line protocols share.
"""

from wireproof_reference._errors import (
    CallTimeout,
    EncodeError,
    JsonError,
    LocalProtocolError,
    ProtocolError,
    RemoteProtocolError,
    WireproofReferenceError,
)

__all__ = [
    "CallTimeout",
    "EncodeError",
    "JsonError",
    "LocalProtocolError",
    "ProtocolError",
    "RemoteProtocolError",
    "WireproofReferenceError",
]
