"""The registry of protocols: adding one adds its folders and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wireproof.checks import ProtocolEntry
    from wireproof.protocols._options import ProtocolOptions

FOLDERS = (
    "host_v1",
    "socket_v1",
    "interop",
    "host_client",
    "exec_oneshot",
    "exec_runtime",
    "exec_server",
    "tool_contract",
)
"""The folders of the protocols beside this module, in the order of help and listings.

In each, ``_options`` has ``OPTIONS``, which every pytest run imports, and ``_protocol``
has ``PROTOCOL``, which is imported where the protocol is used.
"""


@cache
def all_options() -> tuple[ProtocolOptions, ...]:
    """Return the options of every protocol; nothing heavy is imported."""
    return tuple(
        import_module(f"wireproof.protocols.{folder}._options").OPTIONS
        for folder in FOLDERS
    )


def options_of(protocol: str) -> ProtocolOptions:
    """Return the options of a protocol, by its name such as ``host-v1``."""
    return next(options for options in all_options() if options.protocol == protocol)


@cache
def protocol_for(option: str) -> ProtocolEntry:
    """Load the protocol whose subjects an option names.

    Args:
        option: The option's name without the dashes.
    """
    names = [options.subject.name for options in all_options()]
    folder = FOLDERS[names.index(option)]
    module = import_module(f"wireproof.protocols.{folder}._protocol")
    entry: ProtocolEntry = module.PROTOCOL
    return entry


def all_protocols() -> list[ProtocolEntry]:
    """Load every protocol, in the order of the registry."""
    return [protocol_for(options.subject.name) for options in all_options()]
