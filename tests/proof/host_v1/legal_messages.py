"""Hosts that write and read messages in their own way, and conform."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from tests.proof.brief import longer_than_brief
from tests.proof.host_v1.input_faults import LineHost, ShallowHost
from tests.proof.host_v1.subject import RewritingHost, legal
from tests.proof.host_v1.value_faults import mapped

from wireproof_reference.framing import JSON, JSONObject, encode, loads
from wireproof_reference.host_v1 import (
    BadRequest,
    Failure,
    Host,
    Request,
    Success,
    Tool,
    ToolContext,
)
from wireproof_reference.host_v1.core._messages import HostMessage


class WritingHost(Host):
    """Writes each message in another spelling."""

    def spell(self, frame: Any) -> str:
        """Return the JSON text of a message."""
        raise NotImplementedError

    def encode(self, message: HostMessage) -> bytes:
        return (
            self.spell(loads(super().encode(message).strip())).encode(
                errors="backslashreplace"
            )
            + b"\n"
        )


@legal("spaces", "puts spaces between tokens and around the object")
class Spaces(WritingHost):
    def spell(self, frame: Any) -> str:
        text = json.dumps(frame, ensure_ascii=False, separators=(" ,\t", " :  "))
        return f" \t{text} "


@legal("escapes", "escapes whatever is not ASCII")
class Escapes(WritingHost):
    def spell(self, frame: Any) -> str:
        return json.dumps(frame)


@legal("escapes-everything", "escapes each character of each string")
class EscapesEverything(WritingHost):
    def spell(self, frame: Any) -> str:
        # Each string stands in the text as a number of its own until the end.
        texts: list[str] = []

        def mark(value: Any) -> Any:
            if isinstance(value, str):
                texts.append(value)
                return f"<{len(texts) - 1}>"
            if isinstance(value, dict):
                return {mark(key): item for key, item in value.items()}
            return value

        text = json.dumps(mapped(frame, mark))
        for index in reversed(range(len(texts))):
            units = texts[index].encode("utf-16-be", "surrogatepass")
            digits = units.hex("#", 2)
            if index % 2:
                digits = digits.upper()
            escaped = f"#{digits}".replace("#", "\\u") if digits else ""
            text = text.replace(f'"<{index}>"', f'"{escaped}"', 1)
        return text


@legal("solidus", "escapes the solidus, and writes é as an escape")
class Solidus(WritingHost):
    def spell(self, frame: Any) -> str:
        text = json.dumps(frame, ensure_ascii=False)
        return text.replace("/", "\\/").replace("é", "\\u00e9")


@legal("crlf", "ends its lines with CRLF")
class Crlf(Host):
    def encode(self, message: HostMessage) -> bytes:
        return super().encode(message).replace(b"\n", b"\r\n")


@legal("reverse-keys", "writes the keys of each object backwards")
class ReverseKeys(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        changed: dict[str, Any] = mapped(frame, _backwards)
        return changed


def _backwards(value: Any) -> Any:
    return dict(reversed(value.items())) if isinstance(value, dict) else value


@legal("own-keys", "adds keys of its own everywhere that the clauses allow")
class OwnKeys(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        for key in ("event", "error", "result"):
            if isinstance(frame.get(key), dict):
                frame[key]["x_trace"] = {"span": [1, None]}
        return {"ts": 1.5, **frame, "method": "echoed", "params": {}, "jsonrpc": "2.0"}


@legal(
    "explicit-nulls",
    "writes null for what a message does not have",
    warns={"HV1-M4": "null should be left out", "HV1-M5": "here as well"},
)
class ExplicitNulls(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if isinstance(frame.get("result"), dict):
            frame["result"].setdefault("state", None)
        if isinstance(frame.get("error"), dict):
            frame["error"].setdefault("stack", None)
        return {"ok": None, "result": None, "error": None, "event": None, **frame}


@legal(
    "null-beside",
    "writes error null beside a result, and result null beside an error",
    warns={"HV1-M4": "null should be left out", "HV1-M5": "here as well"},
)
class NullBeside(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if "ok" in frame:
            return {**frame, "error": frame.get("error"), "result": frame.get("result")}
        return frame


@legal("floats", "writes each whole number below 2^53 with a fraction, v too")
class Floats(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        changed: dict[str, Any] = mapped(frame, _with_fraction)
        return changed


def _with_fraction(value: Any) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if whole and abs(value) <= 2**53 else value


@legal("exponents", "writes v as 1e0")
class Exponents(Host):
    def encode(self, message: HostMessage) -> bytes:
        return super().encode(message).replace(b'{"v":1,', b'{"v":1e0,', 1)


@legal("reads-bytes-as-replaced", "reads bytes that are not UTF-8 as U+FFFD")
class ReadsBytesAsReplaced(LineHost):
    def handle_line(self, line: bytes) -> None:
        super().handle_line(line.decode(errors="replace").encode())


@legal("doubles", "rounds integers beyond 2^53 to a double")
class Doubles(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        try:
            changed: dict[str, Any] = mapped(frame, _as_double)
        except RecursionError:
            return frame  # it cannot look so deep, and writes that as it is
        return changed


def _as_double(value: Any) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return float(value) if whole else value


@legal("refuses-big-integers", "fails a request that holds an integer beyond 2^53")
class RefusesBigIntegers(Host):
    def handle_request(self, request: Request) -> None:
        big: list[int] = []
        try:
            mapped(
                request.params,
                lambda value: big.append(value) if _is_big(value) else None,
            )
        except RecursionError:
            big.append(0)  # it cannot look so deep, and refuses that too
        if big:
            self.send(self.failure(request, "RangeError", "an integer is too big"))
        else:
            super().handle_request(request)


@legal("lines-64-deep", "takes what nests deeper than 64 for a bad line")
class Lines64Deep(ShallowHost):
    pass


def _is_big(value: Any) -> bool:
    return isinstance(value, int) and abs(value) > 2**53


@legal("own-events", "sends events of other types before, between and after the parts")
class OwnEvents(Host):
    def emit(self, request: Request, event_type: str, payload: JSON) -> None:
        super().emit(request, "progress", {"percent": 10})
        super().emit(request, event_type, payload)
        super().emit(request, "log", "a line of a log")

    def handle_request(self, request: Request) -> None:
        super().emit(request, "started", None)
        super().handle_request(request)

    def respond(self, request: Request, response: Success | Failure) -> None:
        super().emit(request, "finished", [])
        super().respond(request, response)


@legal("events-without-payload", "sends events of other types without a payload")
class EventsWithoutPayload(Host):
    def handle_request(self, request: Request) -> None:
        self.write(encode({"v": 1, "id": request.id, "event": {"type": "started"}}))
        super().handle_request(request)


@legal("parts-of-its-own", "sends a part while it starts, which no tool emitted")
class PartsOfItsOwn(Host):
    def handle_request(self, request: Request) -> None:
        if request.method == "init":
            super().emit(request, "part", {"loaded": "half"})
        super().handle_request(request)


@legal("state-always", "sends a state with every success, asked or not")
class StateAlways(Host):
    def result_state(self, request: Request, state: JSONObject) -> JSONObject | None:
        return state


@legal("state-null", "sends state null where none was asked for")
class StateNull(RewritingHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame.get("ok") is True:
            frame["result"].setdefault("state", None)
        return frame


class BadLineHost(Host):
    """Answers a line that is no request in another way."""

    def answer(self, bad: BadRequest) -> Mapping[str, Any] | None:
        """Return the keys of the answer beside v, ok and error; None for no answer."""
        raise NotImplementedError

    def handle_bad_request(self, bad: BadRequest) -> None:
        if bad.answer.id is not None:
            super().handle_bad_request(bad)
            return
        keys = self.answer(bad)
        if keys is not None:
            error: JSON = {"type": "InvalidRequest", "detail": bad.answer.detail}
            self.write(encode({"v": 1, **keys, "ok": False, "error": error}))


@legal(
    "bad-lines-silent",
    "does not answer a line that is no request",
    warns={"HV1-T14": "it reads no request that is nested deeper than its parser goes"},
)
class BadLinesSilent(BadLineHost):
    def answer(self, bad: BadRequest) -> Mapping[str, Any] | None:
        return None


@legal("bad-lines-empty-id", "answers a line that is no request under an empty id")
class BadLinesEmptyId(BadLineHost):
    def answer(self, bad: BadRequest) -> Mapping[str, Any] | None:
        return {"id": ""}


@legal("bad-lines-no-id", "answers a line that is no request without an id")
class BadLinesNoId(BadLineHost):
    def answer(self, bad: BadRequest) -> Mapping[str, Any] | None:
        return {}


@legal("bad-lines-own-id", "answers a line that is no request under the id that it has")
class BadLinesOwnId(BadLineHost):
    def answer(self, bad: BadRequest) -> Mapping[str, Any] | None:
        try:
            value: Any = json.loads(bad.line)
        except (ValueError, RecursionError):
            return {"id": None}
        return {"id": value.get("id") if isinstance(value, dict) else None}


@legal("bad-lines-guessed-id", "answers a broken line under the id that it can guess")
class BadLinesGuessedId(BadLineHost):
    def answer(self, bad: BadRequest) -> Mapping[str, Any] | None:
        _, _, rest = bad.line[:500].decode(errors="replace").partition('"id":"')
        guessed, is_whole, _ = rest.partition('"')
        return {"id": guessed if is_whole else None}


@legal("bad-lines-late", "answers a line that is no request 20 ms later")
class BadLinesLate(BadLineHost):
    def answer(self, bad: BadRequest) -> Mapping[str, Any] | None:
        self._tasks.start_soon(self.answer_late, bad)
        return None

    async def answer_late(self, bad: BadRequest) -> None:
        await anyio.sleep(0.02)
        self.send(bad.answer)


@legal(
    "silent-about-versions",
    "does not answer a request of another version",
    warns={"HV1-M7": "it should answer with a failure"},
)
class SilentAboutVersions(Host):
    def handle_bad_request(self, bad: BadRequest) -> None:
        if bad.answer.type != "UnsupportedVersion":
            super().handle_bad_request(bad)


@legal(
    "silent-and-slow",
    "does not answer a request of another version, and takes 0.5 s for its first call",
    warns={"HV1-M7": "it should answer with a failure"},
)
class SilentAndSlow(SilentAboutVersions):
    called = False

    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        if not self.called:
            self.called = True
            await anyio.sleep(0.5)
        return await super().run_tool(tool, arguments, context)


@legal("gives-up", "fails a call that takes more than one second, once")
class GivesUp(Host):
    async def execute_tool(self, request: Request) -> Success | Failure:
        with anyio.move_on_after(1):
            return await super().execute_tool(request)
        return self.call_failed(request, TimeoutError("it took more than 1 s"))


@legal("is-alone", "does not start while another one of its parent's runs")
class IsAlone(Host):
    async def serve(self) -> None:
        with stay_alone():
            await super().serve()


@contextmanager
def stay_alone() -> Iterator[None]:
    """Keep others of the same parent from starting, until this process ends.

    A byte of a file that is there is locked: nothing is left where it is killed.
    """
    with Path(__file__).open("rb+") as held:
        try:
            fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, os.getppid())
        except OSError:
            sys.exit("another one is running")
        yield


@legal("absent-params-are-empty", "reads absent and odd params as none")
class AbsentParamsAreEmpty(LineHost):
    def handle_line(self, line: bytes) -> None:
        try:
            value: Any = loads(line.strip())
        except ValueError:
            value = None
        asks = isinstance(value, dict) and {"id", "method"} <= value.keys()
        if asks and not isinstance(value.get("params"), dict):
            line = encode({**value, "params": {}}).strip()
        super().handle_line(line)


@legal("success-false-for-all", "tells every refused or thrown call with success false")
class SuccessFalseForAll(Host):
    def respond(self, request: Request, response: Success | Failure) -> None:
        if request.method == "execute_tool" and isinstance(response, Failure):
            value: JSON = {"success": False, "error": response.detail, "code": 7}
            response = Success(request.id, value, self.result_state(request, {}))
        super().respond(request, response)


@legal("one-byte-a-write", "writes its answers one byte at a time")
class OneByteAWrite(Host):
    def write(self, data: bytes) -> None:
        if len(data) > 2_000:
            super().write(data)
            return
        for at in range(len(data)):
            super().write(data[at : at + 1])


@legal("late-and-together", "writes what it has every 15 ms")
class LateAndTogether(Host):
    held = b""

    async def serve(self) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.write_now_and_then)
            await super().serve()
            tasks.cancel_scope.cancel()
        super().write(self.held)
        await self.transport.flush()

    async def write_now_and_then(self) -> None:
        while True:
            await anyio.sleep(0.015)
            held, self.held = self.held, b""
            super().write(held)

    def write(self, data: bytes) -> None:
        self.held += data


@legal("out-of-order", "answers what waits together from the last to the first")
class OutOfOrder(Host):
    def handle_data(self, data: bytes) -> None:
        self.waiting: list[Request] = []
        super().handle_data(data)
        for request in reversed(self.waiting):
            super().handle_request(request)

    def handle_request(self, request: Request) -> None:
        self.waiting.append(request)


@legal("chatty", "logs every step on stderr, without line feeds and in colour")
class Chatty(Host):
    def handle_request(self, request: Request) -> None:
        os.write(2, b"\x1b[31mhandling\x1b[0m \xff\xfe" + b"." * 2_000)
        super().handle_request(request)


@legal("lingers", "exits one second after its input has ended")
class Lingers(Host):
    async def serve(self) -> None:
        await super().serve()
        await anyio.sleep(1)


@legal("leaves-a-child", "leaves a child that holds its stdout open for 4 s")
class LeavesAChild(Host):
    async def serve(self) -> None:
        leave_a_child()
        await super().serve()


def leave_a_child() -> None:
    """Start what outlives the host, with its stdout."""
    subprocess.Popen(("/bin/sleep", "4"), stdin=subprocess.DEVNULL)


@legal("leaves-a-daemon", "leaves a child of its own session that lives on for 4 s")
class LeavesADaemon(Host):
    async def serve(self) -> None:
        leave_a_daemon()
        await super().serve()


def leave_a_daemon() -> None:
    """Start what outlives the host, away from it, with its stderr alone."""
    subprocess.Popen(
        ("/bin/sleep", "4"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


@legal("starts-slowly", "takes 1.5 s to start")
class StartsSlowly(Host):
    async def serve(self) -> None:
        await anyio.sleep(1.5)
        await super().serve()


@legal("slow-answers", "takes 30 ms before it looks at a request")
class SlowAnswers(Host):
    def handle_request(self, request: Request) -> None:
        self._tasks.start_soon(self.answer_slowly, request)

    async def answer_slowly(self, request: Request) -> None:
        await anyio.sleep(0.03)
        super().handle_request(request)


@legal("one-in-forty-is-slow", "takes 0.4 s for every fortieth request")
class OneInFortyIsSlow(SlowAnswers):
    seconds = 0.4
    every = 40
    count = 0

    def handle_request(self, request: Request) -> None:
        self.count += 1
        if self.count % self.every == 0:
            super().handle_request(request)
        else:
            Host.handle_request(self, request)

    async def answer_slowly(self, request: Request) -> None:
        await anyio.sleep(self.seconds)
        Host.handle_request(self, request)


@legal("one-in-ten-is-slow", "takes longer than a brief wait for every tenth request")
class OneInTenIsSlow(OneInFortyIsSlow):
    seconds = 0.0
    every = 10

    async def serve(self) -> None:
        self.seconds = longer_than_brief()
        await super().serve()


@legal("loads-at-the-first-call", "takes 1 s for its first call, and all else waits")
class LoadsAtTheFirstCall(Host):
    called = False

    def handle_request(self, request: Request) -> None:
        if request.method == "execute_tool" and not self.called:
            self.called = True
            time.sleep(1)
        super().handle_request(request)


@legal("slow-to-complain", "takes 25 ms for each bad line, one after the other")
class SlowToComplain(Host):
    def handle_bad_request(self, bad: BadRequest) -> None:
        time.sleep(0.025)
        super().handle_bad_request(bad)


@legal(
    "one-at-a-time",
    "carries out one request after the other",
    warns={"HV1-R12": "a tool that runs long stops the others"},
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


@legal("long-stacks", "sends a stack of 50 kB with each failure")
class LongStacks(Host):
    def failure(
        self, request: Request, error_type: str, detail: str, stack: str | None = None
    ) -> Failure:
        return super().failure(request, error_type, detail, "  at f\n" * 7_000)


@legal("prefixed-throw", "puts the kind of error in front of a thrown message")
class PrefixedThrow(Host):
    async def run_tool(
        self, tool: Tool, arguments: JSONObject, context: ToolContext
    ) -> JSONObject:
        try:
            return await super().run_tool(tool, arguments, context)
        except RuntimeError as error:
            raise RuntimeError(f"RuntimeError in {tool.name}: {error}!") from error
