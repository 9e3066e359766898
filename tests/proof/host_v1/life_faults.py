"""Hosts that run or end wrongly: HV1-M3, T9, T11, T12, R12."""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from dataclasses import replace
from subprocess import DEVNULL
from typing import Any, ClassVar

import anyio
import anyio.lowlevel
import anyio.to_thread
from tests.proof.host_v1.subject import broken

from wireproof_reference.framing import JSON, JSONObject
from wireproof_reference.host_v1 import (
    Failure,
    Host,
    Request,
    Success,
    Tool,
    ToolContext,
    ToolPlugin,
    conformance_toolset,
)

TURNS = 20
"""Turns of the loop in which all else is answered that was read."""


class EndsAfter(Host):
    """Exits once it has answered some requests.

    Attributes:
        most: How many.
    """

    most: ClassVar[int]
    answered = 0

    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        self.answered += 1
        if self.answered == self.most:
            self._tasks.start_soon(self.end)

    async def end(self) -> None:
        await self.transport.flush()
        os._exit(0)


@broken("ends-after-init", "HV1-M3", "exits when it has answered init")
class EndsAfterInit(EndsAfter):
    most = 1


@broken("ends-after-four", "HV1-M3", "exits when it has answered four requests")
class EndsAfterFour(EndsAfter):
    most = 4


@broken("ends-after-forty", "HV1-M3", "exits when it has answered forty requests")
class EndsAfterForty(EndsAfter):
    most = 40


@broken("exit-status-one", "HV1-T9", "exits with status 1 at the end", level="should")
class ExitStatusOne(Host):
    async def serve(self) -> None:
        await super().serve()
        os._exit(1)


@broken("killed-at-the-end", "HV1-T9", "ends by a signal", level="should")
class KilledAtTheEnd(Host):
    async def serve(self) -> None:
        await super().serve()
        os.kill(os.getpid(), 15)


@broken("never-exits", "HV1-T9", "stays when its input ends", level="should")
class NeverExits(Host):
    async def serve(self) -> None:
        await super().serve()
        await anyio.sleep_forever()


@broken("exits-after-three-seconds", "HV1-T9", "takes 3 s to end", level="should")
class ExitsAfterThreeSeconds(Host):
    async def serve(self) -> None:
        await super().serve()
        await anyio.sleep(3)


@broken(
    "waits-for-its-child",
    "HV1-T9",
    "waits for a child that does not end",
    level="should",
)
class WaitsForItsChild(Host):
    async def serve(self) -> None:
        async with await anyio.open_process(("/bin/sleep", "30"), stdout=DEVNULL):
            await super().serve()


@broken("drops-what-runs", "HV1-T9", "exits at once, whatever runs", level="should")
class DropsWhatRuns(Host):
    async def handle_eof(self) -> None:
        os._exit(0)


@broken(
    "ends-undrained",
    "HV1-T9",
    "exits with what the pipe did not take of the last answer",
    level="should",
)
class EndsUndrained(Host):
    ending = False

    async def handle_eof(self) -> None:
        self.ending = True
        await super().handle_eof()

    def write(self, data: bytes) -> None:
        if not self.ending:
            super().write(data)
            return
        os.set_blocking(1, False)
        if os.write(1, data) < len(data):
            os._exit(0)


@broken(
    "drops-what-waits", "HV1-T9", "does not start what waits at the end", level="should"
)
class DropsWhatWaits(Host):
    async def handle_eof(self) -> None:
        for request_id in self.connection.in_flight:
            self.send(Failure(request_id, "Closed", "the input ended"))
        await self.transport.flush()
        os._exit(0)


