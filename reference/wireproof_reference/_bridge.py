"""The bridge by which a test harness in any language drives a reference client.

`{"id":n,"op":str,…}` a line on stdin, `{"id":n,"ok":true,"value":…}` or
`{"id":n,"ok":false,"error":{…}}` a line on stdout, in order.  A call that fails is a
value; only an op that cannot be carried out is a failure of the bridge.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import anyio

from wireproof_reference._errors import LocalProtocolError
from wireproof_reference._pipes import PipeReader, PipeWriter
from wireproof_reference.framing import (
    EndOfInput,
    Frame,
    NdjsonDecoder,
    NeedData,
    encode,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wireproof_reference.framing import JSON, JSONObject

    Op: TypeAlias = Callable[[JSONObject], Awaitable[JSON]]

REFUSALS: Final = (KeyError, TypeError, ValueError, LocalProtocolError)
"""How an op fails that cannot be carried out as it is written."""


class Bridge:
    """Carries out ops.

    Args:
        name: What the subject is called.
        ops: From the name of each op to what carries it out, beside `describe`.
    """

    def __init__(self, name: str, ops: Mapping[str, Op]) -> None:
        self._name = name
        self._ops = {"describe": self._describe, **ops}

    async def answer(self, message: JSON) -> JSON:
        """Carry out one op, and give the bridge's answer to it."""
        request = message if isinstance(message, dict) else {}
        try:
            value = await self._ops[cast("str", request["op"])](request)
        except REFUSALS as error:
            return {"id": request.get("id"), "ok": False, "error": as_failure(error)}
        return {"id": request.get("id"), "ok": True, "value": value}

    async def _describe(self, op: JSONObject) -> JSON:
        return {
            "name": self._name,
            "version": version("wireproof"),
            "language": "Python",
            "ops": [name for name in self._ops if name != "describe"],
        }


def as_failure(error: Exception) -> JSONObject:
    """An error as the bridge tells it."""
    return {"type": type(error).__name__, "detail": str(error)}


async def run_together(run: Op, ops: JSON) -> JSON:
    """Start all ops, in their order, and give their outcomes in that order."""
    calls = cast("list[JSONObject]", ops)
    outcomes: list[JSON] = [None] * len(calls)
    refusals: list[Exception] = []

    async def keep(index: int) -> None:
        try:
            outcomes[index] = await run(calls[index])
        except REFUSALS as error:
            refusals.append(error)

    async with anyio.create_task_group() as tasks:
        for index in range(len(calls)):
            tasks.start_soon(keep, index)
    if refusals:
        raise refusals[0]
    return outcomes


async def serve_bridge(
    stdin: int, stdout: int, open_bridge: Callable[[AsyncExitStack], Bridge]
) -> None:
    """Answer ops over two descriptors until the input ends.

    Args:
        stdin: Where ops come from.
        stdout: Where answers go.
        open_bridge: Makes what carries them out; what it puts on the stack is closed
            at the end.
    """
    decoder = NdjsonDecoder()
    reader = PipeReader(stdin)
    async with anyio.create_task_group() as tasks, AsyncExitStack() as stack:
        writer = PipeWriter(stdout, tasks, tasks.cancel_scope.cancel)
        bridge = open_bridge(stack)
        while not isinstance(event := decoder.next_event(), EndOfInput):
            if isinstance(event, NeedData):
                if data := await reader.receive():
                    decoder.receive_data(data)
                else:
                    decoder.receive_eof()
            else:
                message = event.value if isinstance(event, Frame) else None
                writer.write(encode(await bridge.answer(message)))
        await writer.flush()
