"""Exec tools, one-shot and server, and the runtime that runs them.

`core` does no I/O.  `ExecRuntime` starts the processes of tools and calls them;
`tool`, a package of its own, makes such a tool of a function.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wireproof_reference.exec._config import (
        RuntimeConfig,
        load_config,
        read_binding,
    )
    from wireproof_reference.exec._nodes import ConfigError
    from wireproof_reference.exec._runtime import (
        CLOSE_GRACE,
        DEFAULT_TIMEOUT_MS,
        MAX_OUTPUT_BYTES,
        ExecRuntime,
    )
    from wireproof_reference.exec.core import (
        BadAnswer,
        BadArguments,
        Binding,
        CallTimeout,
        ExecError,
        Mode,
        RuntimeClosed,
        ToolConnection,
        ToolExited,
        ToolNotStarted,
        ToolReported,
        UnknownTool,
    )

__all__ = [
    "CLOSE_GRACE",
    "DEFAULT_TIMEOUT_MS",
    "MAX_OUTPUT_BYTES",
    "BadAnswer",
    "BadArguments",
    "Binding",
    "CallTimeout",
    "ConfigError",
    "ExecError",
    "ExecRuntime",
    "Mode",
    "RuntimeClosed",
    "RuntimeConfig",
    "ToolConnection",
    "ToolExited",
    "ToolNotStarted",
    "ToolReported",
    "UnknownTool",
    "load_config",
    "read_binding",
]

_MODULES = ("core", "_runtime", "_config", "_nodes")


if not TYPE_CHECKING:  # who checks types shall find a name that is misspelt

    def __getattr__(name: str) -> object:
        """Load what the runtime needs when it is first used.

        A one-shot tool is in this package too, and must not wait for an event loop.
        """
        if name in __all__:
            for module in _MODULES:
                members = vars(import_module(f"{__name__}.{module}"))
                if name in members:
                    return members[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
