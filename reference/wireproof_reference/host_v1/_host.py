"""The host: carries out requests with a plugin's tools.

Theory of operation: `serve` reads until the end of input.  Each request is answered at
once, but for `execute_tool`, which runs as a task of its own, so that a tool that takes
long holds up nobody (HV1-R12).  At the end of input the tasks finish, and so does the
host (HV1-T9).  Nothing outlives a request: the tool state comes with it and goes back
with its response (HV1-R10).

Every step is a method of its own, and calls the others through `self`, so that a host
that does one thing differently overrides one method:

=====================  ==============================================================
`make_connection`      the core that reads requests; see also its own two methods
`handle_data`          bytes from the client
`handle_request`       a request: answer it, or start the task that will
`handle_bad_request`   a line that is no request
`handle_eof`           the end of the client's input
`dispatch`             a method other than `execute_tool`
`execute_tool`         the method of that name
`find_tool`            a tool by its name
`run_tool`             one tool, and how its failure is told
`call_failed`          an exception that left a tool or a plugin's method
`read_state`           the tool state in a request
`result_state`         the tool state in its response
`success`, `failure`   the two responses
`emit`                 an event
`send`                 any message: encode and write
`encode`               from message to bytes
`write`                bytes to the client
=====================  ==============================================================
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Final, Protocol, assert_never, cast

import anyio

from wireproof_reference._errors import EncodeError
from wireproof_reference.framing import EndOfInput, NeedData
from wireproof_reference.host_v1._methods import (
    PARAMS,
    RequestRefused,
    methods_of,
)
from wireproof_reference.host_v1.core import (
    BadRequest,
    Event,
    Failure,
    HostConnection,
    HostMessage,
    Request,
    Success,
)
from wireproof_reference.toolset import Tool, ToolContext, ToolFailure

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from wireproof_reference.framing import JSON, JSONObject
    from wireproof_reference.host_v1._plugin import ToolPlugin

EXECUTE_TOOL: Final = "execute_tool"


class Transport(Protocol):
    """How a host reaches its client."""

    async def receive(self) -> bytes:
        """Bytes from the client; nothing at the end of its input."""
        ...

    def write(self, data: bytes) -> None:
        """Send bytes to the client; never blocks."""
        ...

    async def wait_for_room(self) -> None:
        """Wait while more is unsent than is good."""
        ...

    async def flush(self) -> None:
        """Wait until all is sent."""
        ...


class CallContext:
    """What a tool may use while it carries out one `execute_tool`.

    Attributes:
        request: The request that is carried out.
        state: The tool state; what the tool leaves here goes back to the client.
    """

    __slots__ = ("_host", "request", "state")

    def __init__(self, host: Host, request: Request, state: JSONObject) -> None:
        self._host = host
        self.request = request
        self.state = state

    async def emit(self, payload: JSON) -> None:
        """Send a `part` event, now; waits where the client reads too slowly."""
        self._host.emit(self.request, "part", payload)
        await self._host.transport.wait_for_room()


class Host:
    """Serves one client.

    Args:
        plugin: The tools and optional methods.
        transport: The way to the client and back.
    """

    def __init__(self, plugin: ToolPlugin, transport: Transport) -> None:
        self.plugin = plugin
        self.transport = transport
        self.connection = self.make_connection()
        self.tools = {tool.name: tool for tool in plugin.tools}
        self.methods = methods_of(plugin)

    def make_connection(self) -> HostConnection:
        """The core that turns bytes into requests and messages into bytes."""
        return HostConnection()

    async def serve(self) -> None:
        """Serve until the client's input ends and every request is answered."""
        async with anyio.create_task_group() as tasks:
            self._tasks: TaskGroup = tasks
            while data := await self.transport.receive():
                self.handle_data(data)
                await self.transport.wait_for_room()
            await self.handle_eof()
        await self.transport.flush()

    def handle_data(self, data: bytes) -> None:
        """Take in bytes and start on the requests in them."""
        self.connection.receive_data(data)
        self.handle_events()

    async def handle_eof(self) -> None:
        """Take in the end of the input; what is in flight goes on (HV1-T9)."""
        self.connection.receive_eof()
        self.handle_events()

    def handle_events(self) -> None:
        """Start on what the connection has found in its input."""
        while True:
            event = self.connection.next_event()
            match event:
                case Request():
                    self.handle_request(event)
                case BadRequest():
                    self.handle_bad_request(event)
                case NeedData() | EndOfInput():
                    return
                case _:  # pragma: no cover
                    assert_never(event)

    def handle_request(self, request: Request) -> None:
        """Answer a request, or start the task that will."""
        if request.method != EXECUTE_TOOL:
            self.respond(request, self.dispatch(request))
        else:
            self._tasks.start_soon(self.answer_execute_tool, request)

    def handle_bad_request(self, bad: BadRequest) -> None:
        """Answer a line that is no request (HV1-T8)."""
        self.send(bad.answer)

    async def answer_execute_tool(self, request: Request) -> None:
        """Carry out `execute_tool` and send the response, whatever happens."""
        try:
            response = await self.execute_tool(request)
        except BaseException as error:
            # A tool may raise what is meant to end a task or a program; its request
            # is answered all the same (HV1-M3).
            self.respond(request, self.call_failed(request, error))
            raise
        self.respond(request, response)

    def dispatch(self, request: Request) -> Success | Failure:
        """Carry out a method other than `execute_tool`."""
        method = self.methods.get(request.method)
        if method is None:  # HV1-M8
            detail = f"unknown method {request.method!r}"
            return self.failure(request, "UnknownMethod", detail)
        try:
            state = self.read_state(request)
            value = cast("JSON", method(request.params, state))
        except Exception as error:  # noqa: BLE001  # HV1-R7: the host lives on
            return self.call_failed(request, error)
        if request.method == "init":
            # HV1-R2: the state is the value.
            state = cast("JSONObject", value)
        return self.success(request, value, self.result_state(request, state))

    async def execute_tool(self, request: Request) -> Success | Failure:
        """Carry out `execute_tool`."""
        try:
            name = PARAMS.string(request.params, "tool_name")
            # HV1-R9
            arguments = PARAMS.object(request.params, "arguments")
            state = self.read_state(request)
            tool = self.find_tool(name)
            context = CallContext(self, request, state)
            value = await self.run_tool(tool, arguments, context)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # HV1-R7
            return self.call_failed(request, error)
        return self.success(request, value, self.result_state(request, context.state))

    def find_tool(self, name: str) -> Tool:
        """The tool of that name.

        Raises:
            RequestRefused: There is none (HV1-R8).
        """
        tool = self.tools.get(name)
        if tool is None:
            raise RequestRefused("UnknownTool", f"unknown tool {name!r}")
        return tool

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        """Run a tool; a failure that it reports is a value (HV1-R6)."""
        try:
            result = await tool.run(arguments, context)
        except ToolFailure as failure:
            return {"success": False, "error": failure.message}
        return {"success": True, "result": result}

    def read_state(self, request: Request) -> JSONObject:
        """The tool state that the client sent, or an empty one."""
        state = request.params.get("state")
        return {} if state is None else PARAMS.object(request.params, "state")

    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        """The tool state for the response, where it is to have one (HV1-M6)."""
        carries = request.method == "init" or "state" in request.params
        return state if carries else None

    def call_failed(self, request: Request, error: BaseException) -> Failure:
        """The response to a request that raised an exception."""
        if isinstance(error, RequestRefused):
            return self.failure(request, error.type, error.detail)
        stack = "".join(traceback.format_exception(error))
        return self.failure(request, type(error).__name__, str(error), stack)

    def success(
        self, request: Request, value: JSON, state: JSONObject | None
    ) -> Success:
        """The response to a request that was carried out."""
        return Success(request.id, value, state)

    def failure(
        self, request: Request, error_type: str, detail: str, stack: str | None = None
    ) -> Failure:
        """The response to a request that was not carried out."""
        return Failure(request.id, error_type, detail, stack)

    def respond(self, request: Request, response: Success | Failure) -> None:
        """Send the response to a request; one that JSON cannot hold is a failure."""
        try:
            self.send(response)
        except EncodeError as error:
            self.send(self.call_failed(request, error))

    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        """Send an event of a request that is in flight."""
        self.send(Event(request.id, event_type, payload))

    def send(self, message: HostMessage) -> None:
        """Send a message to the client, now (HV1-T5)."""
        self.write(self.encode(message))

    def encode(self, message: HostMessage) -> bytes:
        """One line that stands for a message; the core checks that it may be sent."""
        return self.connection.send(message)

    def write(self, data: bytes) -> None:
        """Send bytes to the client."""
        self.transport.write(data)
