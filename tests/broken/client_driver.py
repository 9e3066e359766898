"""Drives a client of the reference's kind through its bridge, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

import anyio
from anyio.abc import ObjectReceiveStream

from wireproof_reference.host_v1 import HostClient
from wireproof_reference.host_v1._bridge import ClientBridge

JSONObject = dict[str, Any]


class _Question:
    def __init__(self, message: JSONObject) -> None:
        self.message = message
        self.answer: Any = None
        self.answered = anyio.Event()


class ClientDriver:
    """The ops of a host client, carried out by the reference's bridge.

    One task carries them out in order, as at the other end of a pipe, so that whoever
    asks may give up waiting.
    """

    def __init__(self, client_type: type[HostClient]) -> None:
        self._client_type = client_type

    async def __aenter__(self) -> Self:
        self._tasks = await anyio.create_task_group().__aenter__()
        self._ask, questions = anyio.create_memory_object_stream[_Question](1)
        self._tasks.start_soon(self._serve, questions)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ask.close()
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(exc_type, exc, traceback)

    async def start(self, command: list[str], config: JSONObject) -> Any:
        return await self._perform("start", command=command, config=config)

    async def request(self, method: str, params: JSONObject) -> Any:
        return await self._perform("request", method=method, params=params)

    async def execute(
        self, tool_name: str, arguments: JSONObject, timeout_ms: int | None = None
    ) -> Any:
        given = {} if timeout_ms is None else {"timeout_ms": timeout_ms}
        return await self._perform(
            "execute", tool_name=tool_name, arguments=arguments, **given
        )

    async def request_many(self, requests: Sequence[JSONObject]) -> Any:
        return await self._perform("request_many", requests=requests)

    async def execute_many(self, calls: Sequence[JSONObject]) -> Any:
        return await self._perform("execute_many", calls=calls)

    async def format_result(self, result: Any) -> Any:
        return await self._perform("format_result", result=result)

    async def state(self) -> Any:
        return await self._perform("state")

    async def close(self) -> Any:
        return await self._perform("close")

    async def _perform(self, op: str, **arguments: Any) -> Any:
        question = _Question({"id": 1, "op": op, **arguments})
        await self._ask.send(question)
        await question.answered.wait()
        if question.answer["ok"] is not True:
            raise RuntimeError(question.answer["error"]["detail"])
        return question.answer["value"]

    async def _serve(self, questions: ObjectReceiveStream[_Question]) -> None:
        async with questions, AsyncExitStack() as clients:
            bridge = ClientBridge(clients, self._client_type)
            async for question in questions:
                question.answer = await bridge.answer(question.message)
                question.answered.set()
