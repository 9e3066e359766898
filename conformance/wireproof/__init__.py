"""The conformance suite: a pytest plugin, and what a user's own tests need of it.

The fixtures hand out a handle of the subject; here are the handles by their types, the
errors that they raise, and the loader of the vectors. Each is imported when it is first
asked for: pytest imports this package in every run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wireproof.bridge import BridgedHandle
    from wireproof.checks import (
        NoAnswer,
        SubjectStartError,
        VectorDefect,
        WireproofError,
    )
    from wireproof.protocols.exec_oneshot._handle import ToolHandle
    from wireproof.protocols.exec_server._handle import ServerHandle
    from wireproof.protocols.host_v1._handle import HostHandle
    from wireproof.protocols.interop._handle import AdapterHandle
    from wireproof.protocols.socket_v1._handle import PendingCall, SocketHandle
    from wireproof_vectors import (
        Clause,
        ToolSpec,
        Vector,
        VectorError,
        load_clauses,
        load_schema,
        load_toolset,
        load_vector_file,
        load_vectors,
    )

__all__ = [
    "AdapterHandle",
    "BridgedHandle",
    "Clause",
    "HostHandle",
    "NoAnswer",
    "PendingCall",
    "ServerHandle",
    "SocketHandle",
    "SubjectStartError",
    "ToolHandle",
    "ToolSpec",
    "Vector",
    "VectorDefect",
    "VectorError",
    "WireproofError",
    "load_clauses",
    "load_schema",
    "load_toolset",
    "load_vector_file",
    "load_vectors",
]

_HANDLES = {
    "AdapterHandle": "wireproof.protocols.interop._handle",
    "BridgedHandle": "wireproof.bridge",
    "HostHandle": "wireproof.protocols.host_v1._handle",
    "PendingCall": "wireproof.protocols.socket_v1._handle",
    "ServerHandle": "wireproof.protocols.exec_server._handle",
    "SocketHandle": "wireproof.protocols.socket_v1._handle",
    "ToolHandle": "wireproof.protocols.exec_oneshot._handle",
}

_ERRORS = {"NoAnswer", "SubjectStartError", "VectorDefect", "WireproofError"}

# A checker of types sees the imports above, and would take any name for one of ours.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import what is asked for."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        errors = "wireproof.checks" if name in _ERRORS else "wireproof_vectors"
        return getattr(import_module(_HANDLES.get(name, errors)), name)


def __dir__() -> list[str]:
    return __all__