@broken(
    "print-reaches-stdout",
    "HV1-T11",
    "leaves stdout to what tools print",
    level="should",
)
class PrintReachesStdout(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if tool.name == "conformance_print":
            self.write(f"{arguments['text']}\n".encode())
            return {"success": True, "result": {"printed": True}}
        return await super().run_tool(tool, arguments, context)


@broken(
    "print-after-a-throw",
    "HV1-T11",
    "leaves stdout to what tools print once a tool has thrown",
    level="should",
)
class PrintAfterAThrow(Host):
    thrown = False

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if tool.name == "conformance_print" and self.thrown:
            self.write(f"{arguments['text']}\n".encode())
            return {"success": True, "result": {"printed": True}}
        try:
            return await super().run_tool(tool, arguments, context)
        except Exception:
            self.thrown = True
            raise


@broken(
    "print-without-line-feed",
    "HV1-T11",
    "prints in front of the answer",
    level="should",
)
class PrintWithoutLineFeed(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if tool.name == "conformance_print":
            self.write(str(arguments["text"]).encode())
            return {"success": True, "result": {"printed": True}}
        return await super().run_tool(tool, arguments, context)


@broken(
    "print-at-exit",
    "HV1-T11",
    "prints to stdout what tools printed when it ends",
    level="should",
)
class PrintAtExit(Host):
    printed = b""

    async def serve(self) -> None:
        await super().serve()
        self.write(self.printed)
        await self.transport.flush()

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if tool.name == "conformance_print":
            self.printed += f"{arguments['text']}\n".encode()
            return {"success": True, "result": {"printed": True}}
        return await super().run_tool(tool, arguments, context)


@broken(
    "print-after-the-answer",
    "HV1-T11",
    "prints to stdout behind the answer",
    level="should",
)
class PrintAfterTheAnswer(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        if request.params.get("tool_name") == "conformance_print":
            arguments = request.params["arguments"]
            text = arguments["text"] if isinstance(arguments, dict) else ""
            self.write(f"{text}\n".encode())


@broken("stderr-to-a-full-pipe", "HV1-T12", "sends stderr to a pipe that nobody reads")
class StderrToAFullPipe(Host):
    async def serve(self) -> None:
        self.pipe = os.pipe()
        os.dup2(self.pipe[1], 2)
        await super().serve()

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if tool.name == "conformance_stderr":
            size = arguments["size"]
            os.write(2, b"x" * (size if isinstance(size, int) else 0))
            return {"success": True, "result": {"written": size}}
        return await super().run_tool(tool, arguments, context)


@broken("stderr-limited", "HV1-T12", "fails a call that logs more than 64 KiB")
class StderrLimited(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        size = arguments.get("size")
        if tool.name == "conformance_stderr" and isinstance(size, int) and size > 65536:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return await super().run_tool(tool, arguments, context)


@broken("dies-of-a-flood", "HV1-T12", "dies when stderr is full")
class DiesOfAFlood(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        size = arguments.get("size")
        if tool.name == "conformance_stderr" and isinstance(size, int) and size > 65536:
            sys.stderr.write("BrokenPipeError\n")
            os._exit(120)
        return await super().run_tool(tool, arguments, context)


@broken(
    "one-at-a-time",
    "HV1-R12",
    "carries out one request after the other",
    level="should",
)
class OneAtATime(Host):
    async def serve(self) -> None:
        self.lock = anyio.Lock()
        await super().serve()

    def handle_request(self, request: Request) -> None:
        self._tasks.start_soon(self.carry_out, request)

    async def carry_out(self, request: Request) -> None:
        async with self.lock:
            if request.method == "execute_tool":
                await self.answer_execute_tool(request)
            else:
                self.respond(request, self.dispatch(request))


def sleeps_in_the_loop() -> ToolPlugin:
    """The toolset, with a sleep that stops the loop and answers a little later."""

    async def sleep(arguments: JSONObject, context: ToolContext) -> JSON:
        del context
        milliseconds: Any = arguments["ms"]
        time.sleep(milliseconds / 1000)  # noqa: ASYNC251 - this is the fault
        for _ in range(TURNS):
            await anyio.lowlevel.checkpoint()
        return {"slept_ms": milliseconds}

    whole = conformance_toolset()
    tools = [
        replace(tool, run=sleep) if tool.name == "conformance_sleep" else tool
        for tool in whole.tools
    ]
    return replace(whole, tools=tools)


@broken(
    "sleeps-in-its-loop",
    "HV1-R12",
    "does nothing else while a tool sleeps, and answers what came meanwhile first",
    level="should",
    plugin=sleeps_in_the_loop,
    shown_by="host-v1/execute-tool/answer-while-a-tool-runs",
)
class SleepsInItsLoop(Host):
    pass


@broken(
    "one-call-at-a-time",
    "HV1-R12",
    "carries out one call after the other",
    level="should",
)
class OneCallAtATime(OneAtATime):
    def handle_request(self, request: Request) -> None:
        if request.method == "execute_tool":
            self._tasks.start_soon(self.carry_out, request)
        else:
            Host.handle_request(self, request)


@broken(
    "one-queue-a-tool",
    "HV1-R12",
    "carries out the calls of each tool one after the other",
    level="should",
    shown_by="host-v1/execute-tool/call-while-the-same-tool-runs",
)
class OneQueueATool(Host):
    async def serve(self) -> None:
        self.locks: defaultdict[str, anyio.Lock] = defaultdict(anyio.Lock)
        await super().serve()

    async def answer_execute_tool(self, request: Request) -> None:
        async with self.locks[str(request.params.get("tool_name"))]:
            await super().answer_execute_tool(request)


@broken(
    "exits-with-the-first",
    "HV1-T9",
    "exits when the first of the calls ends that run at the end of its input",
    level="should",
    shown_by="host-v1/transport/two-tools-before-exit",
)
class ExitsWithTheFirst(Host):
    ended = False

    async def handle_eof(self) -> None:
        await super().handle_eof()
        self.ended = True

    def respond(self, request: Request, response: Success | Failure) -> None:
        super().respond(request, response)
        if self.ended:
            self._tasks.start_soon(self.end)

    async def end(self) -> None:
        await self.transport.flush()
        os._exit(0)
