"""The runtime behind the bridge: `python -m wireproof_reference exec runtime`.

A call that fails is the value `{"error":{"type","detail"}}`.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

import anyio

from wireproof_reference._backends import BACKENDS
from wireproof_reference._bridge import (
    Bridge,
    as_failure,
    run_together,
    serve_bridge,
)
from wireproof_reference._stdio import take_stdio
from wireproof_reference.exec._config import load_config, read_binding
from wireproof_reference.exec._runtime import DEFAULT_TIMEOUT_MS, ExecRuntime
from wireproof_reference.exec.core import ExecError

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from wireproof_reference.framing import JSON, JSONObject


class RuntimeBridge(Bridge):
    """Carries out ops on one runtime at a time.

    Args:
        runtimes: Holds the runtime, and ends it at the latest when it is closed itself.
        runtime_type: What is opened by the first op that needs it.
    """

    def __init__(
        self, runtimes: AsyncExitStack, runtime_type: type[ExecRuntime] = ExecRuntime
    ) -> None:
        self._runtimes = runtimes
        self._runtime_type = runtime_type
        self._runtime: ExecRuntime | None = None
        ops = {
            "bind": self._bind,
            "load": self._load,
            "setenv": self._setenv,
            "set_default_timeout": self._set_default_timeout,
            "call": self._call,
            "call_many": self._call_many,
            "close": self._close,
        }
        if find_spec("yaml") is None:
            del ops["load"]  # the bridge loads YAML, for which PyYAML is needed
        super().__init__("wireproof reference runtime", ops)

    async def _describe(self, op: JSONObject) -> JSON:
        described = cast("JSONObject", await super()._describe(op))
        told = {"default_timeout_ms": DEFAULT_TIMEOUT_MS, "halfPairs": True}
        return {**described, **told}

    async def _bind(self, op: JSONObject) -> JSON:
        runtime = await self._opened()
        await runtime.bind(read_binding(op))
        return None

    async def _load(self, op: JSONObject) -> JSON:
        config = load_config(
            cast("str", op["config"]), cast("str | None", op.get("pack"))
        )
        runtime = await self._opened()
        for binding in config.bindings:
            await runtime.bind(binding)
        return {
            "bound": [binding.name for binding in config.bindings],
            "warnings": list(config.warnings),
        }

    async def _setenv(self, op: JSONObject) -> JSON:
        name, value = cast("str", op["name"]), cast("str | None", op["value"])
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
        return None

    async def _set_default_timeout(self, op: JSONObject) -> JSON:
        runtime = await self._opened()
        runtime.default_timeout_ms = cast("int", op["timeout_ms"])
        return None

    async def _call(self, op: JSONObject) -> JSON:
        runtime = await self._opened()
        try:
            return {"result": await runtime.call(cast("str", op["tool"]), op["args"])}
        except ExecError as error:
            return {"error": as_failure(error)}

    async def _call_many(self, op: JSONObject) -> JSON:
        return await run_together(self._call, op["calls"])

    async def _close(self, op: JSONObject) -> JSON:
        await self._runtimes.aclose()
        self._runtime = None
        return None

    async def _opened(self) -> ExecRuntime:
        if self._runtime is None:
            runtime = self._runtime_type()
            self._runtime = await self._runtimes.enter_async_context(runtime)
        return self._runtime


def main(arguments: list[str]) -> int:
    """Serve the bridge on stdin and stdout.

    Args:
        arguments: `runtime`, and the event loop.

    Returns:
        The exit status, 2 where the arguments are wrong.
    """
    backend = BACKENDS.get(tuple(arguments[1:]))
    if backend is None:
        sys.stderr.write(
            "usage: python -m wireproof_reference exec runtime "
            "[--backend=asyncio|trio]\n"
        )
        return 2
    anyio.run(serve_bridge, *take_stdio(), RuntimeBridge, backend=backend)
    return 0
