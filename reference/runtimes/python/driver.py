"""A driver of a runtime for the bridge: a template, explained in `../README.md`."""

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack
from typing import Any

from wireproof_reference.exec import ExecError, ExecRuntime, load_config, read_binding

ANSWERS = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what anything else prints, a child process too, goes to stderr


class Driver:
    """The ops, each a method that takes its arguments by name."""

    async def open(self) -> None:
        """Begin with a new runtime; no op."""
        self._runtimes = AsyncExitStack()
        self._runtime = await self._runtimes.enter_async_context(ExecRuntime())

    async def describe(self) -> Any:
        """Name the ops, and the default limit; that is null where there is none."""
        ops = [
            op for op in vars(Driver) if not op.startswith(("_", "describe", "open"))
        ]
        limit = self._runtime.default_timeout_ms
        told = {"ops": ops, "default_timeout_ms": limit, "halfPairs": True}
        return {"name": "mine", "version": "1", "language": "Python", **told}

    async def bind(self, **binding: Any) -> None:
        """Bind a tool."""
        await self._runtime.bind(read_binding(binding))

    async def load(self, config: str, pack: str | None = None) -> Any:
        """Bind the tools of a configuration file."""
        loaded = load_config(config, pack)
        for binding in loaded.bindings:
            await self._runtime.bind(binding)
        names = [binding.name for binding in loaded.bindings]
        return {"bound": names, "warnings": loaded.warnings}

    async def setenv(self, name: str, value: str | None) -> None:
        """Set a variable of this process, or remove it."""
        os.environ.pop(name, None)
        os.environ |= {} if value is None else {name: value}

    async def set_default_timeout(self, timeout_ms: int) -> None:
        """Set the limit of tools that have none of their own."""
        self._runtime.default_timeout_ms = timeout_ms

    async def call(self, tool: str, args: Any, call_id: str | None = None) -> Any:
        """Call a tool; a call that fails is a value too."""
        try:
            return {"result": await self._runtime.call(tool, args)}
        except ExecError as error:
            return {"error": {"type": type(error).__name__, "detail": str(error)}}

    async def call_many(self, calls: list[Any]) -> Any:
        """Call several tools at once."""
        return await asyncio.gather(*(self.call(**one) for one in calls))

    async def close(self) -> None:
        """End all processes; what is bound from now on has a runtime of its own."""
        await self._runtimes.aclose()
        await self.open()


async def main() -> None:
    """Answer one line after the other."""
    driver = Driver()
    await driver.open()
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        args = json.loads(line)
        told, op = {"id": args.pop("id")}, getattr(driver, args.pop("op"))
        try:
            told |= {"ok": True, "value": await op(**args)}
        except (TypeError, ValueError) as error:
            wrong = {"type": type(error).__name__, "detail": str(error)}
            told |= {"ok": False, "error": wrong}
        ANSWERS.write(json.dumps(told).encode() + b"\n")
        ANSWERS.flush()
    await driver.close()


if len(sys.argv) > 1:
    sys.exit("usage: python driver.py")
asyncio.run(main())
