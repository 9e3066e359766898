"""The registry of protocols: adding one adds a folder and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wireproof.checks import ProtocolEntry

PROTOCOLS = {
    "host": "wireproof.protocols.host_v1",
    "socket": "wireproof.protocols.socket_v1",
    "adapter": "wireproof.protocols.interop",
}
"""The option that names a subject, and the module that knows its protocol."""


@cache
def protocol_for(option: str) -> ProtocolEntry:
    """Load the protocol whose subjects an option names."""
    entry: ProtocolEntry = import_module(PROTOCOLS[option]).PROTOCOL
    return entry


def all_protocols() -> list[ProtocolEntry]:
    """Load every protocol, in the order of the registry."""
    return [protocol_for(option) for option in PROTOCOLS]
