"""A client that connects to a server and calls its tools, on asyncio or trio.

    async with SocketClient.connect("/run/tools.sock") as client:
        result = await client.call("search", {"query": "wire"})

Theory of operation: one task reads the connection and hands each message to the call
that it belongs to.  Whoever waits for a call does so in a task of his own, and if he
stops waiting, the server is told to cancel the call.
"""

from __future__ import annotations

import socket
import uuid
from collections import deque
from os import fspath
from typing import TYPE_CHECKING, Final, assert_never

import anyio

from wireproof_reference._errors import RemoteProtocolError
from wireproof_reference.framing import EndOfInput, JSONObject, NeedData
from wireproof_reference.socket_v1._remote_call import Pending, RemoteCall
from wireproof_reference.socket_v1._stream import SocketStream
from wireproof_reference.socket_v1.core import (
    CallResult,
    CallTimeout,
    CancelToolCall,
    ClientConnection,
    ClientInfo,
    ListTools,
    Malformed,
    MessageRefused,
    ServerLost,
    SocketError,
    StrayLine,
    ToolCall,
    ToolEvent,
    ToolResult,
    ToolsList,
    TransportError,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from types import TracebackType
    from typing import Self

DEFAULT_WITHIN: Final = 150.0
"""Seconds that we wait for an answer unless told otherwise.

More than a server gives its tools by itself, so that its own word comes first.
"""

# A server that has no room for one more connection is asked again so soon.
_RETRY_SECONDS: Final = 0.01


class SocketClient:
    """Connects to a server when entered, and disconnects when left.

    Args:
        path: The socket of the server.
        client_info: What the server is told about the caller.
        within: Seconds that an answer may take, where a call does not say.
        new_id: Makes the id of each call, never the same twice.
    """

    def __init__(
        self,
        path: PathLike[str] | str,
        *,
        client_info: ClientInfo = ClientInfo(),  # noqa: B008  # it is frozen
        within: float = DEFAULT_WITHIN,
        new_id: Callable[[], str] | None = None,
    ) -> None:
        self._path = fspath(path)
        self._client_info = client_info
        self._within = within
        self._new_id = new_id or _new_id
        self._connection = ClientConnection()
        self._calls: dict[str, Pending] = {}
        self._lists: deque[Pending] = deque()
        self._loss: ServerLost | None = None

    @classmethod
    def connect(
        cls,
        path: PathLike[str] | str,
        *,
        client_info: ClientInfo = ClientInfo(),  # noqa: B008  # it is frozen
        within: float = DEFAULT_WITHIN,
    ) -> Self:
        """A client of the server at a path, to be entered."""
        return cls(path, client_info=client_info, within=within)

    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            ServerLost: Nobody listens there.
        """
        connected = await self._open()
        self._tasks = await anyio.create_task_group().__aenter__()
        self._stream = SocketStream(connected, self._tasks)
        self._tasks.start_soon(self._read)
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Disconnect; the server aborts what is in flight (SOCK-C12)."""
        self._lose("was left by the client")
        self._stream.close()
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(None, None, None)

    async def list_tools(
        self, *, within: float | None = None
    ) -> tuple[JSONObject, ...]:
        """The descriptors of the server's tools.

        Args:
            within: Seconds that it may take, where not the client's own.

        Raises:
            MessageRefused: The server could make nothing of it.
            CallTimeout: The server did not answer in time.
            ServerLost: The connection is closed.
        """
        seconds = self._within if within is None else within
        pending = Pending()
        if self._loss is not None:
            raise self._loss
        self._stream.write(self._connection.send(ListTools(self._client_info)))
        # It stays there when nobody waits any more: lists have no id but their order.
        self._lists.append(pending)
        with anyio.move_on_after(seconds):
            await pending.wait()
        match pending.outcome:
            case ToolsList(tools):
                return tools
            case SocketError() as error:
                raise error
            case _:
                raise CallTimeout("list_tools", seconds)

    async def call(
        self,
        tool_name: str,
        arguments: JSONObject | None = None,
        *,
        timeout_ms: int | None = None,
        client_info: ClientInfo | None = None,
        within: float | None = None,
        on_event: Callable[[JSONObject], None] | None = None,
    ) -> ToolResult:
        """Call a tool and wait for its result.

        If the wait is cancelled, so is the call.

        Args:
            tool_name: Its name.
            arguments: What it is given.
            timeout_ms: Milliseconds that the server lets it take.
            client_info: Who calls, where not the client's own.
            within: Seconds that we wait, where not the client's own.
            on_event: Called with each event as it comes.

        Raises:
            ToolCallFailed: The call failed.
            MessageRefused: The server could make nothing of it.
            CallTimeout: It did not end in time; the server was told to cancel it.
            ServerLost: The connection is closed.
            RemoteProtocolError: The server's answer is no message.
            EncodeError: JSON cannot hold the arguments.
        """
        call = self.start_call(
            tool_name,
            arguments,
            timeout_ms=timeout_ms,
            client_info=client_info,
            within=within,
        )
        return await call.result(on_event)

    def start_call(
        self,
        tool_name: str,
        arguments: JSONObject | None = None,
        *,
        timeout_ms: int | None = None,
        client_info: ClientInfo | None = None,
        within: float | None = None,
    ) -> RemoteCall:
        """Call a tool without waiting for it; arguments as for `call`.

        Raises:
            EncodeError: JSON cannot hold the arguments.
        """
        message = ToolCall(
            self._new_id(),
            tool_name,
            {} if arguments is None else arguments,
            self._client_info if client_info is None else client_info,
            timeout_ms,
        )
        pending = Pending()
        if self._loss is None:
            data = self._connection.send(message)
            self._calls[message.request_id] = pending
            self._stream.write(data)
        else:
            pending.finish(self._loss)
        seconds = self._within if within is None else within
        return RemoteCall(self, message, pending, seconds)

    def cancel(self, request_id: str) -> None:
        """Tell the server to end a call; nothing happens where it is over."""
        if self._loss is None and request_id in self._connection.in_flight:
            self._stream.write(self._connection.send(CancelToolCall(request_id)))

    def forget(self, request_id: str) -> None:
        """Wait for a call no longer: what still comes of it is nobody's."""
        self._calls.pop(request_id, None)
        self._connection.forget(request_id)

    async def _open(self) -> socket.socket:
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connected.settimeout(0)
        try:
            with anyio.move_on_after(self._within):
                while True:
                    try:
                        connected.connect(self._path)
                    except BlockingIOError:
                        await anyio.sleep(_RETRY_SECONDS)
                    else:
                        return connected
        except OSError as error:
            connected.close()
            reason = f"cannot be reached: {error.strerror or error}"
            raise ServerLost(self._path, reason) from error
        except BaseException:
            connected.close()
            raise
        connected.close()
        raise ServerLost(self._path, "has no room for one more connection")

    async def _read(self) -> None:
        while data := await self._stream.receive():
            self._connection.receive_data(data)
            self._handle_messages()
        self._connection.receive_eof()
        self._handle_messages()
        self._lose("closed the connection")

    def _lose(self, reason: str) -> None:
        """Fail all calls, now and from now on; the first reason stands."""
        if self._loss is None:
            self._loss = ServerLost(self._path, reason)
        for pending in (*self._calls.values(), *self._lists):
            pending.finish(self._loss)
        self._calls.clear()
        self._lists.clear()

    def _handle_messages(self) -> None:
        while True:
            event = self._connection.next_event()
            match event:
                case ToolEvent(request_id, payload):
                    self._calls[request_id].add_event(payload)
                case CallResult(request_id, result):
                    self._calls.pop(request_id).finish(result)
                case Malformed(request_id, detail, _):
                    self._calls.pop(request_id).finish(RemoteProtocolError(detail))
                case ToolsList():
                    self._lists.popleft().finish(event)
                case TransportError(request_id, message, code):
                    self._handle_error(request_id, MessageRefused(code, message))
                case StrayLine():
                    pass
                case NeedData() | EndOfInput():
                    return
                case _:  # pragma: no cover
                    assert_never(event)

    def _handle_error(self, request_id: str | None, refusal: MessageRefused) -> None:
        if request_id is not None:
            pending = self._calls.pop(request_id, None)
        else:
            # Of our messages only `list_tools` has no id to be echoed.
            pending = self._lists.popleft() if self._lists else None
        if pending is not None:
            pending.finish(refusal)


def _new_id() -> str:
    return str(uuid.uuid4())
